"""Processes from outside: whether they run, what they started, and what they leave."""

import os
import time
from collections.abc import Callable

import psutil
import pytest

# pexpect forks beside whatever threads earlier tests have left (tqdm's, dask's). Python warns of that from 3.12 on, and
# warnings are errors. The child does nothing but become another program.
forks_a_terminal = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of forkpty:DeprecationWarning")


def alive(process: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_until_gone(processes: list[int], seconds: float) -> list[int]:
    """The processes still running after so long."""
    wait_for(lambda: not any(alive(process) for process in processes), seconds)
    return [process for process in processes if alive(process)]


def wait_for(condition: Callable[[], object], seconds: float) -> bool:
    """Whether a condition comes true within so long."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def children(process: int) -> list[int]:
    """The running processes that a process has started."""
    try:
        return [child.pid for child in psutil.Process(process).children() if alive(child.pid)]
    except psutil.NoSuchProcess:
        return []


def busy_seconds(process: int) -> float:
    """The processor time that a process has had."""
    try:
        times = psutil.Process(process).cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)


def kill(process: int) -> None:
    """End a process at once, as SIGKILL does, which Windows has no name for."""
    psutil.Process(process).kill()


def shared_memory_names() -> set[str]:
    """The names of what lies in shared memory. There are none to be seen but in /dev/shm, which is Linux's."""
    return set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()
