"""Matches between engines: pairs, clocks, adjudication, faults, records, and a clean end."""

import io
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess
import chess.pgn
import pytest
from click.testing import CliRunner
from modes import package_folder

from pawnstar.tools.match.command import command, parse_control, parse_options
from pawnstar.tools.match.games import Record, Rules, TimeControl, adjudicated
from pawnstar.tools.match.openings import OpeningsError, default_openings, read_openings
from pawnstar.tools.match.players import EngineSpec, MatchError, spec_of
from pawnstar.tools.match.runner import Match, Outcome, Tally

FAKE = str(Path(__file__).resolve().parents[1] / "support" / "fake_engine.py")
NODES = TimeControl(nodes=1)


def fake(name: str, *arguments: str, **options: str) -> EngineSpec:
    return EngineSpec((sys.executable, FAKE, "--name", name, *arguments), options)


def fake_text(name: str, *arguments: str) -> str:
    return shlex.join(fake(name, *arguments).command)


def played(
    one: EngineSpec, two: EngineSpec, games: int, rules: Rules | None = None, concurrency: int = 1
) -> tuple[Outcome, list[Record]]:
    records: list[Record] = []
    match = Match(
        (one, two),
        default_openings(),
        rules or Rules(NODES),
        games,
        concurrency,
        on_game=lambda record, tally: records.append(record),
    )
    return match.run(), records


# Whole matches.


def test_pairs_swap_colours_and_openings_repeat() -> None:
    rules = Rules(NODES, resign_moves=1, resign_score=500, draw_moves=0)
    outcome, records = played(fake("A", "--score", "900"), fake("B", "--score", "900"), 6, rules, concurrency=2)
    records.sort(key=lambda record: record.number)
    assert [(record.white, record.black) for record in records] == [("A", "B"), ("B", "A")] * 3
    assert all(record.result == "1-0" for record in records)
    assert all(record.termination == "adjudication" for record in records)
    assert (outcome.tally.wins, outcome.tally.draws, outcome.tally.losses) == (3, 0, 3)
    assert outcome.tally.pairs == [0, 0, 3, 0, 0]
    openings = [record.pgn.variations[0].move for record in records]
    assert openings[0::2] == openings[1::2]
    lines = [[node.move for node in record.pgn.mainline()][:8] for record in records]
    assert lines[0] == lines[1]
    assert lines[2] == lines[3] != lines[0]


def test_games_end_by_the_rules_and_claims() -> None:
    rules = Rules(NODES, resign_moves=0, draw_moves=0)
    _, records = played(fake("A", "--seed", "1"), fake("B", "--seed", "2"), 1, rules)
    for record in records:
        board = record.pgn.end().board()
        outcome = board.outcome(claim_draw=True)
        assert outcome is not None
        assert outcome.result() == record.result
        assert record.termination == "normal"
        assert record.reason in record.pgn.end().comment


def test_draw_by_adjudication_comes_after_its_move() -> None:
    rules = Rules(NODES, draw_score=10, draw_moves=3, draw_after=9)
    _, records = played(fake("A", "--score", "5"), fake("B", "--score", "-5"), 1, rules)
    assert (records[0].result, records[0].reason) == ("1/2-1/2", "draw by adjudication")
    assert records[0].pgn.end().board().fullmove_number == 9


@pytest.mark.parametrize(
    ("fault", "reason", "termination", "faulty"),
    [
        ("crash", "Bad crashed", "abandoned", True),
        ("hang", "Bad hangs", "abandoned", True),
        ("illegal", "Bad: ", "rules infraction", True),
        ("none-move", "Bad gives no move", "rules infraction", True),
        ("slow", "Bad loses on time", "time forfeit", False),
    ],
)
def test_faulty_engine_loses_and_is_started_again(
    fault: str, reason: str, termination: str, faulty: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    rules = Rules(NODES, timeout=2.0, resign_moves=0, draw_moves=0)
    if fault == "slow":
        rules = Rules(TimeControl(1.5, 0.05), margin=0.0, resign_moves=0, draw_moves=0)
    outcome, records = played(fake("Bad", "--fault", fault, "--after", "5", "--log", str(log)), fake("Good"), 2, rules)
    assert [record.result for record in records] == ["0-1", "1-0"]
    assert all(record.reason.startswith(reason) for record in records)
    assert all(record.termination == termination for record in records)
    assert outcome.tally.losses == 2
    assert outcome.tally.faults == ({"Bad": 2} if faulty else {})
    processes = {line.split()[0] for line in log.read_text().splitlines()}
    assert len(processes) == (2 if faulty else 1)
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(int(process), 0)


def test_options_are_set_and_fair_ones_too(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    played(fake("A", "--log", str(one), style="wild", Threads="3"), fake("B", "--log", str(two)), 1)
    said = {line.split(" ", 1)[1] for line in one.read_text().splitlines()}
    assert {"setoption name Style value wild", "setoption name Threads value 3"} <= said
    assert "setoption name OwnBook value false" in said
    assert "setoption name Threads value 1" in {line.split(" ", 1)[1] for line in two.read_text().splitlines()}


def test_engines_that_cannot_be_used_end_the_match() -> None:
    with pytest.raises(MatchError, match="cannot be started: No such file"):
        played(EngineSpec(("/no/such/engine",)), fake("B"), 2)
    with pytest.raises(MatchError, match="no option 'Hsah'"):
        played(fake("A", Hsah="3"), fake("B"), 2)
    with pytest.raises(MatchError, match="fake_engine"):
        played(fake("A", "--refuse-to-start"), fake("B"), 2)


def test_equal_names_are_told_apart() -> None:
    outcome, _ = played(fake("Twin"), fake("Twin"), 1, Rules(NODES, draw_moves=1, draw_after=0))
    assert outcome.names == ("Twin (1)", "Twin (2)")


def test_this_engine_plays_itself() -> None:
    """The engine under test, at a clock; a real game of a few moves."""
    rules = Rules(TimeControl(5.0, 0.0), margin=5.0, draw_moves=1, draw_score=30_000, draw_after=7)
    outcome, records = played(spec_of("this", {"Hash": "1"}), fake("B"), 1, rules)
    assert records[0].reason == "draw by adjudication", records[0].reason
    assert outcome.names[0].startswith("Pawnstar ")
    comments = [node.comment for node in records[0].pgn.mainline()]
    assert comments[0] == "book"
    assert comments[8].endswith("s")
    assert "/" in comments[8]


def test_sprt_stops_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    from pawnstar.tools.match.statistics import Sprt

    rules = Rules(NODES, timeout=5)
    match = Match(
        (fake("A"), fake("B", "--fault", "none-move")), default_openings(), rules, 1000, sprt=Sprt(0, 300, 0.2, 0.2)
    )
    outcome = match.run()
    assert outcome.verdict == "H1"
    assert outcome.tally.games < 60


# Counting and deciding.


def test_tally_joins_the_halves_of_pairs_in_any_order() -> None:
    def record(number: int, result: str) -> Record:
        return Record(number, "", "", result, "", "", chess.pgn.Game())

    tally = Tally()
    assert (tally.score, tally.strength(), tally.line(None)) == (0.5, "", "+0 =0 -0, 50.0 %")
    for number, result in ((2, "1/2-1/2"), (3, "0-1"), (1, "1-0"), (5, "1-0"), (4, "1-0"), (6, "0-1")):
        tally.add(record(number, result), first_is_white=number % 2 == 1)
    assert (tally.wins, tally.draws, tally.losses) == (3, 1, 2)
    assert tally.pairs == [1, 0, 0, 1, 1]
    assert "LOS" in tally.line(None)


@pytest.mark.parametrize(
    ("scores", "move", "result"),
    [
        ([1000, 1000, 1200, 9999], 5, "1-0"),
        ([-1000, -1500, -1200, -9999], 5, "0-1"),
        ([1000, 999, 1200, 9999], 5, None),
        ([1000, None, 1200, 9999], 5, None),
        ([1000, 1000, 1200], 5, None),
        ([0, 0, 900, 5, -5, 5, 10], 40, "1/2-1/2"),
        ([0, 0, 900, 5, -5, 5, 11], 40, None),
        ([0, 0, 900, 5, -5, 5, 10], 39, None),
        ([], 50, None),
    ],
)
def test_adjudication(scores: list[int | None], move: int, result: str | None) -> None:
    rules = Rules(NODES, resign_score=1000, resign_moves=2, draw_score=10, draw_moves=2, draw_after=40)
    decided = adjudicated(scores, rules, move)
    assert (decided[0] if decided is not None else None) == result
    assert adjudicated(scores, Rules(NODES, resign_moves=0, draw_moves=0), move) is None


# Openings.


def test_default_openings_are_legal_and_differ() -> None:
    openings = default_openings()
    boards = {opening.board().fen() for opening in openings}
    assert len(boards) == len(openings) == 26
    assert all(len(opening.moves) == 8 for opening in openings)


def test_openings_from_files(tmp_path: Path) -> None:
    epd = tmp_path / "x.epd"
    epd.write_text(
        '# a comment\n\nr3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm Ra8+; id "1";\n4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\n'
    )
    openings = read_openings(epd)
    assert [opening.board().fen() for opening in openings] == [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 b - - 3 17",
    ]
    pgn = tmp_path / "x.pgn"
    pgn.write_text('[Event "1"]\n\n1. e4 e5 2. Nf3 *\n\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Kd7 *\n')
    openings = read_openings(pgn, plies=2)
    assert [len(opening.moves) for opening in openings] == [2, 2]
    assert openings[1].board().fen() == "8/3k4/8/8/4P3/8/8/4K3 w - - 1 2"
    assert sorted(read_openings(None, seed=4), key=str) == sorted(default_openings(), key=str)
    assert read_openings(None, seed=4) != default_openings()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\nrubbish\n", "line 2: neither FEN nor EPD"),
        ("x.epd", "4k3/8/8/8/8/8/4P3/8 w - - 0 1\n", "line 1: not a legal position"),
        ("x.epd", "\n", "no opening in it"),
        ("x.epd", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1\n", "opening 1: the game is over"),
        ("x.pgn", "1. e4 e5 2. Ke3 *\n", "game 1: illegal san"),
    ],
)
def test_faulty_openings_are_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(OpeningsError, match=message):
        read_openings(tmp_path / name)


# The command.


def test_command_plays_reports_and_records(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    arguments = [fake_text("A"), fake_text("B", "--fault", "crash"), "--nodes", "1", "--games", "2", "--every", "1"]
    result = CliRunner().invoke(command, [*arguments, "--pgn", str(pgn), "--sprt", "0", "5", "--name1", "One"])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "One against B: 2 games, +2 =0 -0, 100.0 %"
    assert "pairs [0, 0, 0, 0, 1]" in lines[1]
    assert lines[2].startswith("SPRT elo 0 against 5: LLR ")
    assert lines[2].endswith("undecided")
    assert lines[3] == "B failed in 2 games"
    assert "game 1: One - B 1-0: B crashed" in result.stderr
    assert "2/2: +2 =0 -0" in result.stderr
    text = io.StringIO(pgn.read_text())
    for number, names in ((1, ("One", "B")), (2, ("B", "One"))):
        game = chess.pgn.read_game(text)
        assert game is not None
        assert not game.errors
        assert (game.headers["White"], game.headers["Black"]) == names
        assert game.headers["Round"] == str(number)
        assert game.headers["Termination"] == "abandoned"
        assert game.end().comment.endswith("B crashed")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "b", "--nodes", "1", "--depth", "2"], "exclude each other"),
        (["a", "b", "--tc", "fast"], "not of the form T or T+I"),
        (["a", "b", "--tc", "0+1"], "not of the form T or T+I"),
        (["a", "b", "--option1", "Hash"], "NAME=VALUE"),
        (["a", "b", "--openings", "/no/such/file"], "does not exist"),
        (["a", "b", "--sprt", "5", "0"], "elo0 must be below elo1"),
        (["'a", "b"], "No closing quotation"),
        (["", "b"], "command is empty"),
        (["a", "b", "--pgn", "/no/such/folder/x.pgn"], "cannot use '/no/such/folder/x.pgn'"),
        (["/no/such/engine", "b"], "cannot be started"),
    ],
)
def test_command_says_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code in (1, 2)
    assert message in result.output
    assert "Traceback" not in result.output


def test_command_line_values() -> None:
    assert parse_control(None, None, None) == TimeControl(10.0, 0.1)
    assert parse_control("60", None, None) == TimeControl(60.0, 0.0)
    assert str(parse_control("2.5+0.05", None, None)) == "2.5+0.05"
    assert str(parse_control(None, 5, None)) == "5 nodes"
    assert str(parse_control(None, None, 5)) == "depth 5"
    assert parse_options(["Hash=16", "EvalFile = a=b"]) == {"Hash": "16", "EvalFile": "a=b"}


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_interrupt_ends_a_match_with_its_results(tmp_path: Path) -> None:
    log, pgn = tmp_path / "log", tmp_path / "pgn"
    environment = {**os.environ, "PYTHONPATH": str(package_folder().parent)}
    arguments = [fake_text("A", "--log", str(log)), fake_text("B", "--log", str(log))]
    rules = ["--nodes", "1", "--games", "100000", "--draw-moves", "1", "--draw-after", "6", "--pgn", str(pgn)]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "pawnstar", "match", *arguments, *rules, "--concurrency", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (pgn.exists() and pgn.stat().st_size > 3000):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 0, errors
    assert output.startswith("A against B: ")
    assert output.endswith("interrupted\n")
    assert "Traceback" not in errors
    for engine in {int(line.split()[0]) for line in log.read_text().splitlines()}:
        with pytest.raises(ProcessLookupError):
            os.kill(engine, 0)


def test_missing_python_chess_is_said(tmp_path: Path) -> None:
    """In a process of its own, where no such module can be found."""
    script = "import sys; sys.modules['chess'] = None; from pawnstar.tools.commands import commands; commands()"
    done = subprocess.run(
        [sys.executable, "-c", script, "match", "a", "b"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(package_folder().parent)},
        check=False,
    )
    assert done.returncode == 1
    assert "pip install 'pawnstar[match]'" in done.stderr
