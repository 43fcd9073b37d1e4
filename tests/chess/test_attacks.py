"""Attack tables against the siblings' constants and against python-chess."""

import json
import random
from pathlib import Path
from typing import Any

import chess
import pytest
from modes import COMPILED
from random_games import mask_of

from pawnstar.chess import attacks
from pawnstar.chess.bits import signed

OCCUPANCIES = 2000 if COMPILED else 200


@pytest.fixture(scope="module")
def facts(goldens: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((goldens / "facts" / "constants.json").read_text())
    return read


def unsigned_words(table: Any) -> list[int]:
    return [mask_of(table[square]) for square in range(64)]


def test_magics_masks_and_shifts_are_the_siblings(facts: dict[str, Any]) -> None:
    for piece, magics, masks, shifts in (
        ("bishop", attacks.BISHOP_MAGIC, attacks.BISHOP_MASK, attacks.BISHOP_SHIFT),
        ("rook", attacks.ROOK_MAGIC, attacks.ROOK_MASK, attacks.ROOK_SHIFT),
    ):
        assert unsigned_words(magics) == [int(text, 16) for text in facts[f"{piece}_magics"]]
        assert unsigned_words(masks) == [int(text, 16) for text in facts[f"{piece}_masks"]]
        assert [shifts[square] for square in range(64)] == facts[f"{piece}_shifts"]


def rook_oracle(square: int, occupied: int) -> int:
    return (
        chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
        | chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    )


def bishop_oracle(square: int, occupied: int) -> int:
    return chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]


def test_sliders_on_random_boards() -> None:
    """Sparse and crowded boards; the magic product leaves 64 bits in plain Python and must not change the slot."""
    dice = random.Random(7)
    for turn in range(OCCUPANCIES):
        occupied = dice.getrandbits(64)
        for _ in range(turn % 4):
            occupied &= dice.getrandbits(64)
        word = signed(occupied)
        for square in dice.sample(range(64), 16):
            bishop = bishop_oracle(square, occupied)
            rook = rook_oracle(square, occupied)
            assert mask_of(attacks.bishop_attacks(square, word)) == bishop
            assert mask_of(attacks.rook_attacks(square, word)) == rook


@pytest.mark.parametrize("occupied", [0, -1, 1, -(2**63), 2**63 - 1])
def test_sliders_on_boards_at_the_edges(occupied: int) -> None:
    for square in range(64):
        assert mask_of(attacks.bishop_attacks(square, occupied)) == bishop_oracle(square, mask_of(occupied))
        assert mask_of(attacks.rook_attacks(square, occupied)) == rook_oracle(square, mask_of(occupied))


def test_rays_are_the_empty_boards_attacks() -> None:
    assert unsigned_words(attacks.BISHOP_RAYS) == [bishop_oracle(square, 0) for square in range(64)]
    assert unsigned_words(attacks.ROOK_RAYS) == [rook_oracle(square, 0) for square in range(64)]


def test_leapers() -> None:
    assert unsigned_words(attacks.KNIGHT_ATTACKS) == chess.BB_KNIGHT_ATTACKS
    assert unsigned_words(attacks.KING_ATTACKS) == chess.BB_KING_ATTACKS
    assert unsigned_words(attacks.WHITE_PAWN_ATTACKS) == chess.BB_PAWN_ATTACKS[chess.WHITE]
    assert unsigned_words(attacks.BLACK_PAWN_ATTACKS) == chess.BB_PAWN_ATTACKS[chess.BLACK]


def test_squares_between_and_lines_through() -> None:
    for a in range(64):
        for b in range(64):
            assert mask_of(attacks.BETWEEN[64 * a + b]) == (chess.between(a, b) if a != b else 0)
            assert mask_of(attacks.LINE[64 * a + b]) == (chess.ray(a, b) if a != b else 0)
