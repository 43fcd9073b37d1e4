"""One decision from start to finish: bounds, frontier or columns, workers, reduction.

The values and the action are those of the sequential search, whatever the scheduler, the number of workers and the
tables.
"""

from __future__ import annotations

from time import perf_counter
from typing import Protocol

from pawnstar.drop7.parallel.job import Execution, Job, WorkerReport, run_here
from pawnstar.drop7.parallel.plan import PlanError, Settings, TablePlan, check_size, check_tables, plan_resources
from pawnstar.drop7.rules.rng import POLICY_SEED
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.search.frontier import Frontier, Task
from pawnstar.drop7.search.leaf import FROZEN_WEIGHTS
from pawnstar.drop7.search.search import TERMINAL_UTILITY, ColumnValue, Counters, best_column, check_searchable


class Executor(Protocol):
    """Runs jobs: a ``crew.Crew`` of processes, or a cluster."""

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job with so many workers."""


class Decision:
    """What was found, and what it took.

    Attributes:
        columns: values of the columns with room, numbered as on the given board, in the order of the search.
        action: the column to play.
        workers, split, tasks: how the work was divided; ``completed`` tasks were evaluated.
        planner: what the coordinator did itself. ``totals``: everything, planner included, except that hits are
            the workers' only.
        tables, plan_bytes: projected sizes.
        initialization_seconds, planning_seconds, execution_seconds, reduction_seconds, wall_seconds: where the
            time went.
        reports: one of each worker.
    """

    def __init__(self, columns: list[ColumnValue], workers: int, split: int, tasks: int, tables: TablePlan) -> None:
        self.columns: list[ColumnValue] = columns
        self.action: int = best_column(columns)
        self.workers: int = workers
        self.split: int = split
        self.tasks: int = tasks
        self.completed: int = 0
        self.planner: Counters = Counters()
        self.totals: Counters = Counters()
        self.tables: TablePlan = tables
        self.plan_bytes: int = 0
        self.initialization_seconds: float = 0.0
        self.planning_seconds: float = 0.0
        self.execution_seconds: float = 0.0
        self.reduction_seconds: float = 0.0
        self.wall_seconds: float = 0.0
        self.reports: list[WorkerReport] = []

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles name the fields: compiled classes have no instance dictionary."""
        return decision_of, (
            (self.columns, self.workers, self.split, self.tasks, self.tables),
            (self.completed, self.planner, self.totals, self.plan_bytes, self.reports),
            (
                self.initialization_seconds,
                self.planning_seconds,
                self.execution_seconds,
                self.reduction_seconds,
                self.wall_seconds,
            ),
        )

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


def decision_of(
    found: tuple[list[ColumnValue], int, int, int, TablePlan],
    counted: tuple[int, Counters, Counters, int, list[WorkerReport]],
    seconds: tuple[float, float, float, float, float],
) -> Decision:
    """The decision of these fields."""
    decision = Decision(found[0], found[1], found[2], found[3], found[4])
    decision.completed, decision.planner, decision.totals, decision.plan_bytes, decision.reports = counted
    (
        decision.initialization_seconds,
        decision.planning_seconds,
        decision.execution_seconds,
        decision.reduction_seconds,
        decision.wall_seconds,
    ) = seconds
    return decision


def decide(
    state: State,
    settings: Settings,
    weights: list[float] | None = None,
    executor: Executor | None = None,
    policy_seed: int = POLICY_SEED,
    terminal_utility: float = TERMINAL_UTILITY,
) -> Decision:
    """Search one position.

    Args:
        state: a position that is not over and has room.
        settings: depth, samples, scheduler, workers, tables and bounds.
        weights: of the leaf's eighteen terms; the frozen ones by default.
        executor: who runs the tasks. Without one they run in this process, and the decision has a single worker.
        policy_seed: 32-bit seed of the samples.
        terminal_utility: what the end of the game is worth, beside the points.

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
    used_weights = list(FROZEN_WEIGHTS) if weights is None else weights
    if settings.scheduler == "root":
        return _by_columns(state, settings, used_weights, executor, policy_seed, terminal_utility, began)
    return _by_frontier(state, settings, used_weights, executor, policy_seed, terminal_utility, began)


def _by_columns(
    state: State,
    settings: Settings,
    weights: list[float],
    executor: Executor | None,
    policy_seed: int,
    terminal_utility: float,
    began: float,
) -> Decision:
    root, mirrored = state.canonical()
    columns = root.legal_columns()
    check_size(settings.depth, settings.samples)
    workers = max(1, min(_threads(settings, executor), len(columns)))
    tables = check_tables(settings, workers)
    board = root.board
    task: Task = (
        int(board.pair0),
        int(board.pair1),
        int(board.pair2),
        int(board.pair3),
        root.next_disc,
        root.clock,
        settings.depth,
    )
    job = _job([task] * len(columns), columns, settings, weights, policy_seed, terminal_utility)
    execution = _execute(job, workers, executor)
    values = [
        ColumnValue(6 - column if mirrored else column, value)
        for column, value in zip(columns, execution.results, strict=True)
    ]
    decision = Decision(values, workers, 0, len(columns), tables)
    _account(decision, execution, began)
    return decision


def _by_frontier(
    state: State,
    settings: Settings,
    weights: list[float],
    executor: Executor | None,
    policy_seed: int,
    terminal_utility: float,
    began: float,
) -> Decision:
    worst = plan_resources(settings)
    frontier = Frontier(settings.samples, policy_seed, terminal_utility, settings.most_tasks)
    frontier.expand(state, settings.depth, worst.split)
    planned = perf_counter()
    workers = max(1, min(_threads(settings, executor), len(frontier.tasks)))
    tables = check_tables(settings, workers)
    plan_bytes = frontier.projected_bytes()
    if tables.projected + plan_bytes > settings.most_bytes:
        raise PlanError(
            f"projected tables + frontier need {tables.projected + plan_bytes} bytes, "
            f"above the declared {settings.most_bytes}-byte host budget"
        )
    job = _job(frontier.tasks, [], settings, weights, policy_seed, terminal_utility)
    execution = _execute(job, workers, executor)
    reducing = perf_counter()
    decision = Decision(frontier.reduce(execution.results), workers, worst.split, len(frontier.tasks), tables)
    decision.plan_bytes = plan_bytes
    decision.planner = Counters(frontier.work, frontier.nodes, 0, frontier.work, frontier.hits)
    decision.planning_seconds = planned - began
    decision.reduction_seconds = perf_counter() - reducing
    _account(decision, execution, began)
    return decision


def _job(
    tasks: list[Task],
    columns: list[int],
    settings: Settings,
    weights: list[float],
    policy_seed: int,
    terminal_utility: float,
) -> Job:
    return Job(
        tasks,
        columns,
        settings.samples,
        policy_seed,
        terminal_utility,
        weights,
        settings.cache,
        settings.shared,
        settings.from_depth,
    )


def _threads(settings: Settings, executor: Executor | None) -> int:
    # Bad numbers stay as they are, for check_tables to refuse.
    return settings.threads if executor is not None else min(1, settings.threads)


def _execute(job: Job, workers: int, executor: Executor | None) -> Execution:
    return run_here(job) if executor is None else executor.run(job, workers)


def _account(decision: Decision, execution: Execution, began: float) -> None:
    totals = Counters()
    totals.add(decision.planner)
    totals.hits = 0
    for report in execution.reports:
        totals.add(report.counters)
        decision.completed += report.tasks
    # Fewer where no processes could be had.
    decision.workers = min(decision.workers, max(1, len(execution.reports)))
    decision.totals = totals
    decision.reports = execution.reports
    decision.initialization_seconds = execution.initialization_seconds
    decision.execution_seconds = execution.execution_seconds
    decision.wall_seconds = perf_counter() - began
