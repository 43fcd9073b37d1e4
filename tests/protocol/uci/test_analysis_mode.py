"""Analysis analyses: the book and the only-move shortcut are for play."""

import time

import chess
import chess.engine
import pytest
from programs import PATIENCE, Program, command, environment
from sessions import Session

ONLY_MOVE_INTO_MATE = "position fen k7/8/1K6/5R2/8/8/8/8 b - - 0 1"
ONLY_MOVE_THAT_MATES = "position fen 8/8/5R2/2k5/2q5/2K5/r3Q3/8 w - - 0 1"
# What was answered in a moment, from the book or because there was no choice: (position, kind of answer in play).
SHORTCUTS = {
    "book": ("position startpos", "book move"),
    "book later": ("position startpos moves a2a3", "book move"),
    "only move": (ONLY_MOVE_INTO_MATE, "only move"),
    "only capture": ("position fen k7/8/8/8/8/8/6r1/7K w - - 0 1", "only move"),
}


@pytest.fixture
def reader(session: Session) -> Session:
    session.give_book("a2a3 b7b6 g1f3")
    return session


def shortcuts_in(lines: list[str]) -> list[str]:
    return [line for line in lines if line in ("info string book move", "info string only move")]


@pytest.mark.parametrize("where", SHORTCUTS)
@pytest.mark.parametrize("words", ["depth 4", "nodes 3000", "movetime 50", "wtime 1000 btime 1000", "mate 2"])
def test_play_keeps_the_shortcuts(reader: Session, where: str, words: str) -> None:
    position, kind = SHORTCUTS[where]
    assert shortcuts_in(reader.answer(position, f"go {words}")) == [f"info string {kind}"]


@pytest.mark.parametrize("where", SHORTCUTS)
@pytest.mark.parametrize("words", ["depth 4", "nodes 3000", "movetime 200", "wtime 9000 btime 9000", "mate 2"])
def test_analysis_mode_searches(reader: Session, where: str, words: str) -> None:
    """In the start position a book move was all that an analysis brought, to whatever depth it was wanted."""
    position, _ = SHORTCUTS[where]
    lines = reader.answer("setoption name UCI_AnalyseMode value true", position, f"go {words}")
    assert shortcuts_in(lines) == []
    if "time" not in words:  # else the time may be over before
        assert lines[0].startswith("info depth  3 "), "the first line comes when it is found"
        assert any(" depth  4 " in line for line in lines)
    reader.send("setoption name UCI_AnalyseMode value false")
    assert len(shortcuts_in(reader.answer(position, f"go {words}"))) == 1, "false is play again"


@pytest.mark.parametrize("where", SHORTCUTS)
@pytest.mark.parametrize("words", ["infinite", "ponder infinite", "wtime 1000 infinite", "infinite nodes 100000"])
def test_infinite_searches(program: Program, where: str, words: str) -> None:
    position, _ = SHORTCUTS[where]
    program.send("setoption name OwnBook value true", position, f"go {words}")
    lines = program.until("info depth  4 ")
    assert shortcuts_in(lines) == []
    program.send("stop")
    program.until("bestmove")
    program.send("setoption name OwnBook value false")


def until(session: Session, lines: list[str], wanted: str) -> list[str]:
    """What was written and is written until a line holds ``wanted``, while a search runs."""
    end = time.monotonic() + PATIENCE
    while not any(wanted in line for line in lines) and time.monotonic() < end:
        time.sleep(0.01)
        lines += session.send()
    return lines


@pytest.mark.parametrize(
    ("position", "mate", "answer"), [(ONLY_MOVE_INTO_MATE, "-1", "a8b8"), (ONLY_MOVE_THAT_MATES, " 1", "e2c4")]
)
@pytest.mark.parametrize("words", ["infinite", "depth 1", "depth 4", "ponder"])
def test_a_mate_behind_an_only_move_is_told(
    session: Session, position: str, mate: str, answer: str, words: str
) -> None:
    """``score cp -540``: the only move was answered unsearched, with the evaluation."""
    if words != "infinite":
        session.send("setoption name UCI_AnalyseMode value true")
    lines = until(session, session.send(position, f"go {words}"), f" score mate {mate} ")
    lines += session.send("stop")
    scores = [line for line in lines if " score " in line]
    assert f" score mate {mate} " in scores[-1]
    assert lines[-1].startswith(f"bestmove {answer}")


def test_python_chess_analyses_and_plays() -> None:
    """It sets UCI_AnalyseMode by itself: true for ``analyse``, false for ``play``."""
    with chess.engine.SimpleEngine.popen_uci(command(), env=environment(), timeout=PATIENCE) as engine:
        info = engine.analyse(chess.Board(), chess.engine.Limit(depth=4), info=chess.engine.INFO_ALL)
        assert info["depth"] == 4, "not from the book"
        played = engine.play(chess.Board(), chess.engine.Limit(depth=4), info=chess.engine.INFO_ALL)
        assert played.info["string"] == "book move"
        info = engine.analyse(chess.Board("k7/8/1K6/5R2/8/8/8/8 b - - 0 1"), chess.engine.Limit(depth=4))
        assert info["score"].relative == chess.engine.Mate(-1)
