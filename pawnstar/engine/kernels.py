"""The loops over network vectors: typed loops when compiled, numpy when interpreted, the same bits either way.

A *vector* is 1,024 16-bit integers: ``vec[i16]`` when compiled, a numpy int16 array when interpreted (``vector`` and
``vector_from`` make either). The compiled loops compare every length with a constant first: with that, gcc drops the
bounds checks and vectorises; without it they are ten times slower. All sums of 16-bit items wrap.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i32, i64

from pawnstar.chess.bits import COMPILED

if not COMPILED:
    from pawnstar.engine import numpy_kernels

HIDDEN: Final = 1024  # neurons of one accumulator
ROWS: Final = 8 * 768  # feature rows: king buckets times (colour, kind, square)
LAST_ROW: Final = (ROWS - 1) * HIDDEN
WEIGHTS: Final = ROWS * HIDDEN
ACTIVATION_MAX: Final = 255  # QA

# Between the two loops of ``activated_dot``; nothing lets another thread run between them.
_ACTIVATIONS: Final = vec[i16]([i16(0)] * 1024)


def vector(length: i64) -> vec[i16]:
    """A vector of zeros."""
    if COMPILED:
        return vec[i16]([i16(0)] * length)
    else:
        zeros: vec[i16] = numpy_kernels.zeros(length)
        return zeros


def vector_from(data: memoryview) -> vec[i16]:
    """A vector of its own from little-endian 16-bit items: a memoryview of format ``h``, or of bytes."""
    if COMPILED:
        return vec[i16](data.cast("B").cast("h"))
    else:
        items: vec[i16] = numpy_kernels.from_bytes(data)
        return items


def copy(target: vec[i16], source: vec[i16]) -> None:
    """``target = source``."""
    if COMPILED:
        if len(target) != HIDDEN or len(source) != HIDDEN:
            raise ValueError("vectors of 1,024 items expected")
        i: i64 = 0
        while i < HIDDEN:
            target[i] = source[i]
            i += 1
    else:
        numpy_kernels.combine(target, source, source, (), (), HIDDEN)


def add_row(target: vec[i16], weights: vec[i16], row: i64) -> None:
    """``target += weights[row : row + 1024]``; ``row`` counts items."""
    if COMPILED:
        if len(target) != HIDDEN or len(weights) != WEIGHTS or row < 0 or row > LAST_ROW:
            raise ValueError("vectors of 1,024 items expected")
        i: i64 = 0
        while i < HIDDEN:
            target[i] = target[i] + weights[row + i]
            i += 1
    else:
        numpy_kernels.combine(target, target, weights, (row,), (), HIDDEN)


def add_four_rows(target: vec[i16], weights: vec[i16], row1: i64, row2: i64, row3: i64, row4: i64) -> None:
    """``target`` plus four rows: one pass over the target instead of four."""
    if COMPILED:
        if (
            len(target) != HIDDEN
            or len(weights) != WEIGHTS
            or row1 < 0
            or row1 > LAST_ROW
            or row2 < 0
            or row2 > LAST_ROW
            or row3 < 0
            or row3 > LAST_ROW
            or row4 < 0
            or row4 > LAST_ROW
        ):
            raise ValueError("vectors of 1,024 items expected")
        i: i64 = 0
        while i < HIDDEN:
            target[i] = target[i] + weights[row1 + i] + weights[row2 + i] + weights[row3 + i] + weights[row4 + i]
            i += 1
    else:
        numpy_kernels.combine(target, target, weights, (row1, row2, row3, row4), (), HIDDEN)


def move_row(target: vec[i16], source: vec[i16], weights: vec[i16], added: i64, removed: i64) -> None:
    """``target = source + row added - row removed``: a quiet move or a promotion by a push."""
    if COMPILED:
        if (
            len(target) != HIDDEN
            or len(source) != HIDDEN
            or len(weights) != WEIGHTS
            or added < 0
            or added > LAST_ROW
            or removed < 0
            or removed > LAST_ROW
        ):
            raise ValueError("vectors of 1,024 items expected")
        i: i64 = 0
        while i < HIDDEN:
            target[i] = source[i] + weights[added + i] - weights[removed + i]
            i += 1
    else:
        numpy_kernels.combine(target, source, weights, (added,), (removed,), HIDDEN)


def capture_row(
    target: vec[i16], source: vec[i16], weights: vec[i16], added: i64, removed: i64, captured: i64
) -> None:
    """``target = source + row added - row removed - row captured``: a capture."""
    if COMPILED:
        if (
            len(target) != HIDDEN
            or len(source) != HIDDEN
            or len(weights) != WEIGHTS
            or added < 0
            or added > LAST_ROW
            or removed < 0
            or removed > LAST_ROW
            or captured < 0
            or captured > LAST_ROW
        ):
            raise ValueError("vectors of 1,024 items expected")
        i: i64 = 0
        while i < HIDDEN:
            target[i] = source[i] + weights[added + i] - weights[removed + i] - weights[captured + i]
            i += 1
    else:
        numpy_kernels.combine(target, source, weights, (added,), (removed, captured), HIDDEN)


def move_two_rows(
    target: vec[i16], source: vec[i16], weights: vec[i16], added1: i64, added2: i64, removed1: i64, removed2: i64
) -> None:
    """``target = source`` plus two rows and minus two: castling."""
    if COMPILED:
        if (
            len(target) != HIDDEN
            or len(source) != HIDDEN
            or len(weights) != WEIGHTS
            or added1 < 0
            or added1 > LAST_ROW
            or added2 < 0
            or added2 > LAST_ROW
            or removed1 < 0
            or removed1 > LAST_ROW
            or removed2 < 0
            or removed2 > LAST_ROW
        ):
            raise ValueError("vectors of 1,024 items expected")
        i: i64 = 0
        while i < HIDDEN:
            target[i] = (
                source[i]
                + weights[added1 + i]
                + weights[added2 + i]
                - weights[removed1 + i]
                - weights[removed2 + i]
            )
            i += 1
    else:
        numpy_kernels.combine(target, source, weights, (added1, added2), (removed1, removed2), HIDDEN)


def activated_dot(accumulator: vec[i16], weights: vec[i16]) -> i64:
    """The int8 output layer of one perspective: the sum of ``((c*c + 256) >> 9) * w`` with c clamped to 0..255.

    The square fits 16 unsigned bits; shifted in 16 signed bits and masked it is the same number, so that the loop
    stays in 16-bit lanes. It ends in memory and a second loop multiplies: in one loop, gcc knows the activation's range,
    drops its narrowing to 16 bits, and misses the instruction that multiplies and adds pairs of 16-bit items.
    """
    if COMPILED:
        if len(accumulator) != HIDDEN or len(weights) != HIDDEN:
            raise ValueError("vectors of 1,024 items expected")
        activations = _ACTIVATIONS
        if len(activations) != HIDDEN:
            raise ValueError("vectors of 1,024 items expected")
        i: i64 = 0
        while i < HIDDEN:
            c: i16 = accumulator[i]
            if c < 0:
                c = 0
            elif c > ACTIVATION_MAX:
                c = ACTIVATION_MAX
            activations[i] = ((c * c + 256) >> 9) & 127
            i += 1
        total: i32 = 0
        i = 0
        while i < HIDDEN:
            total += i32(activations[i]) * i32(weights[i])
            i += 1
        return i64(total)
    else:
        return numpy_kernels.activated_dot(accumulator, weights)


def exact_dot(accumulator: vec[i16], weights: vec[i16]) -> i64:
    """The exact output layer of one perspective: the sum of ``c*c * w`` with c clamped to 0..255, in 64 bits."""
    if COMPILED:
        if len(accumulator) != HIDDEN or len(weights) != HIDDEN:
            raise ValueError("vectors of 1,024 items expected")
        total: i64 = 0
        i: i64 = 0
        while i < HIDDEN:
            c: i64 = i64(accumulator[i])
            if c < 0:
                c = 0
            elif c > ACTIVATION_MAX:
                c = ACTIVATION_MAX
            total += c * c * i64(weights[i])
            i += 1
        return total
    else:
        return numpy_kernels.exact_dot(accumulator, weights)
