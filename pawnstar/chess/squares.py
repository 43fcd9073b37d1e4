"""Squares: 0 is a1, 7 is h1, 56 is a8, 63 is h8 (file + 8 * rank)."""

from typing import Final

from mypy_extensions import i64

FILE_NAMES: Final = "abcdefgh"
RANK_NAMES: Final = "12345678"


def square_name(square: i64) -> str:
    """The square's algebraic name: ``square_name(0) == "a1"``."""
    return FILE_NAMES[int(square & 7)] + RANK_NAMES[int(square >> 3)]


def parse_square(text: str) -> int:
    """The square with that name, or -1 where the text names none."""
    if len(text) != 2:
        return -1
    file = FILE_NAMES.find(text[0])
    rank = RANK_NAMES.find(text[1])
    if file < 0 or rank < 0:
        return -1
    return file + 8 * rank
