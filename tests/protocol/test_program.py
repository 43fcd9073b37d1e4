"""The installed program's life: start, end at any instant, closed streams, signals, piped input."""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from modes import COMPILED
from processes import forks_a_terminal
from programs import PATIENCE, Program, command, environment, piped, run_bytes

from pawnstar.protocol import program
from pawnstar.protocol.input import Line, LineReader

pytestmark = pytest.mark.processes

GONE = 0.5 if COMPILED else 3.0
ATTEMPTS = 3 if COMPILED else 1


def soonest(attempt: Callable[[], float], limit: float) -> float:
    """The first time below a limit, else the shortest of some: what is longer may be the machine's doing."""
    took: list[float] = []
    while len(took) < ATTEMPTS and not (took and took[-1] < limit):
        took.append(attempt())
    return min(took)


def test_start_and_quit(tmp_path: Path) -> None:
    """The names, which mode runs, the net, and ``ready``."""
    lines, errors, status = piped("uci\nquit\n", tmp_path)
    assert lines[:2] == ["Pawnstar: a UCI compatible chess engine", "(C) Jonny Reckless 2009 - 2026"]
    when = r"\w{3} \d\d \d{4} \d\d:\d\d:\d\d" if COMPILED else r"not \(plain Python 3\.\d+\.\d+.*\)"
    assert re.fullmatch(rf"Version \d+\.\d+(\.\d+)? Compiled {when}", lines[2])
    assert lines[3].startswith("info string NNUE: loaded net '")
    assert lines[4] == "ready"
    assert lines[5].startswith("id name Pawnstar ")
    assert lines[-1] == "uciok"
    assert (errors, status) == ([], 0)


def test_the_installed_command_starts(tmp_path: Path) -> None:
    script = shutil.which("pawnstar", path=sysconfig.get_path("scripts"))
    if script is None:
        pytest.skip("not installed")
    done = run_bytes(b"quit\n", tmp_path, [script])
    assert done.returncode == 0
    assert b"ready" in done.stdout


@pytest.mark.parametrize("text", ["", "\n", "isready", "isready\n", "quit", "quit\r\n", "  quit now\n"])
def test_end_of_input_is_quit(tmp_path: Path, text: str) -> None:
    lines, errors, status = piped(text, tmp_path)
    assert "ready" in lines
    assert ("readyok" in lines) == ("isready" in text)
    assert (errors, status) == ([], 0)


def test_end_of_input_stops_a_search(tmp_path: Path) -> None:
    """Also while one runs for ever: it still answers, and the program ends at once."""
    lines, errors, status = piped("setoption name OwnBook value false\ngo infinite\n", tmp_path)
    assert lines[-1].startswith("bestmove ")
    assert (errors, status) == ([], 0)


def test_crlf_tabs_and_blanks(tmp_path: Path) -> None:
    lines, errors, status = piped(
        "\r\n \t \r\nisready\r\n\tposition \t startpos  moves\te2e4\r\ngetboard\r\n", tmp_path
    )
    assert lines[-2:] == ["readyok", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"]
    assert (errors, status) == ([], 0)


def test_a_byte_order_mark_is_no_part_of_the_first_command(tmp_path: Path) -> None:
    """Piped from a shell that writes one, the first command was unknown."""
    done = run_bytes(b"\xef\xbb\xbfisready\r\n\xef\xbb\xbfisready\r\n", tmp_path)
    lines = done.stdout.decode().splitlines()
    assert lines[-2] == "readyok"
    assert lines[-1].startswith("info string unknown command"), "only at the start"


def test_lines_of_a_megabyte_do_not_hold_up_the_end(tmp_path: Path) -> None:
    """Replaying two hundred thousand moves takes seconds, in plain Python minutes; ``quit`` waited behind them."""
    with Program() as program:
        program.send("position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 50_000)
        time.sleep(0.5)
        program.send("quit")
        started = time.monotonic()
        assert program.wait() == 0
        assert time.monotonic() - started < (1.5 if COMPILED else 10.0)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    long = b"x" * 5_000_000
    data = b"\xff\xfe\x00\n\x80 isready\nsetoption name EvalFile value \xff\xff\nisready\n" + long + b"\nisready\n"
    done = run_bytes(data, tmp_path)
    assert done.returncode == 0
    assert done.stdout.split(b"\n").count(b"readyok") == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("end", ["\nquit\n", "\n", ""])
@pytest.mark.parametrize(("line", "total"), [("bench 1", " nps"), ("go perft 3", "Nodes searched: 8902")])
def test_what_is_piped_behind_a_count_waits_for_it(tmp_path: Path, line: str, total: str, end: str) -> None:
    lines, errors, status = piped(f"{line}{end}", tmp_path)
    assert [text for text in lines if text.endswith(total)]
    assert (errors, status) == ([], 0)


class Slow:
    """A session whose every command takes longer than what is written together may be apart."""

    def __init__(self, keeps_lock: bool = False) -> None:
        self.done: list[str] = []
        self._keeps_lock = keeps_lock

    def process_line(self, line: str) -> bool:
        interval = sys.getswitchinterval()
        if self._keeps_lock:
            # As compiled code does.
            sys.setswitchinterval(60.0)
        end = time.monotonic() + 3 * program.TOGETHER
        while time.monotonic() < end:
            if not self._keeps_lock:
                time.sleep(0.01)
        sys.setswitchinterval(interval)
        self.done.append(line)
        return True


@pytest.mark.parametrize("keeps_lock", [False, True])
@pytest.mark.parametrize(
    "piped_lines", ["setoption a\nisready\n", "setoption a\nisready", "setoption a\nisready\nquit\n"]
)
def test_what_is_piped_behind_a_slow_command_is_answered(
    monkeypatch: pytest.MonkeyPatch, piped_lines: str, keeps_lock: bool
) -> None:
    """On a busy machine a piped ``setoption`` took its tenth of a second, the end of the input was noticed only then,
    taken for one that came meanwhile, and the program ended without an answer to the rest.
    """
    monkeypatch.setattr(program, "end_program", lambda: pytest.fail("ended before the input was done"))
    read, write = os.pipe()
    os.write(write, piped_lines.encode())
    os.close(write)
    reader = LineReader(read)
    session = Slow(keeps_lock)
    for _ in range(2):
        line = reader.next_line()
        assert line is not None
        program.carry_out(cast(Any, session), reader, line)
    assert session.done == ["setoption a", "isready"]
    os.close(read)


def test_an_end_that_comes_during_a_slow_command_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ended(Exception):
        pass

    def end() -> None:
        raise Ended

    monkeypatch.setattr(program, "end_program", end)
    read, write = os.pipe()
    os.write(write, b"setoption a\n")
    reader = LineReader(read)
    line = reader.next_line()
    assert line is not None
    timer = threading.Timer(2 * program.TOGETHER, os.close, [write])
    timer.start()
    with pytest.raises(Ended):
        program.carry_out(cast(Any, Slow()), reader, line)
    os.close(read)


class Searching:
    """A session as the loop over standard input asks it: busy or not."""

    def __init__(self, idle: bool) -> None:
        self.is_idle = lambda: idle


@pytest.mark.parametrize(
    ("text", "idle", "expected"),
    [
        *((f"{command} x", idle, True) for command in ("setoption", "ucinewgame") for idle in (True, False)),
        ("isready", True, True),
        ("isready", False, False),
        ("go infinite", True, False),
        ("position startpos moves" + " e2e4" * 5000, False, True),
    ],
)
def test_a_command_that_is_slow_is_so_behind_a_search_too(text: str, idle: bool, expected: bool) -> None:
    """``go infinite``, ``setoption name Hash value 4096``, and ``quit`` was heard when all memory had been taken."""
    assert program.may_take_long(cast(Any, Searching(idle)), Line(text, 0.0)) is expected


def test_commands_piped_behind_a_count_find_it_done(tmp_path: Path) -> None:
    lines, _, _ = piped("bench 1\nposition startpos\ngetboard\nisready\n", tmp_path)
    assert lines[-3].endswith(" nps")
    assert lines[-1] == "readyok"


BUSY = {
    "idle": "isready",
    "infinite": "go infinite",
    "depth": "go depth 40",
    "pondering": "go ponder wtime 1000 btime 1000",
    "waiting at a mate": "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\ngo infinite",
    "perft": "go perft 9",
    "bench": "bench 40",
    "taking memory": "setoption name Hash value 512\nucinewgame\nsetoption name Hash value 1024\nucinewgame",
    "overfull": "position fen qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1\ngo infinite",
}


@pytest.mark.slow
@pytest.mark.parametrize("how", ["quit", "end of input", "output closed", "terminate", "interrupt"])
@pytest.mark.parametrize("busy", BUSY)
def test_gone_at_any_instant(busy: str, how: str) -> None:
    """Idle with its input open, it did not notice that its output was closed."""
    if os.name == "nt" and how in ("terminate", "interrupt"):
        pytest.skip("no signals to be told apart on Windows")

    def attempt() -> float:
        with Program() as program:
            process = program.process
            program.send("setoption name OwnBook value false", BUSY[busy])
            time.sleep(0.2)
            started = time.monotonic()
            expected = 0
            if how == "quit":
                program.send("quit")
            elif how == "end of input":
                program.end_input()
            elif how == "output closed":
                program.stop_reading()
            else:
                process.send_signal(signal.SIGTERM if how == "terminate" else signal.SIGINT)
                expected = -signal.SIGTERM if how == "terminate" else 130
            assert process.wait(PATIENCE) == expected
            took = time.monotonic() - started
            assert program.faults() == []
            return took

    assert soonest(attempt, GONE) < GONE


@pytest.fixture(scope="module")
def start_time() -> float:
    """How long a start takes, in seconds."""

    def start() -> float:
        began = time.monotonic()
        with Program():
            return time.monotonic() - began

    return max(start() for _ in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("how", ["quit", "end of input", "output closed"])
def test_gone_while_it_starts(start_time: float, how: str, delay: float) -> None:
    """What came during the start is heard at its end, if not before; how long a start takes is the machine's doing."""

    def attempt() -> float:
        with Program(ready=False) as program:
            time.sleep(delay)
            started = time.monotonic()
            if how == "quit":
                program.send("quit")
            elif how == "end of input":
                program.end_input()
            else:
                program.stop_reading()
            assert program.process.wait(PATIENCE) == 0
            took = time.monotonic() - started
            assert program.faults() == []
            return took

    assert soonest(attempt, start_time + GONE) < start_time + GONE


def test_quit_gives_the_searchs_answer() -> None:
    with Program() as program:
        program.send("setoption name OwnBook value false", "go infinite")
        program.until("info depth  4")
        program.send("quit")
        assert program.rest()[-1].startswith("bestmove ")
        assert program.wait() == 0


def test_a_client_that_does_not_read_is_left(tmp_path: Path) -> None:
    """A pipe that nobody reads fills up and blocks whoever writes; the end of input must still end the program."""
    process = subprocess.Popen(
        command(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        env=environment(),
    )
    assert process.stdin is not None
    process.stdin.write(b"go perft 2\n" * 3000)
    process.stdin.close()
    time.sleep(1.0)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(PATIENCE) == 0


@pytest.mark.skipif(os.name == "nt", reason="POSIX shell")
@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&-", ">/dev/null", "</dev/null", ">&- 2>&- <&-", ">file"])
def test_closed_and_redirected_streams(tmp_path: Path, redirection: str) -> None:
    line = " ".join(f"'{word}'" for word in command()) + " " + redirection
    text = None if "<" in redirection else b"isready\nquit\n"
    done = run_bytes(text, tmp_path, ["sh", "-c", line])
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"rror" not in done.stderr
    written = (tmp_path / "file").read_bytes() if redirection == ">file" else done.stdout
    assert (b"\nready\n" in written) == (redirection in ("2>&-", "<&-", "</dev/null", ">file"))
    assert (b"readyok" in written) == (redirection in ("2>&-", ">file"))


@pytest.mark.skipif(os.name == "nt", reason="POSIX shell")
def test_without_an_output_it_does_not_stay(tmp_path: Path) -> None:
    """Nobody can hear it, though its input is open."""
    line = "exec " + " ".join(f"'{word}'" for word in command()) + " >&-"
    with subprocess.Popen(["sh", "-c", line], stdin=subprocess.PIPE, cwd=tmp_path, env=environment()) as process:
        assert process.wait(PATIENCE) == 0


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_non_blocking_output(tmp_path: Path) -> None:
    """A client's pipe may be in non-blocking mode, which both ends share: a full pipe is no closed pipe."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    process = subprocess.Popen(
        command(), stdin=subprocess.PIPE, stdout=write, stderr=subprocess.DEVNULL, cwd=tmp_path, env=environment()
    )
    os.close(write)
    assert process.stdin is not None
    process.stdin.write(b"help\n" * 500 + b"quit\n")
    process.stdin.flush()
    time.sleep(1.0)
    with open(read, "rb") as stream:
        output = stream.read()
    assert process.wait(PATIENCE) == 0
    process.stdin.close()
    # Whatever was written last may be cut off by the end, but no line is lost before it.
    assert output.count(b"Available commands:") == 500


def test_locale_does_not_matter(tmp_path: Path) -> None:
    lines, errors, status = piped(
        "setoption name EvalFile value /n\xf6/\u2654\nisready\n", tmp_path, LC_ALL="C", PYTHONUTF8="0"
    )
    assert lines[-1] == "readyok"
    assert any("/n\xf6/\u2654" in line for line in lines)
    assert not any("Traceback" in line for line in errors)
    assert status == 0


@forks_a_terminal
@pytest.mark.skipif(sys.platform == "win32", reason="needs pexpect")
def test_on_a_terminal(tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    first, *rest = command()
    child = pexpect.spawn(first, rest, cwd=str(tmp_path), env=environment(), encoding="utf-8", timeout=PATIENCE)
    child.expect("ready")
    assert "(________)" in child.before, "the drawing is for terminals"
    child.sendline("isready")
    child.expect("readyok")
    child.sendintr()
    child.expect(pexpect.EOF)
    assert "Traceback" not in child.before
    child.close()
    assert child.exitstatus == 130
