"""Names of squares and letters of pieces."""

import chess
import pytest

from pawnstar.chess import squares
from pawnstar.chess.pieces import piece_letter


def test_square_names_both_ways() -> None:
    for square in range(64):
        assert squares.square_name(square) == chess.square_name(square)
        assert squares.parse_square(chess.square_name(square)) == square


@pytest.mark.parametrize("text", ["", "a", "a0", "a9", "i1", "A1", "e44", "4e", "-", "--", "e\u0664"])
def test_names_of_no_square(text: str) -> None:
    assert squares.parse_square(text) == -1


def test_piece_letters() -> None:
    assert [piece_letter(0, piece) for piece in range(7)] == [".", "P", "N", "B", "R", "Q", "K"]
    assert [piece_letter(1, piece) for piece in range(7)] == [".", "p", "n", "b", "r", "q", "k"]
