"""The kernels where the package runs interpreted: the same results as ``kernels.py``'s loops, by numpy.

Not compiled: compiled code never imports it, so that numpy stays out of the engine's start-up.
Vectors are one-dimensional int16 arrays; 16-bit sums wrap.
"""

from typing import Any

import numpy as np


def zeros(length: int) -> Any:
    """A vector of zeros."""
    return np.zeros(length, dtype=np.int16)


def from_bytes(data: memoryview) -> Any:
    """A vector of its own from little-endian 16-bit items."""
    return np.frombuffer(data, dtype="<i2").astype(np.int16)


def combine(
    target: Any, source: Any, weights: Any, added: tuple[int, ...], removed: tuple[int, ...], length: int
) -> None:
    """``target = source`` plus the rows that start at ``added``, minus those at ``removed``."""
    if target is not source:
        target[:] = source
    for row in added:
        target += weights[row : row + length]
    for row in removed:
        target -= weights[row : row + length]


def activated_dot(accumulator: Any, weights: Any) -> int:
    """The sum of ``((c*c + 256) >> 9) * w``, c clamped to 0..255."""
    clamped = np.clip(accumulator, 0, 255).astype(np.int32)
    return int(np.dot((clamped * clamped + 256) >> 9, weights.astype(np.int32)))


def exact_dot(accumulator: Any, weights: Any) -> int:
    """The sum of ``c*c * w``, c clamped to 0..255, in 64 bits."""
    clamped = np.clip(accumulator, 0, 255).astype(np.int64)
    return int(np.dot(clamped * clamped, weights.astype(np.int64)))
