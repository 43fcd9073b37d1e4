"""The packed move: one 64-bit signed integer.

======  ==========================================================================================
bits    content
======  ==========================================================================================
0-5     to square
6-11    from square
12-14   moving piece (a pawn for promotions)
15-17   captured piece (0 for none, a pawn for en passant)
18-21   type
22      gives check (set for captures and promotions where a list is scored with checks)
23-24   table node type
25-32   table depth, signed
33-40   table age, unsigned
41-63   score, signed 23 bits (read by an arithmetic shift)
======  ==========================================================================================

The identity of a move is bits 0-21. Bits 23-63 hold the ordering score while a list is sorted, and score, depth, type
and age while the move lies in the transposition table; a move is never both at once.
"""

from typing import Final

from mypy_extensions import i64

from pawnstar.chess.pieces import BISHOP, KNIGHT, PIECE_LETTERS, QUEEN, ROOK
from pawnstar.chess.squares import square_name

NO_MOVE: Final = 0

# Types. Promotions are typed by the piece promoted to, with or without a capture.
NON_CAPTURE: Final = 0
CAPTURE: Final = 1
PROMOTE_KNIGHT: Final = KNIGHT
PROMOTE_BISHOP: Final = BISHOP
PROMOTE_ROOK: Final = ROOK
PROMOTE_QUEEN: Final = QUEEN
DOUBLE_PUSH: Final = 6
EN_PASSANT: Final = 7
CASTLING: Final = 8

IDENTITY: Final = 0x3FFFFF  # bits 0-21
KEPT_IN_TABLE: Final = 0x7FFFFF  # bits 0-22
CHECK_FLAG: Final = 0x400000  # bit 22

FROM_SHIFT: Final = 6
PIECE_SHIFT: Final = 12
CAPTURED_SHIFT: Final = 15
TYPE_SHIFT: Final = 18
SCORE_SHIFT: Final = 41

# Room for the moves of one position. No game leads to more than 218; boards full of queens, which only a FEN can set
# up, had up to 271 in a search for the most. None has more than 355: a linear program over pieces and lines (on a line
# of n squares with k queens at most min(k(n - 1), 2(n - k)) moves, and so on) gives 351, castling and en passant 4.
MAX_MOVES: Final = 360


def pack_move(from_square: i64, to_square: i64, piece: i64, captured: i64, kind: i64) -> i64:
    """A move from its parts."""
    return (
        to_square | from_square << FROM_SHIFT | piece << PIECE_SHIFT | captured << CAPTURED_SHIFT | kind << TYPE_SHIFT
    )


def to_square(move: i64) -> i64:
    """The square moved to; for castling, the king's."""
    return move & 63


def from_square(move: i64) -> i64:
    """The square moved from; for castling, the king's."""
    return (move >> FROM_SHIFT) & 63


def moving_piece(move: i64) -> i64:
    """The kind of piece that moves: a pawn for promotions."""
    return (move >> PIECE_SHIFT) & 7


def captured_piece(move: i64) -> i64:
    """The kind of piece captured, 0 for none."""
    return (move >> CAPTURED_SHIFT) & 7


def move_type(move: i64) -> i64:
    """One of the types above."""
    return (move >> TYPE_SHIFT) & 15


def promoted_piece(move: i64) -> i64:
    """The kind of piece promoted to, 0 for none."""
    kind = (move >> TYPE_SHIFT) & 15
    if kind >= PROMOTE_KNIGHT and kind <= PROMOTE_QUEEN:
        return kind
    return 0


def is_quiet(move: i64) -> bool:
    """Whether the move neither captures nor promotes. Castling and double pushes are quiet, en passant is not."""
    if move & (7 << CAPTURED_SHIFT) != 0:
        return False
    kind = (move >> TYPE_SHIFT) & 15
    return kind < PROMOTE_KNIGHT or kind > PROMOTE_QUEEN


def move_text(move: i64) -> str:
    """Coordinate notation, as UCI writes it: ``e2e4``, ``e7e8q``, castling as the king's move; no move is ``0000``."""
    if move & IDENTITY == NO_MOVE:
        return "0000"
    text = square_name(from_square(move)) + square_name(to_square(move))
    promoted = promoted_piece(move)
    if promoted != 0:
        text += PIECE_LETTERS[int(promoted)].lower()
    return text
