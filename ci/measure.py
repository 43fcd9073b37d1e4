"""Measure speed and memory, beside Stockfish's perft as a yardstick; print a Markdown table.

    ci/measure [--repeats N] [--stockfish PATH] [--python PATH]

Everything is CPU time (user and system) of whole processes, start-up included: a machine that others share changes it
far less than it changes time by the clock. Each repeat measures everything once, in turn, so that a phase of noise hits
the yardstick too. What counts is the least of the repeats; the spread shown is how far their median lies above it.

The plain-Python figure comes from a copy of the measured package without its compiled modules. Needs a POSIX system;
resident memory needs Linux.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

BENCH_DEPTH = 10
SHORT_DEPTH = 8
LONG_DEPTH = 12
PLAIN_DEPTH = 4
PERFT_DEPTH = 6


@dataclass(frozen=True)
class Run:
    """A finished process: what it printed, and its CPU time in seconds."""

    output: str
    seconds: float


@dataclass
class Figure:
    """One quantity over all repeats; ``better`` picks the best of them."""

    better: Callable[[list[float]], float] = min
    values: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        """The least disturbed value."""
        return self.better(self.values)

    @property
    def spread(self) -> float:
        """How far the median lies from the best, as a share of it."""
        return abs(statistics.median(self.values) / self.best - 1)


def run(command: list[str], given: str = "", environment: dict[str, str] | None = None) -> Run:
    """Run a process to its end; raises CalledProcessError where it fails."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin:
        process.stdin.write(given)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command, output)
    return Run(output, usage.ru_utime + usage.ru_stime)


def descendants(pid: int) -> list[int]:
    """A process and all that it started, directly or not (Linux)."""
    found = [pid]
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            found += descendants(int(child))
    return found


def resident_megabytes(command: list[str], environment: dict[str, str]) -> float:
    """Resident memory after ``isready`` with default options, helper processes included; NaN where /proc is missing."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **environment},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("isready\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.strip() == "readyok":
            break
    kilobytes = 0.0
    try:
        for pid in descendants(process.pid):
            status = Path(f"/proc/{pid}/status").read_text()
            kilobytes += next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    except OSError:
        kilobytes = math.nan
    process.communicate("quit\n")
    return kilobytes / 1024


def total_nodes(output: str) -> int:
    """The node count in the last line that ``bench`` and ``perft`` print."""
    return int(output.splitlines()[-1].split()[0])


def plain_copy(python: str, folder: Path) -> Path:
    """A copy of the installed package without its compiled modules; returns the folder to import it from."""
    where = run([python, "-P", "-c", "import pawnstar; print(pawnstar.__file__)"]).output.strip()
    package = Path(where).parent
    shutil.copytree(package, folder / "pawnstar", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    # In a source tree the net and the book lie beside the package.
    for name in ("nnue", "pawnstar.book"):
        source = package.parent / name
        if not (package / "data").is_dir() and source.exists():
            (folder / name).symlink_to(source)
    return folder


def is_compiled(python: str, environment: dict[str, str]) -> bool:
    """Which mode a Python runs the package in."""
    code = "from pawnstar.chess.bits import COMPILED; print(COMPILED)"
    return run([python, "-P", "-c", code], environment=environment).output.strip() == "True"


def processor() -> str:
    """The processor's name, as far as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def find_stockfish() -> str | None:
    """Stockfish on the path, or where Debian puts games."""
    return shutil.which("stockfish") or shutil.which("/usr/games/stockfish")


def measure(python: str, stockfish: str | None, repeats: int, folder: Path) -> dict[str, Figure]:
    """All figures, each over the repeats."""
    engine = [python, "-P", "-m", "pawnstar"]
    net = folder / "parity.bin"
    run([*engine, "write-synthetic-net", str(net)])
    parity = {"PAWNSTAR_EVALFILE": str(net), "PAWNSTAR_BENCH_DEBUG": ""}
    plain = {**parity, "PYTHONPATH": str(plain_copy(python, folder / "plain"))}
    if is_compiled(python, plain):
        raise SystemExit("measure: the plain copy runs compiled; nothing was measured")
    names = ("yardstick", "yardstick start", "bench", "perft", "start", "bench short", "bench long", "plain bench")
    figures = {name: Figure() for name in (*names, "memory")}
    figures |= {name: Figure(max) for name in ("speed short", "speed long")}

    def note(name: str, value: float) -> None:
        figures[name].values.append(value)
        print(f"  {name}: {value:.3f}", file=sys.stderr, flush=True)

    for number in range(1, repeats + 1):
        print(f"repeat {number} of {repeats}", file=sys.stderr)
        if stockfish is not None:
            note("yardstick start", run([stockfish], "quit\n").seconds)
            note("yardstick", run([stockfish], f"go perft {PERFT_DEPTH}\nquit\n").seconds)
        start = run(engine, "uci\nquit\n").seconds
        note("start", start)
        note("perft", run([*engine, "perft", str(PERFT_DEPTH)]).seconds)
        note("bench", run([*engine, "bench", str(BENCH_DEPTH)], environment=parity).seconds)
        for name, depth in (("short", SHORT_DEPTH), ("long", LONG_DEPTH)):
            result = run([*engine, "bench", str(depth)], environment=parity)
            note(f"bench {name}", result.seconds)
            note(f"speed {name}", total_nodes(result.output) / (result.seconds - start))
        note("memory", resident_megabytes(engine, {}))
        if number == 1:
            # Long, and so slow that noise hardly counts.
            note("plain bench", run([*engine, "bench", str(PLAIN_DEPTH)], environment=plain).seconds)
    return figures


def table(figures: dict[str, Figure]) -> str:
    """The figures as a Markdown table."""
    yardstick = figures["yardstick"]
    rows = [("what", "CPU time or size", "spread", "times Stockfish's perft 6", "at most")]

    def row(name: str, figure: Figure, limit: str = "", ratio: bool = False, digits: int = 2) -> None:
        times = f"{figure.best / yardstick.best:.2f}" if ratio and yardstick.values else ""
        spread = f"{100 * figure.spread:.0f} %" if len(figure.values) > 1 else ""
        rows.append((name, f"{figure.best:.{digits}f} s", spread, times, limit))

    if yardstick.values:
        row(f"Stockfish, `go perft {PERFT_DEPTH}` (the yardstick)", yardstick, ratio=True)
        row("Stockfish, start-up alone", figures["yardstick start"])
    row(f"`bench {BENCH_DEPTH}`, parity net, counters in", figures["bench"], "14", ratio=True)
    row(f"`perft {PERFT_DEPTH}`, counting in bulk", figures["perft"], "2.0", ratio=True)
    row("from start to `uciok`", figures["start"], "0.4 s")
    row(f"`bench {PLAIN_DEPTH}` in plain Python", figures["plain bench"], "40 s", digits=1)
    memory = figures["memory"]
    spread = f"{100 * memory.spread:.0f} %" if len(memory.values) > 1 else ""
    rows.append(("resident after `isready`, default options", f"{memory.best:.0f} MB", spread, "", "190 MB"))
    short, long = figures["speed short"], figures["speed long"]
    for depth, speed in ((SHORT_DEPTH, short), (LONG_DEPTH, long)):
        spread = f"{100 * speed.spread:.0f} %" if len(speed.values) > 1 else ""
        rows.append((f"nodes per CPU second, `bench {depth}`", f"{speed.best:,.0f}", spread, "", ""))
    change = 100 * (long.best / short.best - 1)
    rows.append((f"`bench {LONG_DEPTH}` against `bench {SHORT_DEPTH}`", f"{change:+.0f} %", "", "", "±10 %"))
    lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    lines.insert(1, "|---|--:|--:|--:|--:|")
    return "\n".join(lines)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure speed and memory; print a Markdown table.")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--stockfish", default=find_stockfish(), help="the yardstick (default: the one on the path)")
    parser.add_argument("--python", default=sys.executable, help="the Python that has pawnstar (default: this one)")
    options = parser.parse_args()
    if not is_compiled(options.python, {}):
        print("measure: pawnstar runs as plain Python here; install it compiled", file=sys.stderr)
        return 1
    if options.stockfish is None:
        print("measure: no Stockfish found; figures without the yardstick", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(options.python, options.stockfish, options.repeats, Path(folder))
    version = run([options.python, "--version"]).output.strip()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{version}, {platform.system()} {platform.machine()}, {processor()}, best of {options.repeats}{load}\n")
    print(table(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
