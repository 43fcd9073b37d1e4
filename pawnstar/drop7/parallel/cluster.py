"""Decisions on a ``dask.distributed`` cluster: the same tasks, the same reduction, the same bits.

The tasks of a decision go out in parts. Their results are put together by number, so neither the order in which workers
finish nor a part that is done twice can be seen in them.
"""

from __future__ import annotations

from itertools import pairwise
from os import getpid
from socket import gethostname
from time import perf_counter

from pawnstar.drop7.parallel.job import Execution, Job, TaskRunner, WorkerReport
from pawnstar.drop7.search.search import Counters
from pawnstar.system.cluster import Cluster

PARTS_PER_WORKER = 8
"""More parts even out the load; fewer keep more of a table's entries together."""


def run_part(job: Job) -> tuple[str, list[float], float, Counters]:
    """On a worker: its name, the values of a part's tasks, the seconds they took, and the counters."""
    runner = TaskRunner(job)
    values = [runner.run(task, job.column(number)) for number, task in enumerate(job.tasks)]
    return f"{gethostname()}:{getpid()}", values, runner.busy_seconds, runner.searcher.counters()


class ClusterExecutor:
    """Runs jobs on a cluster, whose owner closes it."""

    def __init__(self, cluster: Cluster) -> None:
        """Run on the workers of ``cluster``."""
        self._cluster = cluster

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job. The cluster decides how many workers there are; those that delivered something are reported.

        Raises:
            ClusterError: see ``Cluster.call``.
        """
        began = perf_counter()
        tasks = len(job.tasks)
        parts = max(1, min(tasks, self._cluster.worker_count() * PARTS_PER_WORKER))
        bounds = [tasks * part // parts for part in range(parts + 1)]
        ready = perf_counter()
        answers = self._cluster.call(run_part, [job.part(first, end) for first, end in pairwise(bounds)])
        done = perf_counter()
        results: list[float] = []
        reports: dict[str, WorkerReport] = {}
        for worker, values, busy_seconds, counters in answers:
            results.extend(values)
            report = reports.setdefault(worker, WorkerReport(len(reports), 0, 0.0, Counters()))
            report.tasks += len(values)
            report.busy_seconds += busy_seconds
            report.counters.add(counters)
        return Execution(results, list(reports.values()), ready - began, done - ready)
