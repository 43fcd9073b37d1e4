"""The work of a decision as it is handed to workers, on this machine or another, and what they report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Protocol

from pawnstar.drop7.parallel.plan import Settings
from pawnstar.drop7.search.frontier import Task
from pawnstar.drop7.search.leaf import Leaf
from pawnstar.drop7.search.search import Counters, Searcher
from pawnstar.drop7.search.table import PrivateTable, Table, slots_for


@dataclass(frozen=True)
class Job:
    """Independent tasks and the settings of their decision. It can be pickled.

    Attributes:
        tasks: the positions to search.
        columns: empty for the tasks of a frontier. The root scheduler searches one column of the root in each task:
            every task is the root, and this names its column.
        settings: of the decision. Workers read samples, weights, seed, terminal utility and the sizes of tables.
    """

    tasks: list[Task]
    columns: list[int]
    settings: Settings

    def part(self, first: int, end: int) -> Job:
        """The same job with the tasks from ``first`` up to ``end`` only."""
        return replace(self, tasks=self.tasks[first:end], columns=self.columns[first:end])

    def column(self, number: int) -> int:
        """The column that a task is to search, or -1 for all of them."""
        return self.columns[number] if self.columns else -1


@dataclass
class WorkerReport:
    """What one worker did: tasks, seconds spent on them, counters."""

    worker: int
    tasks: int
    busy_seconds: float
    counters: Counters


@dataclass(frozen=True)
class Execution:
    """All results of a job in the order of its tasks, who did what, and the seconds before and during the work."""

    results: list[float]
    reports: list[WorkerReport]
    initialization_seconds: float
    execution_seconds: float


class Executor(Protocol):
    """Runs jobs: worker processes (``workers.WorkerPool``), or a cluster (``cluster.ClusterExecutor``)."""

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job with so many workers."""


class TaskRunner:
    """Evaluates tasks one by one with one table, and keeps the report."""

    def __init__(self, job: Job, table: Table | None = None) -> None:
        """Get ready; allocates a private table when none is given."""
        settings = job.settings
        self.searcher = Searcher(
            settings.samples,
            Leaf(list(settings.weights)),
            PrivateTable(settings.cache, settings.from_depth) if table is None else table,
            settings.policy_seed,
            settings.terminal_utility,
        )
        self.tasks = 0
        self.busy_seconds = 0.0

    def __reduce__(self) -> tuple[object, ...]:
        """Refuse copies and pickles."""
        raise TypeError("a TaskRunner is not copied: make another of the same job")

    def run(self, task: Task, column: int) -> float:
        """Value of a task's position, or of one column of it unless ``column`` is negative."""
        began = perf_counter()
        pair0, pair1, pair2, pair3, disc, clock, depth = task
        self.searcher.reserve(depth)
        if column < 0:
            value = self.searcher.value(pair0, pair1, pair2, pair3, disc, clock, depth)
        else:
            value = self.searcher.action(pair0, pair1, pair2, pair3, disc, clock, column, depth)
        self.tasks += 1
        self.busy_seconds += perf_counter() - began
        return value

    def report(self, worker: int) -> WorkerReport:
        """The report so far."""
        return WorkerReport(worker, self.tasks, self.busy_seconds, self.searcher.counters())


Progress = Callable[[int, int], None]
"""A function that is told how many tasks are done, and how many there are."""


def private_table(settings: Settings, kept: PrivateTable | None) -> PrivateTable:
    """An empty table: the one kept from the last job if it has the right size, since its memory is at hand already."""
    if kept is None or kept.slots() != slots_for(settings.cache):
        return PrivateTable(settings.cache, settings.from_depth)
    kept.clear()
    kept.from_depth = settings.from_depth
    return kept


def run_here(job: Job, on_progress: Progress | None = None, table: PrivateTable | None = None) -> Execution:
    """Run a job in this process, in the order of its tasks. Allocates a private table when none is given."""
    began = perf_counter()
    runner = TaskRunner(job, table)
    ready = perf_counter()
    results: list[float] = []
    for number, task in enumerate(job.tasks):
        results.append(runner.run(task, job.column(number)))
        if on_progress is not None:
            on_progress(number + 1, len(job.tasks))
    return Execution(results, [runner.report(0)], ready - began, perf_counter() - ready)
