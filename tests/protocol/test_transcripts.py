"""The siblings' dialogues, within this process: every line of every answer, but for times and what section 23 adds.

Plain Python leaves out the long searches. The installed program is held to the same dialogues in ``test_program.py``.
"""

import random
import time

import pytest
from modes import COMPILED
from nets import Net
from sessions import Session, masked
from transcripts import REMARKS, Step, bestmove, is_go, read_transcript, without_additions

from pawnstar.engine.book import Book

SEARCHES = [
    "02_diagnostics",
    pytest.param("04_depth6_40", marks=pytest.mark.compiled_only),
    pytest.param("05_carry_over", marks=pytest.mark.compiled_only),
    "06_searchmoves_nodes",
    pytest.param("07_mates_stalemates_forced", marks=pytest.mark.compiled_only),
    "08_draws_clocks",
    "09_malformed",
    pytest.param("11_hash", marks=pytest.mark.compiled_only),
    pytest.param("14_kings_near", marks=pytest.mark.compiled_only),
    pytest.param("15_random_220", marks=pytest.mark.compiled_only),
]
# Plain Python plays those searches of the longest dialogues whose last report is below so many nodes.
PLAIN_NODES = 2000


def held_to(session: Session, steps: list[Step]) -> None:
    for number, step in enumerate(steps, 1):
        received = without_additions(step, masked(session.send(step.command)))
        assert received == step.answer, f"step {number}: {step.command!r}"


@pytest.mark.parametrize("name", SEARCHES)
def test_dialogue(name: str, parity: Net) -> None:
    transcript = read_transcript(name)
    session = Session(parity.network)
    held_to(session, transcript.steps)
    assert transcript.steps[-1].command == "quit"
    assert not session.running
    assert transcript.status in (0, None)


@pytest.mark.skipif(COMPILED, reason="compiled, the whole dialogues are played")
@pytest.mark.parametrize(
    ("name", "count"),
    [("04_depth6_40", 4), ("05_carry_over", 18), ("07_mates_stalemates_forced", 7), ("11_hash", 4)],
)
def test_start_of_dialogue(name: str, count: int, parity: Net) -> None:
    """What plain Python has the time for, of the long ones."""
    held_to(Session(parity.network), read_transcript(name).steps[:count])


def games(steps: list[Step]) -> list[list[Step]]:
    """A dialogue cut in front of each ``ucinewgame``: parts that stand alone, as nothing is carried over."""
    parts: list[list[Step]] = [[]]
    for step in steps:
        if step.command == "ucinewgame":
            parts.append([])
        parts[-1].append(step)
    return [part for part in parts if any(is_go(step.command) for step in part)]


def reported_nodes(part: list[Step]) -> int:
    """The nodes of the last report."""
    counts = [
        int(line.split()[line.split().index("nodes") + 1]) for step in part for line in step.answer if " nodes " in line
    ]
    return max(counts, default=0)


@pytest.mark.skipif(COMPILED, reason="compiled, the whole dialogues are played")
@pytest.mark.parametrize(("name", "count"), [("14_kings_near", 7), ("15_random_220", 33)])
def test_small_searches_of_dialogue(name: str, count: int, parity: Net) -> None:
    small = [part for part in games(read_transcript(name).steps) if reported_nodes(part) < PLAIN_NODES]
    assert len(small) == count
    session = Session(parity.network)
    session.send("setoption name OwnBook value false")
    for part in small:
        held_to(session, part)


def test_every_remark_belongs_to_a_recorded_line() -> None:
    """Guards the guard: a remark whose line of input is misspelt would be expected nowhere."""
    commands = {step.command for name in ("06_searchmoves_nodes", "09_malformed", "11_hash") for step in steps(name)}
    assert set(REMARKS) <= commands


def steps(name: str) -> list[Step]:
    return read_transcript(name).steps


@pytest.mark.parametrize(
    ("answer", "received"),
    [
        (["bestmove e2e4"], ["bestmove e2e4"]),  # no score before it
        (["bestmove e2e4"], ["info depth 0 score cp 3 time 0 nodes 0 nps 0 hashfull 0 pv e2e3", "bestmove e2e4"]),
        (["bestmove e2e4"], ["info depth 0 score cp 3 time 1 nodes 0 nps 0 hashfull 0 pv e2e4", "bestmove e2e4"]),
        ([], []),
        ([], ["bestmove (none)"]),
        ([], ["info depth 0 score cp 0", "info depth 0 score mate 0", "bestmove (none)"]),
    ],
)
def test_comparison_sees_missing_additions(answer: list[str], received: list[str]) -> None:
    """Guards the guard."""
    with pytest.raises(AssertionError):
        without_additions(Step("go depth 3", answer), received)


@pytest.mark.parametrize(
    "received", [[], ["8/8 w - - 0 1"], ["info string the engine's own move a2a4 has been played; x", "8/8 w - - 0 1"]]
)
def test_comparison_sees_that_the_own_move_is_not_told(received: list[str]) -> None:
    """Guards the guard."""
    with pytest.raises(AssertionError):
        without_additions(Step("getboard", ["8/8 w - - 0 1"], answered="a2a3"), received)


def test_recorded_handshake(parity: Net) -> None:
    """``uci``, ``isready`` and ``help``; this project's help has two commands more."""
    session = Session(parity.network)
    for step in steps("01_handshake"):
        received = without_additions(step, session.send(step.command))
        if step.command == "help":
            more = [line for line in received if line.split()[0] in ("d", "zobrist")]
            assert len(more) == 2
            assert received == [received[0], *sorted(received[1:])]
            received = [line for line in received if line not in more]
        assert received == step.answer


def test_bookmoves_have_the_recorded_shape(parity: Net) -> None:
    """The book is the project's own, so only the shape is compared: this book makes the recorded answers."""
    expected = steps("03_bookmoves")
    counts = {"c2c4": 53, "d2d4": 186, "e2e4": 61 - 17, "g1f3": 84, "g2g3": 1}
    lines = [move for move, count in counts.items() for _ in range(count)]
    lines += ["1. e2e4 e7e5 2. g1f3 # the main line"] * 15 + ["e2e4 e7e5 b1c3", "e2e4 e7e5 f2f4?"]
    random.Random(1).shuffle(lines)
    session = Session(parity.network)
    session.uci.book = Book(lines)
    for step in expected:
        # The recorded rows are sorted together; questionable ones come last.
        head, rows = (received := session.send(step.command))[:1], received[1:]
        assert [*head, *sorted(rows)] == step.answer, step.command
        marked = [row.endswith("(questionable, never played)") for row in rows]
        assert marked == sorted(marked)


def test_nothing_is_searched_when_the_book_has_a_move(parity: Net) -> None:
    session = Session(parity.network)
    session.uci.book = Book(["a2a3 b7b6"])
    session.send("position startpos")
    first, second, third = session.send("go depth 5")
    assert first == "info string book move"
    full = session.uci.engine.evaluate(session.uci.game.history[0])
    assert second == f"info depth 0 score cp {full} time 0 nodes 0 nps 0 hashfull 0 pv a2a3"
    assert third == "bestmove a2a3"
    # The answer has been played, and the book knows the reply; questionable and unknown moves are another matter.
    assert session.send("go depth 5")[-1] == "bestmove b7b6"
    assert session.send("go depth 4")[0].startswith("info depth  4")


@pytest.mark.parametrize(
    ("setting", "used"), [("true", True), ("false", False), ("TRUE", False), ("", False), ("true x", False)]
)
def test_own_book_is_true_only_for_exactly_true(parity: Net, setting: str, used: bool) -> None:
    session = Session(parity.network)
    session.uci.book = Book(["a2a3"])
    session.send(f"setoption name OwnBook value {setting}")
    assert (session.send("go depth 3")[0] == "info string book move") == used


@pytest.mark.parametrize("moves", ["e7e5", "a2a3", "zzzz h2h4"])
def test_book_is_not_asked_when_moves_are_given_even_illegal_ones(parity: Net, moves: str) -> None:
    """A list of nothing but illegal moves once counted as no list, so that the book answered for it.

    The siblings search all moves then (06_searchmoves_nodes, third ``go``), which no test saw as long as no book was
    there.
    """
    session = Session(parity.network)
    session.uci.book = Book(["d2d4"])
    lines = session.send(f"go searchmoves {moves} depth 3")
    assert "info string book move" not in lines
    assert bestmove(lines) == {"e7e5": "e2e3", "a2a3": "a2a3", "zzzz h2h4": "h2h4"}[moves]


def test_only_move_is_searched_when_moves_are_given(parity: Net) -> None:
    session = Session(parity.network)
    session.send("position fen k7/8/8/8/8/8/6r1/7K w - - 0 1")
    lines = session.send("go searchmoves a1a2 depth 3")
    assert "info string only move" not in lines
    assert lines[-2].startswith("info depth  3 ")
    assert lines[-1] == "bestmove h1g2"


def test_stop_and_ponder_have_the_recorded_shape(parity: Net) -> None:
    """The moves depend on time; what comes when does not."""
    session = Session(parity.network)
    commands = [step.command for step in steps("10_stop_ponder_shape")]
    assert commands[2:] == [
        "go infinite",
        "stop",
        "position startpos moves e2e4",
        "go ponder wtime 1000 btime 1000",
        "ponderhit",
        "position startpos moves e2e4",
        "go ponder depth 3",
        "ponderhit",
        "position startpos",
        "go movetime 50",
        "position startpos",
        "go wtime 300 btime 300 winc 0 binc 0 movestogo 10",
        "position startpos",
        "go infinite",
        "quit",
    ]
    for step in steps("10_stop_ponder_shape"):
        held_back = step.command.startswith(("go infinite", "go ponder"))
        lines = session.send(step.command, wait=not held_back)
        if step.notes:
            assert step.notes == ["(no bestmove yet)"]
            deadline = time.monotonic() + 30
            while not any(line.startswith("info depth  3") for line in lines) and time.monotonic() < deadline:
                time.sleep(0.01)
                lines += session.taken()
            assert lines[-1].startswith("info depth  3"), "the search has come to its end"
            time.sleep(0.1)
            assert session.taken() == [], "and must wait for ponderhit"
        if bestmove(step.answer) is None:
            assert bestmove(lines) is None, step.command
        else:
            assert len([line for line in lines if line.startswith("bestmove ")]) == 1, step.command
            assert lines[-1].startswith("bestmove ")
    assert not session.running
