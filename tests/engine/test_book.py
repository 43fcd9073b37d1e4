"""The opening book: how its lines are read, and which move is chosen."""

import random
from collections import Counter

import pytest

from pawnstar.chess.coordinate import move_text, parse_coordinate
from pawnstar.chess.fen import position_from_fen, start_position
from pawnstar.chess.position import Position, make_move
from pawnstar.engine.book import Book, BookError


def after(*moves: str) -> Position:
    position = start_position()
    for text in moves:
        child = Position()
        make_move(position, child, parse_coordinate(position, text))
        position = child
    return position


def texts(moves: list[tuple[int, int]]) -> list[tuple[str, int]]:
    return [(move_text(move), count) for move, count in moves]


def test_lines_numbers_comments_and_marks() -> None:
    book = Book(
        [
            "1. e2e4 e7e5 2. g1f3 b8c6 # Italian or Spanish, f1b5 is not read",
            "#e2e4 a7a6",
            "",
            "   \t ",
            "e2e4 c7c5? g1f3",
            "d2d4 #d7d5",
            "e2e4\te7e5  f2f4?",
            "e2e4? e7e5",
        ]
    )
    assert texts(book.choices(start_position())) == [("e2e4", 3), ("d2d4", 1)]
    assert texts(book.questionable(start_position())) == [("e2e4", 1)]
    assert texts(book.choices(after("e2e4"))) == [("e7e5", 3)]
    assert texts(book.questionable(after("e2e4"))) == [("c7c5", 1)]
    assert texts(book.choices(after("e2e4", "c7c5"))) == [("g1f3", 1)], "a questionable move is replayed"
    assert texts(book.choices(after("e2e4", "e7e5"))) == [("g1f3", 1)]
    assert texts(book.choices(after("d2d4"))) == []
    assert texts(book.choices(after("e2e4", "e7e5", "g1f3", "b8c6"))) == []
    assert len(book) == 5


def test_transpositions_meet() -> None:
    book = Book(["g1f3 g8f6 c2c4 e7e6", "c2c4 g8f6 g1f3 g7g6"])
    assert texts(book.choices(after("g1f3", "g8f6", "c2c4"))) == [("e7e6", 1)], "another en passant square"
    assert texts(book.choices(after("c2c4", "g8f6", "g1f3"))) == [("g7g6", 1)]
    book = Book(["g1f3 g8f6 b1c3 e7e6", "b1c3 g8f6 g1f3 g7g6"])
    assert texts(book.choices(after("g1f3", "g8f6", "b1c3"))) == [("e7e6", 1), ("g7g6", 1)]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["e2e4", "e2e5"], "Error found in book line 2 move e2e5."),
        (["e2e4 e2e4"], "Error found in book line 1 move e2e4."),
        (["e2e4 x?"], "Error found in book line 1 move x."),
        (["", "# x", "e2e4 e7e5 ?"], "Error found in book line 3 move ."),
    ],
)
def test_illegal_move_makes_the_whole_book_unusable(lines: list[str], message: str) -> None:
    with pytest.raises(BookError) as error:
        Book(lines)
    assert str(error.value) == message


def test_choice_is_uniform_over_the_occurrences() -> None:
    book = Book(["e2e4"] * 30 + ["d2d4"] * 10 + ["a2a3?"] * 500)
    dice = random.Random(1)
    counts = Counter(move_text(book.pick(start_position(), dice)) for _ in range(4000))
    assert set(counts) == {"e2e4", "d2d4"}
    assert 2850 < counts["e2e4"] < 3150  # five standard deviations


def test_position_outside_the_book() -> None:
    book = Book(["e2e4", "d2d4? d7d5"])
    dice = random.Random(1)
    assert book.pick(position_from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), dice) == 0
    assert book.pick(after("d2d4", "d7d5"), dice) == 0
    questionable_only = Book(["e2e4?"])
    assert questionable_only.pick(start_position(), dice) == 0
    assert len(questionable_only) == 0
    assert len(Book([])) == 0
