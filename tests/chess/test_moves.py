"""The packed move: what goes in comes out, and the type decides what is loud."""

import itertools

import pytest
from packed_moves import pack_move

from pawnstar.chess import moves
from pawnstar.chess.pieces import BISHOP, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK


def test_fields_come_out_as_they_went_in() -> None:
    for origin, target, piece, captured, kind in itertools.product(
        (0, 1, 31, 63), (0, 1, 31, 63), range(1, 7), range(6), range(10)
    ):
        move = pack_move(origin, target, piece, captured, kind)
        assert move == target | origin << 6 | piece << 12 | captured << 15 | kind << 18
        assert moves.from_square(move) == origin
        assert moves.to_square(move) == target
        assert moves.moving_piece(move) == piece
        assert moves.captured_piece(move) == captured
        assert moves.move_type(move) == kind


def test_fields_do_not_see_what_lies_above_them() -> None:
    """The table and the sort keep scores, also negative ones, in the upper bits of the same word."""
    move = pack_move(52, 60, PAWN, ROOK, moves.PROMOTE_QUEEN)
    for upper in (-1 << 41, 1 << 22, -1 << 22, 12345 << 41):
        loaded = move | upper
        assert loaded & moves.IDENTITY == move
        assert moves.from_square(loaded) == 52
        assert moves.to_square(loaded) == 60
        assert moves.moving_piece(loaded) == PAWN
        assert moves.captured_piece(loaded) == ROOK
        assert moves.promoted_piece(loaded) == QUEEN


@pytest.mark.parametrize(
    ("piece", "captured", "kind", "loud"),
    [
        (KNIGHT, NONE, 0, False),
        (KNIGHT, PAWN, moves.CAPTURE, True),
        (PAWN, NONE, moves.DOUBLE_PUSH, False),
        (PAWN, PAWN, moves.EN_PASSANT, True),
        (KING, NONE, moves.CASTLE_KING_SIDE, False),
        (KING, NONE, moves.CASTLE_QUEEN_SIDE, False),
        (PAWN, NONE, moves.PROMOTE_KNIGHT, True),
        (PAWN, NONE, moves.PROMOTE_QUEEN, True),
        (PAWN, ROOK, moves.PROMOTE_BISHOP, True),
    ],
)
def test_loud_moves_capture_or_promote(piece: int, captured: int, kind: int, loud: bool) -> None:
    move = pack_move(12, 20, piece, captured, kind)
    assert moves.is_loud(move) is loud
    assert moves.is_loud(move | -1 << 22) is loud
    assert moves.is_promotion(move) is (moves.promoted_piece(move) != NONE)


def test_indices_are_dense_and_tell_moves_apart() -> None:
    squares = range(0, 64, 9)
    indices = {
        moves.from_to(pack_move(origin, target, KING, PAWN, moves.CAPTURE) | -1 << 22)
        for origin in squares
        for target in squares
    }
    assert indices == {64 * origin + target for origin in squares for target in squares}
    indices = {
        moves.piece_to(pack_move(11, target, piece, PAWN, moves.CAPTURE) | -1 << 22)
        for piece in range(1, 7)
        for target in range(64)
    }
    assert indices == set(range(64, 7 * 64))


def test_promotions() -> None:
    for kind in (moves.PROMOTE_KNIGHT, moves.PROMOTE_BISHOP, moves.PROMOTE_ROOK, moves.PROMOTE_QUEEN):
        assert moves.promoted_piece(pack_move(8, 0, PAWN, NONE, kind)) == kind
    assert moves.promoted_piece(pack_move(8, 24, PAWN, NONE, moves.DOUBLE_PUSH)) == NONE
    assert moves.promoted_piece(pack_move(8, 17, PAWN, BISHOP, moves.CAPTURE)) == NONE


def test_castling() -> None:
    for kind in range(10):
        assert moves.is_castling(pack_move(4, 6, KING, NONE, kind) | -1 << 22) is (kind >= moves.CASTLE_KING_SIDE)
