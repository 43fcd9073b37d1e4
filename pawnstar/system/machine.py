"""What the machine gives: processors and memory."""

import os
import re
import sys
from pathlib import Path
from typing import Final

from pawnstar.settings import THREADS

PYTHON_NAME: Final = re.compile(r"(python|pypy|graalpy)[0-9.]*[dtw]*(-(intel64|arm64|dbg))?(\.exe)?")
"""Names of Python interpreters: python3, python3.13t, pythonw.exe, python3.13-intel64, pypy3.11."""


def _control_group_processors() -> float:
    """The processors that the control group grants, infinite where it sets no limit."""
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return float("inf") if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError):
        return float("inf")


def processors() -> int:
    """The processors this process may use: affinity and control group counted, at least 1."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:
        count = os.cpu_count() or 1
    return max(1, int(min(count, _control_group_processors())))


def default_threads() -> int:
    """The default of Threads: the leading number of ``PAWNSTAR_THREADS`` if it is above 0, else the processors.

    The result is clamped to the option's range.
    """
    digits = re.match(r"\+?([0-9]+)", os.environ.get("PAWNSTAR_THREADS", "").strip())
    # Python reads no numbers of more than some thousand digits.
    wanted = int(digits[1][-18:]) if digits is not None else 0
    return THREADS.clamped(wanted if wanted > 0 else processors())


# Bytes that a new table must leave free for other programs.
MEMORY_RESERVE: Final = 64 << 20


def check_memory(wanted: int) -> None:
    """Raise MemoryError, which names the available memory, where that is less than ``wanted`` bytes and the reserve."""
    available = available_memory()
    if available is not None and wanted + MEMORY_RESERVE > available:
        raise MemoryError(f"{available >> 20} MB are available")


def available_memory() -> int | None:
    """Bytes that can be had without swapping, None where the system does not tell."""
    available: int | None = None
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                available = int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        return None
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        if limit != "max":
            used = int(Path("/sys/fs/cgroup/memory.current").read_text())
            left = max(0, int(limit) - used)
            available = left if available is None else min(available, left)
    except (OSError, ValueError):
        pass
    return available


def python_executable() -> str:
    """The Python that can be started for helpers. Raises OSError where there is none, and says why.

    In a frozen or embedding program ``sys.executable`` is that program. Started as a helper it would start helpers of
    its own, and so on without end. No test recognises an interpreter for certain, so the file's name decides.
    """
    executable = sys.executable
    if not executable:
        raise OSError("this Python does not know its own executable")
    if getattr(sys, "frozen", False):
        raise OSError(f"{executable} is a frozen program, not a Python")
    name = os.path.basename(executable).lower()
    if not PYTHON_NAME.fullmatch(name):
        raise OSError(f"{executable} is not named as a Python is")
    return executable
