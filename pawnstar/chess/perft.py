"""Counting the leaves of the legal move tree, the standard test of a move generator."""

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.generation import generate
from pawnstar.chess.moves import MAX_MOVES
from pawnstar.chess.position import Position, make_move


def _count(positions: list[Position], moves: vec[i64], ply: i64, depth: i64) -> i64:
    position = positions[ply]
    start = ply * MAX_MOVES
    end = generate(position, moves, start, True)
    if depth == 1:
        return end - start
    child = positions[ply + 1]
    total: i64 = 0
    while start < end:
        make_move(position, child, moves[start])
        total += _count(positions, moves, ply + 1, depth - 1)
        start += 1
    return total


def perft(position: Position, depth: int) -> int:
    """The number of leaves ``depth`` plies below ``position``; the last ply is counted, not made. 1 at depth 0."""
    if depth < 0:
        raise ValueError(f"perft depth must not be negative, not {depth}")
    if depth == 0:
        return 1
    positions = [Position() for _ in range(depth + 1)]
    positions[0].copy_from(position)
    moves = vec[i64]([i64(0)] * (MAX_MOVES * (depth + 1)))
    return int(_count(positions, moves, 0, depth))


def perft_divide(position: Position, depth: int) -> list[tuple[int, int]]:
    """Per legal move, in generation order, the move and the number of leaves behind it; ``depth`` is at least 1."""
    if depth < 1:
        raise ValueError(f"perft divide needs a depth of at least 1, not {depth}")
    moves = vec[i64]([i64(0)] * MAX_MOVES)
    end = generate(position, moves, 0, True)
    child = Position()
    counts: list[tuple[int, int]] = []
    index: i64 = 0
    while index < end:
        make_move(position, child, moves[index])
        counts.append((int(moves[index]), perft(child, depth - 1)))
        index += 1
    return counts
