"""Counting the leaves of the legal move tree, the standard test of a move generator.

A count may take hours. Before every small part of the tree it calls an interpreted function, so that Python handles a
Ctrl-C and other signals, and other threads run. The caller's function may end the count by an exception.
"""

from collections.abc import Callable
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import COMPILED
from pawnstar.chess.generation import generate
from pawnstar.chess.moves import MAX_MOVES
from pawnstar.chess.position import Position, make_move
from pawnstar.system.interrupts import let_others_in

# Plies. The stack of positions bounds the depth; counts of more than a dozen plies never end.
PERFT_MAX: Final = 64
# The depth of the parts that are counted in one go: a tenth of a millisecond as a rule, a tenth of a second for the
# position with the most moves; in plain Python milliseconds.
PART_DEPTH: Final = 3 if COMPILED else 2


def _count(positions: list[Position], moves: vec[i64], ply: i64, depth: i64, poll: Callable[[], None]) -> i64:
    if depth == PART_DEPTH:
        poll()
    position = positions[ply]
    start = ply * MAX_MOVES
    end = generate(position, moves, start, True)
    if depth == 1:
        return end - start
    child = positions[ply + 1]
    total: i64 = 0
    while start < end:
        make_move(position, child, moves[start])
        total += _count(positions, moves, ply + 1, depth - 1, poll)
        start += 1
    return total


def perft(position: Position, depth: int, poll: Callable[[], None] = let_others_in) -> int:
    """The number of leaves ``depth`` plies below ``position``; the last ply is counted, not made. 1 at depth 0.

    ``poll`` is called every few milliseconds at most; what it raises ends the count. Raises ValueError for a depth
    below 0 or beyond 64.
    """
    if depth < 0:
        raise ValueError(f"perft depth must not be negative, not {depth}")
    if depth > PERFT_MAX:
        raise ValueError(f"perft depth must be at most {PERFT_MAX}, not {depth}")
    if depth == 0:
        return 1
    positions = [Position() for _ in range(depth + 1)]
    positions[0].copy_from(position)
    moves = vec[i64]([i64(0)] * (MAX_MOVES * (depth + 1)))
    return int(_count(positions, moves, 0, depth, poll))


def perft_divide(
    position: Position,
    depth: int,
    poll: Callable[[], None] = let_others_in,
    report: Callable[[int, int], None] | None = None,
) -> list[tuple[int, int]]:
    """Per legal move, in generation order, the move and the number of leaves behind it.

    ``report`` gets each as it comes; ``poll`` is perft's. Raises ValueError for a depth below 1 or beyond 64.
    """
    if depth < 1:
        raise ValueError(f"perft divide needs a depth of at least 1, not {depth}")
    if depth > PERFT_MAX:
        raise ValueError(f"perft depth must be at most {PERFT_MAX}, not {depth}")
    moves = vec[i64]([i64(0)] * MAX_MOVES)
    end = generate(position, moves, 0, True)
    child = Position()
    counts: list[tuple[int, int]] = []
    index: i64 = 0
    while index < end:
        make_move(position, child, moves[index])
        count = (int(moves[index]), perft(child, depth - 1, poll))
        if report is not None:
            report(count[0], count[1])
        counts.append(count)
        index += 1
    return counts
