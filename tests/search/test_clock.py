"""The clock's budgets (specification, section 16), with time that stands still unless told otherwise."""

import pytest

from pawnstar.search.clock import (
    GO_ON,
    STOP_CONSISTENT,
    STOP_CONSISTENT_AND_STABLE,
    STOP_MESSAGES,
    STOP_SILENTLY,
    STOP_STABLE,
    Clock,
)
from pawnstar.search.limits import Limits


class Time:
    """Milliseconds that pass when a test says so, each a little late, so that seconds in binary do not cut one off."""

    def __init__(self) -> None:
        self.milliseconds = 0.0

    def __call__(self) -> float:
        return self.milliseconds / 1000

    def pass_(self, milliseconds: float) -> None:
        self.milliseconds += milliseconds + 0.001


def budgets(limits: Limits, move_number: int = 0, overhead: int = 0) -> tuple[int, int]:
    clock = Clock(limits, move_number, overhead, Time())
    return clock.soft, clock.hard


@pytest.mark.parametrize(
    ("left", "to_go", "move_number", "soft", "hard"),
    [
        # The moves until an assumed 40th, at least 5; twice the share at most.
        (300_000, 0, 0, 7_500, 15_000),
        (300_000, 0, 20, 15_000, 30_000),
        (300_000, 0, 34, 50_000, 100_000),
        (300_000, 0, 35, 60_000, 120_000),
        (300_000, 0, 36, 60_000, 120_000),
        (300_000, 0, 255, 60_000, 120_000),
        (300_000, 0, 256, 60_000, 120_000),
        (300_000, 0, 10**17, 60_000, 120_000),
        # A FEN whose move number is 0 or less begins like any other.
        (300_000, 0, -1, 7_500, 15_000),
        (300_000, 0, -500, 7_500, 15_000),
        # Moves to go as announced.
        (300_000, 40, 0, 7_500, 15_000),
        (300_000, 30, 100, 10_000, 20_000),
        (300_000, 1, 0, 300_000, 299_000),  # a second is kept back
        (300_000, 2, 0, 150_000, 299_000),
        (299_999, 7, 0, 42_857, 85_714),  # cut off
        # Little time: a tenth of a second at least, or an eighth of what there is if that is less.
        (8_000, 1, 0, 8_000, 7_000),
        (2_000, 1, 0, 2_000, 1_000),
        (1_101, 1, 0, 1_101, 101),
        (1_100, 1, 0, 1_100, 100),
        (1_099, 1, 0, 1_099, 100),
        (800, 10, 0, 80, 100),
        (799, 10, 0, 79, 99),
        (300, 10, 0, 30, 37),
        (100, 0, 0, 2, 12),
        (4, 0, 0, 0, 1),
        (1, 0, 0, 0, 1),
        (0, 0, 0, 0, 1),
        (-5, 0, 0, 0, 1),
        (-1_000, 10, 0, -100, 1),
        (-99, 10, 0, -9, 1),  # towards zero
        # A number of moves that means none.
        (300_000, -3, 0, 7_500, 15_000),
    ],
)
def test_standard_clock(left: int, to_go: int, move_number: int, soft: int, hard: int) -> None:
    assert budgets(Limits(time_left=left, moves_to_go=to_go), move_number) == (soft, hard)


@pytest.mark.parametrize(
    ("overhead", "hard"), [(0, 15_000), (30, 14_970), (5_000, 10_000), (14_999, 1), (15_000, 1), (99_999, 1)]
)
def test_overhead_is_kept_back_from_the_hard_budget(overhead: int, hard: int) -> None:
    assert budgets(Limits(time_left=300_000), overhead=overhead) == (7_500, hard)


def test_increment_does_not_count() -> None:
    assert budgets(Limits(time_left=60_000, increment=5_000)) == budgets(Limits(time_left=60_000))


@pytest.mark.parametrize(
    ("movetime", "overhead", "hard"),
    [(1_000, 0, 1_000), (1_000, 30, 970), (20, 30, 1), (1, 0, 1), (0, 0, 1), (-7, 0, 1)],
)
def test_fixed_time(movetime: int, overhead: int, hard: int) -> None:
    """A time of zero or less is a move at once, not a search without end."""
    assert budgets(Limits(movetime=movetime), overhead=overhead) == (0, hard)


def test_both_clocks_together_take_the_shorter() -> None:
    assert budgets(Limits(time_left=300_000, movetime=500))[1] == 500
    assert budgets(Limits(time_left=300_000, movetime=99_000))[1] == 15_000


@pytest.mark.parametrize("limits", [Limits(), Limits(depth=5), Limits(nodes=7), Limits(depth=5, increment=3)])
def test_no_budget_never_expires(limits: Limits) -> None:
    time = Time()
    clock = Clock(limits, 0, 30, time)
    assert (clock.soft, clock.hard) == (0, 0)
    time.pass_(10**9)
    assert not clock.expired()
    assert clock.advice(True, True) == GO_ON


def test_hard_budget_expires_when_reached() -> None:
    time = Time()
    clock = Clock(Limits(movetime=500), 0, 100, time)
    time.pass_(399)
    assert not clock.expired()
    time.pass_(1)
    assert clock.expired()
    assert clock.elapsed() == clock.searched() == 400
    assert clock.advice(True, True) == GO_ON, "the soft budget belongs to the standard clock"


def test_pondering_has_no_deadline_until_ponderhit() -> None:
    time = Time()
    clock = Clock(Limits(time_left=300_000, ponder=True), 0, 0, time)
    time.pass_(1_000_000)
    assert not clock.expired()
    assert clock.advice(True, True) == GO_ON
    clock.ponderhit()
    assert clock.elapsed() == 0
    assert clock.searched() == 1_000_000
    assert clock.advice(True, True) == GO_ON
    time.pass_(14_999)
    assert not clock.expired()
    time.pass_(1)
    assert clock.expired()
    assert clock.advice(False, False) == STOP_SILENTLY


def test_second_ponderhit_gives_no_more_time() -> None:
    time = Time()
    clock = Clock(Limits(movetime=100, ponder=True), 0, 0, time)
    clock.ponderhit()
    time.pass_(100)
    clock.ponderhit()
    assert clock.expired()
    other = Clock(Limits(movetime=100), 0, 0, time)
    time.pass_(100)
    other.ponderhit()
    assert other.expired(), "nor a first one where nobody pondered"


@pytest.mark.parametrize(
    ("elapsed", "consistent", "stable", "advice"),
    [
        # The soft budget is 8,000: a quarter if all agrees, half if one does, else all of it; each must be exceeded.
        (2_000, True, True, GO_ON),
        (2_001, True, True, STOP_CONSISTENT_AND_STABLE),
        (2_001, True, False, GO_ON),
        (2_001, False, True, GO_ON),
        (4_000, True, False, GO_ON),
        (4_001, True, False, STOP_CONSISTENT),
        (4_000, False, True, GO_ON),
        (4_001, False, True, STOP_STABLE),
        (4_001, False, False, GO_ON),
        (4_001, True, True, STOP_CONSISTENT_AND_STABLE),
        (8_000, False, False, GO_ON),
        (8_001, False, False, STOP_SILENTLY),
        (8_001, True, False, STOP_CONSISTENT),
    ],
)
def test_advice_between_iterations(elapsed: int, consistent: bool, stable: bool, advice: int) -> None:
    time = Time()
    clock = Clock(Limits(time_left=320_000), 0, 0, time)
    assert clock.soft == 8_000
    time.pass_(elapsed)
    assert clock.advice(consistent, stable) == advice


def test_messages_are_the_siblings() -> None:
    assert STOP_MESSAGES == {
        STOP_CONSISTENT_AND_STABLE: "Best move consistent AND score stable - search terminated.",
        STOP_CONSISTENT: "Best move consistent - search terminated.",
        STOP_STABLE: "Score stable - search terminated.",
    }


@pytest.mark.parametrize(
    ("limits", "depth"),
    [
        (Limits(), None),
        (Limits(depth=7), 7),
        (Limits(mate=3), 6),
        (Limits(depth=5, mate=3), 5),
        (Limits(depth=9, mate=3), 6),
        (Limits(depth=0), 0),
        (Limits(nodes=5), None),
    ],
)
def test_depth_limit(limits: Limits, depth: int | None) -> None:
    assert limits.depth_limit() == depth


def test_real_time_passes() -> None:
    import time as real

    clock = Clock(Limits(movetime=20), 0, 0)
    assert clock.elapsed() < 20
    real.sleep(0.03)
    assert clock.expired()
