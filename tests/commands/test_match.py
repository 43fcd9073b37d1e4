"""``pawnstar match``: what it plays, tells and refuses."""

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

import chess.pgn
import pytest
from click.testing import CliRunner
from fake_engine import command_of
from modes import package_folder

from pawnstar.commands.match import command, parse_control, parse_options
from pawnstar.matches.settings import TimeControl

pytestmark = pytest.mark.processes


def fake_text(name: str, *arguments: str) -> str:
    return shlex.join(command_of(name, *arguments))


def test_command_plays_reports_and_records(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    arguments = [fake_text("A"), fake_text("B", "--fault", "crash"), "--nodes", "1", "--games", "2", "--every", "1"]
    result = CliRunner().invoke(command, [*arguments, "--pgn", str(pgn), "--sprt", "0", "5", "--name1", "One"])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "One against B: 2 games, +2 =0 -0, 100.0 %"
    assert lines[1] == "Elo +190.8 ± 337.5, LOS 84.1 %; pairs [0, 0, 0, 0, 1]"
    assert lines[2].startswith("SPRT elo 0 against 5: LLR ")
    assert lines[2].endswith("undecided")
    assert lines[3] == "B failed in 2 games"
    assert "inf" not in result.output
    assert max(len(line) for line in lines) < 80
    said = result.stderr.splitlines()
    assert said[0] == "One against B: 2 games, 1 nodes a move, 1 at once, 26 openings"
    assert said[1] == "SPRT: the match ends when LLR reaches -2.94 (H0: 0 Elo) or 2.94 (H1: 5 Elo)"
    assert said[2] == "game 1: One - B 1-0: B crashed (exit status 3), move 5"
    assert "2/2: +2 =0 -0" in result.stderr
    text = io.StringIO(pgn.read_text())
    for number, names in ((1, ("One", "B")), (2, ("B", "One"))):
        game = chess.pgn.read_game(text)
        assert game is not None
        assert not game.errors
        assert (game.headers["White"], game.headers["Black"]) == names
        assert game.headers["Round"] == str(number)
        assert game.headers["Termination"] == "abandoned"
        assert game.end().comment.endswith("B crashed (exit status 3)")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "b", "--nodes", "1", "--depth", "2"], "exclude each other"),
        (["a", "b", "--tc", "fast"], "not of the form T or T+I"),
        (["a", "b", "--tc", "0+1"], "not of the form T or T+I"),
        (["a", "b", "--tc", "9" * 400], "T lies between 0.001 and 1000000 s"),
        (["a", "b", "--tc", f"5+{'9' * 400}"], "T lies between 0.001 and 1000000 s"),
        (["a", "b", "--tc", "0.0001+1"], "T lies between 0.001 and 1000000 s"),
        (["a", "b", "--margin", "9" * 400], "is not in the range"),
        (["a", "b", "--openings", __file__, "--pgn", __file__], "--pgn and --openings name one file"),
        (["a", "b", "--sprt", "0", "7000"], "must lie between -1000 and 1000"),
        (["a", "b", "--option1", "Hash"], "NAME=VALUE"),
        (["a", "b", "--openings", "/no/such/file"], "does not exist"),
        (["a", "b", "--sprt", "5", "0"], "elo0 must be below elo1"),
        (["'a", "b"], "No closing quotation"),
        (["", "b"], "command is empty"),
        (["a", "b", "--plies", "8"], "--plies is for --openings"),
        (["a", "b", "--pgn", "/no/such/folder/x.pgn"], "cannot use '/no/such/folder/x.pgn'"),
        (["/no/such/engine", "b"], "cannot be started"),
    ],
)
def test_command_says_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_command_line_values() -> None:
    assert parse_control(None, None, None) == TimeControl(10.0, 0.1)
    assert parse_control("60", None, None) == TimeControl(60.0, 0.0)
    assert str(parse_control("2.5+0.05", None, None)) == "2.5+0.05"
    assert str(parse_control(None, 5, None)) == "5 nodes"
    assert str(parse_control(None, None, 5)) == "depth 5"
    assert parse_options(["Hash=16", "EvalFile = a=b"]) == {"Hash": "16", "EvalFile": "a=b"}


def test_missing_python_chess_is_said(tmp_path: Path) -> None:
    """In a process of its own, where no such module can be found."""
    script = "import sys; sys.modules['chess'] = None; from pawnstar import subcommands; subcommands.command_group()()"
    done = subprocess.run(
        [sys.executable, "-c", script, "match", "a", "b"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(package_folder().parent)},
        check=False,
    )
    assert done.returncode == 2
    assert 'pip install chess, or in the source tree pip install ".[match]"' in done.stderr
