from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from processes import kill

from pawnstar.drop7 import COMPILED, PlanError, Settings, State, analyze
from pawnstar.drop7.parallel.decision import decide
from pawnstar.drop7.parallel.job import Execution, Job
from pawnstar.drop7.parallel.workers import LazyWorkerPool, WorkerFailed, WorkerPool

from ..goldens import bits, state_of, text


@pytest.fixture(scope="module")
def pool() -> Iterator[LazyWorkerPool]:
    with LazyWorkerPool(shared=True) as pool:
        yield pool


PARAMETERS = ("depth", "strata", "scheduler", "threads", "capacity", "scope", "fromDepth", "split")


def cells() -> list[dict[str, Any]]:
    """Recorded decisions: all of one worker, and a fifth of those of several, whose processes take their time.

    The fifth has every combination of parameters and every position.
    """
    chosen = []
    combinations: dict[tuple[object, ...], int] = {}
    for number, record in enumerate(json.loads(line) for line in text("parallel.jsonl").splitlines()):
        combination = tuple(record[name] for name in PARAMETERS)
        turn = combinations[combination] = combinations.get(combination, len(combinations)) + 1
        if (number % 41 == 0) if not COMPILED else (record["threads"] == 1 or turn % 5 == 0):
            chosen.append(record)
    return chosen


@pytest.mark.skipif(not COMPILED, reason="plain Python takes fewer")
def test_the_chosen_cells_leave_nothing_out() -> None:
    recorded = [json.loads(line) for line in text("parallel.jsonl").splitlines()]
    assert len(recorded) == 2336
    for names in (PARAMETERS, ("board", "next", "movesUntilRise", "threads")):
        chosen, wanted = ({tuple(record[name] for name in names) for record in part} for part in (cells(), recorded))
        assert chosen == wanted


def test_every_cell(pool: LazyWorkerPool) -> None:
    checked = 0
    for record in cells():
        settings = Settings(
            depth=record["depth"],
            samples=record["strata"],
            scheduler=record["scheduler"],
            threads=record["threads"],
            cache=record["capacity"],
            shared=record["scope"] == "shared",
            from_depth=record["fromDepth"],
            split=None if record["split"] == "auto" else record["split"],
        )
        state = state_of(record)
        decision = decide(state, settings, executor=pool)
        mirrored = state.canonical()[1]
        assert decision.action == record["action"]
        values = [[6 - column if mirrored else column, value] for column, value in bits(decision)]
        assert values == record["canonicalValues"]
        totals, planner, tables = decision.totals, decision.planner, decision.tables
        found = {
            "work": totals.work,
            "nodes": totals.nodes,
            "leafCalls": totals.leaves,
            "moveCalls": totals.moves,
            "cacheHits": totals.hits,
            "workerThreads": decision.workers,
            "splitPlies": decision.split,
            "frontierTasks": decision.tasks,
            "completedTasks": decision.completed,
            "plannerNodes": planner.nodes,
            "plannerWork": planner.work,
            "plannerMoveCalls": planner.moves,
            "plannerLeafCalls": planner.leaves,
            "plannerCacheHits": planner.hits,
            "tableBytesPerWorker": tables.per_worker,
            "tableEntryBytes": tables.entries,
            "projectedTableBytes": tables.projected,
            "projectedPlanBytes": decision.plan_bytes,
        }
        # Counters that depend on the scheduling of several workers are not in the record.
        assert {name: value for name, value in found.items() if name in record} == {
            name: record[name] for name in found if name in record
        }
        checked += 1
    assert checked > (1168 if COMPILED else 50)


class NoWorker:
    """Fails the test when a refused decision gets as far as running."""

    def run(self, job: Job, workers: int) -> Execution:
        raise AssertionError("nothing should run")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(depth=0), "depth and chance samples must both be at least 1"),
        (Settings(samples=0), "depth and chance samples must both be at least 1"),
        (Settings(depth=2, split=2), "split depth 2 exceeds the 1 expandable internal plies at search depth 2"),
        (
            Settings(depth=2, split=1, most_tasks=9),
            "worst-case frontier needs 2401 tasks, above the configured 9-task bound",
        ),
        (Settings(depth=40, split=39), "frontier task bound overflows usize"),
        (Settings(scheduler="random"), "--scheduler must be frontier or root"),
        (Settings(threads=0), "--threads must be at least 1"),
        (Settings(threads=5000), "--threads above the hard 4096-worker safety bound"),
        (Settings(scheduler="root", most_tasks=0), "--max-frontier-tasks must be at least 1"),
        (Settings(from_depth=0), "--tt-from-depth must be at least 1"),
        (Settings(cache=1 << 63), "transposition-table capacity overflows usize"),
        (Settings(cache=1 << 63, shared=True), "shared transposition-table capacity overflows usize"),
        (Settings(most_bytes=10), "private tables need 12582912 bytes, above the declared 10-byte host budget"),
        (
            Settings(most_bytes=10, shared=True),
            "shared tables need 12621824 bytes, above the declared 10-byte host budget",
        ),
        (
            Settings(most_bytes=12582912),
            "projected tables + worst-case frontier need 12633088 bytes, above the declared 12582912-byte host budget",
        ),
    ],
)
def test_refusals(settings: Settings, message: str) -> None:
    with pytest.raises(PlanError) as caught:
        decide(State.start(4), settings, executor=NoWorker())
    assert str(caught.value) == message


def test_positions_that_cannot_be_searched() -> None:
    with pytest.raises(PlanError, match="terminal state"):
        analyze(State.parse("0" * 42 + "8888888", 4, 5, 1, True))
    with pytest.raises(PlanError, match="no legal columns"):
        analyze(State.parse("8" * 49, 4))


def test_tables_and_workers_change_nothing(pool: LazyWorkerPool) -> None:
    state = State.parse("0000000000300001070000502080090603604014710825825", 7, 3)
    depth, samples = (3, 5) if COMPILED else (2, 3)
    wanted = bits(analyze(state, depth, samples, cache=1))
    for scheduler in ("frontier", "root"):
        for threads in (1, 2, 3):
            for shared in (False, True):
                decision = analyze(
                    state, depth, samples, threads=threads, shared=shared, scheduler=scheduler, cache=300, executor=pool
                )
                assert bits(decision) == wanted
                assert decision.completed == decision.tasks
                assert 0.0 <= decision.busy_fraction <= 1.0
                assert decision.tail_idle_seconds >= 0.0


def test_one_shared_worker_equals_a_private_one() -> None:
    state = State.start(4)
    private = analyze(state, 2, 3, cache=64)
    shared = analyze(state, 2, 3, cache=64, shared=True)
    assert private.totals.as_tuple() == shared.totals.as_tuple()


def analyze_for_ever(state: State, pool: WorkerPool) -> None:
    while True:
        analyze(state, 3, 7, threads=2, executor=pool)


def test_a_killed_worker_is_reported() -> None:
    state = State.parse("0000000000300001070000502080090603604014710825825", 7, 3)
    with WorkerPool(2) as pool:
        victim = pool.process_ids()[1]
        threading.Timer(0.3, lambda: kill(victim)).start()
        with pytest.raises(WorkerFailed, match="worker 1 ended unexpectedly"):
            analyze_for_ever(state, pool)


def test_an_error_in_a_worker_is_reported(pool: LazyWorkerPool) -> None:
    with pytest.raises(WorkerFailed, match="ArithmeticError: a leaf value is not finite"):
        analyze(State.start(4), 2, 3, threads=2, weights=[1e308] * 18, executor=pool)
    # The pool starts afresh afterwards.
    assert analyze(State.start(4), 2, 3, threads=2, executor=pool).action == 3
