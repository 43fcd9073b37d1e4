"""What a match writes: its PGN file whatever happens to the disk, its words whatever they are written to."""

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

from pawnstar.commands.match import command
from pawnstar.commands.match_report import Reporter, introduction, printable, sprt_introduction, summary
from pawnstar.matches.games import Record
from pawnstar.matches.pgn import PgnError, PgnFile
from pawnstar.matches.runner import Outcome, Tally
from pawnstar.matches.settings import MatchSettings, Rules, TimeControl
from pawnstar.matches.statistics import Sprt

RULES = Rules(TimeControl(nodes=1))
QUICK = ("--nodes", "1", "--draw-moves", "1", "--draw-after", "6")


def fake(name: str) -> str:
    return shlex.join(command_of(name))


def match(*arguments: str, before: str = "", **streams: int) -> subprocess.CompletedProcess[str]:
    """A match in a process of its own, which runs ``before`` first; not measured, so limits are the match's alone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    script = f"{before}\nfrom pawnstar.subcommands import command_group; command_group()(prog_name='pawnstar')"
    return subprocess.run(
        [sys.executable, "-c", script, "match", fake("A"), fake("B"), *QUICK, *arguments],
        stdout=streams.get("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        text=True,
        env={**kept, "PYTHONPATH": str(package_folder().parent)},
        check=False,
    )


# The PGN file.


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
def test_full_device_is_told_before_the_first_game(tmp_path: Path) -> None:
    """After the first game: "cannot use 'None': No space left on device", and no score."""
    result = CliRunner().invoke(command, [fake("A"), fake("B"), "--pgn", "/dev/full"])
    assert result.exit_code == 2
    assert result.output == "Error: cannot write '/dev/full': No space left on device\n"


def test_pgn_file_that_cannot_be_opened_is_told_before_the_first_game(tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "x.pgn", tmp_path):
        with pytest.raises(PgnError, match="cannot use"):
            PgnFile(path)


@pytest.mark.skipif(os.name == "nt", reason="limits of a process")
def test_disk_that_fills_half_way_costs_neither_the_score_nor_the_games_before(tmp_path: Path) -> None:
    """The tally of all games played was lost with the game that did not fit."""
    pgn = tmp_path / "x.pgn"
    done = match(
        "--pgn",
        str(pgn),
        before="import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))",
    )
    assert done.returncode == 2
    games = done.stdout.count("[0, ")
    assert done.stdout.startswith("A against B: ")
    played = int(done.stdout.split("A against B: ")[1].split(" game")[0])
    assert played >= 2
    assert games == 1
    assert done.stderr.endswith(
        f"Error: cannot write '{pgn}': File too large; the match ends after {played} of 100 games\n"
    )
    text = pgn.read_text()
    assert text.endswith(" 1/2-1/2\n\n")
    assert text.count("[Event ") == played - 1


# Words.


def test_narrow_windows() -> None:
    tally = Tally(wins=40, draws=10, losses=51, pairs=[10, 10, 10, 10, 10], endings={"checkmate": 91, "draw": 10})
    tally.seconds, tally.moves, tally.depths = [1234.5, 99.0], [4000, 4000], [40000, 0]
    outcome = Outcome(("Pawnstar 1.0.dev12+g0123456", "A name of more columns than any"), tally, "", True)
    for width in (79, 59, 39):
        text = summary(outcome, MatchSettings(RULES, 200, sprt=Sprt(0, 5)), width)
        long = [line for line in text.splitlines() if len(line) > width]
        assert len(long) <= (2 if width == 79 else 0)  # the first lines are broken for a narrow window only
        for word in ("Elo", "LOS", "LLR", "draws", "checkmate 91", "won", "points", "interrupted"):
            assert word in text
    wide = summary(outcome, MatchSettings(RULES, 200), 120)
    assert "0.309" in wide  # seconds a move
    assert "12.22" in wide  # and a game
    assert "10.0" in wide  # the depth that was told


def test_what_was_adjudicated_is_told_with_its_reason() -> None:
    tally = Tally(wins=3, draws=2, pairs=[0, 0, 0, 0, 2], endings={"resignation": 3, "draw": 2})
    text = summary(Outcome(("A", "B"), tally), MatchSettings(RULES, 5))
    assert "endings   adjudicated as won 3: both engines saw one side ahead by 10.00 or" in text
    assert "adjudicated as drawn 2: from move 40 on both engines saw at most" in text
    assert "draws     40 % of the games" in text


def test_introduction_warns() -> None:
    text = introduction(("A", "B"), MatchSettings(RULES, 101), 26, pawnstar=True)
    assert "101 games" in text
    assert "an odd number of games" in text
    assert "repeated after 52 games" in text
    assert "below 6000 it often ends before its first depth" in text
    quiet = introduction(("A", "B"), MatchSettings(Rules(TimeControl(10.0, 0.1)), 52), 26, pawnstar=True)
    assert quiet == "A against B: 52 games, 10+0.1 s, 1 at once, 26 openings"
    assert "-2.94 (H0: 0 Elo) or 2.94 (H1: 5 Elo)" in sprt_introduction(Sprt(0, 5))


def test_characters_that_the_console_lacks(tmp_path: Path) -> None:
    ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert printable("Elo +1.0 ± 2.0, Jäger", ascii_only) == "Elo +1.0 +- 2.0, J?ger"
    done = match("--games", "1", before="import sys; sys.stdout.reconfigure(encoding='ascii')")
    assert done.returncode == 0, done.stderr
    assert "Elo +0.0 +- " in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
def test_result_that_cannot_be_written_is_told_on_standard_error() -> None:
    with open("/dev/full", "w") as full:
        done = match("--games", "1", stdout=full.fileno())
    assert done.returncode == 2
    assert "A against B: 1 game, +0 =1 -0, 50.0 %" in done.stderr
    assert done.stderr.endswith("Error: cannot write the result to standard output: No space left on device\n")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("columns", [100, 60, 30])
def test_bar_fits_the_window(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was as long as its words, and each update began a new line in a narrow window."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            return 2

    size = os.terminal_size((columns, 24))
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("os.get_terminal_size", lambda fd: size)
    monkeypatch.setattr("tqdm.std._screen_shape_wrapper", lambda: lambda file: (size.columns, size.lines))
    reporter = Reporter(40, 10, Sprt(0, 5))
    reporter.start("A against B: " + 10 * "many words " + "end")
    tally = Tally()
    for number in range(1, 41):
        record = Record(number, "A", "B", "1-0", "checkmate", "normal", chess.pgn.Game())
        tally.add(record, first_is_white=True)
        reporter.game(record, tally)
    size = os.terminal_size((columns // 2, 24))  # the window is made narrower
    reporter.tick()
    last = terminal.getvalue().split("\r")[-1]
    reporter.close()
    for line in terminal.getvalue().replace("\r", "\n").replace("\x1b[A", "").split("\n"):
        assert len(line.strip()) <= columns
    assert len(last.strip()) <= columns // 2
    bars = terminal.getvalue()
    assert "40/40" in bars
    assert ("+40 =0 -0" in bars) or columns < 50
    assert ("Elo +" in bars) == (columns > 50)
    assert ("LLR" in bars) == (columns == 100)


def test_no_bar_on_a_dumb_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot draw a line again: each of them stood behind the last one."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stderr", terminal)
    reporter = Reporter(40, 1, None)
    reporter.start("A against B")
    reporter.game(
        Record(1, "A", "B", "1-0", "checkmate", "normal", chess.pgn.Game()), Tally(wins=1, pairs=[0, 0, 0, 0, 1])
    )
    reporter.close()
    assert "\r" not in terminal.getvalue()
    assert "1/40: +1 =0 -0" in terminal.getvalue()


def test_no_bar_where_there_is_no_terminal() -> None:
    done = match("--games", "2", "--every", "1")
    assert done.returncode == 0
    assert "\r" not in done.stderr
    assert "|" not in done.stderr
    assert "2/2: +0 =2 -0, 50.0 %, Elo " in done.stderr
