"""Matches that are ended from outside: the score so far is told, the engines end, the status says why."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from fake_engine import command_of
from modes import package_folder
from processes import alive, forks_a_terminal, wait_for

pytestmark = [pytest.mark.skipif(os.name == "nt", reason="signals"), pytest.mark.processes]

QUICK = ("--nodes", "1", "--draw-moves", "1", "--draw-after", "6")


def fake(*arguments: str) -> str:
    return shlex.join(command_of("Fake", *arguments))


def started(*arguments: str, ignored: int | None = None) -> subprocess.Popen[str]:
    """A match in a process of its own, which hears Ctrl-C though the tests may be running in the background."""
    ignoring = f"signal.signal({int(ignored)}, signal.SIG_IGN)" if ignored is not None else ""
    script = f"import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); {ignoring}\n"
    script += "os.execv(sys.executable, [sys.executable, '-P', '-m', 'pawnstar', 'match', *sys.argv[1:]])"
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(package_folder().parent)},
    )


def has_played(log: Path, games: int) -> Callable[[], bool]:
    """Whether the engine that keeps the log has begun more games than so many."""
    return lambda: log.exists() and log.read_text().count("ucinewgame") > games


def engines(log: Path) -> set[int]:
    return {int(line.split()[0]) for line in log.read_text().splitlines()}


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (getattr(signal, "SIGHUP", 1), 129)]
)
def test_signal_ends_a_match_with_its_results(number: int, status: int, tmp_path: Path) -> None:
    """SIGTERM left an engine behind that does not look at the end of its input, and the score was not told."""
    log = tmp_path / "log"
    deaf = ["--deaf"] if number == signal.SIGTERM else []
    two = fake("--name", "B", *deaf, "--log", str(log))
    process = started(fake("--name", "A"), two, *QUICK, "--games", "100000", "--concurrency", "2")
    assert wait_for(has_played(log, 3), 60)
    assert wait_for(lambda: len(engines(log)) == 2, 60)
    process.send_signal(number)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == status, errors
    assert output.startswith("A against B: ")
    assert output.endswith(" of 100000 games played: interrupted\n")
    assert "Traceback" not in errors
    assert len(engines(log)) == 2
    assert not any(map(alive, engines(log)))


@forks_a_terminal
def test_terminal_that_goes_away(tmp_path: Path) -> None:
    """The window is closed: nothing can be told any more, but the engines end, and the PGN file has the games."""
    log, pgn = tmp_path / "log", tmp_path / "pgn"
    two = fake("--name", "B", "--log", str(log))
    pexpect = pytest.importorskip("pexpect")
    arguments = [sys.executable, "-P", "-m", "pawnstar", "match", fake("--name", "A"), two, *QUICK, "--pgn", str(pgn)]
    child = pexpect.spawn(
        shlex.join(arguments),
        env={**os.environ, "PYTHONPATH": str(package_folder().parent), "TERM": "xterm"},
        timeout=60,
    )
    child.expect("3/100")  # the bar
    process = psutil.Process(child.pid)
    child.ptyproc.fileobj.close()
    assert wait_for(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE, 60)
    assert os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1]) == 129
    child.ptyproc.closed = child.closed = True
    assert pgn.read_text().count("[Event ") >= 3
    assert not any(map(alive, engines(log)))


def test_more_signals_only_hasten_the_farewell(tmp_path: Path) -> None:
    """A second Ctrl-C while the match waited for its engines gave a traceback, and no score."""
    log = tmp_path / "log"
    process = started(fake("--name", "A"), fake("--name", "B", "--deaf", "--log", str(log)), *QUICK)
    assert wait_for(has_played(log, 2), 60)
    for _ in range(20):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert output.endswith(" of 100 games played: interrupted\n")
    assert "Traceback" not in errors
    assert "Exception" not in errors
    assert not any(map(alive, engines(log)))


def test_interrupt_before_the_first_game(tmp_path: Path) -> None:
    """While an engine that never answers is waited for."""
    log = tmp_path / "log"
    process = started(fake("--no", "uciok", "--log", str(log)), fake())
    assert wait_for(log.exists, 60)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert output == "0 of 100 games played: interrupted\n"
    assert "Traceback" not in errors
    assert not any(map(alive, engines(log)))


def hears_signals(process: int) -> bool:
    """Whether a process has said what it does on SIGTERM."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) & 1 << (signal.SIGTERM - 1))
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="what a process is at is read from /proc")
def test_interrupt_before_the_engines_start(tmp_path: Path) -> None:
    """While the openings are being read, from a pipe that nobody writes to."""
    os.mkfifo(tmp_path / "x.epd")
    process = started(fake(), fake(), "--openings", str(tmp_path / "x.epd"))
    assert wait_for(lambda: hears_signals(process.pid), 60)
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 143, errors
    assert errors == "SIGTERM: interrupted before the first game\n"
    assert output == ""


def test_ignored_signals_stay_ignored(tmp_path: Path) -> None:
    """`nohup pawnstar match` is to survive the hangup."""
    log = tmp_path / "log"
    process = started(
        fake("--name", "A"), fake("--name", "B", "--log", str(log)), *QUICK, "--games", "8", ignored=signal.SIGHUP
    )
    assert wait_for(has_played(log, 1), 60)
    process.send_signal(signal.SIGHUP)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert output.startswith("A against B: 8 games")
