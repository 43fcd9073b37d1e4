"""Worker processes on this machine.

CPython runs one compiled search at a time in a process, so workers are processes. They live as long as their crew
and serve one decision after another. A decision's tasks and results lie in shared memory, and with them the deal:
which tasks each worker has yet to do.

This module stays plain Python: it is plumbing between library calls, and the searches behind it are compiled.
"""

from __future__ import annotations

import multiprocessing
import struct
import sys
import threading
from contextlib import AbstractContextManager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.shared_memory import SharedMemory
from time import perf_counter
from typing import Any

from pawnstar.drop7.frontier import Task
from pawnstar.drop7.job import Execution, Job, Progress, TaskRunner, WorkerReport, private_table, run_here
from pawnstar.drop7.plan import MOST_STRIPES
from pawnstar.drop7.shared_table import SharedTable
from pawnstar.drop7.table import SLOT_BYTES, PrivateTable, Table, slots_for

TASK_FORMAT = struct.Struct("=7q")
WORD_BYTES = 8
PROGRESS_SECONDS = 0.2
GULPS = 8
"""A worker takes this part of its remaining tasks at a time. The rest can be taken over by others."""


class WorkerFailed(RuntimeError):
    """A worker ended early or its search failed."""


class _Order:
    """What a worker is told about a decision; small, the tasks themselves are in shared memory."""

    def __init__(self, job: Job, tasks: int, worker: int, workers: int, memory: str, table: str | None) -> None:
        self.job = job
        self.tasks = tasks
        self.worker = worker
        self.workers = workers
        self.memory = memory
        self.table = table


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


class _Sheet:
    """A decision's shared memory: the tasks, their values, and the deal."""

    def __init__(self, memory: SharedMemory, tasks: int, workers: int, lock: AbstractContextManager[object]) -> None:
        buffer = _buffer(memory)
        tasks_end = TASK_FORMAT.size * tasks
        values_at = tasks_end // WORD_BYTES
        bounds_at = values_at + tasks
        self._memory = memory
        self._tasks = buffer[:tasks_end]
        self._bounds = buffer.cast("q")[bounds_at : bounds_at + 2 * workers]
        self.values = buffer.cast("d")[values_at:bounds_at]
        self.deal = Deal(self._bounds, lock)

    def write(self, tasks: list[Task]) -> None:
        """Put all the tasks down, and deal them."""
        self._tasks[:] = b"".join([TASK_FORMAT.pack(*task) for task in tasks])
        self.deal.begin(len(tasks))

    def task(self, number: int) -> Task:
        """One task."""
        pair0, pair1, pair2, pair3, disc, clock, depth = TASK_FORMAT.unpack_from(self._tasks, TASK_FORMAT.size * number)
        return pair0, pair1, pair2, pair3, disc, clock, depth

    def close(self) -> None:
        """Leave the memory, which cannot be closed as long as there are views of it."""
        for view in (self._tasks, self.values, self._bounds):
            view.release()
        self._memory.close()


def _context() -> BaseContext:
    # Forking is fastest, but only safe while there is no second thread.
    if sys.platform == "linux" and threading.active_count() == 1:
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context("spawn")


def _attach(name: str) -> SharedMemory:
    if sys.version_info >= (3, 13):
        return SharedMemory(name, track=False)
    return SharedMemory(name)


def _buffer(memory: SharedMemory) -> memoryview:
    buffer = memory.buf
    assert buffer is not None  # it is, until the memory is closed
    return buffer


def _serve(connection: Connection, deal_lock: Any, locks: list[Any], inherited: list[Connection]) -> None:
    """A worker's life: take orders until the connection closes."""
    for other in inherited:
        other.close()
    kept: PrivateTable | None = None
    try:
        while True:
            order = connection.recv()
            try:
                if order.table is None:
                    kept = private_table(order.job, kept)
                _follow(connection, order, deal_lock, locks, kept)
            except Exception as error:  # the coordinator raises it again
                connection.send(f"{type(error).__name__}: {error}")
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        pass


def _follow(
    connection: Connection, order: _Order, deal_lock: Any, locks: list[Any], private: PrivateTable | None
) -> None:
    sheet = _Sheet(_attach(order.memory), order.tasks, order.workers, deal_lock)
    table_memory = _attach(order.table) if order.table is not None else None
    try:
        shared = _shared_table(order.job, table_memory, locks)
        runner = TaskRunner(order.job, private if shared is None else shared)
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
        del runner, shared
    finally:
        sheet.close()
        if table_memory is not None:
            table_memory.close()


def _shared_table(job: Job, memory: SharedMemory | None, locks: list[Any]) -> Table | None:
    if memory is None:
        return None
    used = locks[: min(MOST_STRIPES, slots_for(job.cache))]
    return SharedTable(
        _buffer(memory), job.cache, job.from_depth, [lock.acquire for lock in used], [lock.release for lock in used]
    )


class Crew:
    """Worker processes that run jobs. Use it in a ``with`` statement, or call ``close``."""

    def __init__(self, workers: int, shared: bool = False, on_progress: Progress | None = None) -> None:
        """Start ``workers`` processes; ``shared`` prepares the locks of a shared table."""
        self._on_progress = on_progress
        # One tracker for all: a worker that started its own would unlink our memory when it ends.
        resource_tracker.ensure_running()
        context = _context()
        self._deal_lock = context.Lock()
        self._locks = [context.Lock() for _ in range(MOST_STRIPES)] if shared else []
        self._connections: list[Connection] = []
        self._processes: list[Any] = []
        forking = context.get_start_method() == "fork"
        for _ in range(workers):
            ours, theirs = context.Pipe()
            # The base class of contexts, as typed, lacks Process; every context that can be had has it.
            process = context.Process(  # type: ignore[attr-defined]
                target=_serve,
                # A forked child holds copies of our ends, which would keep its siblings from seeing us go.
                args=(theirs, self._deal_lock, self._locks, [*self._connections, ours] if forking else []),
                daemon=True,
            )
            process.start()
            theirs.close()
            self._connections.append(ours)
            self._processes.append(process)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the workers go."""
        for connection in self._connections:
            connection.close()
        for process in self._processes:
            process.join(5)
            if process.is_alive():
                process.terminate()
        self._connections.clear()
        self._processes.clear()

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job with the first ``workers`` processes.

        Raises:
            WorkerFailed: a worker ended early, or its search raised an error.
        """
        began = perf_counter()
        tasks = len(job.tasks)
        size = (TASK_FORMAT.size + WORD_BYTES) * tasks + WORD_BYTES * 2 * workers
        memory = SharedMemory(create=True, size=size)
        sheet = _Sheet(memory, tasks, workers, self._deal_lock)
        table: SharedMemory | None = None
        try:
            if job.shared:
                table = SharedMemory(create=True, size=SLOT_BYTES * slots_for(job.cache))
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
            crew = self._connections[:workers]
            for worker, connection in enumerate(crew):
                self._send(
                    worker,
                    connection,
                    _Order(shell, tasks, worker, workers, memory.name, table.name if table else None),
                )
            self._collect(crew, None)
            ready = perf_counter()
            for worker, connection in enumerate(crew):
                self._send(worker, connection, "go")
            reports = [report for report in self._collect(crew, sheet) if isinstance(report, WorkerReport)]
            done = perf_counter()
            return Execution(list(sheet.values), reports, ready - began, done - ready)
        finally:
            sheet.close()
            memory.unlink()
            if table is not None:
                table.close()
                table.unlink()

    def _send(self, worker: int, connection: Connection, message: object) -> None:
        try:
            connection.send(message)
        except (BrokenPipeError, ConnectionResetError):
            raise WorkerFailed(f"worker {worker} ended unexpectedly") from None

    def _collect(self, crew: list[Connection], sheet: _Sheet | None) -> list[object]:
        """One message of each worker, in the order of the workers. With a sheet, tells how many tasks are done."""
        answers: dict[int, object] = {}
        while len(answers) < len(crew):
            waiting = [connection for number, connection in enumerate(crew) if number not in answers]
            for ready in wait(waiting, None if self._on_progress is None else PROGRESS_SECONDS):
                assert isinstance(ready, Connection)
                number = crew.index(ready)
                try:
                    answer: object = ready.recv()
                except (EOFError, ConnectionResetError):
                    raise WorkerFailed(f"worker {number} ended unexpectedly") from None
                if isinstance(answer, str) and answer != "ready":
                    raise WorkerFailed(f"worker {number}: {answer}")
                answers[number] = answer
            if self._on_progress is not None and sheet is not None and len(sheet.values) > 0:
                self._on_progress(len(sheet.values) - sheet.deal.left(), len(sheet.values))
        return [answers[number] for number in range(len(crew))]


class LazyCrew:
    """A crew that starts its processes at the first job, so that a refused decision starts none."""

    def __init__(self, shared: bool = False, on_progress: Progress | None = None) -> None:
        """Start nothing yet; ``shared`` will prepare the locks of a shared table."""
        self._on_progress = on_progress
        self._shared = shared
        self._crew: Crew | None = None
        self._workers = 0
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
            self._workers = 0

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job, with more processes than before if it needs them.

        Raises:
            WorkerFailed: a worker ended early, or its search raised an error. The next job starts new processes.
        """
        # A single worker needs no process, and a table that it shares with nobody no shared memory.
        if workers == 1:
            self._kept = private_table(job, self._kept)
            return run_here(job, self._on_progress, self._kept)
        if self._crew is None or workers > self._workers:
            self.close()
            self._crew = Crew(workers, self._shared, self._on_progress)
            self._workers = workers
        try:
            return self._crew.run(job, workers)
        except BaseException:
            self.close()
            raise
