"""The ``pawnstar`` command with arguments."""

import io
import re
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from golden_files import PAWNSTAR
from nets import Net
from programs import run
from recorded_bench import SIGNATURE_DEPTH, signature

from pawnstar.engine.bench import BENCH_FENS
from pawnstar.protocol.uci.bench import announce
from pawnstar.subcommands import command_group

pytestmark = pytest.mark.processes

commands = command_group()

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_help_names_every_tool() -> None:
    result = run("--help")
    assert result.returncode == 0
    for tool in ("bench", "dump-magics", "net-info", "perft", "stamp-net", "write-synthetic-net"):
        assert re.search(rf"^  {tool} ", result.stdout, re.MULTILINE), tool
    assert run("-h").stdout == result.stdout


def test_version() -> None:
    assert re.fullmatch(r"pawnstar, version [1-9]\d*\.\d+(\.\d+)?\n", run("--version").stdout)


@pytest.mark.parametrize("arguments", [["nonsense"], ["--nonsense"], ["bench", "x"], ["bench", "0"], ["bench", "64"]])
def test_misuse_is_status_two(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert "Error: " in result.stderr


@pytest.mark.compiled_only
def test_bench_ends_by_itself_with_the_signature(parity: Net) -> None:
    """Without any input; the last line has the totals."""
    result = run("bench", str(SIGNATURE_DEPTH), PAWNSTAR_EVALFILE=str(parity.path))
    assert result.returncode == 0
    *lines, totals = result.stdout.splitlines()
    assert re.fullmatch(rf"{signature('parity')} nodes \d+ nps", totals)
    assert all(line.startswith("info depth") for line in lines)


@pytest.mark.compiled_only
def test_bench_debug_prints_the_counters(parity: Net) -> None:
    result = run("bench", "1", PAWNSTAR_EVALFILE=str(parity.path), PAWNSTAR_BENCH_DEBUG="1")
    found = re.findall(r"^### pos (\d\d) best (\w{4}) nodes (\d+)$", result.stdout, re.MULTILINE)
    assert [number for number, _, _ in found] == [f"{number:02}" for number in range(1, 17)]
    assert f"{sum(int(nodes) for _, _, nodes in found)} nodes " in result.stdout.splitlines()[-1]


def test_missing_net_is_not_replaced_in_silence(tmp_path: Path) -> None:
    """The tools evaluated with the shipped net, and nobody noticed the slip in the name."""
    result = run("nnue-dump", PAWNSTAR_EVALFILE=str(tmp_path / "slip"))
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == f"NNUE: net '{tmp_path / 'slip'}' not found; using the shipped net\n"


def test_bench_with_a_refused_net_is_fatal(tmp_path: Path) -> None:
    bad = tmp_path / "bad.bin"
    bad.write_bytes(b"PSN1" + bytes(100))
    result = run("bench", "1", PAWNSTAR_EVALFILE=str(bad))
    assert result.returncode == 1
    assert "magic is PSN1" in result.stderr
    assert f"FATAL: the NNUE net '{bad}' was refused." in result.stderr.splitlines()


@pytest.mark.parametrize(
    ("arguments", "nodes"),
    [
        (["3"], 8902),
        (["1", "--fen", KIWIPETE], 48),
        (["--fen", KIWIPETE, "2"], 2039),
        (["2", "--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"], 0),
    ],
)
def test_perft(arguments: list[str], nodes: int) -> None:
    result = run("perft", *arguments)
    assert result.returncode == 0
    assert re.fullmatch(rf"{nodes} nodes \d+ nps\n", result.stdout)


def test_perft_divide() -> None:
    *lines, totals = run("perft", "2", "--divide", "--fen", KIWIPETE).stdout.splitlines()
    counts = dict(line.split(": ") for line in lines)
    assert len(counts) == 48
    assert counts["e1g1"] == "43"
    assert sum(int(count) for count in counts.values()) == 2039
    assert totals.startswith("2039 nodes ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perft"], "Missing argument 'DEPTH'"),
        (["perft", "0"], "0 is not in the range"),
        (["perft", "2", "--fen", "bad"], "no white king"),
        (["perft", "2", "--fen", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"], "in check"),
        (["perft", "--suite", "/nowhere/at/all"], "does not exist"),
    ],
)
def test_perft_misuse(arguments: list[str], message: str) -> None:
    """A FEN that cannot be played is an error here: nobody wants the start position's count instead."""
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert message in result.stderr


def test_perft_notes_what_it_read_otherwise() -> None:
    result = run("perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1")
    assert result.returncode == 0
    assert result.stdout.startswith("5 nodes ")
    assert result.stderr.startswith("note: ")


def test_perft_suite() -> None:
    """The recorded suite, to depth 2; no progress bar where there is no terminal."""
    result = run("perft", "2", "--suite", str(PAWNSTAR / "facts" / "perft.epd"))
    assert result.returncode == 0, result.stdout
    assert re.fullmatch(r"143 positions, \d+ counts, 0 wrong; \d+ nodes, \d+ nps\n", result.stdout)
    assert result.stderr == ""


def test_perft_suite_with_a_wrong_count_fails(tmp_path: Path) -> None:
    suite = tmp_path / "suite.epd"
    suite.write_text(f"# comment\n\n{KIWIPETE} ;D1 48 ;D2 2040\n")
    result = run("perft", "--suite", str(suite))
    assert result.returncode == 1
    assert f"line 3: {KIWIPETE} depth 2: 2039, expected 2040" in result.stdout
    assert "1 positions, 2 counts, 1 wrong" in result.stdout


@pytest.mark.parametrize("field", ["D1", "D1 x", "1 48", "Dx 48", "D1 48 9"])
def test_perft_suite_with_a_malformed_line_fails(tmp_path: Path, field: str) -> None:
    suite = tmp_path / "suite.epd"
    suite.write_text(f"{KIWIPETE} ;{field}\n")
    result = run("perft", "--suite", str(suite))
    assert result.returncode == 2
    assert f"line 1: '{field}' is not of the form 'D<depth> <count>'" in result.stderr


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1 ;D1 20 ;D2 400", "no white king"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1 ;D1 20", "the side not to move is in check"),
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20", "7 squares on rank 7"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1 ;D1 20", "side to move 'x'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "no count"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D65 20", "depth 65 is beyond 64"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D\u00b2 20", "is not of the form"),
        (f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 {'9' * 5000}", "is not of the form"),
        ("rubbish", "no white king"),
    ],
)
def test_perft_suite_refuses_a_line_that_is_no_record(tmp_path: Path, line: str, reason: str) -> None:
    """An empty board was counted as the start position: "2 counts, 0 wrong". Nothing is counted before all are read."""
    suite = tmp_path / "suite.epd"
    suite.write_text(f"{KIWIPETE} ;D1 48\n# a comment\n{line}\n")
    result = CliRunner().invoke(commands, ["perft", "--suite", str(suite)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"'{suite}': line 3: " in result.stderr
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1


def test_perft_suite_without_a_position_proves_nothing(tmp_path: Path) -> None:
    suite = tmp_path / "suite.epd"
    suite.write_text("# nothing\n\n")
    result = CliRunner().invoke(commands, ["perft", "--suite", str(suite)])
    assert (result.exit_code, result.stderr) == (2, f"Error: '{suite}': it holds no position\n")


@pytest.mark.parametrize("number", ["65", "-1", "99999999999999999999", "9" * 5000, "nan", "1e3", "", "0x4"])
def test_numbers_out_of_range_are_misuse(number: str) -> None:
    for tool in ("perft", "bench"):
        result = CliRunner().invoke(commands, [tool, "--", number])
        assert result.exit_code == 2, tool
        assert result.stdout == ""
        assert "Invalid value for '[DEPTH]'" in result.stderr


def test_malformed_fen_of_perft_is_misuse() -> None:
    for board in ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "K6k", "rnbqkbnr/9/8/8/8/8/PPPPPPPP/RNBQKBNR"):
        result = CliRunner().invoke(commands, ["perft", "1", "--fen", f"{board} w - - 0 1"])
        assert (result.exit_code, result.stdout) == (2, "")
        assert "Invalid value for --fen: " in result.stderr


@pytest.mark.parametrize("width", ["40", "80", "200"])
def test_help_texts_are_whole(width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of commands cut "Search 16 positions to DEPTH (default 13)..." off."""
    monkeypatch.setenv("COLUMNS", width)
    listed = CliRunner().invoke(commands, ["--help"], terminal_width=int(width)).stdout
    assert "..." not in listed.replace("[ARGS]...", "")
    for name, tool in commands.commands.items():
        text = CliRunner().invoke(commands, [name, "--help"], terminal_width=int(width)).stdout
        assert "..." not in text, name
        for option in tool.params:
            assert not isinstance(option, click.Option) or option.help, f"{name}: {option.name} is not explained"


@pytest.mark.parametrize("name", sorted(set(commands.commands) - {"match"}))
def test_help_has_an_example(name: str) -> None:
    assert f"pawnstar {name}" in CliRunner().invoke(commands, [name, "--help"]).stdout.split("Options:")[1]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_bench_is_told_position_by_position_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        monkeypatch.setattr(sys, "stderr", stream)
        for number in range(1, 17):
            announce(number)
    lines = terminal.getvalue().splitlines()
    assert len(lines) == 16
    assert lines[2] == f"bench position 3 of 16: {BENCH_FENS[2]}"
    assert pipe.getvalue() == ""
