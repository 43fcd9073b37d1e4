"""The packed move: one 64-bit signed integer.

======  ==================================================
bits    content
======  ==================================================
0-5     to square
6-11    from square
12-14   moving piece (a pawn for promotions)
15-17   captured piece (0 for none, a pawn for en passant)
18-21   type
22-63   free: whoever keeps moves may use them
======  ==================================================

Bits 0-21 are the move's identity; every function here looks at them alone.
"""

from typing import Final

from mypy_extensions import i64

from pawnstar.chess.pieces import BISHOP, KNIGHT, QUEEN, ROOK

NO_MOVE: Final = 0

# Types; 0 is any move that is none of these. Promotions are typed by the piece promoted to, with or without a capture.
CAPTURE: Final = 1
PROMOTE_KNIGHT: Final = KNIGHT
PROMOTE_BISHOP: Final = BISHOP
PROMOTE_ROOK: Final = ROOK
PROMOTE_QUEEN: Final = QUEEN
DOUBLE_PUSH: Final = 6
EN_PASSANT: Final = 7
CASTLE_KING_SIDE: Final = 8
CASTLE_QUEEN_SIDE: Final = 9

IDENTITY: Final = 0x3FFFFF  # bits 0-21

FROM_SHIFT: Final = 6
PIECE_SHIFT: Final = 12
CAPTURED_SHIFT: Final = 15
TYPE_SHIFT: Final = 18

_FROM_TO: Final = 0xFFF
_LOUD_TYPES: Final = 0xBE  # a bit each: captures, promotions and en passant

# Room for the moves of one position. No game leads to more than 218; boards full of queens, which only a FEN can set
# up, had up to 271 in a search for the most. None has more than 355: a linear program over pieces and lines (on a line
# of n squares with k queens at most min(k(n - 1), 2(n - k)) moves, and so on) gives 351, castling and en passant 4.
MAX_MOVES: Final = 360


class InvalidMoveError(ValueError):
    """A text is not a move in any notation that is read."""


class IllegalMoveError(ValueError):
    """A move cannot be played in the position."""


class AmbiguousMoveError(ValueError):
    """A text fits more than one legal move."""


def to_square(move: i64) -> i64:
    """The square moved to; for castling, the king's target."""
    return move & 63


def from_square(move: i64) -> i64:
    """The square moved from; for castling, the king's home, which may be its target too."""
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


def from_to(move: i64) -> i64:
    """The squares moved from and to as one index: 64 times the first plus the second, below 4,096."""
    return move & _FROM_TO


def piece_to(move: i64) -> i64:
    """The moving piece and the square moved to as one index: 64 times the piece plus the square, below 448."""
    return ((move >> FROM_SHIFT) & 0x1C0) | (move & 63)


def is_promotion(move: i64) -> bool:
    """Whether a pawn promotes, with or without a capture."""
    kind = (move >> TYPE_SHIFT) & 15
    return kind >= PROMOTE_KNIGHT and kind <= PROMOTE_QUEEN


def promoted_piece(move: i64) -> i64:
    """The kind of piece promoted to, 0 for none."""
    kind = (move >> TYPE_SHIFT) & 15
    if kind >= PROMOTE_KNIGHT and kind <= PROMOTE_QUEEN:
        return kind
    return 0


def is_castling(move: i64) -> bool:
    """Whether the move is castling, to either side."""
    return (move >> TYPE_SHIFT) & 15 >= CASTLE_KING_SIDE


def is_loud(move: i64) -> bool:
    """Whether the move captures or promotes: castling and double pushes do not, en passant does."""
    # By one look-up in a constant: with branches, the C compiler leaves half of the function to a call.
    return (_LOUD_TYPES >> ((move >> TYPE_SHIFT) & 15)) & 1 != 0
