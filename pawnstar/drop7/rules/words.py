"""Bit work on the packed board: column pairs, row boards, and 32- and 64-bit arithmetic that wraps in both modes.

Two layouts hold the same 49 cells:

* *Column pairs*: four 64-bit words. Column ``c`` is the half ``c & 1`` of word ``c >> 1``: seven nibbles, the
  bottom cell lowest, the nibble above them zero. Gravity, drops and rises are shifts of whole nibbles, two columns
  at a time. The pairs are also the words of a table key.
* *Row boards*: one bit a cell, row ``k`` (counted from the bottom) in byte ``k``, column ``c`` in bit ``c`` of it.
  Bit 7 of each byte belongs to no cell, so that shifts by one cannot leak from a row into the next without landing
  where every mask removes them. Neighbours are shifts by 1 and 8.

Everything here stays within 63 bits, so plain Python and compiled code agree without care, except where a helper
says so.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

COMPILED: Final = not __file__.endswith(".py")
"""True when this module was compiled by mypyc, which is told so (``--always-true``) and drops the other branch."""

MASK32: Final = 0xFFFFFFFF

NIBBLE_FLAGS: Final = 0x0111111101111111
"""The lowest bit of each of the seven nibbles, in both columns of a pair."""

COLUMN: Final = 0x0FFFFFFF
"""The seven nibbles of a single column, or of the lower column of a pair."""

TOP_CELLS: Final = 0x0F0000000F000000
"""The top cells (nibble 6) of a pair."""

SOLID_ROW: Final = 0x0000000800000008
"""A solid cover at the bottom of both columns of a pair."""

LOWEST_ROW: Final = 0x7F
EVERY_ROW: Final = 0x0001010101010101
"""Multiplied with a row, repeats it in all seven rows of a row board."""

BOARD: Final = 0x007F7F7F7F7F7F7F
"""All 49 cells of a row board."""


def _population_counts() -> vec[i64]:
    counts = vec[i64]([i64(0)] * 128)
    row: i64 = 1
    while row < 128:
        counts[row] = counts[row >> 1] + (row & 1)
        row += 1
    return counts


def _lowest_columns() -> vec[i64]:
    lowest = vec[i64]([i64(7)] * 128)
    row: i64 = 1
    while row < 128:
        column: i64 = 0
        while not (row >> column) & 1:
            column += 1
        lowest[row] = column
        row += 1
    return lowest


POPULATION: Final = _population_counts()
"""Number of cells in a seven-bit row."""

LOWEST: Final = _lowest_columns()
"""Lowest set bit of a seven-bit row; 7 for the empty row."""


def wrap64(value: i64) -> i64:
    """Bring a product or a sum back into the signed 64-bit range."""
    # Compiled arithmetic wraps by itself. A test of the mode would stay in the compiled code; so plain Python gets
    # another function below.
    return value


def plain_wrap64(value: int) -> int:
    """``wrap64`` where integers are unbounded."""
    return ((value + 0x8000000000000000) & 0xFFFFFFFFFFFFFFFF) - 0x8000000000000000


if not COMPILED:
    globals()["wrap64"] = plain_wrap64


def mix32(value: i64) -> i64:
    """Finalising hash of a 32-bit number (0 to 2**32 - 1)."""
    x: i64 = value ^ (value >> 16)
    x = (x * 0x7FEB352D) & MASK32
    x ^= x >> 15
    x = (x * 0x846CA68B) & MASK32
    return x ^ (x >> 16)


def mix64(value: i64) -> i64:
    """Finalising hash of a 64-bit number in signed normal form."""
    x: i64 = value ^ ((value >> 33) & 0x7FFFFFFF)
    x = wrap64(x * -0xAE502812AA7333)
    x ^= (x >> 33) & 0x7FFFFFFF
    x = wrap64(x * -0x3B314601E57A13AD)
    return x ^ ((x >> 33) & 0x7FFFFFFF)


def occupied(pair: i64) -> i64:
    """Nibble flags of the non-empty cells of a column pair."""
    either: i64 = pair | (pair >> 2)
    return (either | (either >> 1)) & NIBBLE_FLAGS


def to_rows(pair0: i64, pair1: i64, pair2: i64, pair3: i64) -> i64:
    """Transpose nibble flags of the four column pairs into a row board."""
    left: i64 = pair0 | (pair1 << 2)
    right: i64 = pair2 | (pair3 << 2)
    # Nibble k of each half now holds the columns of row k: 0 to 3 in the lower half, 4 to 6 in the upper.
    board: i64 = ((left | (left >> 31)) & COLUMN) | (((right | (right >> 31)) & COLUMN) << 32)
    # Shuffle the nibbles of the two halves into alternation, so that each row gets a byte.
    swap: i64 = (board ^ (board >> 16)) & 0x00000000FFFF0000
    board ^= swap | (swap << 16)
    swap = (board ^ (board >> 8)) & 0x0000FF000000FF00
    board ^= swap | (swap << 8)
    swap = (board ^ (board >> 4)) & 0x00F000F000F000F0
    return board ^ (swap | (swap << 4))


def bit_planes(pair0: i64, pair1: i64, pair2: i64, pair3: i64) -> tuple[i64, i64, i64, i64]:
    """The four bits of every cell as row boards: ones, twos, fours, and the eights, which are the covers."""
    return (
        to_rows(pair0 & NIBBLE_FLAGS, pair1 & NIBBLE_FLAGS, pair2 & NIBBLE_FLAGS, pair3 & NIBBLE_FLAGS),
        to_rows(
            (pair0 >> 1) & NIBBLE_FLAGS,
            (pair1 >> 1) & NIBBLE_FLAGS,
            (pair2 >> 1) & NIBBLE_FLAGS,
            (pair3 >> 1) & NIBBLE_FLAGS,
        ),
        to_rows(
            (pair0 >> 2) & NIBBLE_FLAGS,
            (pair1 >> 2) & NIBBLE_FLAGS,
            (pair2 >> 2) & NIBBLE_FLAGS,
            (pair3 >> 2) & NIBBLE_FLAGS,
        ),
        to_rows(
            (pair0 >> 3) & NIBBLE_FLAGS,
            (pair1 >> 3) & NIBBLE_FLAGS,
            (pair2 >> 3) & NIBBLE_FLAGS,
            (pair3 >> 3) & NIBBLE_FLAGS,
        ),
    )


def to_columns(rows: i64) -> i64:
    """Undo the shuffle of ``to_rows``: nibble k of the halves holds columns 0 to 3, and 4 to 6, of row k."""
    board: i64 = rows
    swap: i64 = (board ^ (board >> 4)) & 0x00F000F000F000F0
    board ^= swap | (swap << 4)
    swap = (board ^ (board >> 8)) & 0x0000FF000000FF00
    board ^= swap | (swap << 8)
    swap = (board ^ (board >> 16)) & 0x00000000FFFF0000
    return board ^ (swap | (swap << 16))


def without_holes(column: i64, holes: i64) -> i64:
    """Gravity in one column: gather the nibbles that are not flagged in ``holes``, keeping their order.

    A portable gather: each flagged nibble, lowest first, is closed by moving everything above it down.
    """
    word: i64 = column
    left: i64 = holes
    while left != 0:
        lowest: i64 = left & -left
        below: i64 = lowest - 1
        word = (word & below) | ((word >> 4) & ~below)
        left = (left ^ lowest) >> 4
    return word


def thermometer(height: i64) -> i64:
    """Row board of the lowest ``height`` cells of column 0."""
    board: i64 = 0
    row: i64 = 0
    while row < height:
        board = (board << 8) | 1
        row += 1
    return board


def run_through(row: i64, column: i64) -> tuple[i64, i64, i64]:
    """Length, start and end of the run of set bits of a row through ``column``; ``(0, -1, -1)`` at a clear bit."""
    if not (row >> column) & 1:
        return 0, -1, -1
    start: i64 = column
    while start > 0 and (row >> (start - 1)) & 1:
        start -= 1
    end: i64 = column
    while end < 6 and (row >> (end + 1)) & 1:
        end += 1
    return end - start + 1, start, end
