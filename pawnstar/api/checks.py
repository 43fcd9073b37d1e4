"""Arguments: whole numbers in a range, squares, sides."""

from __future__ import annotations

import operator
from typing import SupportsIndex, cast

from pawnstar.chess.pieces import BLACK, WHITE
from pawnstar.chess.squares import parse_square


def whole(name: str, value: object, least: int | None = None, most: int | None = None) -> int:
    """``value`` as an int, which it must be (numpy's are), from ``least`` to ``most`` where they are given.

    Raises TypeError or ValueError, by its name, otherwise.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(cast("SupportsIndex", value))
    except TypeError:
        raise TypeError(f"{name} must be an int, not {type(value).__name__}") from None
    if (least is not None and number < least) or (most is not None and number > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be {bounds}, not {number}")
    return number


def optional_whole(name: str, value: object, least: int) -> int | None:
    """``value``, which must be None or an int of at least ``least``."""
    return None if value is None else whole(name, value, least)


def square_number(square: int | str) -> int:
    """The number of a square given as number or name; raises TypeError or ValueError."""
    if isinstance(square, bool) or not isinstance(square, (str, SupportsIndex)):
        raise TypeError(f"a square is an int or a str, not {type(square).__name__}")
    number = parse_square(square) if isinstance(square, str) else operator.index(square)
    if not 0 <= number <= 63:
        raise ValueError(f"no such square: {square!r}")
    return number


def side_number(color: object) -> int:
    """The number of a side given as ``"white"`` or ``"black"``, or as python-chess's True and False."""
    if color in ("white", True):
        return WHITE
    if color in ("black", False):
        return BLACK
    raise ValueError(f"a side is 'white' or 'black', not {color!r}")
