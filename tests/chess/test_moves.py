"""The packed move: what goes in comes out, and the type decides what is quiet and how it is written."""

import itertools

import pytest

from pawnstar.chess import moves
from pawnstar.chess.pieces import BISHOP, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK


def test_fields_come_out_as_they_went_in() -> None:
    for origin, target, piece, captured, kind in itertools.product(
        (0, 1, 31, 63), (0, 1, 31, 63), range(1, 7), range(6), range(9)
    ):
        move = moves.pack_move(origin, target, piece, captured, kind)
        assert move == target | origin << 6 | piece << 12 | captured << 15 | kind << 18
        assert moves.from_square(move) == origin
        assert moves.to_square(move) == target
        assert moves.moving_piece(move) == piece
        assert moves.captured_piece(move) == captured
        assert moves.move_type(move) == kind


def test_fields_do_not_see_what_lies_above_them() -> None:
    """The table and the sort keep scores, also negative ones, in the upper bits of the same word."""
    move = moves.pack_move(52, 60, PAWN, ROOK, moves.PROMOTE_QUEEN)
    for upper in (-1 << 41, moves.CHECK_FLAG, -1 << 22, 12345 << 41):
        loaded = move | upper
        assert loaded & moves.IDENTITY == move
        assert moves.from_square(loaded) == 52
        assert moves.to_square(loaded) == 60
        assert moves.moving_piece(loaded) == PAWN
        assert moves.captured_piece(loaded) == ROOK
        assert moves.promoted_piece(loaded) == QUEEN
        assert moves.move_text(loaded) == "e7e8q"


@pytest.mark.parametrize(
    ("piece", "captured", "kind", "quiet"),
    [
        (KNIGHT, NONE, moves.NON_CAPTURE, True),
        (KNIGHT, PAWN, moves.CAPTURE, False),
        (PAWN, NONE, moves.DOUBLE_PUSH, True),
        (PAWN, PAWN, moves.EN_PASSANT, False),
        (KING, NONE, moves.CASTLING, True),
        (PAWN, NONE, moves.PROMOTE_KNIGHT, False),
        (PAWN, NONE, moves.PROMOTE_QUEEN, False),
        (PAWN, ROOK, moves.PROMOTE_BISHOP, False),
    ],
)
def test_quiet_moves_neither_capture_nor_promote(piece: int, captured: int, kind: int, quiet: bool) -> None:
    assert moves.is_quiet(moves.pack_move(12, 20, piece, captured, kind)) is quiet


def test_texts() -> None:
    assert moves.move_text(moves.NO_MOVE) == "0000"
    assert moves.move_text(moves.pack_move(4, 6, KING, NONE, moves.CASTLING)) == "e1g1"
    for kind, letter in (
        (moves.PROMOTE_KNIGHT, "n"),
        (moves.PROMOTE_BISHOP, "b"),
        (moves.PROMOTE_ROOK, "r"),
        (moves.PROMOTE_QUEEN, "q"),
    ):
        assert moves.move_text(moves.pack_move(8, 0, PAWN, NONE, kind)) == "a2a1" + letter
        assert moves.promoted_piece(moves.pack_move(8, 0, PAWN, NONE, kind)) == kind
    assert moves.promoted_piece(moves.pack_move(8, 24, PAWN, NONE, moves.DOUBLE_PUSH)) == NONE
    assert moves.promoted_piece(moves.pack_move(8, 17, PAWN, BISHOP, moves.CAPTURE)) == NONE
