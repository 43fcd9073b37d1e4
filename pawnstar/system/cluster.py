"""A ``dask.distributed`` cluster: connect to it, and have a function called on its workers.

The cluster's scheduler gives a call to another worker when the first one is lost. Where all workers are lost, it would
wait for others without end; that wait has a limit here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, Final

PATIENCE_SECONDS: Final = 60.0
"""Seconds to wait for new workers when a cluster has lost all that it had."""

LOOK_SECONDS: Final = 1.0
"""Seconds between two looks at whether there are still workers."""


class ClusterError(RuntimeError):
    """The cluster cannot be used; the text says why."""


class Cluster:
    """A client of a cluster. Use it in a ``with`` statement."""

    def __init__(self, client: Any, patience: float = PATIENCE_SECONDS) -> None:
        """Wrap a ``distributed.Client``; ``patience`` is in seconds without any worker."""
        self._client = client
        self._patience = patience

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def worker_count(self) -> int:
        """Workers that are present."""
        return len(self._workers())

    def threads(self) -> int:
        """Threads of all workers."""
        return sum(worker["nthreads"] for worker in self._workers().values())

    def _workers(self) -> dict[str, Any]:
        found: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        return found

    def call(self, function: Callable[[Any], Any], arguments: Iterable[object]) -> list[Any]:
        """The results of ``function`` for each argument, in order. Function, arguments and results are pickled.

        Raises:
            ClusterError: there is no worker, all of them were lost and none came back in time, the scheduler is lost,
                or a call failed on every worker that tried it.
        """
        if self.worker_count() == 0:
            raise ClusterError("the cluster has no workers")
        # Not pure: each call must run, though another has equal arguments.
        futures = [self._client.submit(function, argument, pure=False) for argument in arguments]
        try:
            self._wait(futures)
            answers: list[Any] = self._client.gather(futures)
        except ClusterError:
            raise
        except Exception as error:
            raise ClusterError(f"the cluster failed: {type(error).__name__}: {error}") from error
        return answers

    def _wait(self, futures: list[Any]) -> None:
        """Wait until all calls are done or one has failed for good, as long as there is any worker."""
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


def connect(address: str, patience: float = PATIENCE_SECONDS) -> Cluster:
    """Connect to the scheduler of a cluster, such as ``tcp://host:8786``.

    ``patience`` is how many seconds calls wait for new workers when all are lost.

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
        return Cluster(client_class(address, timeout=10), patience)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"cannot reach the cluster at {address}: {error}") from None
