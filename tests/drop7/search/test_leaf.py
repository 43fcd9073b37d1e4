from __future__ import annotations

import pytest

from pawnstar.drop7 import FROZEN_WEIGHTS, Leaf, State, WeightsError, parse_weights
from pawnstar.drop7.formats import value_bits
from pawnstar.drop7.search.leaf import either

from ..goldens import FOLDER, INPUTS, records, state_of, weights
from .slow_leaf import additions


def test_values_and_terms() -> None:
    frozen = Leaf()
    perturbed = Leaf(weights(INPUTS / "example-perturbed.weights"))
    alternative = Leaf(weights(FOLDER / "leaf_alt.weights"))
    assert list(Leaf(weights(INPUTS / "frozen-fair.weights")).weights) == list(FROZEN_WEIGHTS)
    assert list(perturbed.weights) != list(FROZEN_WEIGHTS)
    checked = 0
    for record in records("leaf.jsonl"):
        state = state_of(record)
        assert value_bits(frozen.evaluate(state)) == record["value"]
        assert value_bits(perturbed.evaluate(state)) == record["perturbed"]
        assert value_bits(alternative.evaluate(state)) == record["alt"]
        if not state.over:
            assert [value_bits(term) for term in frozen.explain(state)] == record["terms"]
        checked += 1
    assert checked == 1913


def test_additions_and_releases_of_each_cell() -> None:
    leaf = Leaf()
    checked = 0
    for record in records("leaf_detail.jsonl"):
        state = state_of(record)
        leaf.evaluate(state)
        assert state.board.heights() == record["heights"]
        for cell, code in enumerate(record["board"]):
            if code not in "1234567":
                continue
            at = 8 * (6 - cell // 7) + cell % 7
            assert value_bits(leaf.addition[at]) == record["addition"][cell]
            horizontal, vertical = additions(record["board"], cell)
            assert value_bits(horizontal) == record["horizontalAddition"][cell]
            assert value_bits(vertical) == record["verticalAddition"][cell]
            if code in "12":  # kept for the terms that ask for one direction only
                assert value_bits(leaf.horizontal_addition[at]) == record["horizontalAddition"][cell]
                assert value_bits(leaf.vertical_addition[at]) == record["verticalAddition"][cell]
            by_row = leaf.horizontal_release[at] if leaf.released_rows >> at & 1 else 0.0
            by_column = leaf.vertical_release[at] if leaf.released_columns >> at & 1 else 0.0
            assert value_bits(by_row) == record["horizontalRelease"][cell]
            assert value_bits(by_column) == record["verticalRelease"][cell]
            assert value_bits(either(by_row, by_column)) == record["release"][cell]
        checked += 1
    assert checked == 62


def test_the_start_position() -> None:
    leaf = Leaf()
    state = State.start(4)
    assert value_bits(leaf.evaluate(state)) == "c0afb30000000000"
    terms = [value_bits(term) for term in leaf.explain(state)]
    assert (terms[13], terms[16]) == ("402099999999999a", "3ff6666666666666")


def test_a_clock_of_zero_has_no_value() -> None:
    with pytest.raises(ValueError, match="clock must not be 0"):
        Leaf().evaluate(State.parse("0" * 42 + "8888888", 4, 0))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("w_fields", "w_fields:2: expected one leaf name and one value"),
        ("w_unknown", "w_unknown:2: unknown leaf term open_colums"),
        ("w_dup", "w_dup:20: duplicate leaf term solid_cells"),
        ("w_bad", "w_bad:3: invalid value for height_load"),
        ("w_inf", "w_inf:3: non-finite value for height_load"),
        ("w_nan", "w_nan:3: non-finite value for height_load"),
        ("w_missing", "w_missing: missing leaf term rise_pressure"),
    ],
)
def test_faulty_weights(name: str, message: str) -> None:
    with pytest.raises(WeightsError) as caught:
        parse_weights((INPUTS / f"{name}.weights").read_text(), name)
    assert str(caught.value) == message


def test_weights_may_have_comments_and_any_order() -> None:
    text = "\n".join(f"  {name}\t{value!r} # why" for name, value in reversed(list(enumerate_terms())))
    assert parse_weights("# head\n\n" + text, "x") == list(FROZEN_WEIGHTS)


def enumerate_terms() -> list[tuple[str, float]]:
    from pawnstar.drop7 import TERM_NAMES

    return list(zip(TERM_NAMES, FROZEN_WEIGHTS, strict=True))


def test_the_number_of_weights_is_checked() -> None:
    with pytest.raises(ValueError, match="18 weights"):
        Leaf([1.0])
