"""Worker processes on this machine.

CPython runs one compiled search at a time in a process, so workers are processes. They live as long as their pool and
do one job after another. A job's tasks and values lie in memory that they share (job_memory.py), and so do the ranges
of tasks that each worker has yet to do (work_stealing.py).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import recv_handle, send_handle
from time import perf_counter
from typing import Any

from pawnstar.drop7.parallel.job import Execution, Job, Progress, TaskRunner, WorkerReport, private_table, run_here
from pawnstar.drop7.parallel.job_memory import JobMemory
from pawnstar.drop7.parallel.plan import MOST_STRIPES, Settings
from pawnstar.drop7.parallel.processes import WorkerProcesses, choose_context
from pawnstar.drop7.search.shared_table import SharedTable
from pawnstar.drop7.search.table import PrivateTable, Table, slots_for

PROGRESS_SECONDS = 0.2


class WorkerFailed(RuntimeError):
    """A worker ended early or its search failed."""


@dataclass(frozen=True)
class _Assignment:
    """What a worker is told about a job. It is small, since the tasks are in shared memory."""

    job: Job
    """Without its tasks."""

    tasks: int
    worker: int
    workers: int
    handle: str
    """Of the memory, on Windows; elsewhere a file descriptor follows."""


def _serve_jobs(connection: Connection, lock: Any, stripe_locks: list[Any]) -> None:
    """A worker's loop: do one assignment after another until the connection closes."""
    kept: PrivateTable | None = None
    while True:
        assignment = connection.recv()
        handle = assignment.handle if sys.platform == "win32" else str(recv_handle(connection))
        try:
            settings = assignment.job.settings
            if not settings.shared:
                kept = private_table(settings, kept)
            memory = JobMemory(assignment.tasks, assignment.workers, settings, handle, lock)
            try:
                _do_tasks(connection, assignment, memory, _shared_table(settings, memory, stripe_locks) or kept)
            finally:
                memory.close()
        except Exception as error:  # the coordinator raises it again
            connection.send(
                "not enough memory" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"
            )


def _do_tasks(connection: Connection, assignment: _Assignment, memory: JobMemory, table: Table | None) -> None:
    """Get ready, wait for the start, and search tasks until none is left."""
    job = assignment.job
    runner = TaskRunner(job, table)
    connection.send("ready")
    if connection.recv() != "go":
        return
    if job.columns:
        for number in range(assignment.worker, assignment.tasks, assignment.workers):
            memory.values[number] = runner.run(memory.task(number), job.column(number))
    else:
        while numbers := memory.ranges.take(assignment.worker):
            for number in numbers:
                memory.values[number] = runner.run(memory.task(number), -1)
    connection.send(runner.report(assignment.worker))


def _shared_table(settings: Settings, memory: JobMemory, stripe_locks: list[Any]) -> Table | None:
    """The table that all workers share; None where each has its own."""
    if not settings.shared:
        return None
    used = stripe_locks[: min(MOST_STRIPES, slots_for(settings.cache))]
    return SharedTable(
        memory.table,
        settings.cache,
        settings.from_depth,
        [lock.acquire for lock in used],
        [lock.release for lock in used],
    )


class WorkerPool:
    """Worker processes that run jobs. Use it in a ``with`` statement, or call ``close``."""

    def __init__(self, workers: int, shared: bool = False, on_progress: Progress | None = None) -> None:
        """Start ``workers`` processes; ``shared`` prepares the locks of a shared table.

        Raises:
            OSError: processes cannot be started here, or there are no locks; the text says why.
        """
        self._on_progress = on_progress
        context = choose_context()
        # Spawned workers find the locks by names that vanish with these objects, so they are kept here.
        # Where files cannot be locked, a semaphore guards the ranges.
        self._ranges_lock = context.Lock() if sys.platform == "win32" else None
        try:
            self._locks = [context.Lock() for _ in range(MOST_STRIPES)] if shared else []
        except (OSError, ImportError) as error:
            raise OSError(f"a shared table needs semaphores, which this system does not give: {error}") from None
        self._workers = WorkerProcesses(workers, context, _serve_jobs, self._ranges_lock, self._locks)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._workers)

    def close(self) -> None:
        """Let the workers go."""
        self._workers.close()

    def process_ids(self) -> list[int]:
        """The process numbers of the workers."""
        return [self._workers.process_id(worker) for worker in range(len(self._workers))]

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job with the first ``workers`` processes. An exception, an interrupt too, ends them all.

        Raises:
            WorkerFailed: a worker ended early, or its search raised an error.
            MemoryError: the machine has no memory for the tasks or the shared table.
        """
        if len(self) < workers:
            raise WorkerFailed("the pool's workers have ended")
        try:
            return self._run(job, workers)
        except BaseException:
            self._workers.kill()
            raise

    def _run(self, job: Job, workers: int) -> Execution:
        began = perf_counter()
        tasks = len(job.tasks)
        memory = JobMemory(tasks, workers, job.settings)
        try:
            memory.write_tasks(job.tasks)
            without_tasks = replace(job, tasks=[])
            for worker in range(workers):
                self._send(worker, _Assignment(without_tasks, tasks, worker, workers, memory.handle), memory)
            self._collect(workers, None)
            ready = perf_counter()
            for worker in range(workers):
                self._send(worker, "go", None)
            reports = [report for report in self._collect(workers, memory) if isinstance(report, WorkerReport)]
            done = perf_counter()
            return Execution(list(memory.values), reports, ready - began, done - ready)
        finally:
            memory.close()

    def _send(self, worker: int, message: object, memory: JobMemory | None) -> None:
        connection = self._workers.connections[worker]
        try:
            connection.send(message)
            if memory is not None and sys.platform != "win32":
                send_handle(connection, memory.descriptor, self._workers.process_id(worker))
        except (BrokenPipeError, ConnectionResetError):
            raise WorkerFailed(f"worker {worker} ended unexpectedly") from None

    def _collect(self, workers: int, memory: JobMemory | None) -> list[object]:
        """One message of each worker, in the order of the workers. With ``memory``, tells how many tasks are done."""
        connections = self._workers.connections[:workers]
        answers: dict[int, object] = {}
        while len(answers) < workers:
            waiting = [connection for number, connection in enumerate(connections) if number not in answers]
            found = wait(waiting, PROGRESS_SECONDS)
            for ready in found:
                assert isinstance(ready, Connection)
                number = connections.index(ready)
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
                    if number not in answers and not self._workers.is_alive(number) and not connections[number].poll():
                        raise WorkerFailed(f"worker {number} ended unexpectedly")
            if self._on_progress is not None and memory is not None and len(memory.values) > 0:
                self._on_progress(len(memory.values) - memory.ranges.remaining(), len(memory.values))
        return [answers[number] for number in range(workers)]


def _warn(remark: str) -> None:
    warnings.warn(remark, RuntimeWarning, stacklevel=2)


class LazyWorkerPool:
    """A ``WorkerPool`` that starts its processes at the first job, so that a refused decision starts none.

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
        self._no_processes = False
        self._shared = shared
        self._pool: WorkerPool | None = None
        self._kept: PrivateTable | None = None

    def __enter__(self) -> LazyWorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the workers and the table go."""
        self._kept = None
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job, with more processes than before if it needs them.

        Raises:
            WorkerFailed: a worker ended early, or its search raised an error. The next job starts new processes.
            MemoryError: the machine has no memory for the tasks or the tables.
        """
        if workers > 1 and not self._no_processes and (self._pool is None or workers > len(self._pool)):
            self.close()
            try:
                self._pool = WorkerPool(workers, self._shared, self._on_progress)
            except OSError as error:
                self._no_processes = True
                self._on_remark(f"workers cannot be started ({error}); searching with one")
        # A single worker needs no process, and a table that it shares with nobody no shared memory.
        if workers == 1 or self._no_processes or self._pool is None:
            self._kept = private_table(job.settings, self._kept)
            return run_here(job, self._on_progress, self._kept)
        try:
            return self._pool.run(job, workers)
        except BaseException:
            self.close()
            raise
