"""Perft that hears a stop."""

from collections.abc import Callable

from pawnstar.chess.perft import perft_divide
from pawnstar.chess.position import Position
from pawnstar.engine.bench import Stopped
from pawnstar.search.worker import StopSignal


def count_moves(position: Position, depth: int, stop: StopSignal, report: Callable[[int, int], None]) -> int:
    """Count the leaves ``depth`` plies below; ``report`` gets each legal move and the count behind it, as it comes.

    Raises Stopped soon after ``stop`` is set.
    """

    def look() -> None:
        if stop.is_set():
            raise Stopped

    return sum(count for _, count in perft_divide(position, depth, look, report))
