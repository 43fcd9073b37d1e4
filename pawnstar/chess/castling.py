"""Castling as data: home squares, targets, and what must be empty or safe, for every layout of king and rooks.

A colour's king starts between its two rooks, so their files can be chosen in 56 ways: the *layouts*. Number 0 is that
of classical chess (rooks on a and h, king on e). The two colours' layouts may differ. Where king and rook land does not
depend on them.

A right's index is ``2 * color + wing``, wing 0 the king's side and 1 the queen's; the right itself is ``1 << index``.
The tables are indexed by ``4 * layout + 2 * color + wing``.
"""

from itertools import combinations
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import BIT

_CLASSICAL: Final = (0, 4, 7)
# By number, the files of the queen's side rook, the king and the king's side rook.
LAYOUTS: Final = [_CLASSICAL, *[files for files in combinations(range(8), 3) if files != _CLASSICAL]]

# Kings and rooks castle from these ranks: what moves elsewhere leaves all rights as they are.
HOME_RANKS: Final = -0xFFFFFFFFFFFF01  # 0xFF000000000000FF

_ENTRIES: Final = 4 * 56


def layout_of(layouts: i64, color: i64) -> i64:
    """The number of a colour's layout, 0 to 55, in the word that holds White's plus 64 times Black's."""
    return (layouts >> (6 * color)) & 63


def _homes(by_wing: tuple[int, int]) -> vec[i64]:
    """Where a piece starts: per wing, its place in the layout's three files."""
    table = vec[i64]([i64(0)] * _ENTRIES)
    for number, files in enumerate(LAYOUTS):
        for index in range(4):
            table[4 * number + index] = files[by_wing[index & 1]] + 56 * (index >> 1)
    return table


def _targets(by_wing: tuple[int, int]) -> vec[i64]:
    """Where a piece lands: per wing, the file."""
    table = vec[i64]([i64(0)] * _ENTRIES)
    for index in range(_ENTRIES):
        table[index] = by_wing[index & 1] + 56 * (index >> 1 & 1)
    return table


KING_HOME: Final = _homes((1, 1))
ROOK_HOME: Final = _homes((2, 0))
KING_TARGET: Final = _targets((6, 2))
ROOK_TARGET: Final = _targets((5, 3))


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
    table = vec[i64]([i64(0)] * _ENTRIES)
    index: i64 = 0
    while index < _ENTRIES:
        own = BIT[KING_HOME[index]] | BIT[ROOK_HOME[index]]
        way = _squares_from_to(KING_HOME[index], KING_TARGET[index]) | _squares_from_to(
            ROOK_HOME[index], ROOK_TARGET[index]
        )
        table[index] = way & ~own
        index += 1
    return table


def _safe_squares() -> vec[i64]:
    table = vec[i64]([i64(0)] * _ENTRIES)
    index: i64 = 0
    while index < _ENTRIES:
        table[index] = _squares_from_to(KING_HOME[index], KING_TARGET[index]) & ~BIT[KING_HOME[index]]
        index += 1
    return table


def _rook_moves() -> vec[i64]:
    table = vec[i64]([i64(0)] * _ENTRIES)
    index: i64 = 0
    while index < _ENTRIES:
        table[index] = BIT[ROOK_HOME[index]] ^ BIT[ROOK_TARGET[index]]
        index += 1
    return table


def _rights_kept() -> vec[i64]:
    table = vec[i64]([i64(15)] * (32 * _ENTRIES))
    index: i64 = 0
    while index < _ENTRIES:
        base = 64 * (index >> 1)
        right = BIT[index & 3]
        table[base + KING_HOME[index]] &= ~right
        table[base + ROOK_HOME[index]] &= ~right
        index += 1
    return table


# Squares between king and rook, on either's way.
MUST_BE_EMPTY: Final = _empty_squares()
# Squares that the king crosses or lands on.
MUST_BE_SAFE: Final = _safe_squares()
# What changes in the rook's bitboards: its home and its target, nothing where these are one square.
ROOK_MOVE: Final = _rook_moves()
# RIGHTS_KEPT[128 * layout + 64 * color + square]: the rights that remain once king or rook of that colour has left the
# square, or has been captured there. The other colour's are among them.
RIGHTS_KEPT: Final = _rights_kept()
