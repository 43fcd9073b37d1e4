"""Perft that hears a stop: the compiled count works in pieces of some milliseconds."""

import time
from collections.abc import Callable
from typing import Final

from pawnstar.chess.bits import COMPILED
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.perft import perft
from pawnstar.chess.position import Position, make_move
from pawnstar.engine.search import StopSignal

# The depth that is counted in one go, without a look at the stop signal and without giving up Python's lock.
PIECE_DEPTH: Final = 3 if COMPILED else 2


class Stopped(Exception):
    """The count was told to stop."""


def _count(position: Position, depth: int, stop: StopSignal) -> int:
    if depth <= PIECE_DEPTH:
        time.sleep(0)
        if stop.is_set():
            raise Stopped
        return perft(position, depth)
    total = 0
    child = Position()
    for move in legal_moves(position):
        make_move(position, child, move)
        total += _count(child, depth - 1, stop)
    return total


def count_moves(position: Position, depth: int, stop: StopSignal, report: Callable[[int, int], None]) -> int:
    """Count the leaves ``depth`` plies below; ``report`` gets each legal move and the count behind it, as it comes.

    Raises Stopped soon after ``stop`` is set.
    """
    total = 0
    child = Position()
    for move in legal_moves(position):
        make_move(position, child, move)
        count = _count(child, depth - 1, stop)
        total += count
        report(move, count)
    return total
