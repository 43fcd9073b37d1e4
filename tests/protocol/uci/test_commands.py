"""The commands of a session, its options, ``position`` and ``go`` aside; and that no fault in one is fatal."""

import chess
import pytest
from modes import COMPILED
from nets import Net
from sessions import Session, masked, set_bench_positions
from transcripts import bestmove

from pawnstar.chess.fen import START_FEN


@pytest.mark.parametrize("line", ["isready", "  isready  ", "isready\r", "\tisready\r\n", "isready and more"])
def test_isready(session: Session, line: str) -> None:
    assert session.send(line) == ["readyok"]


@pytest.mark.parametrize("line", ["", "   ", "\t", "\r", "\r\n", "\x0b\x0c"])
def test_empty_lines_are_passed_over(session: Session, line: str) -> None:
    assert session.send(line) == []


@pytest.mark.parametrize("line", ["UCI", "nonsense", "Go depth 3", "xyzzy " * 2000, "é\x00\ud800", "\x1b[2J"])
def test_unknown_commands_are_reported_and_ignored(session: Session, line: str) -> None:
    (answer,) = session.send(line)
    assert answer.startswith("info string unknown command '")
    assert len(answer) < 200
    assert answer.isprintable()


def test_every_output_line_is_one_write(session: Session) -> None:
    for line in ("uci", "d", "zobrist", "dbg", "help", "eval", "nnue", "getboard", "isready"):
        session.start(line)
        assert len(session.stream.writes) == 1, line
        session.taken()
    session.start("position startpos", "go depth 5")
    session.wait()
    assert len(session.stream.writes) > 1
    assert all(write.count("\n") == 1 and write.endswith("\n") for write in session.stream.writes)


@pytest.mark.parametrize("line", ["debug on", "debug off", "debug", "register later", "register name x code y"])
def test_commands_of_uci_that_ask_nothing_are_accepted(session: Session, line: str) -> None:
    """They were unknown commands, though UCI has them."""
    assert session.send(line, "isready") == ["readyok"]


def test_eval_nnue_getboard(session: Session) -> None:
    session.send("position startpos moves e2e4")
    evaluation, raw, board = session.send("eval", "nnue", "getboard")
    assert evaluation.startswith("evaluation ")
    assert evaluation.endswith(" (nnue)")
    assert raw == f"nnue {evaluation.split()[1]}"
    assert board == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"


def test_d_shows_board_fen_key_and_checkers(session: Session) -> None:
    lines = session.send("position fen 4k3/8/8/8/8/8/4q3/4K3 w - - 3 7", "d")
    assert len([line for line in lines if line.startswith("  +---")]) == 9
    assert "1 |   |   |   |   | K |   |   |   |" in lines
    assert "Fen: 4k3/8/8/8/8/8/4q3/4K3 w - - 3 7" in lines
    assert "Checkers: e2" in lines


def test_zobrist_parts_make_the_key(session: Session) -> None:
    lines = session.send("position startpos moves e2e4", "zobrist")
    parts = {line[:12].strip(): int(line[13:], 16) for line in lines}
    key = parts.pop("key")
    total = 0
    for part in parts.values():
        total ^= part
    assert total == key
    assert len(parts) == 32 + 3
    assert f"Key: {key:016x}" in session.send("d")


def test_dbg_and_dbgclear(session: Session) -> None:
    rule = "********************* DEBUGX *********************"
    session.send("dbgclear")
    assert session.send("dbg") == [rule, "*" * 50]
    session.answer("position startpos", "go depth 4")
    lines = session.send("dbg")
    names = [line[:40].strip() for line in lines[1:-1]]
    assert names == sorted(names)
    assert "alpha beta calls" in names
    assert all(len(line) == 50 for line in lines)
    session.send("dbgclear")
    assert session.send("dbg") == [rule, "*" * 50]


def test_eval_while_a_search_runs_is_of_the_game_and_not_counted(session: Session) -> None:
    session.send("position startpos moves e2e4 e7e5 g1f3")
    (before,) = session.send("eval")
    session.send("go infinite")
    during = [line for line in session.send("eval") if line.startswith("evaluation")]
    session.send("stop")
    assert during == [before]


def test_help_lists_commands_that_are_there_by_name(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    set_bench_positions(monkeypatch, (START_FEN,))
    first, *rows = session.send("help")
    assert first == "Available commands:"
    assert len(rows) > 15
    assert all(row[12] == " " and row[13] != " " for row in rows)
    names = [row[:12].strip() for row in rows]
    assert names == sorted(names)
    for name in names:
        answers = session.send(f"{name} 1") + session.send("stop")
        assert not any("unknown command" in line for line in answers), name
    assert not session.send("quit")
    assert not session.running


@pytest.mark.parametrize(("depth", "total"), [(1, 20), (2, 400), (3, 8902), (4, 197281)])
def test_go_perft(session: Session, depth: int, total: int) -> None:
    if depth == 4 and not COMPILED:
        pytest.skip("compiled only: too slow in plain Python")
    lines = session.send("position startpos", f"go perft {depth}")
    moves = [line for line in lines if ": " in line and not line.startswith("Nodes")]
    assert len(moves) == 20
    assert sum(int(line.split(": ")[1]) for line in moves) == total
    assert depth != 3 or "e2e4: 600" in moves
    assert lines[-3:] == ["", f"Nodes searched: {total}", ""]
    assert session.send("getboard") == [START_FEN]


@pytest.mark.parametrize("depth", ["0", "-1", "65", "9223372036854775807"])
def test_go_perft_refuses_senseless_depths(session: Session, depth: str) -> None:
    (line,) = session.send(f"go perft {depth}")
    assert line.startswith("info string go perft: ")


@pytest.mark.parametrize("words", ["perft", "perft x", "perft 2.x", "perft infinitely", "perft perft"])
def test_go_perft_without_a_number_plays_nothing(session: Session, words: str) -> None:
    """It was taken for a plain ``go``: a search by a clock of five minutes, whose answer then stood on the board."""
    lines = session.answer("position startpos", f"go {words}")
    assert lines
    assert all(line.startswith("info string go perft: ") for line in lines)
    assert session.started == []
    assert session.answer("go perft x depth 1")[-1].startswith("bestmove "), "where there is another limit, it holds"


# The engine's own move.


OWN_MOVE = "info string the engine's own move {} has been played; 'position' sets up another"


@pytest.mark.parametrize("command", ["d", "eval", "getboard"])
def test_the_own_move_on_the_board_is_told(session: Session, command: str) -> None:
    """After ``go`` the board was another one than ``position`` had set up, without a word."""
    plain = len(session.send(command))
    move = session.answer("position startpos", "go depth 3")[-1].split()[1]
    told, *rest = session.send(command)
    assert told == OWN_MOVE.format(move)
    assert len(rest) == plain
    # A second go answers for the other side.
    reply = session.answer("go depth 3")[-1].split()[1]
    assert session.send(command)[0] == OWN_MOVE.format(reply)
    for line in ("position", "position fen", "setoption name Clear Hash", "stop", "isready"):
        session.send(line)
        assert session.send(command)[0] == OWN_MOVE.format(reply), line
    for line in ("position startpos", "ucinewgame", "position startpos moves e2e4"):
        session.send(line)
        assert len(session.send(command)) == plain, line


@pytest.mark.parametrize("command", ["d", "eval", "getboard"])
def test_no_own_move_where_none_was_played(session: Session, command: str) -> None:
    session.answer("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3")
    assert not any("own move" in line for line in session.send(command))
    session.send("position startpos", "go infinite")
    assert not any("own move" in line for line in session.send(command))
    session.send("stop")
    assert "own move" in session.send(command)[0]
    session.send("position moves e7e5 e7e6 a7a6")
    assert not any("own move" in line for line in session.send(command)), "the board is what position made of it"


def test_answer_is_played_on_the_board(session: Session) -> None:
    session.send("position startpos")
    move = session.answer("go depth 3")[-1].split()[1]
    _, after = session.send("getboard")
    assert [position.key for position in session.history] == [session.started[0].position.key]
    assert session.send(f"position startpos moves {move}", "getboard") == [after]


# The book.


BOOK = """
e2e4 e7e5 g1f3
e2e4 c7c5
1.d2d4 d2d4 d7d5   # a comment
# nothing but a comment

e2e4 e7e5 f2f4?
"""


@pytest.fixture
def reader(session: Session) -> Session:
    """A session with a book."""
    session.give_book(*BOOK.splitlines())
    return session


def test_bookmoves(reader: Session) -> None:
    assert reader.send("bookmoves") == ["MOVE   COUNT", "d2d4       1", "e2e4       3"]
    assert reader.send("position startpos moves e2e4 e7e5", "bookmoves") == [
        "MOVE   COUNT",
        "g1f3       1",
        "f2f4?      1  (questionable, never played)",
    ]
    assert reader.send("position startpos moves a2a4", "bookmoves") == []


@pytest.mark.parametrize("line", ["freebook", "setoption name OwnBook value false"])
def test_no_book_move_without_the_book(reader: Session, line: str) -> None:
    position = "position startpos moves e2e4 e7e5"
    assert reader.answer(position, "go depth 3")[0] == "info string book move"
    reader.send(line)
    assert reader.answer(position, "go depth 3")[0].startswith("info depth  3")


def test_nothing_is_searched_when_the_book_has_a_move(session: Session) -> None:
    session.give_book("a2a3 b7b6")
    session.send("position startpos")
    first, second, third = session.answer("go depth 5")
    assert first == "info string book move"
    full = session.engine.evaluate(session.history[0])
    assert second == f"info depth 0 score cp {full} time 0 nodes 0 nps 0 hashfull 0 pv a2a3"
    assert third == "bestmove a2a3"
    # The answer has been played, and the book knows the reply; questionable and unknown moves are another matter.
    assert session.answer("go depth 5")[-1] == "bestmove b7b6"
    assert masked(session.answer("go depth 4"))[0].startswith("info depth  4")


@pytest.mark.parametrize("moves", ["e7e5", "a2a3", "zzzz h2h4"])
def test_book_is_not_asked_when_moves_are_given_even_illegal_ones(parity: Net, moves: str) -> None:
    """A list of nothing but illegal moves once counted as no list, so that the book answered for it.

    The siblings search all moves then (06_searchmoves_nodes, third ``go``), which no test saw as long as no book was
    there.
    """
    session = Session(parity.network, 64)
    session.give_book("d2d4")
    lines = session.answer(f"go searchmoves {moves} depth 3")
    assert "info string book move" not in lines
    assert bestmove(lines) == {"e7e5": "e2e3", "a2a3": "a2a3", "zzzz h2h4": "h2h4"}[moves]


# Faults.


def test_an_internal_error_in_a_search_still_answers(session: Session) -> None:
    """A fault in the search hung the GUI: no bestmove came, and a traceback went to standard error."""
    session.break_search(RuntimeError("broken\nin two lines"))
    told, answer = session.answer("position startpos", "go depth 3")
    assert told == "info string internal error: RuntimeError: broken?in two lines"
    assert chess.Move.from_uci(answer.removeprefix("bestmove ")) in chess.Board().legal_moves


def test_an_internal_error_in_a_command_ends_nothing(session: Session) -> None:
    session.break_command("d", KeyError("x"))
    assert session.send("d", "isready") == ["info string internal error in 'd': KeyError: 'x'", "readyok"]
