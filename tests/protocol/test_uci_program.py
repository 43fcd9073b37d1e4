"""The installed program's life: start, end at any instant, closed streams, signals, piped input."""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from modes import COMPILED
from uci_process import PATIENCE, REFUSALS, Program, command, environment

from pawnstar import resources
from pawnstar.protocol import program
from pawnstar.protocol.input import Line, LineReader
from pawnstar.protocol.uci import Uci

pytestmark = pytest.mark.processes

GONE = 0.5 if COMPILED else 3.0


def piped(
    arguments: list[str], data: bytes | None, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        arguments, input=data, capture_output=True, cwd=cwd, env=env or environment(), timeout=PATIENCE, check=False
    )


def run(text: str, cwd: Path, *, env: dict[str, str] | None = None) -> tuple[list[str], list[str], int]:
    """The program's output, errors and exit status when ``text`` is piped into it."""
    done = piped(command(), text.encode(), cwd, env)
    errors = [line for line in done.stderr.decode().splitlines() if not line.startswith(REFUSALS)]
    return done.stdout.decode().splitlines(), errors, done.returncode


def best_of(count: int, attempt: Callable[[], float]) -> float:
    """The shortest of several times: what is longer is the machine's doing."""
    return min(attempt() for _ in range(count))


def test_start_and_quit(tmp_path: Path) -> None:
    lines, errors, status = run("uci\nquit\n", tmp_path)
    assert lines[:2] == ["Pawnstar: a UCI compatible chess engine", "(C) Jonny Reckless 2009 - 2026"]
    assert lines[2].startswith("Version ")
    assert lines[3].startswith("info string NNUE: loaded net '")
    assert lines[4:6] == ["ready", "id name " + lines[5].removeprefix("id name ")]
    assert lines[-1] == "uciok"
    assert (errors, status) == ([], 0)


def test_the_installed_command_starts(tmp_path: Path) -> None:
    script = shutil.which("pawnstar", path=sysconfig.get_path("scripts"))
    if script is None:
        pytest.skip("not installed")
    done = piped([script], b"quit\n", tmp_path)
    assert done.returncode == 0
    assert b"ready" in done.stdout


@pytest.mark.parametrize("text", ["", "\n", "isready", "isready\n", "quit", "quit\r\n", "  quit now\n"])
def test_end_of_input_is_quit(tmp_path: Path, text: str) -> None:
    lines, errors, status = run(text, tmp_path)
    assert ("readyok" in lines) == ("isready" in text)
    assert (errors, status) == ([], 0)


def test_crlf_tabs_and_blanks(tmp_path: Path) -> None:
    lines, errors, status = run("\r\n \t \r\nisready\r\n\tposition \t startpos  moves\te2e4\r\ngetboard\r\n", tmp_path)
    assert lines[-2:] == ["readyok", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"]
    assert (errors, status) == ([], 0)


def test_a_byte_order_mark_is_no_part_of_the_first_command(tmp_path: Path) -> None:
    """Piped from a shell that writes one, the first command was unknown."""
    done = piped(command(), b"\xef\xbb\xbfisready\r\n\xef\xbb\xbfisready\r\n", tmp_path)
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
    done = piped(command(), data, tmp_path)
    assert done.returncode == 0
    assert done.stdout.split(b"\n").count(b"readyok") == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("end", ["\nquit\n", "\n", ""])
@pytest.mark.parametrize(("line", "total"), [("bench 1", " nps"), ("go perft 3", "Nodes searched: 8902")])
def test_what_is_piped_behind_a_count_waits_for_it(tmp_path: Path, line: str, total: str, end: str) -> None:
    lines, errors, status = run(f"{line}{end}", tmp_path)
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
        program.carry_out(cast("Uci", session), reader, line)
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
        program.carry_out(cast("Uci", Slow()), reader, line)
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
    assert program.may_take_long(cast("Uci", Searching(idle)), Line(text, 0.0)) is expected


def test_commands_piped_behind_a_count_find_it_done(tmp_path: Path) -> None:
    lines, _, _ = run("bench 1\nposition startpos\ngetboard\nisready\n", tmp_path)
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


@pytest.mark.parametrize("how", ["quit", "end of input", "output closed", "terminate", "interrupt"])
@pytest.mark.parametrize("busy", BUSY)
def test_gone_at_any_instant(busy: str, how: str) -> None:
    """Idle with its input open, it did not notice that its output was closed."""

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
            assert program.errors() == []
            return took

    assert best_of(3 if COMPILED else 1, attempt) < GONE


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("how", ["quit", "end of input", "output closed"])
def test_gone_while_it_starts(how: str, delay: float) -> None:
    """What came during the start is heard at its end, if not before; how long a start takes is the machine's doing."""

    def start() -> float:
        began = time.monotonic()
        with Program():
            return time.monotonic() - began

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
            assert program.errors() == []
            return took

    assert best_of(3 if COMPILED else 1, lambda: attempt() - start()) < GONE


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
    process.stdout.close() if process.stdout is not None else None
    assert process.wait(PATIENCE) == 0


@pytest.mark.skipif(os.name == "nt", reason="POSIX shell")
@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&-", ">/dev/null", "</dev/null", ">&- 2>&- <&-", ">file"])
def test_closed_and_redirected_streams(tmp_path: Path, redirection: str) -> None:
    line = " ".join(f"'{word}'" for word in command()) + " " + redirection
    text = None if "<" in redirection else b"isready\nquit\n"
    done = piped(["sh", "-c", line], text, tmp_path)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"rror" not in done.stderr
    if redirection == "2>&-":
        assert b"readyok" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="POSIX shell")
def test_without_an_output_it_does_not_stay(tmp_path: Path) -> None:
    """Nobody can hear it, though its input is open."""
    line = "exec " + " ".join(f"'{word}'" for word in command()) + " >&-"
    with subprocess.Popen(["sh", "-c", line], stdin=subprocess.PIPE, cwd=tmp_path, env=environment()) as process:
        assert process.wait(PATIENCE) == 0


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
    lines, errors, status = run(
        "setoption name EvalFile value /n\xf6/\u2654\nisready\n", tmp_path, env=environment(LC_ALL="C", PYTHONUTF8="0")
    )
    assert lines[-1] == "readyok"
    assert any("/n\xf6/\u2654" in line for line in lines)
    assert not any("Traceback" in line for line in errors)
    assert status == 0


def test_the_book_of_the_working_directory_comes_first(tmp_path: Path) -> None:
    (tmp_path / "pawnstar.book").write_text("a2a3 a7a6\n")
    lines, _, _ = run("bookmoves\nquit\n", tmp_path)
    assert lines[-2:] == ["MOVE   COUNT", "a2a3       1"]


def test_a_faulty_book_is_reported_and_not_used(tmp_path: Path) -> None:
    (tmp_path / "pawnstar.book").write_text("a2a3 a7a6\na2a5\n")
    lines, errors, status = run("bookmoves\nisready\nquit\n", tmp_path)
    told = ["Error found in book line 2 move a2a5.", "book 'pawnstar.book' is not used; playing without a book"]
    assert [f"info string {line}" for line in told] == lines[4:6]
    assert errors == told
    assert lines[-1] == "readyok"
    assert status == 0


def test_a_refused_net_ends_the_program(tmp_path: Path) -> None:
    net = tmp_path / "net.bin"
    net.write_bytes(b"no net")
    lines, errors, status = run("isready\n", tmp_path, env=environment(PAWNSTAR_EVALFILE=str(net)))
    assert status == 1
    assert lines[-1].startswith("info string FATAL: ")
    assert errors[-1].startswith("FATAL: ")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("a2a3 a7a6\nzz\n", ["Error found in book line 2 move zz."]),
        ("# nothing\n", ["book 'pawnstar.book' holds no moves; playing without a book"]),
        (b"\xff\x00\xfe", ["Error found in book line 1 move "]),
    ],
)
def test_a_book_without_use_is_told_on_both_streams(tmp_path: Path, content: str | bytes, told: list[str]) -> None:
    (tmp_path / "pawnstar.book").write_bytes(content if isinstance(content, bytes) else content.encode())
    lines, errors, status = run("bookmoves\nquit\n", tmp_path)
    assert status == 0
    assert lines[4].startswith(f"info string {told[0]}")
    assert errors[0].startswith(told[0])
    assert errors[-1].endswith("playing without a book")
    assert all(line.isprintable() for line in lines + errors)
    assert lines[-1] == "ready"


def test_an_unreadable_book_is_told(tmp_path: Path) -> None:
    (tmp_path / "pawnstar.book").write_text("a2a3\n")
    (tmp_path / "pawnstar.book").chmod(0)
    if os.access(tmp_path / "pawnstar.book", os.R_OK):
        pytest.skip("this user may read everything")
    _, errors, _ = run("quit\n", tmp_path)
    assert errors == ["book 'pawnstar.book' cannot be read (Permission denied); playing without a book"]


@pytest.mark.parametrize("wanted", ["missing.bin", ".", "x" * 5000, "a/b\tc.bin"])
def test_a_missing_net_is_told_and_the_shipped_one_plays(tmp_path: Path, wanted: str) -> None:
    """A name that is too long ended in a traceback."""
    done = piped(command(), b"quit\n", tmp_path, environment(PAWNSTAR_EVALFILE=wanted))
    assert done.returncode == 0
    (error,) = done.stderr.decode().splitlines()
    assert error == f"NNUE: net '{wanted.replace(chr(9), '?')}' not found; using the shipped net"


def make_endless(path: Path) -> None:
    """A file of no content and of a size that no machine has memory for."""
    path.parent.mkdir(exist_ok=True)
    path.touch()
    os.truncate(path, 1 << 42)


@pytest.mark.skipif(sys.platform != "linux", reason="needs sparse files")
def test_endless_files_are_not_read(tmp_path: Path) -> None:
    """A traceback of ``MemoryError`` at the start; a gigabyte that is no net was read whole."""
    make_endless(tmp_path / "nnue" / "pawnstar-p1.bin")
    lines, errors, status = run("isready\n", tmp_path)
    assert errors == [
        "FATAL: cannot open net file 'nnue/pawnstar-p1.bin' (not a regular file of at most 256 MB).",
    ]
    assert (lines[-1], status) == (f"info string {errors[0]}", 1)
    make_endless(tmp_path / "pawnstar.book")
    lines, errors, status = run(
        "isready\n", tmp_path, env=environment(PAWNSTAR_EVALFILE=str(resources.embedded(resources.NET)))
    )
    assert errors == [
        "book 'pawnstar.book' cannot be read (not a regular file of at most 256 MB); playing without a book"
    ]
    assert (lines[-1], status) == ("readyok", 0)


def test_a_byte_order_mark_before_a_book(tmp_path: Path) -> None:
    """Some editors write one; the first move was illegal, and the whole book unused."""
    (tmp_path / "pawnstar.book").write_bytes(b"\xef\xbb\xbfa2a3 a7a6\r\n")
    lines, errors, status = run("bookmoves\nquit\n", tmp_path)
    assert lines[-2:] == ["MOVE   COUNT", "a2a3       1"]
    assert (errors, status) == ([], 0)


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
