from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pawnstar.drop7 import (
    COMPILED,
    Leaf,
    PrivateTable,
    Searcher,
    State,
    UnsearchableState,
    WorkLimitReached,
)
from pawnstar.drop7.formats import value_bits
from pawnstar.drop7.rules.rng import POLICY_SEED, board_hash, scenario_seed
from pawnstar.drop7.search.search import best_column, best_or_terminal
from pawnstar.drop7.search.table import hash_key, last_key_word, slots_for

from ..goldens import FOLDER, SIX_ROOTS, records, roots, state_of, weights
from .slow_search import SlowSearch, work_bound

ROOTS = roots(FOLDER / "roots.txt")


def word(value: int) -> str:
    return f"{value & (1 << 64) - 1:016x}"


def test_keys() -> None:
    checked = 0
    for record in records("keys.jsonl"):
        state, mirrored = state_of(record).canonical()
        board = state.board
        assert mirrored == record["mirrored"]
        assert board.text() == record["canonical"]
        assert board.columns() == record["canonicalCols"]
        last = last_key_word(board.pair3, state.next_disc, state.clock, record["depth"])
        words = [int(board.pair0), int(board.pair1), int(board.pair2), int(last)]
        assert [word(part) for part in words] == record["words"]
        assert word(int(hash_key(board.pair0, board.pair1, board.pair2, last))) == record["hash"]
        for name, searched in (("scenarioSeed", state_of(record)), ("scenarioSeedCanonical", state)):
            cells = searched.board
            hashed = board_hash(cells.pair0, cells.pair1, cells.pair2, cells.pair3)
            seed = scenario_seed(hashed, state.next_disc, state.clock, record["depth"], POLICY_SEED)
            assert seed == record[name]
        checked += 1
    assert checked == 300


def small(record: dict[str, Any]) -> bool:
    """Whether plain Python can afford a search."""
    return bool(COMPILED or record["work"] < 1500)


def test_searches_with_every_counter() -> None:
    checked = 0
    for record in records("search_d12.jsonl", every=3):
        if not small(record):
            continue
        state = state_of(record)
        root, mirrored = state.canonical()
        assert mirrored == record["mirrored"]
        board = root.board
        searcher = Searcher(record["strata"])
        searcher.reserve(record["depth"])
        columns = []
        for column in root.legal_columns():
            searcher.reset_counters()
            value = searcher.action(
                board.pair0, board.pair1, board.pair2, board.pair3, root.next_disc, root.clock, column, record["depth"]
            )
            done = searcher.counters()
            columns.append(
                {
                    "canonicalColumn": column,
                    "column": 6 - column if mirrored else column,
                    "value": value_bits(value),
                    "work": done.work,
                    "nodes": done.nodes,
                    "leafCalls": done.leaves,
                    "moveCalls": done.moves,
                    "cumulativeHits": done.hits,
                }
            )
        assert columns == record["columns"]
        searcher.reset_counters()
        assert best_column(searcher.column_values(state, record["depth"])) == record["action"]
        assert searcher.counters().as_tuple() == (
            record["work"],
            record["nodes"],
            record["leafCalls"],
            record["moveCalls"],
            record["cacheHits"],
        )
        checked += 1
    assert checked == 440 if COMPILED else checked > 80


def test_other_parameters() -> None:
    leaves = {"fair": None, "alt": weights(FOLDER / "leaf_alt.weights")}
    checked = 0
    for record in records("search_params.jsonl", every=20):
        chosen = leaves["fair" if record["leaf"] == "fair" else "alt"]
        searcher = Searcher(
            record["strata"],
            Leaf(chosen),
            policy_seed=record["policySeed"],
            terminal_utility=float(record["terminalUtility"]),
        )
        state = state_of(record)
        mirrored = state.canonical()[1]
        entries = searcher.column_values(state, record["depth"])
        values = [[6 - entry.column if mirrored else entry.column, value_bits(entry.value)] for entry in entries]
        assert values == record["canonicalValues"]
        assert best_column(entries) == record["action"]
        checked += 1
    assert checked == (132 if COMPILED else 7)


START_DEPTH_2 = [
    "c09e0516aaaaaaab",
    "c09fedfa38e38e38",
    "c09fedfa38e38e38",
    "c0a241a7c71c71c7",
    "c0a241a7c71c71c7",
    "c0a14d3600000000",
    "c0a14d3600000000",
]


def test_the_start_position() -> None:
    searcher = Searcher(3)
    entries = searcher.column_values(State.start(4), 2)
    assert [entry.column for entry in entries] == [3, 2, 4, 1, 5, 0, 6]
    assert [value_bits(entry.value) for entry in entries] == START_DEPTH_2
    assert searcher.counters().work == 903
    cached = Searcher(3, table=PrivateTable(4096))
    assert cached.column_values(State.start(4), 2)[0].value == entries[0].value
    assert cached.counters().work == 525


@pytest.mark.compiled_only
@pytest.mark.parametrize("gate", [1, 2, 3])
def test_depth_3_with_seven_strata(gate: int) -> None:
    plain = Searcher(7)
    cached = Searcher(7, table=PrivateTable(65536, gate))
    for root in roots(SIX_ROOTS):
        values = [(entry.column, entry.value) for entry in plain.column_values(root, 3)]
        assert values == [(entry.column, entry.value) for entry in cached.column_values(root, 3)]


@settings(max_examples=150 if COMPILED else 12)
@given(
    st.sampled_from([record for record in ROOTS if record.has_move()]),
    st.integers(1, 4),
    st.integers(0, 1300),
    st.sampled_from([0, 1, 2, 16, 1024]),
    st.integers(1, 2),
)
def test_choosing_agrees_with_the_definition(state: State, samples: int, limit: int, slots: int, gate: int) -> None:
    """Sharing moves and leaves between samples must not show, not even where a work limit cuts in."""
    depth = 3 if COMPILED else 2
    limit = limit if COMPILED else limit // 10
    slow = SlowSearch(samples, limit, slots, gate)
    searcher = Searcher(samples, table=PrivateTable(slots, gate) if slots else None, work_limit=limit)
    assert (searcher.choose_action(state, depth), searcher.completed_depth) == slow.choose(state, depth)
    assert searcher.counters().as_tuple() == slow.counters()


@settings(max_examples=25 if COMPILED else 3)
@given(st.sampled_from([record for record in ROOTS if record.has_move()]), st.sampled_from([0, 4, 256]))
def test_complete_searches_agree_with_the_definition(state: State, slots: int) -> None:
    depth, samples = (3, 2) if COMPILED else (2, 1)
    slow = SlowSearch(samples, 1 << 60, slots, 1)
    searcher = Searcher(samples, table=PrivateTable(slots) if slots else None)
    assert (searcher.choose_action(state, depth), searcher.completed_depth) == slow.choose(state, depth)
    assert searcher.counters().as_tuple() == slow.counters()


def test_the_limit_strikes_in_the_middle_of_a_column() -> None:
    # Each sample of depth 1 is a move and a leaf; the limit may fall between the two.
    for limit in range(8):
        searcher = Searcher(3, work_limit=limit)
        with pytest.raises(WorkLimitReached):
            searcher.column_values(State.start(4), 1)
        done = searcher.counters()
        assert (done.work, done.moves, done.leaves, done.nodes) == (
            limit,
            (limit + 1) // 2,
            limit // 2,
            (limit + 1) // 2,
        )


def test_a_finished_game_has_no_action() -> None:
    state = State.parse("0" * 42 + "8888888", 4, 5, 1, True)
    searcher = Searcher(3)
    assert searcher.choose_action(state, 2) == -1
    assert searcher.counters().as_tuple() == (0, 0, 0, 0, 0)
    assert searcher.column_values(state, 2) == []


def test_a_clock_of_zero_is_refused() -> None:
    """With a clock of 0 the board never rises, and table keys lose their depth: other engines answer nonsense there."""
    for record in records("corner_rise0.jsonl"):
        if "board" in record:
            with pytest.raises(UnsearchableState, match="rise clock must be at least 1"):
                Searcher(record["strata"]).choose_action(state_of(record), record["depth"])


def test_a_clock_beyond_the_keys_is_refused() -> None:
    with pytest.raises(UnsearchableState, match="at most 255"):
        Searcher(1).column_values(State.parse("0" * 42 + "8888888", 4, 256), 1)
    assert Searcher(1).column_values(State.parse("0" * 42 + "8888888", 4, 255), 1)


def test_floating_discs_are_refused() -> None:
    floating = State.parse("0" * 35 + "0003000" + "8880888", 4)
    assert floating.board.has_floating_discs()
    with pytest.raises(UnsearchableState, match="floating discs"):
        Searcher(3).column_values(floating, 1)


@pytest.mark.parametrize("best", [float("inf"), -float("inf"), float("nan")])
def test_a_best_value_that_is_not_finite_is_that_of_the_end(best: float) -> None:
    assert best_or_terminal(best, -7.5) == -7.5
    assert best_or_terminal(1.25, -7.5) == 1.25


def test_extreme_weights_are_noticed() -> None:
    with pytest.raises(ArithmeticError, match="not finite"):
        Searcher(1, Leaf([1e308] * 18)).column_values(State.start(4), 1)


def test_parameters_are_checked() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Searcher(0)
    with pytest.raises(ValueError, match="at least 1"):
        Searcher(1).column_values(State.start(4), 0)


@pytest.mark.compiled_only
@pytest.mark.parametrize(("slots", "work"), [(16_384, 39_288_466), (0, 64_858_647)])
def test_published_work_of_depth_4(slots: int, work: int) -> None:
    done = 0
    for root in roots(SIX_ROOTS):
        searcher = Searcher(7, table=PrivateTable(slots) if slots else None)
        searcher.column_values(root, 4)
        done += searcher.counters().work
    assert done == work


def test_work_stays_within_its_bound() -> None:
    searcher = Searcher(3)
    searcher.column_values(State.start(4), 2)
    assert searcher.counters().work <= work_bound(2, 3)


def test_a_deeper_entry_keeps_its_slot() -> None:
    table = PrivateTable(1)
    table.store(1, 2, 3, 4, 99, 5, 0.5)
    table.store(9, 2, 3, 4, 99, 4, 0.25)
    assert table.probe(1, 2, 3, 4, 99)
    assert (table.found, table.hits) == (0.5, 1)
    table.store(9, 2, 3, 4, 99, 5, 0.25)
    assert not table.probe(1, 2, 3, 4, 99)
    table.clear()
    assert not table.probe(9, 2, 3, 4, 99)
    assert table.hits == 0


def test_epochs_wrap_without_reviving_entries() -> None:
    table = PrivateTable(2)
    table.store(1, 2, 3, 4, 0, 5, 0.5)
    table.epoch = (1 << 30) - 1
    table.clear()
    assert table.epoch == 1
    assert not table.probe(1, 2, 3, 4, 0)


def test_table_sizes() -> None:
    assert [slots_for(capacity) for capacity in (0, 1, 2, 3, 1000, 65536)] == [1, 1, 2, 4, 1024, 65536]
    assert PrivateTable(1000).allocated_bytes() == 49152
