"""Which tasks each worker has yet to do, and how an idle worker steals from a busy one."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager

if sys.platform != "win32":
    import fcntl

CHUNKS = 8
"""A worker takes this part of its remaining tasks at a time. The rest can be stolen by others."""


class FileLock:
    """A lock that lies on the first byte of a file. The system takes it back from a process that dies with it.

    Unlike a semaphore it needs no ``/dev/shm``.
    """

    def __init__(self, descriptor: int) -> None:
        """Lock the open file with this descriptor."""
        self._descriptor = descriptor

    def __enter__(self) -> None:
        if sys.platform != "win32":
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX, 1)

    def __exit__(self, *_: object) -> None:
        if sys.platform != "win32":
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1)


class TaskRanges:
    """The tasks that each worker has yet to do: a range of neighbours each, kept in memory that all of them see.

    Neighbours have positions in common, which only the worker that has met one finds in its private table. So every
    worker keeps to one range for as long as it lasts, and then steals the far half of the longest one left. When they
    took their tasks from a single queue, two workers searched four per cent more than one.
    """

    def __init__(self, bounds: memoryview[int], lock: AbstractContextManager[object]) -> None:
        """Attach to ``bounds``, two words a worker: its next task, and the one after its last."""
        self._bounds = bounds
        self._lock = lock
        self._workers = range(len(bounds) // 2)

    def divide(self, tasks: int) -> None:
        """Give every worker an equal range."""
        for worker in self._workers:
            self._bounds[2 * worker] = tasks * worker // len(self._workers)
            self._bounds[2 * worker + 1] = tasks * (worker + 1) // len(self._workers)

    def remaining(self) -> int:
        """About how many tasks nobody has taken yet: read without the lock, which a dead worker may hold."""
        return sum(self._length(worker) for worker in self._workers)

    def take(self, worker: int) -> range:
        """The worker's next tasks; none when all are taken."""
        bounds = self._bounds
        with self._lock:
            first, end = bounds[2 * worker], bounds[2 * worker + 1]
            if first == end:
                other = max(self._workers, key=self._length)
                end = bounds[2 * other + 1]
                first = (bounds[2 * other] + end) // 2
                bounds[2 * other + 1] = first
            next_first = min(end, first + max(1, (end - first) // CHUNKS))
            bounds[2 * worker] = next_first
            bounds[2 * worker + 1] = end
        return range(first, next_first)

    def _length(self, worker: int) -> int:
        return self._bounds[2 * worker + 1] - self._bounds[2 * worker]
