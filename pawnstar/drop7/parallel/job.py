"""The work of a decision as it is handed to workers, on this machine or another, and what they report."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from pawnstar.drop7.search.frontier import Task
from pawnstar.drop7.search.leaf import Leaf
from pawnstar.drop7.search.search import Counters, Searcher
from pawnstar.drop7.search.table import PrivateTable, Table, slots_for


class Job:
    """Independent tasks and the parameters that they share. Plain data: it can be pickled.

    ``columns`` is empty for a frontier. For the root scheduler it holds the columns of the root, which is every
    task's position.
    """

    def __init__(
        self,
        tasks: list[Task],
        columns: list[int],
        samples: int,
        policy_seed: int,
        terminal_utility: float,
        weights: list[float],
        cache: int,
        shared: bool,
        from_depth: int,
    ) -> None:
        self.tasks: list[Task] = tasks
        self.columns: list[int] = columns
        self.samples: int = samples
        self.policy_seed: int = policy_seed
        self.terminal_utility: float = terminal_utility
        self.weights: list[float] = weights
        self.cache: int = cache
        self.shared: bool = shared
        self.from_depth: int = from_depth

    def part(self, first: int, end: int) -> Job:
        """The same job with the tasks from ``first`` up to ``end`` only."""
        return Job(
            self.tasks[first:end],
            self.columns[first:end],
            self.samples,
            self.policy_seed,
            self.terminal_utility,
            self.weights,
            self.cache,
            self.shared,
            self.from_depth,
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Compiled classes have no instance dictionary, so pickling names the fields."""
        return Job, (
            self.tasks,
            self.columns,
            self.samples,
            self.policy_seed,
            self.terminal_utility,
            self.weights,
            self.cache,
            self.shared,
            self.from_depth,
        )


class WorkerReport:
    """What one worker did: tasks, seconds spent on them, counters."""

    def __init__(self, worker: int, tasks: int, busy_seconds: float, counters: Counters) -> None:
        self.worker: int = worker
        self.tasks: int = tasks
        self.busy_seconds: float = busy_seconds
        self.counters: Counters = counters

    def __reduce__(self) -> tuple[object, ...]:
        """Compiled classes have no instance dictionary, so pickling names the fields."""
        done = self.counters
        return _report, (self.worker, self.tasks, self.busy_seconds, *done.as_tuple())


def _report(
    worker: int, tasks: int, busy_seconds: float, work: int, nodes: int, leaves: int, moves: int, hits: int
) -> WorkerReport:
    return WorkerReport(worker, tasks, busy_seconds, Counters(work, nodes, leaves, moves, hits))


class Execution:
    """All results of a job in the order of its tasks, who did what, and the seconds before and during the work."""

    def __init__(
        self, results: list[float], reports: list[WorkerReport], initialization_seconds: float, execution_seconds: float
    ) -> None:
        self.results: list[float] = results
        self.reports: list[WorkerReport] = reports
        self.initialization_seconds: float = initialization_seconds
        self.execution_seconds: float = execution_seconds

    def __reduce__(self) -> tuple[object, ...]:
        """Compiled classes have no instance dictionary, so pickling names the fields."""
        return Execution, (self.results, self.reports, self.initialization_seconds, self.execution_seconds)


class TaskRunner:
    """Evaluates tasks one by one with one table, and keeps the report."""

    def __init__(self, job: Job, table: Table | None = None) -> None:
        """Get ready; allocates a private table when none is given."""
        self.searcher: Searcher = Searcher(
            job.samples,
            Leaf(job.weights),
            PrivateTable(job.cache, job.from_depth) if table is None else table,
            job.policy_seed,
            job.terminal_utility,
        )
        self.tasks: int = 0
        self.busy_seconds: float = 0.0

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
"""Told how many tasks are done, and how many there are."""


def private_table(job: Job, kept: PrivateTable | None) -> PrivateTable:
    """An empty table for a job: the one kept from the last job if it will do, for memory that is at hand is faster."""
    if kept is None or kept.slots() != slots_for(job.cache):
        return PrivateTable(job.cache, job.from_depth)
    kept.clear()
    kept.from_depth = job.from_depth
    return kept


def run_here(job: Job, on_progress: Progress | None = None, table: PrivateTable | None = None) -> Execution:
    """Run a job in this process, in the order of its tasks. Allocates a private table when none is given."""
    began = perf_counter()
    runner = TaskRunner(job, table)
    ready = perf_counter()
    columns = job.columns
    results: list[float] = []
    for number, task in enumerate(job.tasks):
        results.append(runner.run(task, columns[number] if columns else -1))
        if on_progress is not None:
            on_progress(number + 1, len(job.tasks))
    return Execution(results, [runner.report(0)], ready - began, perf_counter() - ready)
