"""Worker processes on this machine.

CPython runs one compiled search at a time in a process, so workers are processes. They live as long as their crew
and serve one decision after another. A decision's tasks and results lie in shared memory, and with them the deal:
which tasks each worker has yet to do.

This module stays plain Python: it is plumbing between library calls, and the searches behind it are compiled.
"""

from __future__ import annotations

import mmap
import os
import struct
import sys
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import recv_handle, send_handle
from time import perf_counter
from typing import Any

from pawnstar.drop7.parallel.job import Execution, Job, Progress, TaskRunner, WorkerReport, private_table, run_here
from pawnstar.drop7.parallel.plan import MOST_STRIPES
from pawnstar.drop7.parallel.processes import Workers, choose_context
from pawnstar.drop7.search.frontier import Task
from pawnstar.drop7.search.shared_table import SharedTable
from pawnstar.drop7.search.table import SLOT_BYTES, PrivateTable, Table, slots_for
from pawnstar.shared_memory import nameless_memory

if sys.platform != "win32":
    import fcntl

TASK_FORMAT = struct.Struct("=7q")
WORD_BYTES = 8
ALIGNMENT = 64
"""The table begins at a multiple of this, in bytes."""
PROGRESS_SECONDS = 0.2
GULPS = 8
"""A worker takes this part of its remaining tasks at a time. The rest can be taken over by others."""


class WorkerFailed(RuntimeError):
    """A worker ended early or its search failed."""


class _Order:
    """What a worker is told about a decision; small, the tasks themselves are in shared memory."""

    def __init__(self, job: Job, tasks: int, worker: int, workers: int, memory: str) -> None:
        self.job = job
        self.tasks = tasks
        self.worker = worker
        self.workers = workers
        self.memory = memory


class _FileLock:
    """A lock that lies on the first byte of a file. The system takes it back from a process that dies with it.

    Unlike a semaphore it needs no ``/dev/shm``.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __enter__(self) -> None:
        if sys.platform != "win32":
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX, 1)

    def __exit__(self, *_: object) -> None:
        if sys.platform != "win32":
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1)


class Deal:
    """Which tasks each worker has yet to do: a stretch of neighbours each, kept in memory that all of them see.

    Neighbours have positions in common, which only the worker that has met one finds in its private table. So every
    worker keeps to one stretch for as long as it lasts, and then takes over the far half of the longest one left.
    When they helped themselves from a single queue, two workers searched four per cent more than one.
    """

    def __init__(self, bounds: memoryview[int], lock: AbstractContextManager[object]) -> None:
        """Attach to ``bounds``, two words a worker: its next task, and the one after its last."""
        self._bounds = bounds
        self._lock = lock
        self._workers = range(len(bounds) // 2)

    def begin(self, tasks: int) -> None:
        """Give everyone an equal stretch."""
        for worker in self._workers:
            self._bounds[2 * worker] = tasks * worker // len(self._workers)
            self._bounds[2 * worker + 1] = tasks * (worker + 1) // len(self._workers)

    def left(self) -> int:
        """How many tasks nobody has taken yet. Without the lock, which a dead worker may hold: about right."""
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
            next_first = min(end, first + max(1, (end - first) // GULPS))
            bounds[2 * worker] = next_first
            bounds[2 * worker + 1] = end
        return range(first, next_first)

    def _length(self, worker: int) -> int:
        return self._bounds[2 * worker + 1] - self._bounds[2 * worker]


class _Memory:
    """A decision's shared memory, without a name: the sheet, and behind it the table where that is shared."""

    def __init__(self, tasks: int, workers: int, job: Job, handle: str = "", descriptor: int = -1) -> None:
        """Make it, or open the one that the owner made.

        Raises:
            MemoryError: the machine has not so much.
        """
        sheet = (TASK_FORMAT.size + WORD_BYTES) * tasks + WORD_BYTES * 2 * workers
        self._table_at = -(-sheet // ALIGNMENT) * ALIGNMENT
        self._table_size = SLOT_BYTES * slots_for(job.cache) if job.shared else 0
        size = max(1, self._table_at + self._table_size)
        self.handle = handle
        self.descriptor = descriptor
        if sys.platform == "win32":
            self.handle = handle or f"pawnstar-{os.getpid()}-{os.urandom(8).hex()}"
            self._map = mmap.mmap(-1, size, tagname=self.handle)
        else:
            if descriptor < 0:
                self.descriptor = nameless_memory("pawnstar-drop7", size)
            try:
                self._map = mmap.mmap(self.descriptor, size)
            except OSError as error:
                os.close(self.descriptor)
                raise MemoryError(f"no {size >> 20} MB of shared memory: {error.strerror}") from error
        self.buffer = memoryview(self._map)

    def table(self) -> memoryview:
        """The slots of the shared table."""
        return self.buffer[self._table_at : self._table_at + self._table_size]

    def close(self) -> None:
        """Leave the memory, which is gone when the last process has left it."""
        # A table that is still at hand after an error keeps its view, and so the mapping, a little longer.
        with suppress(BufferError):
            self.buffer.release()
            self._map.close()
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


class _Sheet:
    """The tasks of a decision, their values, and the deal, in shared memory."""

    def __init__(
        self, memory: _Memory, tasks: int, workers: int, lock: AbstractContextManager[object] | None = None
    ) -> None:
        """Lay it out; ``lock`` guards the deal, by default one on the memory's file."""
        buffer = memory.buffer
        tasks_end = TASK_FORMAT.size * tasks
        values_end = tasks_end + WORD_BYTES * tasks
        bounds_end = values_end + WORD_BYTES * 2 * workers
        self._tasks = buffer[:tasks_end]
        self._bounds = buffer[values_end:bounds_end].cast("q")
        self.values = buffer[tasks_end:values_end].cast("d")
        self.deal = Deal(self._bounds, _FileLock(memory.descriptor) if lock is None else lock)

    def write(self, tasks: list[Task]) -> None:
        """Put all the tasks down, and deal them."""
        self._tasks[:] = b"".join([TASK_FORMAT.pack(*task) for task in tasks])
        self.deal.begin(len(tasks))

    def task(self, number: int) -> Task:
        """One task."""
        pair0, pair1, pair2, pair3, disc, clock, depth = TASK_FORMAT.unpack_from(self._tasks, TASK_FORMAT.size * number)
        return pair0, pair1, pair2, pair3, disc, clock, depth

    def close(self) -> None:
        """Give up the views, without which the memory cannot be closed."""
        for view in (self._tasks, self.values, self._bounds):
            view.release()


def _serve(connection: Connection, deal_lock: Any, locks: list[Any]) -> None:
    """A worker's work: take orders until the connection closes."""
    kept: PrivateTable | None = None
    while True:
        order = connection.recv()
        descriptor = recv_handle(connection) if sys.platform != "win32" else -1
        try:
            if not order.job.shared:
                kept = private_table(order.job, kept)
            _follow(connection, order, descriptor, deal_lock, locks, kept)
        except Exception as error:  # the coordinator raises it again
            connection.send(
                "not enough memory" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"
            )


def _follow(
    connection: Connection,
    order: _Order,
    descriptor: int,
    deal_lock: Any,
    locks: list[Any],
    private: PrivateTable | None,
) -> None:
    memory = _Memory(order.tasks, order.workers, order.job, order.memory, descriptor)
    sheet = _Sheet(memory, order.tasks, order.workers, deal_lock)
    try:
        table = _shared_table(order.job, memory, locks) if order.job.shared else private
        runner = TaskRunner(order.job, table)
        connection.send("ready")
        if connection.recv() != "go":
            return
        if order.job.columns:
            for number in range(order.worker, order.tasks, order.workers):
                sheet.values[number] = runner.run(sheet.task(number), order.job.columns[number])
        else:
            while numbers := sheet.deal.take(order.worker):
                for number in numbers:
                    sheet.values[number] = runner.run(sheet.task(number), -1)
        connection.send(runner.report(order.worker))
        del runner, table
    finally:
        sheet.close()
        memory.close()


def _shared_table(job: Job, memory: _Memory, locks: list[Any]) -> Table:
    used = locks[: min(MOST_STRIPES, slots_for(job.cache))]
    return SharedTable(
        memory.table(), job.cache, job.from_depth, [lock.acquire for lock in used], [lock.release for lock in used]
    )


class Crew:
    """Worker processes that run jobs. Use it in a ``with`` statement, or call ``close``."""

    def __init__(self, workers: int, shared: bool = False, on_progress: Progress | None = None) -> None:
        """Start ``workers`` processes; ``shared`` prepares the locks of a shared table.

        Raises:
            OSError: processes cannot be started here, or there are no locks; the text says why.
        """
        self._on_progress = on_progress
        context = choose_context()
        # Kept here, since the names under which workers that are started anew find them go with them.
        # Where files cannot be locked, a semaphore guards the deal.
        self._deal_lock = context.Lock() if sys.platform == "win32" else None
        try:
            self._locks = [context.Lock() for _ in range(MOST_STRIPES)] if shared else []
        except (OSError, ImportError) as error:
            raise OSError(f"a shared table needs semaphores, which this system does not give: {error}") from None
        self._workers = Workers(workers, context, _serve, self._deal_lock, self._locks)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._workers)

    def close(self) -> None:
        """Let the workers go."""
        self._workers.dismiss()

    def process_ids(self) -> list[int]:
        """The process numbers of the workers."""
        return [self._workers.process_id(worker) for worker in range(len(self._workers))]

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job with the first ``workers`` processes. Whatever interrupts it ends them all.

        Raises:
            WorkerFailed: a worker ended early, or its search raised an error.
            MemoryError: the machine has no memory for the tasks or the shared table.
        """
        if len(self) < workers:
            raise WorkerFailed("the crew's workers have ended")
        try:
            return self._run(job, workers)
        except BaseException:
            self._workers.kill()
            raise

    def _run(self, job: Job, workers: int) -> Execution:
        began = perf_counter()
        tasks = len(job.tasks)
        memory = _Memory(tasks, workers, job)
        sheet = _Sheet(memory, tasks, workers)
        try:
            sheet.write(job.tasks)
            shell = Job(
                [],
                job.columns,
                job.samples,
                job.policy_seed,
                job.terminal_utility,
                job.weights,
                job.cache,
                job.shared,
                job.from_depth,
            )
            for worker in range(workers):
                self._send(worker, _Order(shell, tasks, worker, workers, memory.handle), memory)
            self._collect(workers, None)
            ready = perf_counter()
            for worker in range(workers):
                self._send(worker, "go", None)
            reports = [report for report in self._collect(workers, sheet) if isinstance(report, WorkerReport)]
            done = perf_counter()
            return Execution(list(sheet.values), reports, ready - began, done - ready)
        finally:
            sheet.close()
            memory.close()

    def _send(self, worker: int, message: object, memory: _Memory | None) -> None:
        connection = self._workers.connections[worker]
        try:
            connection.send(message)
            if memory is not None and sys.platform != "win32":
                send_handle(connection, memory.descriptor, self._workers.process_id(worker))
        except (BrokenPipeError, ConnectionResetError):
            raise WorkerFailed(f"worker {worker} ended unexpectedly") from None

    def _collect(self, workers: int, sheet: _Sheet | None) -> list[object]:
        """One message of each worker, in the order of the workers. With a sheet, tells how many tasks are done."""
        crew = self._workers.connections[:workers]
        answers: dict[int, object] = {}
        while len(answers) < workers:
            waiting = [connection for number, connection in enumerate(crew) if number not in answers]
            found = wait(waiting, PROGRESS_SECONDS)
            for ready in found:
                assert isinstance(ready, Connection)
                number = crew.index(ready)
                try:
                    answer: object = ready.recv()
                except (EOFError, ConnectionResetError):
                    raise WorkerFailed(f"worker {number} ended unexpectedly") from None
                if isinstance(answer, str) and answer != "ready":
                    raise WorkerFailed(f"worker {number}: {answer}")
                answers[number] = answer
            if not found:
                # A process that was forked meanwhile may hold a dead worker's pipe open.
                for number in range(workers):
                    if number not in answers and not self._workers.is_alive(number) and not crew[number].poll():
                        raise WorkerFailed(f"worker {number} ended unexpectedly")
            if self._on_progress is not None and sheet is not None and len(sheet.values) > 0:
                self._on_progress(len(sheet.values) - sheet.deal.left(), len(sheet.values))
        return [answers[number] for number in range(workers)]


def _warn(remark: str) -> None:
    warnings.warn(remark, RuntimeWarning, stacklevel=2)


class LazyCrew:
    """A crew that starts its processes at the first job, so that a refused decision starts none.

    Where no processes can be had, it says so once and does all work in this process. The results are the same.
    """

    def __init__(
        self,
        shared: bool = False,
        on_progress: Progress | None = None,
        on_remark: Callable[[str], None] = _warn,
    ) -> None:
        """Start nothing yet.

        Args:
            shared: prepare the locks of a shared table.
            on_progress: told how many tasks are done.
            on_remark: told why there are no worker processes; by default it becomes a ``RuntimeWarning``.
        """
        self._on_progress = on_progress
        self._on_remark = on_remark
        self._alone = False
        self._shared = shared
        self._crew: Crew | None = None
        self._kept: PrivateTable | None = None

    def __enter__(self) -> LazyCrew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the workers and the table go."""
        self._kept = None
        if self._crew is not None:
            self._crew.close()
            self._crew = None

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job, with more processes than before if it needs them.

        Raises:
            WorkerFailed: a worker ended early, or its search raised an error. The next job starts new processes.
            MemoryError: the machine has no memory for the tasks or the tables.
        """
        if workers > 1 and not self._alone and (self._crew is None or workers > len(self._crew)):
            self.close()
            try:
                self._crew = Crew(workers, self._shared, self._on_progress)
            except OSError as error:
                self._alone = True
                self._on_remark(f"workers cannot be started ({error}); searching with one")
        # A single worker needs no process, and a table that it shares with nobody no shared memory.
        if workers == 1 or self._alone or self._crew is None:
            self._kept = private_table(job, self._kept)
            return run_here(job, self._on_progress, self._kept)
        try:
            return self._crew.run(job, workers)
        except BaseException:
            self.close()
            raise
