"""Signals, worker processes and shared memory: nothing outlives its owner, and every interrupt is heard."""

from __future__ import annotations

import gc
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from multiprocessing.context import BaseContext
from pathlib import Path
from types import FrameType, SimpleNamespace

import pytest
from processes import busy_seconds, children, shared_memory_names, wait_for, wait_until_gone
from programs import environment, run_python

from pawnstar.drop7 import COMPILED, Searcher, State, analyze
from pawnstar.drop7.formats import value_bits
from pawnstar.drop7.parallel import workers
from pawnstar.drop7.parallel.job import Execution
from pawnstar.drop7.parallel.job_memory import JobMemory
from pawnstar.drop7.parallel.plan import Settings
from pawnstar.drop7.parallel.processes import WorkerProcesses, choose_context
from pawnstar.drop7.parallel.workers import LazyWorkerPool
from pawnstar.drop7.rules.game import play_center_games
from pawnstar.drop7.search.benchmarks import evaluate_all, leaf_checksum, play_all, unpack_checksum
from pawnstar.drop7.search.leaf import Leaf
from pawnstar.drop7.search.search import WorkLimitReached
from pawnstar.system import machine

from ..goldens import INPUTS

pytestmark = pytest.mark.processes

BOARD = "0000000000300001070000502080090603604014710825825"
ROOTS = str(INPUTS / "roots44.txt")
LONG = ("decide", "--board", BOARD, "--next", "7", "--rise", "3", "--depth", "8")
HEARD_SECONDS = 10.0
"""0.2 s are wanted, and had on an idle machine. Work that hears no signal runs on for minutes, or without end."""

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


class Running:
    """A ``drop7`` command in a process of its own, killed at the end of the ``with``."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pawnstar.drop7", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def workers(self, count: int) -> list[int]:
        """Its worker processes, once all of them have work."""

        def busy() -> bool:
            found = children(self.process.pid)
            return len(found) >= count and all(busy_seconds(worker) > 0.1 for worker in found)

        assert wait_for(busy, 60), "the workers did not begin"
        return children(self.process.pid)


@posix
@pytest.mark.parametrize(
    ("ending", "arguments"),
    [
        ("SIGTERM", (*LONG, "--threads", "2")),
        ("SIGHUP", (*LONG, "--threads", "2", "--scheduler", "root")),
        ("SIGKILL", (*LONG, "--threads", "2", "--tt-scope", "shared")),
        ("SIGKILL", ("analyze", "--roots", ROOTS, "--output", "-", "--depths", "7", "--threads", "2")),
        ("SIGTERM", ("bench", "moves", "--games", "100000000", "--threads", "2")),
    ],
)
def test_workers_end_with_their_owner(ending: str, arguments: tuple[str, ...]) -> None:
    """They ran on at full speed through all tasks of the decision, and their shared memory stayed as long."""
    before = shared_memory_names()
    with Running(*arguments) as running:
        workers = running.workers(2)
        running.process.send_signal(getattr(signal, ending))
        running.process.wait(30)
        assert wait_until_gone(workers, HEARD_SECONDS) == []
    assert [name for name in shared_memory_names() - before if name.startswith(("psm_", "pawnstar", "sem.mp-"))] == []


@posix
def test_a_forked_bystander_keeps_no_worker_alive() -> None:
    """A process that is forked while workers run holds their pipes open; they waited for its end too."""
    script = f"""
        import os, sys, threading, time
        from pawnstar.drop7 import State, analyze
        from pawnstar.drop7.parallel.workers import LazyWorkerPool
        from pawnstar.drop7.parallel.plan import Settings
        with LazyWorkerPool() as pool:
            state = State.parse({BOARD!r}, 7, 3)
            analyze(state, 1, 1, threads=2, executor=pool)
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            print("forked", flush=True)
            analyze(state, 8, 7, threads=2, executor=pool)
    """
    with subprocess.Popen(
        [sys.executable, "-P", "-W", "ignore", "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "forked\n"
        assert wait_for(lambda: sum(busy_seconds(child) > 0.2 for child in children(owner.pid)) == 2, 60)
        bystanders = [child for child in children(owner.pid) if busy_seconds(child) <= 0.2]
        workers = [child for child in children(owner.pid) if child not in bystanders]
        owner.kill()
        left = wait_until_gone(workers, HEARD_SECONDS)
        for bystander in bystanders:
            os.kill(bystander, signal.SIGKILL)
        assert len(bystanders) == 1
        assert left == []


@posix
@pytest.mark.parametrize(
    "child", ["sys.exit(0)", "pool.close()", "assert decide() == first"], ids=["exit", "close", "decide"]
)
def test_a_forked_process_leaves_the_workers_to_their_owner(child: str) -> None:
    """At its end it ended them, with tracebacks, and its own decisions were mixed up with the owner's."""
    script = f"""
        import os, sys
        from pawnstar.drop7 import State, analyze
        from pawnstar.drop7.parallel.workers import LazyWorkerPool
        def decide():
            return analyze(State.parse({BOARD!r}, 7, 3), 2, 2, threads=2, executor=pool).action
        with LazyWorkerPool() as pool:
            first = decide()
            forked = os.fork()
            if forked == 0:
                {child}
                sys.exit(0)
            assert os.waitpid(forked, 0)[1] == 0
            assert decide() == first
    """
    done = run_python(textwrap.dedent(script))
    assert (done.returncode, done.stderr) == (0, "")


INTERRUPTED = {
    "decide": (*LONG, "--threads", "1"),
    "decide with workers": (*LONG, "--threads", "2"),
    "analyze": ("analyze", "--roots", ROOTS, "--output", "-", "--depths", "7", "--threads", "1"),
    "analyze with workers": ("analyze", "--roots", ROOTS, "--output", "-", "--depths", "7", "--threads", "2"),
    "play": ("play", "--policy", "d7s7", "--seed", "1"),
    "bench moves": ("bench", "moves", "--games", "100000000"),
    "bench search": ("bench", "search", "--roots", ROOTS, "--depth", "7"),
    "optimization-check": ("optimization-check", "micro", ROOTS, "5", "1", "1024", "1000000000"),
}


@posix
@pytest.mark.parametrize("name", INTERRUPTED)
def test_an_interrupt_is_heard_in_compiled_work(name: str) -> None:
    """It was not until the search was done, however often it came. Workers end too, and no traceback is shown."""
    with Running(*INTERRUPTED[name]) as running:
        workers = running.workers(2) if "workers" in name else []
        assert wait_for(lambda: workers or busy_seconds(running.process.pid) > 1.5, 60)
        running.process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, errors = running.process.communicate(timeout=30)
        assert time.monotonic() - began < HEARD_SECONDS
        assert (running.process.returncode, errors) == (130, "")
        assert wait_until_gone(workers, HEARD_SECONDS) == []


class Alarm(Exception):
    """The time is up."""


def ring(number: int, frame: FrameType | None) -> None:
    raise Alarm


@posix
@pytest.mark.parametrize(
    "work",
    [
        lambda: Searcher().column_values(State.parse(BOARD, 7, 3), 9),
        lambda: Searcher().choose_action(State.parse(BOARD, 7, 3), 9),
        lambda: analyze(State.parse(BOARD, 7, 3), 9),
        lambda: analyze(State.parse(BOARD, 7, 3), 9, threads=2),
        lambda: play_center_games(1, 1 << 40, 1 << 40),
        lambda: play_all([State.start(4)], 1 << 40),
        lambda: evaluate_all(Leaf(), [State.start(4)], 1 << 40),
        lambda: leaf_checksum(Leaf(), [State.start(4)], 1 << 40),
        lambda: unpack_checksum([State.start(4)], 1 << 40),
        lambda: analyze(State.parse(BOARD, 7, 3), 9, split=6, max_frontier_tasks=1 << 60, max_host_bytes=1 << 62),
    ],
    ids=["values", "action", "analyze", "workers", "games", "moves", "leaves", "checksum", "unpack", "frontier"],
)
def test_a_handler_of_a_signal_runs_and_other_threads_go_on_during_compiled_work(work: Callable[[], object]) -> None:
    """An alarm of a second came when the search was done, and other threads stood still for as long."""
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.01):
            ticks += 1

    before = signal.signal(signal.SIGALRM, ring)
    thread = threading.Thread(target=tick)
    # Other libraries have callbacks of the collector's (hypothesis, dask). What a handler raises in one is ignored.
    gc.disable()
    began = time.monotonic()
    try:
        thread.start()
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(Alarm):
            work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        gc.enable()
        signal.signal(signal.SIGALRM, before)
        done.set()
        thread.join()
    assert time.monotonic() - began < 0.5 + HEARD_SECONDS + 3
    assert ticks >= 5


def test_an_interrupted_searcher_searches_on() -> None:
    """What an exception from a signal handler leaves behind is no worse than what the work limit leaves."""
    state = State.parse(BOARD, 7, 3)
    searcher = Searcher(3, work_limit=5000)
    with pytest.raises(WorkLimitReached):
        searcher.column_values(state, 5)
    assert searcher.counters().work == 5000
    searcher.reset_counters()
    searcher.work_limit = 1 << 40
    found = [value_bits(entry.value) for entry in searcher.column_values(state, 2)]
    assert found == [value_bits(entry.value) for entry in Searcher(3).column_values(state, 2)]


class NoSemaphores:
    """A way to start processes on a system without /dev/shm."""

    def get_start_method(self) -> str:
        return "fork"

    def Lock(self) -> object:
        raise OSError(30, "Read-only file system")


def test_without_semaphores_a_shared_table_has_one_worker_and_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only /dev/shm ended in a traceback with status 1."""
    monkeypatch.setattr(workers, "choose_context", NoSemaphores)
    state = State.start(4)
    with pytest.warns(RuntimeWarning, match=r"workers cannot be started \(.*Read-only file system\); searching with"):
        decision = analyze(state, 2, 3, threads=2, shared=True)
    assert decision.workers == 1
    assert decision.completed == decision.tasks
    assert [entry.value for entry in decision.columns] == [entry.value for entry in analyze(state, 2, 3).columns]


def test_where_no_process_can_be_started_there_is_one_worker_and_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> WorkerProcesses:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(workers, "WorkerProcesses", refuse)
    told: list[str] = []
    with LazyWorkerPool(on_remark=told.append) as lazy:
        for _ in range(2):
            assert analyze(State.start(4), 2, 3, threads=2, executor=lazy).workers == 1
    assert len(told) == 1


def test_a_program_that_is_no_python_starts_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where workers are started anew, a frozen program would start itself, and so on without end."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(OSError, match="frozen program"):
        WorkerProcesses(1, spawn_context(), lambda connection: None)


def spawn_context() -> BaseContext:
    return multiprocessing.get_context("spawn")


def test_a_lack_of_shared_memory_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table larger than /dev/shm ended the workers by SIGBUS at their first write."""
    monkeypatch.setattr(machine, "available_memory", lambda: 1 << 20)
    with pytest.raises(MemoryError, match="no 48 MB of shared memory: 1 MB are left"):
        analyze(State.start(4), 2, 3, threads=2, shared=True, cache=1 << 20)


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="needs posix_fallocate")
def test_memory_that_the_system_refuses_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, offset: int, size: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    descriptors = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    with pytest.raises(MemoryError, match="No space left on device"):
        JobMemory(7, 2, Settings())
    if sys.platform == "linux":
        assert len(os.listdir("/proc/self/fd")) == descriptors


def test_memory_has_a_file_on_disk_where_there_is_none_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    decision = analyze(State.start(4), 2, 3, threads=2, shared=os.name == "posix")
    assert decision.workers == 2


def can_mount() -> bool:
    """Whether this process may have a /dev/shm of its own (root on Linux may, in a container often not)."""
    if sys.platform != "linux" or shutil.which("unshare") is None or not os.path.isdir("/dev/shm"):
        return False
    probe = ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /dev/shm"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not can_mount(), reason="needs a mount namespace")
@pytest.mark.parametrize("scope", ["private", "shared"])
@pytest.mark.parametrize(
    "mount",
    ["mount -t tmpfs -o ro none /dev/shm", "mount -t tmpfs -o size=64k none /dev/shm", "mount -t tmpfs none /dev"],
    ids=["read-only", "small", "missing"],
)
def test_no_usable_dev_shm(mount: str, scope: str) -> None:
    """Read-only: a traceback with status 1. Small: SIGBUS and a warning of multiprocessing's resource tracker."""
    depth = "2" if COMPILED else "1"
    command = [sys.executable, "-P", "-m", "pawnstar.drop7", "decide", "--board", BOARD, "--next", "7", "--rise", "3"]
    options = ["--depth", depth, "--chance-samples", "3", "--threads", "2", "--tt-scope", scope]
    script = f'{mount} && test -e /dev/null || mknod -m 666 /dev/null c 1 3; exec "$@"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", *command, *options],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(),
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.startswith("bestmove ")
    lines = done.stderr.splitlines()
    if scope == "private":
        assert lines == []
    else:
        assert len(lines) == 1
        assert "searching with one" in lines[0]


def test_threads_in_a_daemonic_process_are_one_worker_and_a_word() -> None:
    """Workers of multiprocessing.Pool may not start processes; an AssertionError came from deep inside."""
    code = """
        import multiprocessing, warnings
        from pawnstar.drop7 import State, analyze

        def work(number):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                return analyze(State.start(4), 1, 3, threads=2).action, [str(warning.message) for warning in caught]

        if __name__ == "__main__":
            with multiprocessing.get_context("fork").Pool(1) as pool:
                print(pool.map(work, [0]))
    """
    if sys.platform != "linux":
        pytest.skip("forks")
    done = run_python(textwrap.dedent(code))
    assert "a daemonic process may not start others" in done.stdout, done.stderr


def test_a_killed_worker_ends_the_command_with_a_line(tmp_path: Path) -> None:
    if os.name == "nt":
        pytest.skip("SIGKILL")
    with Running(*LONG, "--threads", "2") as running:
        workers = running.workers(2)
        os.kill(workers[1], signal.SIGKILL)
        _, errors = running.process.communicate(timeout=30)
        assert (running.process.returncode, errors) == (2, "decide failed: worker 1 ended unexpectedly\n")
        assert wait_until_gone(workers, HEARD_SECONDS) == []


def test_decisions_say_how_many_workers_there_were() -> None:
    """Not how many were wanted."""
    execution = Execution([0.0] * 7, [], 0.0, 0.0)
    runner = SimpleNamespace(run=lambda job, workers: execution)
    assert analyze(State.start(4), 1, 1, threads=5, scheduler="root", executor=runner).workers == 1


def test_context_is_never_forked_beside_threads() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert choose_context().get_start_method() == "spawn"
    finally:
        stop.set()
        thread.join()
