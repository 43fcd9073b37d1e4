"""Castling as data: home squares, targets, and what must be empty or safe, for each of the four rights.

Index: 0 White kingside, 1 White queenside, 2 Black kingside, 3 Black queenside; right ``1 << index``.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import BIT
from pawnstar.chess.squares import A1, A8, C1, C8, D1, D8, E1, E8, F1, F8, G1, G8, H1, H8

KING_HOME: Final = vec[i64]([E1, E1, E8, E8])
KING_TARGET: Final = vec[i64]([G1, C1, G8, C8])
ROOK_HOME: Final = vec[i64]([H1, A1, H8, A8])
ROOK_TARGET: Final = vec[i64]([F1, D1, F8, D8])


def _squares_from_to(first: i64, last: i64) -> i64:
    """All squares of a rank from ``first`` to ``last``, both included, in either order."""
    low = first if first < last else last
    high = last if first < last else first
    squares: i64 = 0
    while low <= high:
        squares |= BIT[low]
        low += 1
    return squares


def _empty_squares() -> vec[i64]:
    table = vec[i64]([i64(0)] * 4)
    index: i64 = 0
    while index < 4:
        own = BIT[KING_HOME[index]] | BIT[ROOK_HOME[index]]
        way = _squares_from_to(KING_HOME[index], KING_TARGET[index]) | _squares_from_to(
            ROOK_HOME[index], ROOK_TARGET[index]
        )
        table[index] = way & ~own
        index += 1
    return table


def _safe_squares() -> vec[i64]:
    table = vec[i64]([i64(0)] * 4)
    index: i64 = 0
    while index < 4:
        table[index] = _squares_from_to(KING_HOME[index], KING_TARGET[index]) & ~BIT[KING_HOME[index]]
        index += 1
    return table


def _rook_moves() -> vec[i64]:
    table = vec[i64]([i64(0)] * 4)
    index: i64 = 0
    while index < 4:
        table[index] = BIT[ROOK_HOME[index]] | BIT[ROOK_TARGET[index]]
        index += 1
    return table


def _rights_kept() -> vec[i64]:
    table = vec[i64]([i64(15)] * 64)
    index: i64 = 0
    right: i64 = 1
    while index < 4:
        table[KING_HOME[index]] &= ~right
        table[ROOK_HOME[index]] &= ~right
        right += right
        index += 1
    return table


# Squares between king and rook, on either's way.
MUST_BE_EMPTY: Final = _empty_squares()
# Squares that the king crosses or lands on.
MUST_BE_SAFE: Final = _safe_squares()
# The rook's home and target, to be toggled in its bitboards.
ROOK_MOVE: Final = _rook_moves()
# RIGHTS_KEPT[square]: the rights that survive a move from or to the square.
RIGHTS_KEPT: Final = _rights_kept()
