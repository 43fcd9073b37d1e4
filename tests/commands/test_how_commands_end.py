"""How the commands end: by Ctrl-C, with an output that cannot be written, with files that cannot be used."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
from click.testing import CliRunner
from modes import COMPILED
from nets import SHIPPED
from programs import environment, run, run_python

from pawnstar.evaluation.nnue.net_file import PLAIN_SHAPE
from pawnstar.subcommands import command_group

pytestmark = pytest.mark.processes

commands = command_group()

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FULL = Path("/dev/full")
# How soon a Ctrl-C is heard, and the program gone, in seconds; the best of some attempts, for machines are busy.
HEARD = 1.0
ATTEMPTS = 5
PATIENCE = 120

# The command line, and a word when the imports are done: what comes behind it is the command's own work. Who runs the
# tests in the background of a script passes on that interrupts are ignored.
COMMAND = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from pawnstar.cli import main
from pawnstar.subcommands import SUBCOMMANDS
import importlib, numpy, tqdm
for module in SUBCOMMANDS.values():
    importlib.import_module(module)
print("imported", flush=True)
sys.argv[0] = "pawnstar"
sys.exit(main())
"""


def start(*arguments: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "imported\n"
    return process


LONG = {
    "perft": ["perft", "9"],
    "divide": ["perft", "9", "--divide"],
    "suite": ["perft", "--suite", "SUITE"],
    "bench": ["bench", "40"],
    "nnue-dump": ["nnue-dump"],
    "dump-magics": ["dump-magics"],
}


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("name", LONG)
def test_interrupt_ends_every_command_at_once(name: str, tmp_path: Path) -> None:
    """A compiled count went on to its end, for hours, however often Ctrl-C was pressed; others ended with a traceback
    or with status 1."""
    suite = tmp_path / "suite.epd"
    suite.write_text(f"{START} ;D9 2439530234167\n")
    arguments = [str(suite) if word == "SUITE" else word for word in LONG[name]]
    took = []
    for _ in range(ATTEMPTS):
        process = start(*arguments)
        try:
            time.sleep(0.3)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            status = process.wait(PATIENCE)
            took.append(time.monotonic() - sent)
            output, errors = process.communicate()
        finally:
            process.kill()
        assert status == 130, errors
        assert errors.strip() == ""
        assert "nps" not in output.splitlines()[-1:]
        if took[-1] < HEARD:
            break
    assert min(took) < HEARD, took


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("call", ["perft(9)", "perft_divide(9)"])
def test_time_limit_around_a_count(call: str) -> None:
    """An alarm of one second around a count came after 36; it holds for every signal with a handler."""
    depth = call if COMPILED else call.replace("9", "6")
    took = []
    for _ in range(ATTEMPTS):
        done = run_python(
            f"""
import signal, time
from pawnstar import Position
def late(number, frame):
    raise TimeoutError
signal.signal(signal.SIGALRM, late)
position = Position.initial()
began = time.monotonic()
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    position.{depth}
except TimeoutError:
    print(time.monotonic() - began)
"""
        )
        assert done.stderr == ""
        took.append(float(done.stdout))
        if took[-1] < 0.5:
            break
    assert min(took) < 0.5, took


def test_other_threads_go_on_during_a_count() -> None:
    """They stood still for the whole call."""
    gaps = []
    for _ in range(ATTEMPTS):
        done = run_python(
            f"""
import threading, time
from pawnstar import Position
position = Position.initial()
ticking, ticks, over = threading.Event(), [], threading.Event()
def tick():
    while not over.is_set():
        ticks.append(time.monotonic())
        ticking.set()
        time.sleep(0.001)
thread = threading.Thread(target=tick)
thread.start()
ticking.wait()
began = time.monotonic()
position.perft({6 if COMPILED else 3})
ended = time.monotonic()
over.set()
thread.join()
inside = [began, *(tick for tick in ticks if began < tick < ended), ended]
print(max(later - earlier for earlier, later in zip(inside, inside[1:])))
"""
        )
        assert done.stderr == ""
        gaps.append(float(done.stdout))
        if gaps[-1] < 0.1:
            break
    assert min(gaps) < 0.1, gaps


# What is written where nothing can be written.


# Becomes the command, once something has been done to the process.
BECOME = "import os, sys; {}; os.execv(sys.executable, [sys.executable, '-P', '-m', 'pawnstar', *sys.argv[1:]])"


def written(
    *arguments: str, given: str = "", stdout: int | IO[str] = subprocess.DEVNULL, first: str = "pass"
) -> tuple[int, str]:
    """Run the command in a process with another output, or to which something was done; its status and errors."""
    done = subprocess.run(
        [sys.executable, "-c", BECOME.format(first), *arguments],
        input=given,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        env=environment(),
        check=False,
    )
    return done.returncode, done.stderr


WRITERS = {
    "perft": ["perft", "2"],
    "divide": ["perft", "2", "--divide"],
    "suite": ["perft", "--suite", "SUITE"],
    "wrong suite": ["perft", "--suite", "WRONG"],
    "nnue-dump": ["nnue-dump", "--header"],
    "net-info": ["net-info", str(SHIPPED)],
    "stamp-net": ["stamp-net", "--help"],
    "write-synthetic-net": ["write-synthetic-net", "OUT"],
    "bench": ["bench", "1"],
    "help": ["--help"],
    "version": ["--version"],
}

FEW_WRITERS = ["divide", "nnue-dump", "help"]


def writer(name: str, folder: Path) -> list[str]:
    (folder / "suite.epd").write_text(f"{START} ;D1 20\n")
    (folder / "wrong.epd").write_text(f"{START} ;D1 21\n")
    names = {"SUITE": "suite.epd", "WRONG": "wrong.epd", "OUT": "out.bin"}
    return [str(folder / names[word]) if word in names else word for word in WRITERS[name]]


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
@pytest.mark.parametrize("name", WRITERS)
def test_full_disk_is_one_line(name: str, tmp_path: Path) -> None:
    """It was a traceback under ``--divide``, ``nnue-dump`` and ``--help``."""
    with FULL.open("w") as full:
        status, errors = written(*writer(name, tmp_path), given=START + "\n", stdout=full)
    assert errors == "Error: cannot write standard output: No space left on device\n"
    assert status == 2


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    ("package", "tool"), [("pawnstar", "perft 99"), ("pawnstar", "nosuch"), ("pawnstar.drop7", "plan --depth x")]
)
def test_full_standard_error_leaves_the_status_alone(package: str, tool: str) -> None:
    """It was 120: the message stayed in a buffer, at which the interpreter's end failed."""
    buffered = {name: value for name, value in environment().items() if name != "PYTHONUNBUFFERED"}
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-P", "-m", package, *tool.split()], stderr=full, env=buffered, check=False
        )
    assert done.returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="pipes")
@pytest.mark.parametrize("name", FEW_WRITERS)
def test_closed_pipe_is_not_worth_a_word(name: str, tmp_path: Path) -> None:
    reader, pipe = os.pipe()
    os.close(reader)
    try:
        status, errors = written(*writer(name, tmp_path), given=START + "\n", stdout=pipe)
    finally:
        os.close(pipe)
    assert errors == ""
    assert status == 2


@pytest.mark.skipif(os.name == "nt", reason="descriptors")
@pytest.mark.parametrize("name", FEW_WRITERS)
def test_closed_output_is_one_line(name: str, tmp_path: Path) -> None:
    status, errors = written(*writer(name, tmp_path), given=START + "\n", first="os.close(1)")
    assert errors == "Error: standard output is closed, there is nowhere to write to\n"
    assert status == 2


@pytest.mark.skipif(os.name == "nt", reason="descriptors")
def test_other_streams_may_be_closed(tmp_path: Path) -> None:
    with (tmp_path / "output").open("w") as output:
        noted = ["--fen", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"]
        status, _ = written("perft", "2", *noted, stdout=output, first="os.close(0); os.close(2)")
    assert (status, (tmp_path / "output").read_text().split()[0]) == (0, "25")


# Files.


# No file may grow beyond 100 kB, as on a disk that is nearly full.
LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))"


@pytest.mark.skipif(os.name == "nt", reason="limits")
@pytest.mark.parametrize("tool", ["write-synthetic-net", "stamp-net"])
def test_a_net_is_written_whole_or_not_at_all(tool: str, tmp_path: Path) -> None:
    """Half a net stayed behind, and lay in the way of the next attempt."""
    source, net = tmp_path / "source", tmp_path / "net.bin"
    source.write_bytes(bytes(PLAIN_SHAPE.payload_size))
    arguments = [tool, str(net)] if tool == "write-synthetic-net" else [tool, str(source), str(net)]
    for before in (None, b"dear to someone"):
        if before is not None:
            net.write_bytes(before)
        status, errors = written(*arguments, "--force", first=LIMITED)
        assert (status, errors) == (2, f"Error: cannot write '{net}': File too large\n")
        assert {path.name for path in tmp_path.iterdir()} == {"source"} | ({"net.bin"} if before else set())
    assert net.read_bytes() == b"dear to someone"


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_a_device_is_written_to_not_replaced() -> None:
    result = run("write-synthetic-net", "--force", str(FULL))
    assert (result.returncode, result.stderr) == (2, "Error: cannot write '/dev/full': No space left on device\n")
    assert FULL.is_char_device()


UNUSABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "folder": (lambda path: path.mkdir(), "is a directory"),
    "missing": (lambda path: None, "does not exist"),
    "empty": (lambda path: path.write_bytes(b""), ""),
    "binary": (lambda path: path.write_bytes(bytes(range(256)) * 40), ""),
    "long": (lambda path: path.write_bytes(b"k" * 3_000_000), ""),
    "nul": (lambda path: path.write_bytes(b"\0" * 100), ""),
    "latin": (lambda path: path.write_bytes("Größe".encode("latin-1")), ""),
}


@pytest.mark.parametrize("tool", ["perft --suite FILE", "nnue-dump --net FILE", "net-info FILE", "stamp-net FILE OUT"])
@pytest.mark.parametrize("kind", UNUSABLE)
def test_unusable_files_are_told_in_a_line(tool: str, kind: str, tmp_path: Path) -> None:
    make, words = UNUSABLE[kind]
    make(tmp_path / "file")
    names = {"FILE": str(tmp_path / "file"), "OUT": str(tmp_path / "out")}
    result = CliRunner().invoke(commands, [names.get(word, word) for word in tool.split()])
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code in (1, 2)
    assert words in result.output
    told = result.output.splitlines()[-1]
    assert str(tmp_path / "file") in told
    assert 0 < len(told) < 500
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["binary", "long", "nul", "latin"])
def test_rubbish_for_nnue_dump_is_refused_with_its_line(kind: str, tmp_path: Path) -> None:
    UNUSABLE[kind][0](tmp_path / "file")
    rubbish = START.encode() + b"\n\n" + (tmp_path / "file").read_bytes()
    (tmp_path / "list").write_bytes(rubbish)
    for arguments, given in ((["--input", str(tmp_path / "list")], b""), ([], rubbish)):
        result = CliRunner().invoke(commands, ["nnue-dump", *arguments], input=given)
        assert result.exit_code == 2
        assert result.stdout.startswith(START + "\t")
        assert result.stderr.startswith("Error: line 3: ")
        assert result.stderr.count("\n") == 1
