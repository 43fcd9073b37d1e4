"""One decision from start to finish: bounds, frontier or columns, workers, reduction.

The values and the action are those of the sequential search, whatever the scheduler, the number of workers and the
tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from pawnstar.drop7.parallel.job import Execution, Executor, Job, WorkerReport, run_here
from pawnstar.drop7.parallel.plan import Settings, TablePlan, check_tables, plan_resources
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.search.bounds import PlanError, check_size
from pawnstar.drop7.search.frontier import Frontier, Task
from pawnstar.drop7.search.search import ColumnValue, Counters, best_column, check_searchable


@dataclass(frozen=True)
class Decision:
    """What was found, and what it took.

    Attributes:
        columns: values of the columns with room, numbered as on the given board, in the order of the search.
        workers: how many worked, at least 1.
        split: plies of replies that were expanded; 0 for the root scheduler.
        tasks, completed: tasks that there were, and that workers evaluated.
        tables, plan_bytes: projected sizes of the tables and of the frontier.
        planner: what the coordinator did itself.
        totals: everything, planner included, except that hits are the workers' only.
        reports: one of each worker.
        initialization_seconds, planning_seconds, execution_seconds, reduction_seconds, wall_seconds: where the
            time went.
    """

    columns: list[ColumnValue]
    workers: int
    split: int
    tasks: int
    completed: int
    tables: TablePlan
    plan_bytes: int
    planner: Counters
    totals: Counters
    reports: list[WorkerReport]
    initialization_seconds: float
    planning_seconds: float
    execution_seconds: float
    reduction_seconds: float
    wall_seconds: float

    @property
    def action(self) -> int:
        """The column to play: the first of the best ones."""
        return best_column(self.columns)

    @property
    def busy_seconds(self) -> float:
        """Time that the workers spent on tasks."""
        return sum([report.busy_seconds for report in self.reports])

    @property
    def busy_fraction(self) -> float:
        """The part of the workers' time that they spent on tasks, 0 to 1."""
        capacity = self.execution_seconds * self.workers
        if capacity <= 0.0:
            return 0.0
        return min(1.0, max(0.0, self.busy_seconds / capacity))

    @property
    def tail_idle_seconds(self) -> float:
        """The rest of the workers' time, in core seconds."""
        return max(0.0, self.execution_seconds * self.workers - self.busy_seconds)


def decide(state: State, settings: Settings, executor: Executor | None = None) -> Decision:
    """Search one position.

    Args:
        state: a position that is not over and has room.
        settings: depth, samples, scheduler, workers, tables, bounds, weights.
        executor: who runs the tasks. Without one they run in this process, and the decision has a single worker.

    Raises:
        PlanError: the position or the settings are refused. Nothing has been allocated.
        UnsearchableState: floating discs, or a clock below 1.
    """
    began = perf_counter()
    if state.over:
        raise PlanError("cannot search a terminal state")
    if not state.has_move():
        raise PlanError("cannot search a state with no legal columns")
    check_searchable(state)
    if settings.scheduler not in ("frontier", "root"):
        raise PlanError("--scheduler must be frontier or root")
    if settings.scheduler == "root":
        return _by_columns(state, settings, executor, began)
    return _by_frontier(state, settings, executor, began)


def _by_columns(state: State, settings: Settings, executor: Executor | None, began: float) -> Decision:
    """Every column of the root is a task."""
    root, mirrored = state.canonical()
    columns = root.legal_columns()
    check_size(settings.depth, settings.samples)
    workers = _worker_count(settings, executor, len(columns))
    tables = check_tables(settings, workers)
    job = Job([_root_task(root, settings.depth)] * len(columns), columns, settings)
    execution = _execute(job, workers, executor)
    values = [
        ColumnValue(6 - column if mirrored else column, value)
        for column, value in zip(columns, execution.results, strict=True)
    ]
    return _decision(job, execution, values, workers, tables, began)


def _by_frontier(state: State, settings: Settings, executor: Executor | None, began: float) -> Decision:
    """The positions some plies ahead are tasks."""
    split = plan_resources(settings).split
    frontier = Frontier(settings.samples, settings.policy_seed, settings.terminal_utility, settings.most_tasks)
    frontier.expand(state, settings.depth, split)
    planned = perf_counter()
    workers = _worker_count(settings, executor, len(frontier.tasks))
    tables = check_tables(settings, workers)
    plan_bytes = frontier.projected_bytes()
    if tables.projected + plan_bytes > settings.most_bytes:
        raise PlanError(
            f"projected tables + frontier need {tables.projected + plan_bytes} bytes, "
            f"above the declared {settings.most_bytes}-byte host budget"
        )
    job = Job(frontier.tasks, [], settings)
    execution = _execute(job, workers, executor)
    reducing = perf_counter()
    values = frontier.reduce(execution.results)
    return _decision(
        job,
        execution,
        values,
        workers,
        tables,
        began,
        split=split,
        plan_bytes=plan_bytes,
        planner=Counters(frontier.work, frontier.nodes, 0, frontier.work, frontier.hits),
        planning_seconds=planned - began,
        reduction_seconds=perf_counter() - reducing,
    )


def _root_task(root: State, depth: int) -> Task:
    board = root.board
    return int(board.pair0), int(board.pair1), int(board.pair2), int(board.pair3), root.next_disc, root.clock, depth


def _worker_count(settings: Settings, executor: Executor | None, tasks: int) -> int:
    # Without an executor there is one worker. Bad numbers stay as they are, for check_tables to refuse.
    threads = settings.threads if executor is not None else min(1, settings.threads)
    return max(1, min(threads, tasks))


def _execute(job: Job, workers: int, executor: Executor | None) -> Execution:
    return run_here(job) if executor is None else executor.run(job, workers)


def _decision(
    job: Job,
    execution: Execution,
    values: list[ColumnValue],
    workers: int,
    tables: TablePlan,
    began: float,
    *,
    split: int = 0,
    plan_bytes: int = 0,
    planner: Counters | None = None,
    planning_seconds: float = 0.0,
    reduction_seconds: float = 0.0,
) -> Decision:
    """The decision of a job that was executed. The keywords are a frontier's."""
    planner = planner or Counters()
    totals = Counters()
    totals.add(planner)
    totals.hits = 0
    for report in execution.reports:
        totals.add(report.counters)
    return Decision(
        columns=values,
        # Fewer than planned where no processes could be had.
        workers=min(workers, max(1, len(execution.reports))),
        split=split,
        tasks=len(job.tasks),
        completed=sum(report.tasks for report in execution.reports),
        tables=tables,
        plan_bytes=plan_bytes,
        planner=planner,
        totals=totals,
        reports=execution.reports,
        initialization_seconds=execution.initialization_seconds,
        planning_seconds=planning_seconds,
        execution_seconds=execution.execution_seconds,
        reduction_seconds=reduction_seconds,
        wall_seconds=perf_counter() - began,
    )
