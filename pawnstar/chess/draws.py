"""Draws by rule: material, fifty moves, repetition; for searches, and for code that has no search stack.

The engine scores these as draws though no player has claimed them. Callers test the material first, since that is
cheapest. A mate on the board counts before the fifty-move rule.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import LIGHT_SQUARES, popcount
from pawnstar.chess.generation import generate
from pawnstar.chess.moves import MAX_MOVES
from pawnstar.chess.position import Position

# The fifty-move rule, in plies.
FIFTY_MOVE_PLIES: Final = 100


def material_draw(position: Position) -> i64:
    """Whether neither side can mate with what is left: the number of pieces (2, 3 or 4) where so, else 0.

    Bare kings; a single minor piece; one bishop each on squares of the same colour.
    """
    occupied = position.white | position.black
    count = popcount(occupied)
    if count > 4:
        return 0
    if count == 2:
        return 2
    minors = position.plane1 & ~position.plane2
    if count == 3:
        if minors != 0:
            return 3
        return 0
    bishops = position.plane0 & position.plane1
    ours = bishops & position.white
    theirs = bishops & position.black
    if ours != 0 and theirs != 0 and ((ours & LIGHT_SQUARES != 0) == (theirs & LIGHT_SQUARES != 0)):
        return 4
    return 0


def fifty_move_draw(position: Position, moves: vec[i64], start: i64) -> bool:
    """Whether fifty moves by each side have passed without capture or pawn move, and this is no mate.

    Legal moves are written to ``moves`` from ``start`` on where they must be looked for.
    """
    if position.clock < FIFTY_MOVE_PLIES:
        return False
    return position.checkers == 0 or generate(position, moves, start, True) != start


def repeated_twice(keys: vec[i64], clocks: vec[i64], key: i64, count: i64) -> bool:
    """Whether ``key`` stands twice among the ``count`` positions of a game or line whose keys and clocks are given.

    Only positions with the same side to move are looked at, four plies back first, up to the last move that cannot be
    undone, after which the clock is 0.
    """
    found: i64 = 0
    index = count - 4
    while index >= 0:
        if keys[index] == key:
            found += 1
            if found == 2:
                return True
        if clocks[index] == 0:
            return False
        index -= 2
    return False


def drawn_without_history(position: Position) -> bool:
    """Whether a position is drawn by material or the fifty-move rule. Not for hot code."""
    if material_draw(position) != 0:
        return True
    # The clock is looked at first, here: making the array takes longer than all else.
    return position.clock >= FIFTY_MOVE_PLIES and fifty_move_draw(position, vec[i64]([i64(0)] * MAX_MOVES), 0)
