"""The clock of one search: how long it may take, and when it should rather stop."""

import time
from collections.abc import Callable
from typing import Final

from pawnstar.search.limits import Limits
from pawnstar.settings import MOVE_OVERHEAD

# Milliseconds and moves of the budget's formulas.
HORIZON_MOVES: Final = 40
LEAST_MOVES_TO_GO: Final = 5
LEAST_HARD: Final = 100
RESERVE: Final = 1000
CURRMOVE_AFTER: Final = 3000

# Between two iterations: go on, or stop for one of four reasons.
GO_ON: Final = 0
STOP_SILENTLY: Final = 1
STOP_CONSISTENT_AND_STABLE: Final = 2
STOP_CONSISTENT: Final = 3
STOP_STABLE: Final = 4

STOP_MESSAGES: Final = {
    STOP_CONSISTENT_AND_STABLE: "Best move consistent AND score stable - search terminated.",
    STOP_CONSISTENT: "Best move consistent - search terminated.",
    STOP_STABLE: "Score stable - search terminated.",
}


class Clock:
    """Soft and hard budgets in milliseconds; the hard one is polled while searching, the soft one between iterations.

    The hard budget bounds the search's length; a budget of 0 means none. While pondering neither runs.
    """

    def __init__(
        self,
        limits: Limits,
        move_number: int,
        overhead: int = MOVE_OVERHEAD.default,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """``move_number`` is the zero-based full-move number, below 0 taken for 0; ``overhead`` is kept back from every
        hard budget.

        ``now`` tells the time in seconds.
        """
        soft = 0
        hard = 0
        self.timed = limits.time_left is not None
        if limits.time_left is not None:
            left = limits.time_left
            to_go = limits.moves_to_go
            if to_go <= 0:
                to_go = max(HORIZON_MOVES - max(0, move_number), LEAST_MOVES_TO_GO)
            soft = left // to_go if left >= 0 else -(-left // to_go)
            # The least budget is the siblings' 100 ms, but never more than an eighth of the time left: 100 ms of
            # almost nothing lost a game on time when the machine stalled for a moment.
            least = max(1, min(LEAST_HARD, left // 8))
            hard = max(least, min(2 * soft, left - RESERVE))
        if limits.movetime is not None:
            movetime = max(1, limits.movetime)
            hard = movetime if hard == 0 else min(hard, movetime)
        if hard > 0:
            hard = max(1, hard - overhead)
        self.soft = soft
        self.hard = hard
        self.pondering = limits.ponder
        self._now = now
        self._began = now()
        self._start = self._began

    def ponderhit(self) -> None:
        """The pondered move was played: the budgets run from now. Without effect on a clock that does not ponder."""
        if self.pondering:
            self._start = self._now()
            self.pondering = False

    def searched(self) -> int:
        """Milliseconds since the start, time spent pondering included; reports show them."""
        return int((self._now() - self._began) * 1000)

    def elapsed(self) -> int:
        """Milliseconds that count towards the budgets: since the start, or since ponderhit."""
        return int((self._now() - self._start) * 1000)

    def expired(self) -> bool:
        """Whether the hard budget is spent."""
        return self.hard > 0 and not self.pondering and self.elapsed() >= self.hard

    def advice(self, consistent: bool, stable: bool) -> int:
        """Whether to go on with another iteration, or which of the reasons above to stop there is.

        A search stops after a quarter of the soft budget where its best move is consistent and its score stable, after
        half where one of these holds, else after all of it.
        """
        if not self.timed or self.pondering:
            return GO_ON
        elapsed = self.elapsed()
        if consistent and stable and 4 * elapsed > self.soft:
            return STOP_CONSISTENT_AND_STABLE
        if consistent and 2 * elapsed > self.soft:
            return STOP_CONSISTENT
        if stable and 2 * elapsed > self.soft:
            return STOP_STABLE
        if elapsed > self.soft:
            return STOP_SILENTLY
        return GO_ON
