"""The program itself, in a process of its own, held to the siblings' dialogues: both streams and the exit status."""

import re
from pathlib import Path

import pytest
from golden_files import PAWNSTAR
from modes import COMPILED
from nets import SHIPPED, Net
from programs import Program, installed, run
from sessions import masked
from transcripts import DRAWING, read_transcript, without_additions

from pawnstar.chess.fen import start_position
from pawnstar.engine.engine import Engine

pytestmark = pytest.mark.processes

SEARCHES = [
    "02_diagnostics",
    *(
        pytest.param(name, marks=pytest.mark.compiled_only)
        for name in (
            "04_depth6_40",
            "05_carry_over",
            "06_searchmoves_nodes",
            "07_mates_stalemates_forced",
            "08_draws_clocks",
            "09_malformed",
            "11_hash",
        )
    ),
]


def normal(line: str, net: Path, folder: Path | None = None) -> str:
    """Paths, versions and dates as goldens name them."""
    line = line.replace(str(net), "NET")
    if folder is not None:
        line = line.replace(str(folder), "DIR")
    line = re.sub(r"^id name Pawnstar \d+\.\d+(\.\d+)?$", "id name Pawnstar 0.0.0", line)
    return re.sub(r"^Version \d+\.\d+(\.\d+)? Compiled .+$", "Version V Compiled D", line)


def recorded_errors(name: str) -> list[str]:
    """The recorded standard error, less what is no error: which net was loaded is told on standard output alone."""
    lines = PAWNSTAR.joinpath("uci", f"{name}.txt").read_text().splitlines()
    return [line for line in lines if line != "NNUE: loaded net 'NET'"]


@pytest.mark.parametrize("name", SEARCHES)
def test_dialogue(name: str, parity: Net) -> None:
    transcript = read_transcript(name)
    with Program(PAWNSTAR_EVALFILE=str(parity.path)) as program:
        assert program.lines_until("ready")[-1] == "ready"
        for number, step in enumerate(transcript.steps, 1):
            answer = [normal(line, parity.path) for line in program.send(step.command)]
            received = without_additions(step, masked(answer))
            assert received == step.answer, f"step {number}: {step.command!r}"
        assert program.end()[0] == transcript.status


def test_handshake(parity: Net) -> None:
    """The start without its drawing, the net's one line and none for the book, options and help, exactly.

    The siblings draw, repeat the net's line on standard error, and tell that the book is the embedded one as a failure:
    a newcomer took the start for a broken one.
    """
    transcript = read_transcript("01_handshake")
    with Program(PAWNSTAR_EVALFILE=str(parity.path)) as program:
        banner = [normal(line, parity.path) for line in program.lines_until("ready")]
        assert banner == transcript.banner[DRAWING:]
        for step in transcript.steps:
            received = [normal(line, parity.path) for line in program.send(step.command)]
            received = without_additions(step, received)
            assert [line for line in received if not re.match(r"(d|zobrist) +", line)] == step.answer
        status, errors = program.end()
    assert status == transcript.status
    assert [normal(line, parity.path) for line in errors] == recorded_errors("01_stderr") == []


def faulty_nets(folder: Path, good: bytes) -> None:
    """The files that the recorded dialogue tries, with the faults that its messages speak of."""
    head = bytearray(good)
    head[9] ^= 1  # the header's checksum speaks before the field does
    flip = bytearray(good)
    flip[1000] ^= 1
    folder.joinpath("short.bin").write_bytes(good[:40])
    folder.joinpath("magic.bin").write_bytes(b"XNNUE1\0\0" + good[8:])
    folder.joinpath("head.bin").write_bytes(head)
    folder.joinpath("trunc.bin").write_bytes(good[:-2])
    folder.joinpath("flip.bin").write_bytes(flip)


def test_refused_nets_leave_the_old_one_in_play(parity: Net, tmp_path: Path) -> None:
    transcript = read_transcript("12_evalfile")
    faulty_nets(tmp_path, parity.path.read_bytes())
    with Program(PAWNSTAR_EVALFILE=str(parity.path)) as program:
        program.lines_until("ready")
        for step in transcript.steps:
            command = step.command.replace("DIR", str(tmp_path)).replace("NET", str(parity.path))
            received = [normal(line, parity.path, tmp_path) for line in program.send(command)]
            assert received == step.answer, step.command
        status, errors = program.end()
    assert status == transcript.status
    assert [normal(line, parity.path, tmp_path) for line in errors] == recorded_errors("12_stderr")


def test_refused_net_at_the_start_is_fatal(parity: Net, tmp_path: Path) -> None:
    """A match on weights that nobody asked for would be worth nothing: FATAL on both streams, exit status 1."""
    transcript = read_transcript("13_refused_at_start")
    assert transcript.steps == []
    faulty_nets(tmp_path, parity.path.read_bytes())
    result = run(given="uci\nquit\n", PAWNSTAR_EVALFILE=str(tmp_path / "flip.bin"))
    *expected, last = transcript.banner[DRAWING:]
    assert last == "(end of output)"
    assert [normal(line, parity.path, tmp_path) for line in result.stdout.splitlines()] == expected
    assert result.returncode == transcript.status == 1
    assert [f"info string {line}" for line in result.stderr.splitlines()] == [
        line.replace("DIR", str(tmp_path)) for line in expected if line.startswith("info string ")
    ]


def start_evaluation(net: Net) -> str:
    """The answer to ``nnue`` with a net; the nets differ in it."""
    return f"nnue {Engine(net.network, hash_megabytes=1).network_evaluation(start_position())}"


@pytest.mark.parametrize("name", ["missing.bin", "."])
def test_missing_net_at_the_start_falls_back_to_the_shipped_one(name: str, tmp_path: Path, shipped: Net) -> None:
    result = run(given="nnue\nquit\n", PAWNSTAR_EVALFILE=str(tmp_path / name))
    assert result.returncode == 0
    assert f"info string NNUE: net '{tmp_path / name}' not found; using the shipped net" in result.stdout.splitlines()
    assert result.stdout.splitlines()[-1] == start_evaluation(shipped)


def test_net_in_the_working_directory_comes_first(parity: Net, tmp_path: Path) -> None:
    tmp_path.joinpath("nnue").mkdir()
    tmp_path.joinpath("nnue", "pawnstar-p1.bin").write_bytes(parity.path.read_bytes())
    result = run(given="nnue\nquit\n", cwd=tmp_path)
    assert result.stdout.splitlines()[-1] == "nnue 19"
    assert "info string NNUE: loaded net 'nnue/pawnstar-p1.bin'" in result.stdout.splitlines()
    assert result.stderr == ""


def test_program_needs_no_file_beside_it(tmp_path: Path, shipped: Net) -> None:
    """Guards against a package without its data: in an empty folder the shipped net is there."""
    result = run(given="nnue\nquit\n", cwd=tmp_path)
    assert result.returncode == 0
    assert result.stdout.splitlines()[-1] == start_evaluation(shipped)
    # A source tree has its net in the root, which is the parent of the package's folder.
    origin = "embedded" if installed() else str(SHIPPED)
    assert f"info string NNUE: loaded net '{origin}'" in result.stdout.splitlines()
    assert result.stderr == ""


def test_end_of_input_is_quit(parity: Net) -> None:
    """Also while a search runs for ever: it still answers, and the program ends at once."""
    result = run(given="go infinite\n", timeout=60, PAWNSTAR_EVALFILE=str(parity.path))
    assert result.returncode == 0
    assert result.stdout.splitlines()[-1].startswith("bestmove ")


def test_banner_says_which_mode_runs() -> None:
    line = next(line for line in run(given="quit\n").stdout.splitlines() if line.startswith("Version "))
    if COMPILED:
        assert re.fullmatch(r"Version \d+\.\d+(\.\d+)? Compiled \w{3} \d\d \d{4} \d\d:\d\d:\d\d", line)
    else:
        assert re.fullmatch(r"Version \d+\.\d+(\.\d+)? Compiled not \(plain Python 3\.\d+\.\d+.*\)", line)
