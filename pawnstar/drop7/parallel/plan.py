"""What a decision will need before anything is allocated: tasks, workers, bytes. Refuses what exceeds the bounds.

Byte figures ("projected") follow the layout of the Rust engine whose plans this one reproduces, so that plans can be
compared and the same budgets refuse the same work. ``engine_bytes`` gives what this engine itself takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pawnstar.drop7.rules.rng import POLICY_SEED
from pawnstar.drop7.search.bounds import PlanError, check_size
from pawnstar.drop7.search.leaf import FROZEN_WEIGHTS
from pawnstar.drop7.search.leaf_cache import LEAF_SLOT_BYTES, LEAF_SLOTS
from pawnstar.drop7.search.search import TERMINAL_UTILITY
from pawnstar.drop7.search.table import SLOT_BYTES, slots_for

MOST_WORKERS: Final = 4096
MOST_STRIPES: Final = 256
LOCK_BYTES: Final = 24 + 128
"""A lock of the Rust engine on Linux, and the allowance for what it may allocate."""

WORD: Final = 1 << 64
USIZE: Final = WORD - 1

WORST_CASE_TASK_BYTES: Final = 1024

DEFAULT_FRONTIER_TASKS: Final = 1_000_000
DEFAULT_HOST_BYTES: Final = 8_589_934_592

OWN_LOCK_BYTES: Final = 32
"""A POSIX semaphore."""

OWN_TASK_BYTES: Final = 900
"""Record, result, look-up entry, tree nodes of a frontier task: up to 820 bytes were measured, and 64 are shared."""


@dataclass(frozen=True)
class Settings:
    """How one decision is to be computed. ``dataclasses.replace`` makes another with some fields changed.

    Values and action depend on ``depth``, ``samples`` and the last three fields only; the others change how fast they
    are found, and what is refused.

    Attributes:
        depth: discs to look ahead, at least 1.
        samples: sampled futures of each column ("strata"), at least 1.
        scheduler: ``frontier`` or ``root``.
        threads: worker processes wanted.
        cache: table entries, of each worker when private, of all when shared.
        shared: whether the workers share one table.
        from_depth: least remaining depth that is looked up and stored.
        split: plies of replies to expand into tasks; None lets ``recommended_split`` choose.
        most_tasks: most tasks of a frontier.
        most_bytes: most bytes of tables and frontier, as projected.
        weights: of the leaf's eighteen terms, in the order of ``leaf.TERM_NAMES``.
        policy_seed: 32-bit seed of the samples.
        terminal_utility: what the end of the game is worth, beside the points.
    """

    depth: int = 4
    samples: int = 7
    scheduler: str = "frontier"
    threads: int = 1
    cache: int = 262_144
    shared: bool = False
    from_depth: int = 1
    split: int | None = None
    most_tasks: int = DEFAULT_FRONTIER_TASKS
    most_bytes: int = DEFAULT_HOST_BYTES
    weights: tuple[float, ...] = FROZEN_WEIGHTS
    policy_seed: int = POLICY_SEED
    terminal_utility: float = TERMINAL_UTILITY

    @property
    def scope(self) -> str:
        """``private`` or ``shared``."""
        return "shared" if self.shared else "private"


@dataclass(frozen=True)
class TablePlan:
    """Bytes of the tables: of one worker (0 when shared), of all entries, and of everything with locks."""

    per_worker: int
    entries: int
    projected: int


@dataclass(frozen=True)
class ResourcePlan:
    """What a decision needs in the worst case: plies expanded, tasks, workers, and bytes."""

    split: int
    tasks: int
    workers: int
    tables: TablePlan
    plan_bytes: int
    total: int

    def engine_bytes(self, settings: Settings) -> tuple[int, int]:
        """What this engine takes itself in the worst case: bytes of tables and leaf caches, and of the frontier."""
        tables = self.tables.entries + self.workers * LEAF_SLOTS * LEAF_SLOT_BYTES
        if settings.shared and self.workers > 1:
            tables += min(MOST_STRIPES, slots_for(settings.cache)) * OWN_LOCK_BYTES
        return tables, self.tasks * OWN_TASK_BYTES


def recommended_split(depth: int, samples: int, threads: int, most_tasks: int) -> int:
    """How many plies of replies to expand so that every worker gets several tasks.

    Raises:
        PlanError: depth or samples are below 1.
    """
    if depth < 1 or samples < 1:
        raise PlanError("depth and chance samples must both be at least 1")
    branches = 7 * samples
    goal = max(1, threads) * (4 if depth >= 5 else 32)
    tasks = branches
    split = 0
    while tasks < goal and split < depth - 1:
        if tasks * branches > min(most_tasks, USIZE):
            break
        tasks *= branches
        split += 1
    return split


def check_tables(settings: Settings, workers: int) -> TablePlan:
    """Bytes of the tables for so many workers.

    Raises:
        PlanError: a bound is exceeded.
    """
    if settings.threads < 1:
        raise PlanError("--threads must be at least 1")
    if settings.threads > MOST_WORKERS:
        raise PlanError(f"--threads above the hard {MOST_WORKERS}-worker safety bound")
    if settings.most_tasks < 1:
        raise PlanError("--max-frontier-tasks must be at least 1")
    if settings.from_depth < 1:
        raise PlanError("--tt-from-depth must be at least 1")
    overflow = (
        "shared transposition-table capacity overflows usize"
        if settings.shared
        else "transposition-table capacity overflows usize"
    )
    slots = slots_for(settings.cache)
    if slots > USIZE or slots * SLOT_BYTES > USIZE:
        raise PlanError(overflow)
    if settings.shared:
        plan = TablePlan(0, slots * SLOT_BYTES, slots * SLOT_BYTES + min(MOST_STRIPES, slots) * LOCK_BYTES)
    else:
        per_worker = slots * SLOT_BYTES
        plan = TablePlan(per_worker, per_worker * workers, per_worker * workers)
    if plan.projected > USIZE:
        raise PlanError(overflow)
    if plan.projected > settings.most_bytes:
        raise PlanError(
            f"{settings.scope} tables need {plan.projected} bytes, "
            f"above the declared {settings.most_bytes}-byte host budget"
        )
    return plan


def chosen_split(settings: Settings) -> int:
    """The plies to expand.

    Raises:
        PlanError: depth or samples are below 1 or too many, or there are not so many plies.
    """
    split = settings.split
    check_size(settings.depth, settings.samples)
    if split is None:
        split = recommended_split(settings.depth, settings.samples, settings.threads, settings.most_tasks)
    if split > settings.depth - 1:
        raise PlanError(
            f"split depth {split} exceeds the {settings.depth - 1} expandable internal plies "
            f"at search depth {settings.depth}"
        )
    return split


def plan_resources(settings: Settings) -> ResourcePlan:
    """Worst case of a decision by the frontier scheduler. Allocates nothing.

    Raises:
        PlanError: a bound is exceeded, or a parameter makes no sense.
    """
    split = chosen_split(settings)
    tasks = (7 * settings.samples) ** (split + 1)
    if tasks > USIZE:
        raise PlanError("frontier task bound overflows usize")
    if tasks > settings.most_tasks:
        raise PlanError(
            f"worst-case frontier needs {tasks} tasks, above the configured {settings.most_tasks}-task bound"
        )
    workers = max(1, min(settings.threads, tasks))
    tables = check_tables(settings, workers)
    plan_bytes = tasks * WORST_CASE_TASK_BYTES
    total = tables.projected + plan_bytes
    if total > settings.most_bytes:
        raise PlanError(
            f"projected tables + worst-case frontier need {total} bytes, "
            f"above the declared {settings.most_bytes}-byte host budget"
        )
    return ResourcePlan(split, tasks, workers, tables, plan_bytes, total)
