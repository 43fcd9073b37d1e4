"""Arguments that must be whole numbers in a range."""

from __future__ import annotations

import operator
from typing import SupportsIndex, cast


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
