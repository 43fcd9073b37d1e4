"""Matches between engines: pairs, clocks, adjudication, faults, names, options."""

import asyncio
import os
import sys
from pathlib import Path
from typing import cast

import chess
import chess.engine
import chess.pgn
import psutil
import pytest
from fake_engine import command_of

from pawnstar.commands.match_report import summary
from pawnstar.matches.adjudication import adjudicated
from pawnstar.matches.engine_spec import EngineSpec, MatchError, spec_of, split_command
from pawnstar.matches.games import Record
from pawnstar.matches.openings import default_openings, ended
from pawnstar.matches.players import IllegalMove, NoMove, Player, UciEngine
from pawnstar.matches.runner import Match, Outcome, Tally
from pawnstar.matches.settings import MatchSettings, Rules, TimeControl
from pawnstar.matches.statistics import Sprt

pytestmark = pytest.mark.processes

NODES = TimeControl(nodes=1)


def fake(name: str, *arguments: str, **options: str) -> EngineSpec:
    return EngineSpec(command_of(name, *arguments), options)


def played(
    one: EngineSpec,
    two: EngineSpec,
    games: int,
    rules: Rules | None = None,
    concurrency: int = 1,
) -> tuple[Outcome, list[Record]]:
    records: list[Record] = []
    match = Match(
        (one, two),
        default_openings(),
        MatchSettings(rules or Rules(NODES), games, concurrency),
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
    assert records[0].scores == (5, -5) * 4


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
    assert not any(psutil.pid_exists(int(process)) for process in processes)


def test_a_null_move_loses_the_game() -> None:
    """`bestmove 0000` was played, even in check; then the *opponent* could not follow, and lost in its stead."""
    outcome, records = played(fake("Bad", "--answer", "0000"), fake("Good"), 2)
    assert [record.result for record in records] == ["0-1", "1-0"]
    for record in records:
        assert (record.termination, record.fault) == ("rules infraction", "Bad")
        assert record.reason.startswith("Bad: illegal move 0000 (it passes) in ")
    assert outcome.tally.faults == {"Bad": 2}


class _Wires:
    """What python-chess takes for a process's pipes: the engine has told its options, and gives one answer to `go`."""

    def __init__(self, engine: UciEngine, answer: str) -> None:
        self.engine = engine
        self.answer = answer

    def get_pid(self) -> int:
        return 0

    def get_pipe_transport(self, fd: int) -> "_Wires":
        return self

    def write(self, data: bytes) -> None:
        line = data.decode().strip()
        told = {"uci": "uciok", "isready": "readyok"}.get(line, self.answer if line.startswith("go") else "")
        asyncio.get_running_loop().call_soon(self.engine.pipe_data_received, 1, f"{told}\n".encode())


def answered(answer: str, board: chess.Board) -> chess.Move:
    """The move that an engine's ``answer`` to `go` is taken for."""

    async def ask() -> chess.Move:
        engine, player = UciEngine(), Player(fake("A"))
        engine.connection_made(cast(asyncio.SubprocessTransport, _Wires(engine, answer)))
        await engine.initialize()
        player._engine = engine
        played = await player.play(board, chess.engine.Limit(nodes=1), object(), 5.0)
        return played.move

    return asyncio.run(ask())


CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
PROMOTION = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


@pytest.mark.parametrize(
    ("answer", "fen"),
    [
        ("0000", chess.STARTING_FEN),
        ("0000 ponder e7e5", chess.STARTING_FEN),
        ("0000", CHECK),
        ("e1d1", CHECK.replace("4r3", "3rr3")),  # it stays in check
        ("e7e5", chess.STARTING_FEN),  # the other side's
        ("e2e5", chess.STARTING_FEN),
        ("e2e4q", chess.STARTING_FEN),
        ("N@e4", chess.STARTING_FEN),
        ("e4", chess.STARTING_FEN),
        ("a1a1", chess.STARTING_FEN),
        ("}xx{", chess.STARTING_FEN),
        ("a7a8", PROMOTION),  # without its piece
        ("a7a8k", PROMOTION),
        ("a7a8p", PROMOTION),
        ("e1g1", CASTLING.replace("8/4K2R", "5r2/4K2R")),  # through check
        ("e1h1", CASTLING.replace(" K ", " - ")),
        ("O-O", CASTLING),
    ],
)
def test_a_move_that_is_none_is_told(answer: str, fen: str) -> None:
    with pytest.raises(IllegalMove, match="illegal move ") as caught:
        answered(f"bestmove {answer}", chess.Board(fen))
    assert str(caught.value).startswith(f"illegal move {answer.split(maxsplit=1)[0]} ")
    assert str(caught.value).endswith(f" in {fen}")


@pytest.mark.parametrize("answer", ["", " ", " (none)", " (none) ponder e2e4", " NULL"])
def test_no_move_is_told(answer: str) -> None:
    with pytest.raises(NoMove):
        answered(f"bestmove{answer}", chess.Board())


@pytest.mark.parametrize(
    ("answer", "san"),
    [("E1E2", "Ke2"), ("e1h1", "O-O"), ("e1g1", "O-O"), ("H1H8 ponder 0000", "Rh8+"), ("h1h7 ponder }{", "Rh7")],
)
def test_legal_moves_in_other_ways_of_writing_are_played(answer: str, san: str) -> None:
    """Capitals, and castling as king takes rook, mean one move only; of the ponder move nothing depends."""
    board = chess.Board(CASTLING)
    assert board.san(answered(f"bestmove {answer}", board)) == san


def test_promotion_in_capitals() -> None:
    assert answered("bestmove a7a8Q", chess.Board(PROMOTION)) == chess.Move.from_uci("a7a8q")


def test_rubbish_before_the_move_is_overheard() -> None:
    rubbish = "option\noption name\nid\n\xff\ninfo pv e9e9 score cp x\ninfo depth\n" + "z" * 3_000_000 + "\n"
    assert answered(f"{rubbish}bestmove e2e4", chess.Board()) == chess.Move.from_uci("e2e4")


def test_engine_that_dies_in_a_later_game_loses_that_one_and_plays_on() -> None:
    rules = Rules(NODES, draw_moves=1, draw_after=6)
    outcome, records = played(fake("Bad", "--fault", "crash", "--from-game", "2"), fake("Good"), 3, rules)
    assert [record.reason for record in records] == [
        "draw by adjudication",
        "Bad crashed (exit status 3)",
        "draw by adjudication",
    ]
    assert outcome.tally.faults == {"Bad": 1}
    assert outcome.tally.endings == {"draw": 2, "crash": 1}


def test_engine_that_does_not_start_again_ends_the_match_with_its_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games before were told nowhere: the exception of the restart was all that the match said."""
    monkeypatch.setattr("pawnstar.matches.runner.RETRIES", 2)
    outcome, records = played(fake("Bad", "--fault", "crash", "--once", str(tmp_path / "once")), fake("Good"), 4)
    assert len(records) == outcome.tally.games == outcome.tally.losses == 1
    assert "ended before it was ready (exit status 1)" in outcome.failure


@pytest.mark.parametrize("what", ["uciok", "readyok"])
def test_engine_that_never_gets_ready_is_given_up(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine the start alone may take longer than the limit, of this engine or of the other one.
    for seconds in (1.0, 4.0, 16.0, 64.0):
        monkeypatch.setattr("pawnstar.matches.players.START_TIMEOUT", seconds)
        with pytest.raises(MatchError, match=rf"does not answer in {seconds:g} s \(no ") as caught:
            played(fake("Mute", "--no", what), fake("B"), 1)
        if "Mute" in str(caught.value) and f"(no {what})" in str(caught.value):
            return
    raise AssertionError(caught.value)


def test_rubbish_on_both_streams_and_wrong_ponder_moves_are_overheard(capfd: pytest.CaptureFixture[str]) -> None:
    rules = Rules(NODES, draw_moves=1, draw_after=6)
    outcome, records = played(fake("Loud", "--chatter"), fake("B"), 1, rules)
    assert records[0].reason == "draw by adjudication"
    assert not outcome.tally.faults
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.name == "nt", reason="process groups")
def test_what_an_engine_has_started_ends_with_it(tmp_path: Path) -> None:
    """A script that starts the engine is killed alone: the engine stayed behind, and kept its output open."""
    log = tmp_path / "log"
    arguments = ("--child", "--deaf", "--fault", "hang", "--log", str(log))
    outcome, _ = played(fake("Bad", *arguments), fake("Good"), 2, Rules(NODES, timeout=1.0))
    assert outcome.tally.faults == {"Bad": 2}
    processes = {int(line.split()[0]) for line in log.read_text().splitlines()}
    assert len(processes) == 2
    for process in processes:  # its parent is gone too; where nobody waits for such processes they stay as zombies
        assert not psutil.pid_exists(process) or psutil.Process(process).status() == psutil.STATUS_ZOMBIE


def test_options_are_set_and_fair_ones_too(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    played(fake("A", "--log", str(one), style="wild", Threads="3"), fake("B", "--log", str(two)), 1)
    said = {line.split(" ", 1)[1] for line in one.read_text().splitlines()}
    assert {"setoption name Style value wild", "setoption name Threads value 3"} <= said
    assert "setoption name OwnBook value false" in said
    assert "setoption name Threads value 1" in {line.split(" ", 1)[1] for line in two.read_text().splitlines()}


@pytest.mark.parametrize(
    "option",
    [
        "X type spin default abc min 1 max 9",
        "X type spin default 0 min 1 max 9",
        "X type spin min 1 max 9",
        "X type combo default Z var A var B",
        "X type combo default  var A var B",
        "MultiPV type spin default 0 min 1 max 3",
        "Threads type spin default 2 min 2 max 8",
        "OwnBook type combo default on var on var off",
        "OwnBook type spin default 1 min 0 max 1",
        "X type check surely default true",
    ],
)
def test_engine_with_an_odd_option_plays(option: str) -> None:
    """Its default was not among its own values, or it has no such value as the match sets: the engine was refused."""
    _, records = played(fake("A", "--option", option), fake("B"), 1, Rules(NODES, draw_moves=1, draw_after=6))
    assert records[0].reason == "draw by adjudication"


def test_values_of_options_are_those_of_the_engine(tmp_path: Path) -> None:
    """`OwnBook=False` and `OwnBook=maybe` switched the book on."""
    log = tmp_path / "log"
    combo = "Level type combo default Low var Low var High End"
    spec = fake("A", "--log", str(log), "--option", combo, ownbook="FALSE", level="high end")
    played(spec, fake("B"), 1, Rules(NODES, draw_moves=1, draw_after=6))
    said = {line.split(" ", 1)[1] for line in log.read_text().splitlines()}
    assert {"setoption name OwnBook value false", "setoption name Level value High End"} <= said
    with pytest.raises(MatchError, match="'OwnBook' is one of true, false, not 'maybe'"):
        played(fake("A", OwnBook="maybe"), fake("B"), 1)


def test_preparing_a_game_takes_no_time_off_the_clock() -> None:
    """A large table that `ucinewgame` clears cost the engine the time, and the game, before its first `go`."""
    rules = Rules(TimeControl(0.6, 0.5), margin=0.2, draw_moves=1, draw_after=6)
    outcome, records = played(fake("A", "--slow-new-game", "1.0"), fake("B"), 1, rules)
    assert records[0].reason == "draw by adjudication"
    assert outcome.tally.seconds[0] < 0.8


def test_absurd_depths_and_scores_do_not_end_the_match() -> None:
    """Numbers of hundreds of digits are no floating-point numbers."""
    huge = "9" * 400
    rules = Rules(NODES, draw_moves=1, draw_after=8)
    outcome, records = played(fake("A", "--info", f"depth {huge} score cp {huge}"), fake("B"), 1, rules)
    assert records[0].fault == ""
    assert "s/move" in summary(outcome, MatchSettings(rules, 1))


def test_long_names_are_cut() -> None:
    outcome, _ = played(fake("x" * 5000), fake("B"), 1, Rules(NODES, draw_moves=1, draw_after=6))
    assert outcome.names == ("x" * 80, "B")


def test_engines_that_cannot_be_used_end_the_match() -> None:
    with pytest.raises(MatchError, match="cannot be started: No such file"):
        played(EngineSpec(("/no/such/engine",)), fake("B"), 2)
    with pytest.raises(MatchError, match="no option 'Stile'; did you mean 'Style'"):
        played(fake("A", Stile="3"), fake("B"), 2)
    with pytest.raises(MatchError, match="fake_engine"):
        played(fake("A", "--refuse-to-start"), fake("B"), 2)


def test_equal_names_are_told_apart() -> None:
    outcome, _ = played(fake("Twin"), fake("Twin"), 1, Rules(NODES, draw_moves=1, draw_after=0))
    assert outcome.names == ("Twin (1)", "Twin (2)")


@pytest.mark.parametrize("concurrency", [1, 2])
def test_names_stay_the_same_over_restarts(concurrency: int) -> None:
    """Two engines of one name: the restarted one lost its number, and its faults were counted for two players."""
    spec = fake("Twin", "--fault", "crash")
    outcome, records = played(fake("Twin"), spec, 4, concurrency=concurrency)
    assert outcome.names == ("Twin (1)", "Twin (2)")
    assert outcome.tally.faults == {"Twin (2)": 4}
    for record in records:
        names = ("Twin (1)", "Twin (2)") if record.number % 2 else ("Twin (2)", "Twin (1)")
        assert (record.white, record.black) == names
        assert (record.pgn.headers["White"], record.pgn.headers["Black"]) == names
        assert record.reason == "Twin (2) crashed (exit status 3)"


@pytest.mark.parametrize("given", [True, False])
def test_names_are_escaped_in_tags(given: bool) -> None:
    """Quotes and backslashes were written as they are, and a line break ended the tag in its middle."""
    name = 'a"b\\c]\n[d\t'
    rules = Rules(NODES, draw_moves=1, draw_after=6)
    one = EngineSpec(fake("A").command, {}, name) if given else fake('a"b\\c] [d\t')
    _, records = played(one, fake("B"), 1, rules)
    assert records[0].white == 'a"b\\c] [d'
    assert '[White "a\\"b\\\\c] [d"]' in records[0].text().splitlines()


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
    rules = Rules(NODES, timeout=5)
    match = Match(
        (fake("A"), fake("B", "--fault", "none-move")),
        default_openings(),
        MatchSettings(rules, 1000, sprt=Sprt(0, 300, 0.2, 0.2)),
    )
    outcome = match.run()
    assert outcome.verdict == "H1"
    assert outcome.tally.games < 60


# Counting and deciding.


def test_tally_joins_the_halves_of_pairs_in_any_order() -> None:
    def record(number: int, result: str) -> Record:
        return Record(number, "", "", result, "", "", chess.pgn.Game())

    tally = Tally()
    assert (tally.score, tally.strength(), tally.line(None)) == (0.5, [], "+0 =0 -0, 50.0 %")
    for number, result in ((2, "1/2-1/2"), (3, "0-1"), (1, "1-0"), (5, "1-0"), (4, "1-0"), (6, "0-1")):
        tally.add(record(number, result), first_is_white=number % 2 == 1)
    assert (tally.wins, tally.draws, tally.losses) == (3, 1, 2)
    assert tally.pairs == [1, 0, 0, 1, 1]
    assert "LOS" in tally.line(None)


def test_every_game_counts_though_its_partner_is_missing() -> None:
    """Of one game there was no Elo at all, and of three games the third did not count."""
    tally = Tally()
    tally.add(Record(1, "", "", "1-0", "", "", chess.pgn.Game()), first_is_white=True)
    assert tally.unpaired == 1
    assert tally.counts == [0, 0, 0, 0, 0.5]
    assert tally.strength()[0].startswith("Elo +120.4 ")
    tally.add(Record(4, "", "", "1/2-1/2", "", "", chess.pgn.Game()), first_is_white=False)
    assert tally.counts == [0, 0, 0.5, 0, 0.5]
    tally.add(Record(2, "", "", "1-0", "", "", chess.pgn.Game()), first_is_white=False)
    assert tally.counts == [0, 0, 1.5, 0, 0]
    assert "inf" not in tally.line(None)


def test_a_draw_is_claimed_when_it_stands_on_the_board() -> None:
    """The game ended before the engine's move where *some* legal move would have repeated the position once more."""
    board = chess.Board("4k3/8/8/8/8/8/4P3/4K1R1 w - - 0 1")
    for move in ["g1g2", "e8e7", "g2g1", "e7e8", "g1g2", "e8e7", "g2g1"]:
        board.push_uci(move)
        assert ended(board) is None
    assert board.outcome(claim_draw=True) is not None  # what was asked before: Ke8 would repeat
    board.push_uci("e7e8")
    assert ended(board) == ("1/2-1/2", "threefold repetition")
    assert ended(chess.Board("4k3/8/8/8/8/8/4P3/4K1R1 w - - 99 90")) is None
    assert ended(chess.Board("4k3/8/8/8/8/8/4P3/4K1R1 w - - 100 90")) == ("1/2-1/2", "fifty moves")
    assert ended(chess.Board("R3k3/7R/8/8/8/8/8/4K3 b - - 100 90")) == ("1-0", "checkmate")


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


# Command lines.


def test_blanks_in_a_path(tmp_path: Path) -> None:
    """Windows kept the quotes as part of the name; without quotes the name was cut, and "No such file" said of it."""
    folder = tmp_path / "my engines"
    folder.mkdir()
    program = folder / "sp ace.py"
    program.touch(mode=0o755)
    path = str(program)
    for windows in (False, True):
        assert split_command(path, windows) == [path]
        assert split_command(f"  {path} ", windows) == [path]
        assert split_command(f"{path} --a  b", windows) == [path, "--a", "b"]
        assert split_command(f'"{path}" --a "b c"', windows) == [path, "--a", "b c"]
        assert split_command(f'{sys.executable} "{path}"', windows) == [sys.executable, path]
        assert split_command("sf --a", windows) == ["sf", "--a"]
        assert split_command("", windows) == []
    assert split_command(f"'{path}' 'b c'", False) == [path, "b c"]
    assert split_command(path.replace(" ", "\\ "), False) == [path]
    assert split_command(r'"C:\Program Files\x y\sf.exe" --a', True) == [r"C:\Program Files\x y\sf.exe", "--a"]
    assert split_command(r'C:\"Program Files"\sf.exe --log="a b"', True) == [r"C:\Program Files\sf.exe", "--log=a b"]
    quoted = folder / "o'brien's engine"
    quoted.touch(mode=0o755)
    assert split_command(str(quoted), False) == [str(quoted)]
    for text, windows in (("'a", False), ('"a', True)):
        with pytest.raises(ValueError, match="No closing quotation"):
            split_command(text, windows)


def test_a_path_from_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside quotes no shell resolves it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert split_command("~/sf --a ~/b") == [os.path.expanduser("~/sf"), "--a", "~/b"]


@pytest.mark.skipif(os.name == "nt", reason="permissions and first lines")
def test_what_cannot_be_started_is_explained(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    (tmp_path / "script").write_text("#!/no/such/interpreter\n")
    (tmp_path / "script").chmod(0o755)
    (tmp_path / "rubbish").write_text("rubbish")
    (tmp_path / "rubbish").chmod(0o755)
    for text, advice in (
        (str(tmp_path), "it is a folder"),
        (str(tmp_path / "text"), "chmod [+]x"),
        (str(tmp_path / "script"), "interpreter"),
        (str(tmp_path / "rubbish"), "no program for this machine"),
        ("no-such-engine", "write [.]/ before"),
        (str(tmp_path / "no such engine"), "needs quotes inside the quotes"),
    ):
        with pytest.raises(MatchError, match=f"cannot be started.*{advice}"):
            played(spec_of(text, {}), fake("B"), 1)
