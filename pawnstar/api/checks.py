"""Arguments that must be whole numbers in a range."""

from __future__ import annotations


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """``value``, which must be an int from ``least`` to ``most``; TypeError or ValueError, by its name, otherwise."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    if value < least or (most is not None and value > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be {bounds}, not {value}")
    return value


def optional_whole(name: str, value: object, least: int) -> int | None:
    """``value``, which must be None or an int of at least ``least``."""
    return None if value is None else whole(name, value, least)
