"""The vector kernels: what runs, and the plain twin, against sums in unbounded integers.

Compiled, the twin is the numpy version; in plain mode both are. Sums of 16-bit items wrap, and extremes make them.
"""

import random
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from modes import COMPILED, plain_twin

from pawnstar.evaluation.nnue import kernels

TWIN: Any = plain_twin("pawnstar.evaluation.nnue.kernels")
UNDER_TEST: Any = kernels
BOTH = pytest.mark.parametrize("module", [UNDER_TEST, TWIN], ids=["under test", "plain twin"])

HIDDEN = 1024
EXTREMES = (-32768, -32767, -1, 0, 1, 254, 255, 256, 32766, 32767)
# Where vectors may lie in an arena: its ends, on a boundary of the cache and off it.
FIRST, MIDDLE, LAST = 0, 7 * HIDDEN + 5, int(kernels.LAST_SLOT)
SCRATCH = 100 * HIDDEN


def wrapped(value: int) -> int:
    """A sum as 16 signed bits keep it."""
    return (value + 32768) % 65536 - 32768


def view(items: Iterable[int]) -> memoryview:
    return memoryview(array("h", items).tobytes())


def noise(seed: int, length: int = HIDDEN) -> list[int]:
    """Items of the whole range, a third of them extremes."""
    dice = random.Random(seed)
    return [dice.choice(EXTREMES) if dice.random() < 0.33 else dice.randint(-32768, 32767) for _ in range(length)]


def arena(module: Any, vectors: dict[int, list[int]]) -> Any:
    """An arena of zeros with these vectors in it."""
    found = module.vector(module.ARENA)
    for first, items in vectors.items():
        module.load(found, first, view(items))
    return found


def output(module: Any, first: int, items: list[int]) -> Any:
    """Output weights, zeros but for one vector."""
    found = module.vector(module.OUTPUT)
    module.load(found, first, view(items))
    return found


def items_of(found: Any, first: int, length: int = HIDDEN) -> list[int]:
    return [int(found[first + index]) for index in range(length)]


@pytest.fixture(scope="module")
def table() -> Any:
    """Feature weights of the whole range, extremes included."""
    dice = np.random.default_rng(7)
    size = int(kernels.WEIGHTS)
    weights = dice.integers(-32768, 32768, size, dtype=np.int16)
    chosen = dice.integers(0, size, size // 3)
    weights[chosen] = dice.choice(np.array(EXTREMES, dtype=np.int16), len(chosen))
    return weights


@pytest.fixture(scope="module")
def weights(table: Any) -> dict[int, Any]:
    """The table as each module keeps it."""
    found = {}
    for module in (UNDER_TEST, TWIN):
        found[id(module)] = module.vector(module.WEIGHTS)
        module.load(found[id(module)], 0, memoryview(table.tobytes()))
    return found


# The rows added to and removed from the vector by each kernel, in the order of its arguments.
UPDATES = {
    "add_row": "+",
    "add_four_rows": "++++",
    "move_row": "+-",
    "capture_row": "+--",
    "move_two_rows": "++--",
}


@BOTH
@pytest.mark.parametrize("name", UPDATES)
def test_update_is_the_sum_modulo_two_to_the_sixteen(
    module: Any, name: str, table: Any, weights: dict[int, Any]
) -> None:
    dice = random.Random(name)
    signs = UPDATES[name]
    in_place = name.startswith("add")
    for trial, target in enumerate([FIRST, MIDDLE, LAST, MIDDLE, LAST, FIRST]):
        source = target if in_place else {FIRST: MIDDLE, MIDDLE: LAST, LAST: FIRST}[target]
        # Rows off the boundaries, too; the first and the last at least once, and one row twice.
        rows = [dice.randrange(int(kernels.LAST_ROW) + 1) for _ in signs]
        if trial == 0:
            rows[0], rows[-1] = 0, int(kernels.LAST_ROW)
        if trial == 1:
            rows = [rows[0]] * len(rows)
        before = noise(trial)
        expected = [
            wrapped(
                item
                + sum((1 if sign == "+" else -1) * int(table[row + i]) for sign, row in zip(signs, rows, strict=True))
            )
            for i, item in enumerate(before)
        ]
        around = [1, 2, 3]
        memory = arena(module, {source: before})
        if not in_place:
            module.load(memory, target, view(noise(trial + 100)))
        neighbours = [first for first in (target - 3, target + HIDDEN) if 0 <= first <= module.ARENA - 3]
        for first in neighbours:
            module.load(memory, first, view(around))
        arguments = [memory, target] if in_place else [memory, target, source]
        getattr(module, name)(*arguments, weights[id(module)], *rows)
        assert items_of(memory, target) == expected
        assert all(items_of(memory, first, 3) == around for first in neighbours), "beside the target"
        if not in_place:
            assert items_of(memory, source) == before, "the source must stay"


@BOTH
def test_biases_are_copied(module: Any) -> None:
    biases = module.vector(HIDDEN)
    module.load(biases, 0, view(noise(1)))
    for target in (FIRST, MIDDLE, LAST):
        memory = arena(module, {target: noise(2)})
        module.copy_biases(memory, target, biases)
        assert items_of(memory, target) == noise(1)
        assert sum(items_of(memory, 0, module.ARENA)) == sum(noise(1)), "nothing else"


@BOTH
def test_arrays_start_as_zeros_and_are_independent_of_the_bytes_loaded(module: Any) -> None:
    found = module.vector(HIDDEN)
    assert items_of(found, 0) == [0] * HIDDEN
    data = bytearray(array("h", noise(2)).tobytes())
    module.load(found, 0, memoryview(data))
    data[:] = bytes(len(data))
    assert items_of(found, 0) == noise(2)


def test_sizes_hold_a_search_and_every_shape() -> None:
    """An accumulator for each of 66 plies, twice, and one vector of scratch; the rows, and eight heads."""
    assert kernels.ARENA >= (2 * 66 + 1) * HIDDEN + 31
    assert kernels.WEIGHTS >= 6144 * HIDDEN + 31
    assert kernels.OUTPUT >= 2 * 8 * HIDDEN + 31


@BOTH
@pytest.mark.parametrize("weight", [127, 1, -1, -127])
def test_activation_of_every_accumulator_value(module: Any, weight: int) -> None:
    """All 65,536 values: clamped to 0..255, squared, plus 256, shifted right by 9."""
    constant = output(module, HIDDEN, [weight] * HIDDEN)
    for start in range(-32768, 32768, HIDDEN):
        values = range(start, start + HIDDEN)
        clamped = [max(0, min(255, value)) for value in values]
        memory = arena(module, {MIDDLE: list(values)})
        assert module.activated_dot(memory, MIDDLE, SCRATCH, constant, HIDDEN) == weight * sum(
            (c * c + 256) >> 9 for c in clamped
        )
        assert module.exact_dot(memory, MIDDLE, constant, HIDDEN) == weight * sum(c * c for c in clamped)


@BOTH
@pytest.mark.parametrize("value", [*range(256), -1, -32768, 256, 32767])
def test_activation_one_by_one(module: Any, value: int) -> None:
    """Alone in its vector, so that no two faults can cancel; in the first and last place of each half."""
    c = max(0, min(255, value))
    for place in (0, 511, 512, HIDDEN - 1):
        items, weights = [0] * HIDDEN, [0] * HIDDEN
        items[place], weights[place] = value, -127
        memory, constant = arena(module, {0: items}), output(module, 0, weights)
        assert module.activated_dot(memory, 0, SCRATCH, constant, 0) == -127 * ((c * c + 256) >> 9)
        assert module.exact_dot(memory, 0, constant, 0) == -127 * c * c


@BOTH
def test_dot_products_of_noise(module: Any) -> None:
    dice = random.Random(11)
    for seed in range(20):
        place, first = dice.choice([FIRST, MIDDLE, LAST]), dice.choice([0, 17, int(kernels.LAST_OUTPUT)])
        items = noise(seed)
        clamped = [max(0, min(255, item)) for item in items]
        small = [dice.randint(-127, 127) for _ in range(HIDDEN)]
        memory = arena(module, {place: items})
        assert module.activated_dot(memory, place, SCRATCH, output(module, first, small), first) == sum(
            ((c * c + 256) >> 9) * w for c, w in zip(clamped, small, strict=True)
        )
        assert items_of(memory, place) == items, "the accumulator must stay"
        large = noise(seed + 50)
        assert module.exact_dot(memory, place, output(module, first, large), first) == sum(
            c * c * w for c, w in zip(clamped, large, strict=True)
        )


@BOTH
@pytest.mark.parametrize("sign", [1, -1])
def test_largest_sums_do_not_overflow(module: Any, sign: int) -> None:
    memory = arena(module, {0: [32767] * HIDDEN})
    constant = output(module, 0, [127 * sign] * HIDDEN)
    assert module.activated_dot(memory, 0, SCRATCH, constant, 0) == sign * 127 * 127 * HIDDEN
    weight = 32767 if sign > 0 else -32768
    assert module.exact_dot(memory, 0, output(module, 0, [weight] * HIDDEN), 0) == 255 * 255 * weight * HIDDEN


def calls(good: Any, table: Any, heads: Any, biases: Any) -> list[tuple[Any, list[Any], list[int]]]:
    """Each kernel, its arguments in order, and which of them are places of vectors."""
    return [
        (kernels.copy_biases, [good, 0, biases], [1]),
        (kernels.add_row, [good, 0, table, 0], [1, 3]),
        (kernels.add_four_rows, [good, 0, table, 0, 0, 0, 0], [1, 3, 4, 5, 6]),
        (kernels.move_row, [good, 0, 0, table, 0, 0], [1, 2, 4, 5]),
        (kernels.capture_row, [good, 0, 0, table, 0, 0, 0], [1, 2, 4, 5, 6]),
        (kernels.move_two_rows, [good, 0, 0, table, 0, 0, 0, 0], [1, 2, 4, 5, 6, 7]),
        (kernels.activated_dot, [good, 0, 0, heads, 0], [1, 2, 4]),
        (kernels.exact_dot, [good, 0, heads, 0], [1, 3]),
    ]


@pytest.mark.skipif(not COMPILED, reason="numpy checks by itself, and the package's own places are in range")
@pytest.mark.parametrize("place", [-1, -HIDDEN, 2**23, 2**62])
def test_compiled_loops_refuse_places_outside_their_arrays(place: int, weights: dict[int, Any]) -> None:
    """The loops run without bounds checks behind these comparisons: a wrong place must never reach them."""
    good, heads, biases = kernels.vector(kernels.ARENA), kernels.vector(kernels.OUTPUT), kernels.vector(HIDDEN)
    for kernel, arguments, places in calls(good, weights[id(UNDER_TEST)], heads, biases):
        kernel(*arguments)
        if kernel is kernels.exact_dot and place < 0:
            continue  # the reference keeps its bounds checks, and counts from the end as Python does
        for at in places:
            wrong = [*arguments]
            wrong[at] = place
            with pytest.raises((ValueError, IndexError)):
                kernel(*wrong)


@pytest.mark.skipif(not COMPILED, reason="numpy checks by itself")
def test_compiled_loops_refuse_arrays_of_other_lengths(weights: dict[int, Any]) -> None:
    good, heads, biases = kernels.vector(kernels.ARENA), kernels.vector(kernels.OUTPUT), kernels.vector(HIDDEN)
    short = kernels.vector(HIDDEN - 1)
    for kernel, arguments, _ in calls(good, weights[id(UNDER_TEST)], heads, biases):
        for at, argument in enumerate(arguments):
            if not isinstance(argument, int):
                wrong = [*arguments]
                wrong[at] = short
                with pytest.raises((ValueError, IndexError)):
                    kernel(*wrong)
