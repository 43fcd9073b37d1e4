"""``position``: what its words make of the game, what is refused, and what is told of it."""

import time

import chess
import pytest
from modes import COMPILED
from sessions import Session, check_answer

from pawnstar.chess.fen import START_FEN
from pawnstar.chess.generation import legal_moves


@pytest.mark.parametrize(
    ("line", "board"),
    [
        ("position startpos", START_FEN),
        ("position nonsense startpos", START_FEN),
        (
            "position startpos e2e4 moves moves e7e5",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
        ),
        ("position startpos moves e2e4 moves e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"),
        ("position startpos e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        ("position fen 8/8/8/4k3/8/8/4KR2/8 w - - 50 60 moves f2f3", "8/8/8/4k3/8/5R2/4K3/8 b - - 51 60"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w moves h1h8", "4k2R/8/8/8/8/8/8/4K3 b - - 1 1"),
        ("position fen 8/8/8/4k3/8/8/4KR2/8 moves f2f3", "8/8/8/4k3/8/5R2/4K3/8 b - - 1 1"),
        # Behind six fields everything is a move.
        ("position fen 8/8/8/4k3/8/8/4KR2/8 w - - 50 60 f2f3 e5e4", "8/8/8/8/4k3/5R2/4K3/8 w - - 52 61"),
        (
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1c1 e8g8",
            "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2",
        ),
        ("position fen 8/P7/8/8/8/8/k6K/8 w - - 0 1 moves a7a8n", "N7/8/8/8/8/8/k6K/8 b - - 0 1"),
        (
            "position fen rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3 moves e5f6",
            "rnbqkbnr/ppp1p1pp/5P2/3p4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3",
        ),
    ],
)
def test_position(session: Session, line: str, board: str) -> None:
    assert session.send(line, "getboard") == [board]


def test_words_before_the_position_are_skipped_and_those_behind_it_are_moves(session: Session) -> None:
    (remark,) = session.send("position junk startpos rubbish moves e2e4")
    assert remark == "info string illegal move 'rubbish' skipped"
    assert session.send("getboard") == ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"]


def test_position_moves_goes_on_from_where_it_is(session: Session) -> None:
    session.send("position startpos moves e2e4", "position moves e7e5 g1f3")
    assert session.send("getboard") == ["rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"]
    assert len(session.history) == 3


@pytest.mark.parametrize("line", ["position", "position fen", "position fen moves e2e4", "position nonsense"])
def test_position_without_a_position_changes_nothing(session: Session, line: str) -> None:
    session.send("position startpos moves e2e4")
    before = session.send("getboard")
    (remark,) = session.send(line)
    assert remark.startswith("info string position")
    assert session.send("getboard") == before


def test_illegal_moves_are_skipped_and_reported(session: Session) -> None:
    lines = session.send("position startpos moves e2e5 e2e4 e2e4 zz e7e5 E7E6 e7e5q", "getboard")
    assert lines[:-1] == [
        f"info string illegal move '{text}' skipped" for text in ("e2e5", "e2e4", "zz", "E7E6", "e7e5q")
    ]
    assert lines[-1] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"


def test_many_illegal_moves_are_summed_up(session: Session) -> None:
    lines = session.send("position startpos moves " + "e7e5 " * 1000)
    assert len(lines) == 11
    assert lines[-1] == "info string 990 more illegal moves skipped"


def test_two_thousand_plies(session: Session) -> None:
    moves = "g1f3 g8f6 f3g1 f6g8 " * 500
    started = time.process_time()
    session.start("position startpos moves " + moves)
    took = time.process_time() - started
    assert session.send("getboard") == ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 208 233"]
    assert took < (0.2 if COMPILED else 5.0)
    check_answer(session.position, session.answer("go depth 4"))


REFUSED = {
    "8/8/8/8/8/8/8/8 w - - 0 1": "no white king",
    "garbage": "white king",
    "P3k3/8/8/8/8/8/8/4K3 w - - 0 1": "a pawn on rank 8",
    "4k3/8/8/8/8/8/8/p3K3 w - - 0 1": "a pawn on rank 1",
    "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1": "the side not to move is in check",
    "4k3/8/8/8/8/8/8/4K1K1 w - - 0 1": "2 white kings",
    "8/8/8/3kK3/8/8/8/8 w - - 0 1": "the side not to move is in check",
    "rnbqkbnrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "a rank longer than eight squares",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/Q w KQkq - 0 1": "more than eight ranks",
}


@pytest.mark.parametrize("fen", REFUSED)
def test_fens_that_cannot_be_played_are_refused_with_the_reason(session: Session, fen: str) -> None:
    lines = session.send(f"position fen {fen}", "getboard")
    assert lines[0].startswith("info string FEN refused (")
    assert REFUSED[fen] in lines[0]
    assert lines[-1] == START_FEN
    check_answer(session.position, session.answer("go depth 3"))


# What else a FEN may hold: the number of legal moves.
PLAYABLE = {
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1": 218,
    "QQQQQQQQ/Q7/Q7/8/8/8/7k/K7 w - - 0 1": None,
    "qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqkqqq/8/8/8/K7 b - - 0 1": None,
    "4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1": 5,
    "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1": 5,
    "4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1": None,
    "4k3/8/8/8/8/8/8/4K3 w - - 300 999": 5,
    "4k3/8/8/8/8/8/8/4K3": 5,
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QKQQQQQN/8 w - - 0 1": None,
    "NNNNNNNN/NNNNNNNN/NNNNNNNN/k7/8/8/8/4K3 b - - 0 1": None,
    "Q6Q/1Q4Q1/2Q2Q2/3QQ3/3QQ3/2Q2Q2/1Q4QK/k6Q b - - 0 1": None,
}


@pytest.mark.parametrize("fen", PLAYABLE)
def test_unusual_boards_are_played(session: Session, fen: str) -> None:
    session.send(f"position fen {fen}")
    position = session.position
    moves = legal_moves(position)
    if PLAYABLE[fen] is not None:
        assert len(moves) == PLAYABLE[fen]
    board = chess.Board(session.send("getboard")[-1])
    if board.is_valid():
        assert len(moves) == board.legal_moves.count()
    check_answer(position, session.answer("go movetime 200"))


@pytest.mark.parametrize(
    ("fen", "read", "reason"),
    [
        ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "7 squares on rank 5"),
        ("4k3/8/9/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "'9' on rank 6"),
        ("4k3/pppxpppp/8/8/8/8/8/4K3 w - - 0 1", "4k3/ppppppp1/8/8/8/8/8/4K3 w - - 0 1", "'x' on rank 7"),
        ("K6k w - - 0 1", "K6k/8/8/8/8/8/8/8 w - - 0 1", "1 rank instead of 8"),
        ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "9 ranks instead of 8"),
    ],
)
def test_malformed_board_is_played_as_the_siblings_do_and_said(
    session: Session, fen: str, read: str, reason: str
) -> None:
    """It was read in silence."""
    (remark,) = session.send(f"position fen {fen}")
    assert session.send("getboard") == [read]
    assert remark.startswith("info string ")
    assert reason in remark
    assert "read as far as it goes" in remark
