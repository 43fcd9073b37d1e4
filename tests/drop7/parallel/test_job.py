"""Jobs, and the memory that their processes share."""

from __future__ import annotations

import os
import pickle

import pytest

from pawnstar.drop7 import Settings, State
from pawnstar.drop7.parallel.job import Job, TaskRunner, private_table, run_here
from pawnstar.drop7.parallel.job_memory import ALIGNMENT, JobMemory
from pawnstar.drop7.search.frontier import Task
from pawnstar.drop7.search.table import SLOT_BYTES

TASKS: list[Task] = [(number, 2, 3, -4, 5, 1, 2) for number in range(10)]
START: Task = (0x0000000800000008, 0x0000000800000008, 0x0000000800000008, 8, 4, 5, 1)


def test_a_part_has_its_tasks_and_columns() -> None:
    job = Job(TASKS[:7], [3, 2, 4, 1, 5, 0, 6], Settings(depth=2))
    part = job.part(2, 4)
    assert (part.tasks, part.columns, part.settings) == (TASKS[2:4], [4, 1], job.settings)
    assert [part.column(number) for number in (0, 1)] == [4, 1]
    assert Job(TASKS, [], Settings()).part(1, 3).column(0) == -1
    assert pickle.loads(pickle.dumps(part)) == part


def test_a_job_in_this_process_values_its_tasks_in_order() -> None:
    settings = Settings(depth=1, samples=3)
    told: list[tuple[int, int]] = []
    whole = run_here(Job([START], [], settings), lambda done, tasks: told.append((done, tasks)))
    columns = run_here(Job([START] * 7, list(range(7)), settings))
    assert whole.results == [max(columns.results)]
    assert told == [(1, 1)]
    assert [report.tasks for report in columns.reports] == [7]
    assert columns.results == [TaskRunner(Job([], [], settings)).run(START, column) for column in range(7)]
    assert State.start(4).board.columns() == [8] * 7  # which START is


def test_a_table_is_kept_where_its_size_is_right() -> None:
    table = private_table(Settings(cache=64), None)
    table.store(1, 2, 3, 4, 5, 1, 0.5)
    again = private_table(Settings(cache=60, from_depth=3), table)
    assert again is table
    assert again.from_depth == 3
    assert not again.probe(1, 2, 3, 4, 5)
    assert private_table(Settings(cache=65), table) is not table


def test_memory_holds_tasks_values_and_a_table() -> None:
    settings = Settings(cache=100, shared=True)
    memory = JobMemory(len(TASKS), 2, settings)
    memory.write_tasks(TASKS)
    assert [memory.task(number) for number in range(10)] == TASKS
    assert list(memory.values) == [0.0] * 10
    assert memory.ranges.remaining() == 10
    assert len(memory.table) == 128 * SLOT_BYTES
    assert not any(memory.table)
    memory.close()
    assert JobMemory(0, 1, Settings()).table.nbytes == 0


@pytest.mark.skipif(os.name == "nt", reason="descriptors are for POSIX")
def test_who_opens_the_memory_sees_the_same() -> None:
    settings = Settings(cache=4, shared=True)
    ours = JobMemory(len(TASKS), 2, settings)
    ours.write_tasks(TASKS)
    theirs = JobMemory(len(TASKS), 2, settings, str(os.dup(ours.descriptor)))
    assert [theirs.task(number) for number in range(10)] == TASKS
    assert theirs.ranges.take(1) == range(5, 6)
    assert ours.ranges.remaining() == 9
    theirs.values[9] = -1.25
    theirs.table[-1] = 7
    theirs.close()
    assert ours.values[9] == -1.25
    assert ours.table[-1] == 7
    ours.close()


def test_the_table_begins_where_a_cache_line_does() -> None:
    for tasks in range(1, 9):
        memory = JobMemory(tasks, 3, Settings(cache=1, shared=True))
        # Tasks of seven words and a value, two bounds for each worker, then the table.
        before = 8 * (8 * tasks + 6)
        assert len(memory._buffer) == -(-before // ALIGNMENT) * ALIGNMENT + SLOT_BYTES
        memory.close()
