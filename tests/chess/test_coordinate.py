"""Moves as protocols write them: what is written, and how strictly it is read."""

import pytest
from packed_moves import pack_move

from pawnstar.chess import moves
from pawnstar.chess.castling import LAYOUTS
from pawnstar.chess.coordinate import move_text, parse_coordinate
from pawnstar.chess.fen import position_from_fen, start_position
from pawnstar.chess.pieces import KING, NONE, PAWN


def test_texts() -> None:
    assert move_text(moves.NO_MOVE) == "0000"
    assert move_text(-1 << 22) == "0000", "whatever score it carries"
    assert move_text(pack_move(12, 28, PAWN, NONE, moves.DOUBLE_PUSH) | -1 << 22) == "e2e4"
    for kind, letter in (
        (moves.PROMOTE_KNIGHT, "n"),
        (moves.PROMOTE_BISHOP, "b"),
        (moves.PROMOTE_ROOK, "r"),
        (moves.PROMOTE_QUEEN, "q"),
    ):
        assert move_text(pack_move(8, 0, PAWN, NONE, kind)) == "a2a1" + letter


@pytest.mark.parametrize(
    ("files", "origin", "target", "kind", "classical", "chess960"),
    [
        ((0, 4, 7), 4, 6, moves.CASTLE_KING_SIDE, "e1g1", "e1h1"),
        ((0, 4, 7), 4, 2, moves.CASTLE_QUEEN_SIDE, "e1c1", "e1a1"),
        ((0, 4, 7), 60, 62, moves.CASTLE_KING_SIDE, "e8g8", "e8h8"),
        ((0, 4, 7), 60, 58, moves.CASTLE_QUEEN_SIDE, "e8c8", "e8a8"),
        ((1, 2, 5), 58, 58, moves.CASTLE_QUEEN_SIDE, "c8c8", "c8b8"),
        ((1, 2, 5), 2, 6, moves.CASTLE_KING_SIDE, "c1g1", "c1f1"),
        ((0, 5, 6), 5, 6, moves.CASTLE_KING_SIDE, "f1g1", "f1g1"),
        ((0, 1, 6), 1, 2, moves.CASTLE_QUEEN_SIDE, "b1c1", "b1a1"),
    ],
)
def test_castling_in_both_styles(
    files: tuple[int, int, int], origin: int, target: int, kind: int, classical: str, chess960: str
) -> None:
    move = pack_move(origin, target, KING, NONE, kind)
    layout = LAYOUTS.index(files)
    assert move_text(move, layout) == classical
    assert move_text(move, layout, chess960=True) == chess960


@pytest.mark.parametrize(("classical", "chess960"), [("e1g1", "e1h1"), ("e1c1", "e1a1")])
def test_castling_is_read_in_the_style_asked_for(classical: str, chess960: str) -> None:
    position = position_from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    move = parse_coordinate(position, classical)
    assert moves.is_castling(move)
    assert parse_coordinate(position, chess960, chess960=True) == move
    assert parse_coordinate(position, chess960) == 0
    assert parse_coordinate(position, classical, chess960=True) == 0


@pytest.mark.parametrize(
    "text", ["", "e2", "e2e5", "e2e4q", "E2E4", "e2-e4", "e2e4 ", "Nf3", "e1g1", "0000", "e2e44", "é2e4"]
)
def test_coordinates_are_read_strictly(text: str) -> None:
    """``position ... moves`` skips what is not a legal move; it must not guess."""
    assert parse_coordinate(start_position(), text) == 0


def test_promotions_name_their_piece_in_coordinates() -> None:
    position = position_from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert parse_coordinate(position, "a7a8") == 0
    assert parse_coordinate(position, "a7a8Q") == 0
    assert parse_coordinate(position, "a7a8k") == 0
    assert move_text(parse_coordinate(position, "a7a8b")) == "a7a8b"
