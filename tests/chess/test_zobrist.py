"""Zobrist keys: the draws, where each goes, and that keys kept move by move equal keys from scratch."""

import json
from pathlib import Path

from random_games import mask_of

from pawnstar.chess import zobrist


def test_draws_and_their_places(goldens: Path) -> None:
    facts = json.loads((goldens / "facts" / "constants.json").read_text())
    draws = [int(text, 16) for text in facts["zobrist_draw_order"]]
    assert zobrist.draw_keys() == draws
    assert mask_of(zobrist.BLACK_TO_MOVE_KEY) == int(facts["zobrist_black_to_move"], 16)
    in_order = iter(draws)
    for color in range(2):
        for piece in range(1, 7):
            for square in range(64):
                assert mask_of(zobrist.PIECE_KEY[512 * color + 64 * piece + square]) == next(in_order)
    for rights in range(16):
        assert mask_of(zobrist.CASTLING_KEY[rights]) == next(in_order)
    for square in [*range(16, 24), *range(40, 48)]:
        assert mask_of(zobrist.EN_PASSANT_KEY[square]) == next(in_order)
    assert next(in_order, None) is None


def test_no_key_for_squares_that_no_pawn_passes() -> None:
    """Square 0 stands for no en passant square and must not change the key."""
    for square in [*range(16), *range(24, 40), *range(48, 64)]:
        assert zobrist.EN_PASSANT_KEY[square] == 0
