"""Calls on the workers of a cluster."""

from __future__ import annotations

import sys
import threading
from typing import Any

import pytest

from pawnstar.system.cluster import ClusterError, connect

pytestmark = pytest.mark.processes

LOCAL = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None, "silence_logs": 50}
"""A cluster within this process."""

BEGUN, GO_ON = threading.Event(), threading.Event()


def stuck(argument: object) -> None:
    """A call that never ends, for a worker in this process."""
    BEGUN.set()
    GO_ON.wait(60)


def test_a_cluster_that_lost_all_its_workers_is_not_waited_for_without_end() -> None:
    """A decision hung: a cluster keeps the work of lost workers for others, which never came."""
    distributed: Any = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(**LOCAL) as local,
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


def negative(number: int) -> int:
    """A call that fails for 3."""
    if number == 3:
        raise ValueError("not three")
    return -number


def test_results_are_in_the_order_of_the_arguments() -> None:
    distributed: Any = pytest.importorskip("distributed")
    with distributed.LocalCluster(**LOCAL) as local, connect(local.scheduler_address) as cluster:
        assert cluster.call(negative, range(1, 3)) == [-1, -2]
        with pytest.raises(ClusterError, match="the cluster failed: ValueError: not three"):
            cluster.call(negative, [1, 3])


def test_a_cluster_without_workers_is_refused() -> None:
    distributed: Any = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(**{**LOCAL, "n_workers": 0}) as local,
        connect(local.scheduler_address) as cluster,
        pytest.raises(ClusterError, match="the cluster has no workers"),
    ):
        cluster.call(negative, [1])


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"needs dask\.distributed: pip install"):
        connect("tcp://127.0.0.1:1")
