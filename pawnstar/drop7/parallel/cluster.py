"""Decisions on a ``dask.distributed`` cluster: the same tasks, the same reduction, the same bits.

The tasks of a decision go out in parts. The cluster's scheduler gives a part to another worker when the first one is
lost; results are put together by number, so neither the order nor a repetition can be seen in them. Where all workers
are lost, it would wait for others without end; that wait has a limit here.
"""

from __future__ import annotations

from itertools import pairwise
from os import getpid
from socket import gethostname
from time import monotonic, perf_counter
from typing import Any, Final

from pawnstar.drop7.parallel.job import Execution, Job, TaskRunner, WorkerReport
from pawnstar.drop7.search.search import Counters

PARTS_PER_WORKER = 8
"""More parts even out the load; fewer keep more of a table's entries together."""

PATIENCE_SECONDS: Final = 60.0
"""How long a cluster that has lost all its workers is waited for: others may come."""

LOOK_SECONDS: Final = 1.0
"""Seconds between two looks at whether there are still workers."""


class ClusterError(RuntimeError):
    """The cluster cannot be used; the text says why."""


def run_part(job: Job) -> tuple[str, list[float], float, tuple[int, int, int, int, int]]:
    """On a worker: its name, the values of a part's tasks, the seconds they took, and the counters."""
    runner = TaskRunner(job)
    columns = job.columns
    values = [runner.run(task, columns[number] if columns else -1) for number, task in enumerate(job.tasks)]
    return f"{gethostname()}:{getpid()}", values, runner.busy_seconds, runner.searcher.counters().as_tuple()


class ClusterCrew:
    """Runs jobs on a cluster. Use it in a ``with`` statement."""

    def __init__(self, client: Any, patience: float = PATIENCE_SECONDS) -> None:
        """Wrap a ``distributed.Client``; ``patience`` is in seconds without any worker."""
        self._client = client
        self._patience = patience

    def __enter__(self) -> ClusterCrew:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def threads(self) -> int:
        """Threads of all workers."""
        return sum(worker["nthreads"] for worker in self._workers().values())

    def _workers(self) -> dict[str, Any]:
        found: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        return found

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job. The cluster decides how many workers there are; those that delivered something are reported.

        Raises:
            ClusterError: there is no worker, all of them were lost and none came back in time, the scheduler is lost,
                or a part failed on every worker that tried it.
        """
        began = perf_counter()
        present = len(self._workers())
        if present == 0:
            raise ClusterError("the cluster has no workers")
        tasks = len(job.tasks)
        parts = max(1, min(tasks, present * PARTS_PER_WORKER))
        bounds = [tasks * part // parts for part in range(parts + 1)]
        ready = perf_counter()
        # Not pure: equal parts of two decisions must not be taken for one.
        futures = [self._client.submit(run_part, job.part(first, end), pure=False) for first, end in pairwise(bounds)]
        try:
            self._wait(futures)
            answers = self._client.gather(futures)
        except ClusterError:
            raise
        except Exception as error:
            raise ClusterError(f"the cluster failed: {type(error).__name__}: {error}") from error
        done = perf_counter()
        results: list[float] = []
        reports: dict[str, WorkerReport] = {}
        for worker, values, busy_seconds, counters in answers:
            results.extend(values)
            report = reports.setdefault(worker, WorkerReport(len(reports), 0, 0.0, Counters()))
            report.tasks += len(values)
            report.busy_seconds += busy_seconds
            report.counters.add(Counters(*counters))
        return Execution(results, list(reports.values()), ready - began, done - ready)

    def _wait(self, futures: list[Any]) -> None:
        """Wait until all parts are done or one has failed for good, as long as there is anybody to do them."""
        from distributed import wait

        wait_for: Any = wait
        seen = monotonic()
        while True:
            try:
                wait_for(futures, timeout=min(LOOK_SECONDS, self._patience))
                return
            except TimeoutError:
                if self._workers():
                    seen = monotonic()
                elif monotonic() - seen >= self._patience:
                    raise ClusterError(
                        f"the cluster lost all its workers, and no other came within {self._patience:g} s"
                    ) from None


def connect(address: str, patience: float = PATIENCE_SECONDS) -> ClusterCrew:
    """Connect to the scheduler of a cluster, such as ``tcp://host:8786``.

    ``patience`` is how many seconds a cluster that has lost all its workers is waited for.

    Raises:
        ClusterError: the ``distributed`` package is not installed, or nobody answers at the address.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(
            '--cluster needs dask.distributed: pip install distributed, or in the source tree pip install ".[cluster]"'
        ) from None
    client_class: Any = Client
    try:
        return ClusterCrew(client_class(address, timeout=10), patience)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"cannot reach the cluster at {address}: {error}") from None
