"""The function that Python programs call to search a position."""

from __future__ import annotations

from pawnstar.drop7.parallel.decision import Decision, decide
from pawnstar.drop7.parallel.job import Executor
from pawnstar.drop7.parallel.plan import DEFAULT_FRONTIER_TASKS, DEFAULT_HOST_BYTES, Settings
from pawnstar.drop7.parallel.workers import LazyWorkerPool
from pawnstar.drop7.rules.rng import POLICY_SEED
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.search.leaf import FROZEN_WEIGHTS
from pawnstar.drop7.search.search import TERMINAL_UTILITY


def analyze(
    state: State,
    depth: int = 4,
    samples: int = 7,
    *,
    threads: int = 1,
    cache: int = 262_144,
    shared: bool = False,
    from_depth: int = 1,
    scheduler: str = "frontier",
    split: int | None = None,
    weights: list[float] | None = None,
    policy_seed: int = POLICY_SEED,
    terminal_utility: float = TERMINAL_UTILITY,
    max_frontier_tasks: int = DEFAULT_FRONTIER_TASKS,
    max_host_bytes: int = DEFAULT_HOST_BYTES,
    executor: Executor | None = None,
) -> Decision:
    """Value every column of a position and name the best.

    The values and the action depend on position, depth, samples, weights, policy seed and terminal utility only.
    Everything else changes how fast they are found.

    >>> decision = analyze(State.start(4), depth=2, samples=3)
    >>> decision.action, decision.totals.work
    (3, 488)

    Args:
        state: the position: not over, some column with room, no floating discs, a clock of at least 1.
        depth: discs to look ahead, at least 1.
        samples: sampled futures of each column, at least 1.
        threads: worker processes.
        cache: table entries (48 bytes each), of every worker, or of all together when ``shared``.
        shared: whether the workers share one table.
        from_depth: least remaining depth that is looked up and stored.
        scheduler: ``frontier`` makes tasks of the positions a few plies ahead, ``root`` of the columns.
        split: plies of replies that the frontier expands; None chooses.
        weights: of the leaf's eighteen terms, see ``leaf.TERM_NAMES``; the frozen ones by default.
        policy_seed: 32-bit seed of the samples.
        terminal_utility: what the end of the game is worth, beside the points.
        max_frontier_tasks, max_host_bytes: refuse what needs more.
        executor: who runs the tasks, such as a ``workers.WorkerPool`` that several calls use. By default processes
            are started for the call.

    Raises:
        PlanError: the position or a parameter is refused.
        UnsearchableState: floating discs, or a clock below 1.
    """
    settings = Settings(
        depth=depth,
        samples=samples,
        scheduler=scheduler,
        threads=threads,
        cache=cache,
        shared=shared,
        from_depth=from_depth,
        split=split,
        most_tasks=max_frontier_tasks,
        most_bytes=max_host_bytes,
        weights=FROZEN_WEIGHTS if weights is None else tuple(weights),
        policy_seed=policy_seed,
        terminal_utility=terminal_utility,
    )
    if executor is not None:
        return decide(state, settings, executor)
    with LazyWorkerPool(shared) as pool:
        return decide(state, settings, pool)
