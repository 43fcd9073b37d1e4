"""Which worker takes which tasks."""

from __future__ import annotations

import random
import threading
from array import array

import pytest

from pawnstar.drop7.parallel.work_stealing import TaskRanges


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
@pytest.mark.parametrize("tasks", [0, 1, 7, 49, 1000])
def test_every_task_is_taken_once(workers: int, tasks: int) -> None:
    chance = random.Random(workers + tasks)
    ranges = TaskRanges(memoryview(array("q", [0] * 2 * workers)), threading.Lock())
    ranges.divide(tasks)
    taken: list[int] = []
    while ranges.remaining() > 0:
        # The last worker is slow: the others steal most of its range.
        taken += ranges.take(chance.randrange(workers if chance.random() < 0.1 else max(1, workers - 1)))
        assert ranges.remaining() == tasks - len(taken)
    assert sorted(taken) == list(range(tasks))
    assert not any(ranges.take(worker) for worker in range(workers))


def test_a_worker_keeps_to_its_range_while_it_lasts() -> None:
    ranges = TaskRanges(memoryview(array("q", [0] * 4)), threading.Lock())
    ranges.divide(100)
    first = [task for _ in range(30) for task in ranges.take(0)]
    assert first[:50] == list(range(50))
    assert first[50] == 75  # the far half of what the idle one has
