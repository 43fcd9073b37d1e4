"""The kernels where the package runs interpreted: the same results as ``kernels.py``'s loops, by numpy.

Not compiled: compiled code never imports it, so that numpy stays out of the engine's start-up.
Arrays are one-dimensional int16; a vector is named by the index of its first item; 16-bit sums wrap.
"""

from typing import Any

import numpy as np


def zeros(length: int) -> Any:
    """An array of zeros."""
    return np.zeros(length, dtype=np.int16)


def load(target: Any, first: int, data: Any) -> None:
    """Copy little-endian 16-bit items into ``target[first:]``."""
    items = np.frombuffer(data, dtype="<i2")
    target[first : first + len(items)] = items


def combine(
    arena: Any,
    target: int,
    source: int,
    weights: Any,
    added: tuple[int, ...],
    removed: tuple[int, ...],
    length: int,
) -> None:
    """The vector at ``target`` becomes that at ``source`` plus the rows at ``added`` minus those at ``removed``."""
    result = arena[target : target + length]
    if target != source:
        result[:] = arena[source : source + length]
    for row in added:
        result += weights[row : row + length]
    for row in removed:
        result -= weights[row : row + length]


def activated_dot(arena: Any, accumulator: int, weights: Any, first: int, length: int) -> int:
    """The sum of ``((c*c + 256) >> 9) * w``, c clamped to 0..255."""
    clamped = np.clip(arena[accumulator : accumulator + length], 0, 255).astype(np.int32)
    return int(np.dot((clamped * clamped + 256) >> 9, weights[first : first + length].astype(np.int32)))


def exact_dot(arena: Any, accumulator: int, weights: Any, first: int, length: int) -> int:
    """The sum of ``c*c * w``, c clamped to 0..255, in 64 bits."""
    clamped = np.clip(arena[accumulator : accumulator + length], 0, 255).astype(np.int64)
    return int(np.dot(clamped * clamped, weights[first : first + length].astype(np.int64)))
