"""Moves as protocols write them, by their squares: ``e2e4``, ``e7e8q``.

Castling is written as the king's move (``e1g1``) or, as is usual in Chess960, as the king's capture of its own rook
(``e1h1``). Only the latter tells castling from an ordinary king's move in every layout of king and rooks.
"""

from mypy_extensions import i64

from pawnstar.chess.castling import ROOK_HOME, layout_of
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import (
    CASTLE_KING_SIDE,
    IDENTITY,
    NO_MOVE,
    from_square,
    is_castling,
    move_type,
    promoted_piece,
    to_square,
)
from pawnstar.chess.pieces import NONE, PIECE_LETTERS
from pawnstar.chess.position import Position
from pawnstar.chess.squares import parse_square, square_name


def move_text(move: i64, layout: i64 = 0, chess960: bool = False) -> str:
    """The move's text; ``0000`` for no move.

    With ``chess960`` castling is written as the king's capture of its rook, which stands where ``layout``, the number
    of the mover's layout (see castling.py), has it.
    """
    if move & IDENTITY == NO_MOVE:
        return "0000"
    target = to_square(move)
    if chess960 and is_castling(move):
        color = target >> 5  # the first or the last rank
        target = ROOK_HOME[4 * layout + 2 * color + move_type(move) - CASTLE_KING_SIDE]
    text = square_name(from_square(move)) + square_name(target)
    promoted = promoted_piece(move)
    if promoted != NONE:
        text += PIECE_LETTERS[int(promoted)].lower()
    return text


def parse_coordinate(position: Position, text: str, chess960: bool = False) -> int:
    """The legal move that ``move_text`` writes so, or 0 where there is none.

    Read as strictly as it is written: lower case, a promotion names its piece, castling in the one style. Where a king
    can reach its castling target by an ordinary move too, the king's move means that one.
    """
    if len(text) not in (4, 5):
        return NO_MOVE
    origin = parse_square(text[:2])
    if origin < 0 or parse_square(text[2:4]) < 0:
        return NO_MOVE
    layout = layout_of(position.layout, position.side)
    found = NO_MOVE
    for move in legal_moves(position):
        if from_square(move) == origin and move_text(move, layout, chess960) == text:
            if not is_castling(move):
                return move
            found = move
    return found
