"""The memory that a job's processes share: tasks, values, what each worker has yet to do, and the shared table."""

from __future__ import annotations

import struct
from contextlib import AbstractContextManager, suppress

from pawnstar.drop7.parallel.plan import Settings
from pawnstar.drop7.parallel.work_stealing import FileLock, TaskRanges
from pawnstar.drop7.search.frontier import Task
from pawnstar.drop7.search.table import SLOT_BYTES, slots_for
from pawnstar.system.shared_memory import SharedMemory, require_available

TASK_FORMAT = struct.Struct("=7q")
WORD_BYTES = 8
ALIGNMENT = 64
"""The table begins at a multiple of this, in bytes."""


class JobMemory:
    """One job's shared memory. ``values`` are the tasks' values, ``ranges`` the tasks that are left."""

    def __init__(
        self,
        tasks: int,
        workers: int,
        settings: Settings,
        handle: str = "",
        lock: AbstractContextManager[object] | None = None,
    ) -> None:
        """Make it, or with a ``handle`` open the one that the coordinator made.

        ``lock`` guards the ranges; by default it is one on the memory's file.

        Raises:
            MemoryError: the machine has not so much.
        """
        tasks_end = TASK_FORMAT.size * tasks
        values_end = tasks_end + WORD_BYTES * tasks
        ranges_end = values_end + WORD_BYTES * 2 * workers
        table_at = -(-ranges_end // ALIGNMENT) * ALIGNMENT
        table_end = table_at + (SLOT_BYTES * slots_for(settings.cache) if settings.shared else 0)
        size = max(1, table_end)
        if not handle:
            require_available(size)
        self._memory = SharedMemory("pawnstar-drop7", size, handle)
        if not handle:
            self._memory.reserve()
        buffer = memoryview(self._memory.mapping)
        self._tasks = buffer[:tasks_end]
        self._bounds = buffer[values_end:ranges_end].cast("q")
        self.values = buffer[tasks_end:values_end].cast("d")
        self.table = buffer[table_at:table_end]
        self._buffer = buffer
        self.ranges = TaskRanges(self._bounds, FileLock(self.descriptor) if lock is None else lock)

    @property
    def handle(self) -> str:
        """What the memory is opened by: on Windows its name, elsewhere the number of this process's descriptor."""
        return self._memory.handle

    @property
    def descriptor(self) -> int:
        """The file descriptor, -1 on Windows."""
        return self._memory.descriptor

    def write_tasks(self, tasks: list[Task]) -> None:
        """Put all the tasks down, and divide them among the workers."""
        self._tasks[:] = b"".join([TASK_FORMAT.pack(*task) for task in tasks])
        self.ranges.divide(len(tasks))

    def task(self, number: int) -> Task:
        """One task."""
        pair0, pair1, pair2, pair3, disc, clock, depth = TASK_FORMAT.unpack_from(self._tasks, TASK_FORMAT.size * number)
        return pair0, pair1, pair2, pair3, disc, clock, depth

    def close(self) -> None:
        """Leave the memory, which is gone when the last process has left it."""
        for view in (self._tasks, self.values, self._bounds):
            view.release()
        # A shared table that an error still refers to keeps its view, and so the mapping, a little longer.
        with suppress(BufferError):
            self.table.release()
            self._buffer.release()
            self._memory.mapping.close()
        self._memory.close()
