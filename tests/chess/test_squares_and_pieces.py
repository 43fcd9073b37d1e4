"""Names of squares, letters of pieces, and castling's data."""

import json
from pathlib import Path

import chess
import pytest

from pawnstar.chess import castling, squares
from pawnstar.chess.bits import bits_of
from pawnstar.chess.pieces import (
    BLACK_KINGSIDE,
    BLACK_QUEENSIDE,
    WHITE_KINGSIDE,
    WHITE_QUEENSIDE,
    piece_letter,
)


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


def test_castling_rights_that_survive_a_move(goldens: Path) -> None:
    facts = json.loads((goldens / "facts" / "constants.json").read_text())
    assert [castling.RIGHTS_KEPT[square] for square in range(64)] == facts["castling_mask_low4"]
    assert facts["castling_flags"] == {
        "white_kingside": WHITE_KINGSIDE,
        "white_queenside": WHITE_QUEENSIDE,
        "black_kingside": BLACK_KINGSIDE,
        "black_queenside": BLACK_QUEENSIDE,
    }


def test_squares_that_castling_needs_empty_and_safe() -> None:
    """On the queen's side b1 must be empty but may be attacked."""

    def names(word: int) -> str:
        return " ".join(chess.square_name(square) for square in bits_of(word))

    assert [names(castling.MUST_BE_EMPTY[index]) for index in range(4)] == ["f1 g1", "b1 c1 d1", "f8 g8", "b8 c8 d8"]
    assert [names(castling.MUST_BE_SAFE[index]) for index in range(4)] == ["f1 g1", "c1 d1", "f8 g8", "c8 d8"]
    assert [names(castling.ROOK_MOVE[index]) for index in range(4)] == ["f1 h1", "a1 d1", "f8 h8", "a8 d8"]
