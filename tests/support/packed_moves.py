"""Moves made of their parts, and lists of them, for tests."""

from collections.abc import Callable

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.generation import generate
from pawnstar.chess.moves import MAX_MOVES
from pawnstar.chess.position import Position


def pack_move(from_square: int, to_square: int, piece: int, captured: int, kind: int) -> int:
    """A move from its parts, by the table in ``pawnstar/chess/moves.py``."""
    return to_square | from_square << 6 | piece << 12 | captured << 15 | kind << 18


def legal_captures(
    position: Position, generate: Callable[[Position, vec[i64], i64, bool], i64] = generate
) -> list[int]:
    """The legal captures and promotions, in generation order; ``generate`` may be a twin's."""
    moves = vec[i64]([i64(0)] * MAX_MOVES)
    count = generate(position, moves, 0, False)
    return [int(moves[i64(index)]) for index in range(int(count))]
