"""Processes on this machine that serve their owner through pipes, and end with it.

They are forked where that is safe, and started anew (multiprocessing's ``spawn``) elsewhere.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from typing import Any, Final
from weakref import WeakSet

from pawnstar.system import machine
from pawnstar.system.owner import end_with_owner

IDLE_END_SECONDS: Final = 2.0
"""Seconds that idle workers have to end by themselves."""


def choose_context() -> BaseContext:
    """How to start processes here."""
    # Forking is fastest, but only safe while there is no second thread.
    if sys.platform == "linux" and threading.active_count() == 1:
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context("spawn")


def _run_worker(connection: Connection, owner: int, serve: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """The main function of a worker: serve until the pipe closes, or the owner ends."""
    # The owner handles a Ctrl-C at the terminal. A forked worker inherits its owner's handlers, and must not run them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    try:
        end_with_owner(owner)
    except RuntimeError:
        # There is no memory for a thread. The owner reports that a worker ended.
        sys.exit(1)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        serve(connection, *arguments)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold a Ctrl-C back while a worker starts, which does not ignore it yet."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class WorkerProcesses:
    """Processes, with a pipe to each; ``connections`` are the owner's ends."""

    def __init__(self, count: int, context: BaseContext, serve: Callable[..., None], *arguments: Any) -> None:
        """Start ``count`` processes, each of which calls ``serve(connection, *arguments)``.

        Raises:
            OSError: they cannot be started here; the text says why.
        """
        self.connections: list[Connection] = []
        self._processes: list[Any] = []
        if multiprocessing.current_process().daemon:
            raise OSError("a daemonic process may not start others")
        if context.get_start_method() != "fork":
            machine.python_executable()
        _LIVING.add(self)
        try:
            for _ in range(count):
                ours, theirs = context.Pipe()
                # The base class of contexts, as typed, lacks Process; every context that can be had has it.
                process = context.Process(  # type: ignore[attr-defined]
                    target=_run_worker, args=(theirs, os.getpid(), serve, arguments), daemon=True
                )
                self.connections.append(ours)
                with _interrupts_held():
                    process.start()
                theirs.close()
                self._processes.append(process)
        except BaseException:
            self.kill()
            raise

    def __len__(self) -> int:
        return len(self._processes)

    def process_id(self, worker: int) -> int:
        """The process number of a worker."""
        number = self._processes[worker].pid
        assert isinstance(number, int)
        return number

    def is_alive(self, worker: int) -> bool:
        """Whether a worker still runs."""
        return bool(self._processes[worker].is_alive())

    def close(self) -> None:
        """Let idle workers go; those that do not end are killed."""
        for connection in self.connections:
            connection.close()
        end = time.monotonic() + IDLE_END_SECONDS
        for process in self._processes:
            process.join(max(0.0, end - time.monotonic()))
        self.kill()

    def kill(self) -> None:
        """End all workers at once, whatever they do. Their unfinished work is lost."""
        for connection in self.connections:
            connection.close()
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()
            process.close()
        self.connections.clear()
        self._processes.clear()

    def forget(self) -> None:
        """Close this process's copies of the pipes, where it was forked from the owner: the workers are the owner's.

        With the copies open, workers would not notice the owner's end. ``multiprocessing`` must forget the workers,
        too, or it would end them when this process ends.
        """
        for connection in self.connections:
            connection.close()
        children: set[Any] = getattr(multiprocessing.process, "_children", set())
        children.difference_update(self._processes)
        self.connections.clear()
        self._processes.clear()


_LIVING: Final[WeakSet[WorkerProcesses]] = WeakSet()


def _forget_all() -> None:
    for workers in list(_LIVING):
        workers.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
