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

from pawnstar.engine import kernels

TWIN: Any = plain_twin("pawnstar.engine.kernels")
UNDER_TEST: Any = kernels
BOTH = pytest.mark.parametrize("module", [UNDER_TEST, TWIN], ids=["under test", "plain twin"])

HIDDEN = 1024
WEIGHTS = 6144 * 1024
LAST_ROW = WEIGHTS - HIDDEN
EXTREMES = (-32768, -32767, -1, 0, 1, 254, 255, 256, 32766, 32767)


def wrapped(value: int) -> int:
    """A sum as 16 signed bits keep it."""
    return (value + 32768) % 65536 - 32768


def vector(module: Any, items: Iterable[int]) -> Any:
    return module.vector_from(memoryview(array("h", items)))


def items_of(found: Any) -> list[int]:
    return [int(item) for item in found]


def noise(seed: int, length: int = HIDDEN) -> list[int]:
    """Items of the whole range, a third of them extremes."""
    dice = random.Random(seed)
    return [dice.choice(EXTREMES) if dice.random() < 0.33 else dice.randint(-32768, 32767) for _ in range(length)]


@pytest.fixture(scope="module")
def table() -> Any:
    """Weights of the whole range, extremes included."""
    dice = np.random.default_rng(7)
    weights = dice.integers(-32768, 32768, WEIGHTS, dtype=np.int16)
    chosen = dice.integers(0, WEIGHTS, WEIGHTS // 3)
    weights[chosen] = dice.choice(np.array(EXTREMES, dtype=np.int16), len(chosen))
    return weights


@pytest.fixture(scope="module")
def weights(table: Any) -> dict[str, Any]:
    return {module.__name__ + str(id(module)): module.vector_from(memoryview(table)) for module in (UNDER_TEST, TWIN)}


def weights_of(weights: dict[str, Any], module: Any) -> Any:
    return weights[module.__name__ + str(id(module))]


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
    module: Any, name: str, table: Any, weights: dict[str, Any]
) -> None:
    dice = random.Random(name)
    signs = UPDATES[name]
    in_place = name.startswith("add")
    for trial in range(6):
        source = noise(trial)
        # The first and the last row at least once, and one row twice.
        rows = [dice.randrange(6144) * HIDDEN for _ in signs]
        if trial == 0:
            rows[0] = 0
            rows[-1] = LAST_ROW
        if trial == 1:
            rows = [rows[0]] * len(rows)
        expected = [
            wrapped(
                item
                + sum((1 if sign == "+" else -1) * int(table[row + i]) for sign, row in zip(signs, rows, strict=True))
            )
            for i, item in enumerate(source)
        ]
        first = vector(module, source)
        if in_place:
            getattr(module, name)(first, weights_of(weights, module), *rows)
            assert items_of(first) == expected
        else:
            target = vector(module, noise(trial + 100))
            getattr(module, name)(target, first, weights_of(weights, module), *rows)
            assert items_of(target) == expected
            assert items_of(first) == source, "the source must stay"


@BOTH
def test_copy_and_zeros(module: Any) -> None:
    source = noise(1)
    target = module.vector(HIDDEN)
    assert items_of(target) == [0] * HIDDEN
    first = vector(module, source)
    module.copy(target, first)
    assert items_of(target) == source
    # A copy of its own: the source's later changes do not show.
    module.copy(first, module.vector(HIDDEN))
    assert items_of(target) == source


@BOTH
def test_vector_is_independent_of_the_bytes_it_was_read_from(module: Any) -> None:
    data = bytearray(array("h", noise(2)).tobytes())
    found = module.vector_from(memoryview(data))
    data[:] = bytes(len(data))
    assert items_of(found) == noise(2)


@BOTH
@pytest.mark.parametrize("weight", [127, 1, -1, -127])
def test_activation_of_every_accumulator_value(module: Any, weight: int) -> None:
    """All 65,536 values: clamped to 0..255, squared, plus 256, shifted right by 9."""
    ones = vector(module, [weight] * HIDDEN)
    for start in range(-32768, 32768, HIDDEN):
        values = range(start, start + HIDDEN)
        clamped = [max(0, min(255, value)) for value in values]
        assert module.activated_dot(vector(module, values), ones) == weight * sum((c * c + 256) >> 9 for c in clamped)
        assert module.exact_dot(vector(module, values), ones) == weight * sum(c * c for c in clamped)


@BOTH
@pytest.mark.parametrize("value", range(256))
def test_activation_one_by_one(module: Any, value: int) -> None:
    """Alone in its vector, so that no two faults can cancel; in the first, a middle and the last place."""
    for place in (0, 517, HIDDEN - 1):
        items = [0] * HIDDEN
        items[place] = value
        weights = [0] * HIDDEN
        weights[place] = -127
        one, other = vector(module, items), vector(module, weights)
        assert module.activated_dot(one, other) == -127 * ((value * value + 256) >> 9)
        assert module.exact_dot(one, other) == -127 * value * value


@BOTH
def test_dot_products_of_noise(module: Any) -> None:
    dice = random.Random(11)
    for seed in range(20):
        items = noise(seed)
        clamped = [max(0, min(255, item)) for item in items]
        small = [dice.randint(-127, 127) for _ in range(HIDDEN)]
        activations = [(c * c + 256) >> 9 for c in clamped]
        assert module.activated_dot(vector(module, items), vector(module, small)) == sum(
            a * w for a, w in zip(activations, small, strict=True)
        )
        large = noise(seed + 50)
        assert module.exact_dot(vector(module, items), vector(module, large)) == sum(
            c * c * w for c, w in zip(clamped, large, strict=True)
        )


@BOTH
@pytest.mark.parametrize("sign", [1, -1])
def test_largest_sums_do_not_overflow(module: Any, sign: int) -> None:
    full = vector(module, [32767] * HIDDEN)
    assert module.activated_dot(full, vector(module, [127 * sign] * HIDDEN)) == sign * 127 * 127 * HIDDEN
    weight = 32767 if sign > 0 else -32768
    assert module.exact_dot(full, vector(module, [weight] * HIDDEN)) == 255 * 255 * weight * HIDDEN


@pytest.mark.skipif(not COMPILED, reason="numpy checks lengths by itself")
def test_compiled_loops_refuse_other_lengths(weights: dict[str, Any]) -> None:
    """The loops run without bounds checks behind these comparisons: a wrong length must never reach them."""
    table = weights_of(weights, UNDER_TEST)
    good, short = kernels.vector(HIDDEN), kernels.vector(HIDDEN - 1)
    for call in (
        lambda: kernels.copy(good, short),
        lambda: kernels.copy(short, good),
        lambda: kernels.activated_dot(good, short),
        lambda: kernels.activated_dot(short, good),
        lambda: kernels.exact_dot(good, short),
        lambda: kernels.exact_dot(short, good),
        lambda: kernels.add_row(short, table, 0),
        lambda: kernels.add_row(good, short, 0),
        lambda: kernels.add_four_rows(short, table, 0, 0, 0, 0),
        lambda: kernels.move_row(good, short, table, 0, 0),
        lambda: kernels.capture_row(good, good, short, 0, 0, 0),
        lambda: kernels.move_two_rows(short, good, table, 0, 0, 0, 0),
    ):
        with pytest.raises(ValueError, match=r"1,024 items expected"):
            call()


@pytest.mark.skipif(not COMPILED, reason="the package's own rows are in range; numpy slices do not check")
@pytest.mark.parametrize("row", [-1, -HIDDEN, LAST_ROW + 1, WEIGHTS, 2**62])
def test_compiled_loops_refuse_rows_outside_the_weights(row: int, weights: dict[str, Any]) -> None:
    table = weights_of(weights, UNDER_TEST)
    good = kernels.vector(HIDDEN)
    updates: list[tuple[Any, int]] = [
        (lambda *rows: kernels.add_row(good, table, *rows), 1),
        (lambda *rows: kernels.add_four_rows(good, table, *rows), 4),
        (lambda *rows: kernels.move_row(good, good, table, *rows), 2),
        (lambda *rows: kernels.capture_row(good, good, table, *rows), 3),
        (lambda *rows: kernels.move_two_rows(good, good, table, *rows), 4),
    ]
    for update, count in updates:
        for place in range(count):
            rows = [0] * count
            rows[place] = row
            with pytest.raises(ValueError, match=r"1,024 items expected"):
                update(*rows)
    assert items_of(good) == [0] * HIDDEN
