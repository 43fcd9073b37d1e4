"""Zobrist keys: one random word per piece on a square, set of castling rights, and en passant square.

The position's key is their XOR. All come from one xorshift64* generator (Sebastiano Vigna) in a fixed draw order, so
that every key, and with it every table index and node count, equals the sibling engines'.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import signed

_SEED: Final = 0xAA55AA55AA55AA55
_MULTIPLIER: Final = 0x2545F4914F6CDD1D
_WORD: Final = 0xFFFFFFFFFFFFFFFF
DRAWS: Final = 768 + 16 + 16


def draw_keys() -> list[int]:
    """All 800 draws in order, unsigned: 768 piece-square keys, 16 castling keys, 16 en passant keys."""
    state = _SEED
    drawn: list[int] = []
    for _ in range(DRAWS):
        state ^= state >> 12
        state = (state ^ (state << 25)) & _WORD
        state ^= state >> 27
        drawn.append((state * _MULTIPLIER) & _WORD)
    return drawn


def _tables() -> tuple[vec[i64], vec[i64], vec[i64]]:
    drawn = [signed(key) for key in draw_keys()]
    pieces = vec[i64]([i64(0)] * 1024)
    for color in range(2):
        for piece in range(1, 7):
            for square in range(64):
                pieces[color * 512 + piece * 64 + square] = drawn[color * 384 + (piece - 1) * 64 + square]
    castling = vec[i64](drawn[768:784])
    en_passant = vec[i64]([i64(0)] * 64)
    for index in range(8):
        en_passant[16 + index] = drawn[784 + index]
        en_passant[40 + index] = drawn[792 + index]
    return pieces, castling, en_passant


_TABLES: Final = _tables()
# PIECE_KEY[512 * color + 64 * piece + square], piece 1 (pawn) to 6 (king).
PIECE_KEY: Final = _TABLES[0]
# CASTLING_KEY[rights], 0 included.
CASTLING_KEY: Final = _TABLES[1]
# EN_PASSANT_KEY[square]: 0 outside ranks 3 and 6, and for "none" (square 0).
EN_PASSANT_KEY: Final = _TABLES[2]
BLACK_TO_MOVE_KEY: Final = 0x28AB74D640E50602
