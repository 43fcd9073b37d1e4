"""What the machine grants, the shipped files, and the version."""

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from pawnstar import resources
from pawnstar.system import machine
from pawnstar.version import MARK, version


class Files:
    """Stands in for the system's files."""

    def __init__(self, contents: dict[str, str]) -> None:
        self.contents = contents

    def __call__(self, name: str) -> Any:
        class File:
            def read_text(_self) -> str:
                if name not in self.contents:
                    raise FileNotFoundError(name)
                return self.contents[name]

        return File()


CPU, MAX, CURRENT = ("/sys/fs/cgroup/" + name for name in ("cpu.max", "memory.max", "memory.current"))
MEMINFO = "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8000000 kB\n"


@pytest.mark.parametrize(
    ("quota", "affinity", "processors"),
    [
        ("max 100000", 8, 8),
        ("200000 100000", 8, 2),
        ("250000 100000", 8, 2),
        ("50000 100000", 8, 1),  # half a processor is one
        ("1600000 100000", 8, 8),
        ("nonsense", 8, 8),
        ("a b", 8, 8),
        (None, 3, 3),
    ],
)
def test_processors(monkeypatch: pytest.MonkeyPatch, quota: str | None, affinity: int, processors: int) -> None:
    monkeypatch.setattr(machine, "Path", Files({} if quota is None else {CPU: quota}))
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(affinity)), raising=False)
    assert machine.processors() == processors


def test_processors_where_the_system_tells_no_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "Path", Files({}))
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert machine.processors() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert machine.processors() == 1


@pytest.mark.parametrize(
    ("wanted", "threads"),
    [
        ("1", 1),
        ("12", 12),
        ("+3", 3),
        (" 4 ", 4),
        ("7x", 7),  # the leading number
        ("256", 256),
        ("257", 256),
        ("0", 6),
        ("-2", 6),
        ("x", 6),
        ("", 6),
        (None, 6),
    ],
)
def test_threads_by_environment(monkeypatch: pytest.MonkeyPatch, wanted: str | None, threads: int) -> None:
    monkeypatch.setattr(machine, "processors", lambda: 6)
    if wanted is None:
        monkeypatch.delenv("PAWNSTAR_THREADS", raising=False)
    else:
        monkeypatch.setenv("PAWNSTAR_THREADS", wanted)
    assert machine.default_threads() == threads


def test_many_processors_are_at_most_256_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "processors", lambda: 1000)
    monkeypatch.delenv("PAWNSTAR_THREADS", raising=False)
    assert machine.default_threads() == 256


@pytest.mark.parametrize(
    ("files", "available"),
    [
        ({"/proc/meminfo": MEMINFO}, 8_000_000 * 1024),
        ({"/proc/meminfo": MEMINFO, MAX: "max\n", CURRENT: "5"}, 8_000_000 * 1024),
        ({"/proc/meminfo": MEMINFO, MAX: "1000000\n", CURRENT: "400000\n"}, 600_000),
        ({"/proc/meminfo": MEMINFO, MAX: "1000\n", CURRENT: "2000\n"}, 0),
        ({"/proc/meminfo": "MemTotal: 5 kB\n", MAX: "1000\n", CURRENT: "200\n"}, 800),
        ({"/proc/meminfo": MEMINFO, MAX: "1000\n"}, 8_000_000 * 1024),
        ({"/proc/meminfo": "MemTotal: 5 kB\n"}, None),
        ({"/proc/meminfo": "MemAvailable:\n"}, None),
        ({}, None),
    ],
)
def test_available_memory(monkeypatch: pytest.MonkeyPatch, files: dict[str, str], available: int | None) -> None:
    monkeypatch.setattr(machine, "Path", Files(files))
    assert machine.available_memory() == available


def test_files_are_looked_for_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The working directory, beside the command, its parent folder, then the package's own copy."""
    work, root = tmp_path / "work", tmp_path / "root"
    command = root / "bin"
    for folder in (work, command):
        folder.mkdir(parents=True)
    monkeypatch.chdir(work)
    monkeypatch.setattr(sys, "argv", [str(command / "pawnstar")])
    name = "some.book"
    assert resources.find(name) == (resources.embedded(name), resources.EMBEDDED)
    for folder in (root, command, work):
        folder.joinpath(name).write_text("x")
        path, origin = resources.find(name)
        assert path.resolve() == (folder / name).resolve()
        assert origin == (name if folder == work else str(folder / name))


def test_a_folder_is_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "bin" / "pawnstar")])
    tmp_path.joinpath("some.book").mkdir()
    assert resources.find("some.book")[1] == resources.EMBEDDED


def test_embedded_net_is_there() -> None:
    assert resources.embedded(resources.NET).is_file()


def test_the_version_is_never_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clone without tags, and a tree that was never built, said 0.0.0: no version for a person to see."""
    assert re.fullmatch(r"[1-9]\d*\.\d+(\.\d+)?", version())
    from importlib import metadata

    def unknown(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", unknown)
    assert version() == MARK
