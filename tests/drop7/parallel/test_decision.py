from __future__ import annotations

import os
import random
import signal
import threading
import time
from array import array
from collections.abc import Iterator
from typing import Any

import pytest

from pawnstar.cluster import ClusterError, connect
from pawnstar.drop7 import COMPILED, Decision, PlanError, Settings, State, analyze
from pawnstar.drop7.formats import value_bits
from pawnstar.drop7.parallel.decision import decide
from pawnstar.drop7.parallel.job import Execution, Job
from pawnstar.drop7.parallel.plan import plan_resources, recommended_split
from pawnstar.drop7.parallel.work_stealing import TaskRanges
from pawnstar.drop7.parallel.workers import LazyWorkerPool, WorkerFailed, WorkerPool

from ..goldens import records, state_of


@pytest.fixture(scope="module")
def pool() -> Iterator[LazyWorkerPool]:
    with LazyWorkerPool(shared=True) as pool:
        yield pool


def bits(decision: Decision) -> list[tuple[int, str]]:
    return [(entry.column, value_bits(entry.value)) for entry in decision.columns]


def test_recommended_splits() -> None:
    checked = 0
    for record in records("recommended_split.jsonl"):
        split = recommended_split(record["depth"], record["strata"], record["threads"], record["maxFrontierTasks"])
        assert split == record["split"]
        checked += 1
    assert checked == 384


def test_every_cell(pool: LazyWorkerPool) -> None:
    checked = 0
    for record in records("parallel.jsonl", every=41):
        settings = Settings(
            record["depth"],
            record["strata"],
            record["scheduler"],
            record["threads"],
            record["capacity"],
            record["scope"] == "shared",
            record["fromDepth"],
            None if record["split"] == "auto" else record["split"],
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
    assert checked == (2336 if COMPILED else 57)


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


def test_the_largest_published_plan() -> None:
    plan = plan_resources(Settings(depth=7, threads=192))
    assert (plan.split, plan.tasks, plan.tables.projected, plan.plan_bytes, plan.total) == (
        1,
        2401,
        2415919104,
        2458624,
        2418377728,
    )


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


def analyze_for_ever(state: State, pool: WorkerPool) -> None:
    while True:
        analyze(state, 3, 7, threads=2, executor=pool)


def test_a_killed_worker_is_reported() -> None:
    state = State.parse("0000000000300001070000502080090603604014710825825", 7, 3)
    with WorkerPool(2) as pool:
        victim = pool.process_ids()[1]
        threading.Timer(0.3, lambda: os.kill(victim, signal.SIGKILL)).start()
        with pytest.raises(WorkerFailed, match="worker 1 ended unexpectedly"):
            analyze_for_ever(state, pool)


def test_an_error_in_a_worker_is_reported(pool: LazyWorkerPool) -> None:
    with pytest.raises(WorkerFailed, match="ArithmeticError: a leaf value is not finite"):
        analyze(State.start(4), 2, 3, threads=2, weights=[1e308] * 18, executor=pool)
    # The pool starts afresh afterwards.
    assert analyze(State.start(4), 2, 3, threads=2, executor=pool).action == 3


def test_a_cluster_gives_the_same_bits_even_when_a_worker_dies() -> None:
    pytest.importorskip("distributed")
    import distributed

    from pawnstar.drop7.parallel.cluster import ClusterExecutor

    local_cluster: Any = distributed.LocalCluster
    state = State.parse("0000000200208069069301471471582582593693694714714", 2, 2)
    depth, samples = (4, 5) if COMPILED else (2, 3)
    wanted = bits(analyze(state, depth, samples))
    with (
        local_cluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as local,
        connect(local.scheduler_address) as cluster,
    ):
        assert (cluster.worker_count(), cluster.threads()) == (2, 2)
        executor = ClusterExecutor(cluster)
        began = time.monotonic()
        decision = analyze(state, depth, samples, threads=2, split=1, executor=executor)
        elapsed = time.monotonic() - began
        assert bits(decision) == wanted
        assert sum(report.tasks for report in decision.reports) == decision.tasks
        victim = next(iter(local.workers.values()))
        killer = threading.Timer(elapsed / 2, lambda: os.kill(victim.pid, signal.SIGKILL))
        killer.start()
        decision = analyze(state, depth, samples, threads=2, split=1, executor=executor)
        killer.join()
        assert bits(decision) == wanted
        assert sum(report.tasks for report in decision.reports) == decision.tasks


BEGUN, GO_ON = threading.Event(), threading.Event()


def stuck(argument: object) -> None:
    """A call that never ends, for a worker in this process."""
    BEGUN.set()
    GO_ON.wait(60)


def test_a_cluster_that_lost_all_its_workers_is_not_waited_for_without_end() -> None:
    """A decision hung: a cluster keeps the work of lost workers for others, which never came."""
    distributed: Any = pytest.importorskip("distributed")
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with (
        distributed.LocalCluster(**options, silence_logs=50) as local,
        connect(local.scheduler_address, patience=0.3) as cluster,
    ):
        try:

            def lose() -> None:
                BEGUN.wait(60)
                local.scale(0)

            loser = threading.Thread(target=lose)
            loser.start()
            with pytest.raises(ClusterError, match="lost all its workers, and no other came"):
                cluster.call(stuck, [1])
            loser.join()
        finally:
            GO_ON.set()
