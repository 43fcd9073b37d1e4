"""Decisions on a cluster."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from processes import kill

from pawnstar.drop7 import COMPILED, State, analyze
from pawnstar.system.cluster import connect

from ..goldens import bits

pytestmark = pytest.mark.processes


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
        killer = threading.Timer(elapsed / 2, lambda: kill(victim.pid))
        killer.start()
        decision = analyze(state, depth, samples, threads=2, split=1, executor=executor)
        killer.join()
        assert bits(decision) == wanted
        assert sum(report.tasks for report in decision.reports) == decision.tasks
