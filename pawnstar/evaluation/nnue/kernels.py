"""The loops over network vectors: typed loops when compiled, numpy when interpreted, the same bits either way.

Vectors of 1,024 16-bit integers lie in two large arrays: the feature weights, row behind row, and an *arena* of
accumulators. A vector is named by the index of its first item. The arrays are a little longer than what they hold, so
that the first vector can start on a boundary of the processor's cache (64 bytes), wherever the array itself starts:
loads that straddle such a boundary made the loops half as fast again.

The compiled loops compare every length and index with a constant first: with that, gcc drops the bounds checks and
vectorises; without it they are ten times slower. All sums of 16-bit items wrap.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i32, i64

from pawnstar.chess.bits import COMPILED

if not COMPILED:
    from pawnstar.evaluation.nnue import numpy_kernels

# The architecture that the loops are compiled for. These numbers stand here and nowhere else in the package; what a
# net file's header must say, and what a network's sizes are, is derived from them.
HIDDEN: Final = 1024  # neurons of one accumulator
FEATURES: Final = 768  # colour, kind, square
KING_BUCKETS: Final = 8
HEADS: Final = 8  # the most output heads that a net has
QA: Final = 255  # the scale of feature weights and biases: an activation of 1

PLIES: Final = 66  # positions whose accumulators an arena holds
HALF: Final = 512
PADDING: Final = 32  # items, 64 bytes
ROWS: Final = KING_BUCKETS * FEATURES
WEIGHTS: Final = ROWS * HIDDEN + PADDING
LAST_ROW: Final = WEIGHTS - HIDDEN
SLOTS: Final = 2 * PLIES + 1  # vectors in an arena: two accumulators a ply, and one for activations
ARENA: Final = SLOTS * HIDDEN + PADDING
LAST_SLOT: Final = ARENA - HIDDEN
OUTPUT: Final = 2 * HEADS * HIDDEN + PADDING
LAST_OUTPUT: Final = OUTPUT - HIDDEN

_OUT_OF_RANGE: Final = "a vector outside its array"


def vector(length: i64) -> vec[i16]:
    """An array of zeros: a ``vec[i16]`` when compiled, a numpy int16 array when interpreted."""
    if COMPILED:
        return vec[i16]([i16(0)] * length)
    else:
        zeros: vec[i16] = numpy_kernels.zeros(length)
        return zeros


def load(target: vec[i16], first: i64, data: memoryview) -> None:
    """Copy little-endian 16-bit items into ``target[first:]``."""
    if COMPILED:
        items = vec[i16](data.cast("B").cast("h"))
        i: i64 = 0
        while i < len(items):
            target[first + i] = items[i]
            i += 1
    else:
        numpy_kernels.load(target, first, data)


def copy_biases(arena: vec[i16], target: i64, biases: vec[i16]) -> None:
    """``target = biases``: an empty board's accumulator."""
    if COMPILED:
        if len(arena) != ARENA or target < 0 or target > LAST_SLOT or len(biases) != HIDDEN:
            raise ValueError(_OUT_OF_RANGE)
        i: i64 = 0
        while i < HIDDEN:
            arena[target + i] = biases[i]
            i += 1
    else:
        numpy_kernels.load(arena, target, biases)


def add_row(arena: vec[i16], target: i64, weights: vec[i16], row: i64) -> None:
    """``target`` plus one row."""
    if COMPILED:
        if (
            len(arena) != ARENA
            or len(weights) != WEIGHTS
            or target < 0
            or target > LAST_SLOT
            or row < 0
            or row > LAST_ROW
        ):
            raise ValueError(_OUT_OF_RANGE)
        i: i64 = 0
        while i < HIDDEN:
            arena[target + i] = arena[target + i] + weights[row + i]
            i += 1
    else:
        numpy_kernels.combine(arena, target, target, weights, (row,), (), HIDDEN)


def add_four_rows(arena: vec[i16], target: i64, weights: vec[i16], row1: i64, row2: i64, row3: i64, row4: i64) -> None:
    """``target`` plus four rows: one pass over the target instead of four."""
    if COMPILED:
        if (
            len(arena) != ARENA
            or len(weights) != WEIGHTS
            or target < 0
            or target > LAST_SLOT
            or row1 < 0
            or row1 > LAST_ROW
            or row2 < 0
            or row2 > LAST_ROW
            or row3 < 0
            or row3 > LAST_ROW
            or row4 < 0
            or row4 > LAST_ROW
        ):
            raise ValueError(_OUT_OF_RANGE)
        i: i64 = 0
        while i < HIDDEN:
            arena[target + i] = (
                arena[target + i] + weights[row1 + i] + weights[row2 + i] + weights[row3 + i] + weights[row4 + i]
            )
            i += 1
    else:
        numpy_kernels.combine(arena, target, target, weights, (row1, row2, row3, row4), (), HIDDEN)


def move_row(arena: vec[i16], target: i64, source: i64, weights: vec[i16], added: i64, removed: i64) -> None:
    """``target = source`` plus a row minus a row: a quiet move, or a promotion by a push."""
    if COMPILED:
        if (
            len(arena) != ARENA
            or len(weights) != WEIGHTS
            or target < 0
            or target > LAST_SLOT
            or source < 0
            or source > LAST_SLOT
            or added < 0
            or added > LAST_ROW
            or removed < 0
            or removed > LAST_ROW
        ):
            raise ValueError(_OUT_OF_RANGE)
        i: i64 = 0
        while i < HIDDEN:
            arena[target + i] = arena[source + i] + weights[added + i] - weights[removed + i]
            i += 1
    else:
        numpy_kernels.combine(arena, target, source, weights, (added,), (removed,), HIDDEN)


def capture_row(
    arena: vec[i16], target: i64, source: i64, weights: vec[i16], added: i64, removed: i64, captured: i64
) -> None:
    """``target = source`` plus a row minus two: a capture."""
    if COMPILED:
        if (
            len(arena) != ARENA
            or len(weights) != WEIGHTS
            or target < 0
            or target > LAST_SLOT
            or source < 0
            or source > LAST_SLOT
            or added < 0
            or added > LAST_ROW
            or removed < 0
            or removed > LAST_ROW
            or captured < 0
            or captured > LAST_ROW
        ):
            raise ValueError(_OUT_OF_RANGE)
        i: i64 = 0
        while i < HIDDEN:
            arena[target + i] = arena[source + i] + weights[added + i] - weights[removed + i] - weights[captured + i]
            i += 1
    else:
        numpy_kernels.combine(arena, target, source, weights, (added,), (removed, captured), HIDDEN)


def move_two_rows(
    arena: vec[i16], target: i64, source: i64, weights: vec[i16], added1: i64, added2: i64, removed1: i64, removed2: i64
) -> None:
    """``target = source`` plus two rows minus two: castling."""
    if COMPILED:
        if (
            len(arena) != ARENA
            or len(weights) != WEIGHTS
            or target < 0
            or target > LAST_SLOT
            or source < 0
            or source > LAST_SLOT
            or added1 < 0
            or added1 > LAST_ROW
            or added2 < 0
            or added2 > LAST_ROW
            or removed1 < 0
            or removed1 > LAST_ROW
            or removed2 < 0
            or removed2 > LAST_ROW
        ):
            raise ValueError(_OUT_OF_RANGE)
        i: i64 = 0
        while i < HIDDEN:
            arena[target + i] = (
                arena[source + i]
                + weights[added1 + i]
                + weights[added2 + i]
                - weights[removed1 + i]
                - weights[removed2 + i]
            )
            i += 1
    else:
        numpy_kernels.combine(arena, target, source, weights, (added1, added2), (removed1, removed2), HIDDEN)


def activated_dot(arena: vec[i16], accumulator: i64, scratch: i64, weights: vec[i16], first: i64) -> i64:
    """The int8 output layer of one perspective: the sum of ``((c*c + 256) >> 9) * w`` with c clamped to 0..255.

    The square fits 16 unsigned bits; shifted in 16 signed bits and masked it is the same number, so that the first loop
    stays in 16-bit lanes. It ends in memory (``scratch``) and a second loop multiplies: in one loop, gcc knows the
    activation's range, drops its narrowing to 16 bits, and misses the instruction that multiplies and adds pairs.
    """
    if COMPILED:
        if (
            len(arena) != ARENA
            or len(weights) != OUTPUT
            or accumulator < 0
            or accumulator > LAST_SLOT
            or scratch < 0
            or scratch > LAST_SLOT
            or first < 0
            or first > LAST_OUTPUT
        ):
            raise ValueError(_OUT_OF_RANGE)
        i: i64 = 0
        while i < HIDDEN:
            c: i16 = arena[accumulator + i]
            if c < 0:
                c = 0
            elif c > QA:
                c = QA
            arena[scratch + i] = ((c * c + 256) >> 9) & 127
            i += 1
        # Two sums, since each addition waits for the one before.
        low: i32 = 0
        high: i32 = 0
        i = 0
        while i < HALF:
            low += i32(arena[scratch + i]) * i32(weights[first + i])
            high += i32(arena[scratch + HALF + i]) * i32(weights[first + HALF + i])
            i += 1
        return i64(low) + i64(high)
    else:
        return numpy_kernels.activated_dot(arena, accumulator, weights, first, HIDDEN)


def exact_dot(arena: vec[i16], accumulator: i64, weights: vec[i16], first: i64) -> i64:
    """The exact output layer of one perspective: the sum of ``c*c * w`` with c clamped to 0..255, in 64 bits."""
    if COMPILED:
        total: i64 = 0
        i: i64 = 0
        while i < HIDDEN:
            c: i64 = i64(arena[accumulator + i])
            if c < 0:
                c = 0
            elif c > QA:
                c = QA
            total += c * c * i64(weights[first + i])
            i += 1
        return total
    else:
        return numpy_kernels.exact_dot(arena, accumulator, weights, first, HIDDEN)
