"""Worker processes on this machine.

CPython runs one compiled search at a time in a process, so workers are processes. They live as long as their crew
and serve one decision after another. A decision's tasks and results lie in shared memory; a shared counter says
which task is next.

This module stays plain Python: it is plumbing between library calls, and the searches behind it are compiled.
"""

from __future__ import annotations

import multiprocessing
import struct
import sys
import threading
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.shared_memory import SharedMemory
from time import perf_counter
from typing import Any

from pawnstar.drop7.job import Execution, Job, Progress, TaskRunner, WorkerReport, run_here
from pawnstar.drop7.plan import MOST_STRIPES
from pawnstar.drop7.shared_table import SharedTable
from pawnstar.drop7.table import SLOT_BYTES, Table, slots_for

TASK_FORMAT = struct.Struct("<7q")
PROGRESS_SECONDS = 0.2
SHARES = 4
"""A worker takes this part of its fair share of the remaining tasks."""

RESULT_FORMAT = struct.Struct("<d")


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


def _serve(connection: Connection, counter: Any, locks: list[Any], inherited: list[Connection]) -> None:
    """A worker's life: take orders until the connection closes."""
    for other in inherited:
        other.close()
    try:
        while True:
            order = connection.recv()
            try:
                _follow(connection, order, counter, locks)
            except Exception as error:  # the coordinator raises it again
                connection.send(f"{type(error).__name__}: {error}")
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        pass


def _follow(connection: Connection, order: _Order, counter: Any, locks: list[Any]) -> None:
    memory = _attach(order.memory)
    table_memory = _attach(order.table) if order.table is not None else None
    try:
        runner = TaskRunner(order.job, _shared_table(order.job, table_memory, locks))
        connection.send("ready")
        if connection.recv() != "go":
            return
        results_at = TASK_FORMAT.size * order.tasks
        columns = order.job.columns
        buffer = _buffer(memory)
        while True:
            numbers = _take(order, counter) if not columns else range(order.worker, order.tasks, order.workers)
            for number in numbers:
                task = TASK_FORMAT.unpack_from(buffer, TASK_FORMAT.size * number)
                value = runner.run(task, columns[number] if columns else -1)
                RESULT_FORMAT.pack_into(buffer, results_at + RESULT_FORMAT.size * number, value)
            if columns or not numbers:
                break
        connection.send(runner.report(order.worker))
        del runner
    finally:
        memory.close()
        if table_memory is not None:
            table_memory.close()


def _take(order: _Order, counter: Any) -> range:
    """The next tasks of the queue: a part of what is left, so long stretches at first and single tasks in the end.

    Neighbours in the queue have positions in common. Dealt out one by one, private tables would find a tenth less.
    """
    with counter.get_lock():
        first = counter.value
        count = max(1, (order.tasks - first) // (SHARES * order.workers))
        end = min(order.tasks, first + count)
        counter.value = end
    return range(first, end)


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
        self._counter = context.Value("q", 0)
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
                args=(theirs, self._counter, self._locks, [*self._connections, ours] if forking else []),
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
        size = (TASK_FORMAT.size + RESULT_FORMAT.size) * max(1, tasks)
        memory = SharedMemory(create=True, size=size)
        table = SharedMemory(create=True, size=SLOT_BYTES * slots_for(job.cache)) if job.shared else None
        try:
            for number, task in enumerate(job.tasks):
                TASK_FORMAT.pack_into(_buffer(memory), TASK_FORMAT.size * number, *task)
            self._counter.value = 0
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
            self._collect(crew, 0)
            ready = perf_counter()
            for worker, connection in enumerate(crew):
                self._send(worker, connection, "go")
            reports = [report for report in self._collect(crew, tasks) if isinstance(report, WorkerReport)]
            done = perf_counter()
            results_at = TASK_FORMAT.size * tasks
            results = [
                RESULT_FORMAT.unpack_from(_buffer(memory), results_at + RESULT_FORMAT.size * number)[0]
                for number in range(tasks)
            ]
            return Execution(results, reports, ready - began, done - ready)
        finally:
            memory.close()
            memory.unlink()
            if table is not None:
                table.close()
                table.unlink()

    def _send(self, worker: int, connection: Connection, message: object) -> None:
        try:
            connection.send(message)
        except (BrokenPipeError, ConnectionResetError):
            raise WorkerFailed(f"worker {worker} ended unexpectedly") from None

    def _collect(self, crew: list[Connection], tasks: int) -> list[object]:
        """One message of each worker, in the order of the workers. While ``tasks`` run, tells how many are done."""
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
            if self._on_progress is not None and tasks > 0:
                self._on_progress(min(tasks, self._counter.value), tasks)
        return [answers[number] for number in range(len(crew))]


class LazyCrew:
    """A crew that starts its processes at the first job, so that a refused decision starts none."""

    def __init__(self, shared: bool = False, on_progress: Progress | None = None) -> None:
        """Start nothing yet; ``shared`` will prepare the locks of a shared table."""
        self._on_progress = on_progress
        self._shared = shared
        self._crew: Crew | None = None
        self._workers = 0

    def __enter__(self) -> LazyCrew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the workers go."""
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
            return run_here(job, self._on_progress)
        if self._crew is None or workers > self._workers:
            self.close()
            self._crew = Crew(workers, self._shared, self._on_progress)
            self._workers = workers
        try:
            return self._crew.run(job, workers)
        except BaseException:
            self.close()
            raise
