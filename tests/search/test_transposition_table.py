"""The transposition table: sizes, what a cell keeps, what replaces what, ages, and cells that are not to be trusted."""

import mmap
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pawnstar.chess.moves import IDENTITY
from pawnstar.search.tables.second_table import SecondTable
from pawnstar.search.tables.table_entry import (
    ALL_NODE,
    CELL_BYTES,
    CUT_NODE,
    KEPT_IN_TABLE,
    PV_NODE,
    packed_entry,
    stored_bound,
    stored_depth,
    stored_score,
    yields,
)
from pawnstar.search.tables.transposition_table import TranspositionTable, cells_for

WORDS = st.integers(-(2**63), 2**63 - 1)
MOVE = 0o1234567 & IDENTITY
OTHER = 0o7654321 & IDENTITY


def age(data: int) -> int:
    return data >> 33 & 255


@pytest.fixture(scope="module")
def shared() -> TranspositionTable:
    return TranspositionTable(1)


@pytest.fixture
def table(shared: TranspositionTable) -> TranspositionTable:
    shared.clear()
    return shared


@pytest.mark.parametrize(
    ("megabytes", "cells"),
    [(1, 2**16), (2, 2**17), (3, 2**17), (4, 2**18), (63, 2**21), (64, 2**22), (100, 2**22), (4096, 2**28)],
)
def test_cells_of_sixteen_bytes_a_power_of_two(megabytes: int, cells: int) -> None:
    assert cells_for(megabytes) == cells


@pytest.mark.parametrize(("asked", "given_"), [(1, 1), (2, 2), (3, 2), (5, 4)])
def test_size_is_rounded_down(asked: int, given_: int) -> None:
    table = TranspositionTable(asked)
    assert table.megabytes() == given_
    assert table.size() == given_ << 20
    assert len(table.words) * 8 >= table.start() + table.size()
    assert table.mask == cells_for(asked) - 1


def test_empty_table_knows_nothing(table: TranspositionTable) -> None:
    for key in (1, -1, 2**63 - 1, -(2**63), 0x1234567):
        assert table.probe(key, 0) == 0
    assert table.hashfull() == 0


@given(WORDS, st.integers(0, KEPT_IN_TABLE), st.integers(-32000, 32000), st.integers(-128, 127), st.integers(0, 2))
def test_what_is_stored_is_found(key: int, move: int, score: int, depth: int, bound: int) -> None:
    table = TABLE
    table.clear()
    table.generation = 200
    table.store(key, move, score, depth, bound)
    data = table.probe(key, 0)
    if data == 0:
        # All fields zero but the age, which is not.
        raise AssertionError("lost")
    assert data & KEPT_IN_TABLE == move
    assert stored_score(data) == score
    assert stored_depth(data) == depth
    assert stored_bound(data) == bound
    assert age(data) == 200
    assert -(2**63) <= data < 2**63
    # No other key finds it, whichever bit differs: not in the same cell either.
    for bit in range(63):
        assert table.probe(key ^ (1 << bit), 0) == 0


TABLE = TranspositionTable(1)


@pytest.mark.parametrize("score", [-(2**22), 2**22 - 1, -31900, 31900, 0, -1])
def test_scores_of_twenty_three_bits(table: TranspositionTable, score: int) -> None:
    table.store(7, MOVE, score, 3, CUT_NODE)
    assert stored_score(table.probe(7, 0)) == score


def test_check_flag_stays_and_ordering_bits_do_not(table: TranspositionTable) -> None:
    """While a list is sorted a move's upper bits hold its score; none of them may reach the cell."""
    table.store(7, MOVE | 1 << 22 | 0x55555 << 23, 12, 3, ALL_NODE)
    data = table.probe(7, 0)
    assert data & KEPT_IN_TABLE == MOVE | 1 << 22
    assert (stored_score(data), stored_depth(data), stored_bound(data)) == (12, 3, ALL_NODE)


KEY, RIVAL = 0x123400000005, 0x567800000005


def replaces(table: TranspositionTable, old: tuple[int, int], new: tuple[int, int], aged: bool) -> bool:
    """Whether (depth, type) new takes the cell of old, when a search has begun between them or not."""
    table.clear()
    table.new_search()
    table.store(KEY, MOVE, 1, *old)
    if aged:
        table.new_search()
    table.store(RIVAL, OTHER, 2, *new)
    assert (table.probe(KEY, 0) == 0) != (table.probe(RIVAL, 0) == 0), "one of the two is there"
    return bool(table.probe(RIVAL, 0) != 0)


@pytest.mark.parametrize("old_bound", [CUT_NODE, ALL_NODE, PV_NODE])
@pytest.mark.parametrize("new_bound", [CUT_NODE, ALL_NODE, PV_NODE])
@pytest.mark.parametrize("aged", [False, True])
@pytest.mark.parametrize(("old", "new"), [(5, 4), (5, 5), (5, 6), (-3, -4), (-3, -3), (0, -1), (127, 1)])
def test_replacement(table: TranspositionTable, old: int, new: int, old_bound: int, new_bound: int, aged: bool) -> None:
    """An entry yields to deeper or equal ones, to exact ones, and to all of a later search."""
    expected = aged or new >= old or new_bound == PV_NODE
    assert replaces(table, (old, old_bound), (new, new_bound), aged) == expected


def test_same_position_follows_the_same_rule(table: TranspositionTable) -> None:
    table.store(KEY, MOVE, 1, 5, CUT_NODE)
    table.store(KEY, OTHER, 2, 4, ALL_NODE)
    assert table.probe(KEY, 0) & KEPT_IN_TABLE == MOVE
    table.store(KEY, OTHER, 2, 4, PV_NODE)
    assert table.probe(KEY, 0) & KEPT_IN_TABLE == OTHER


def test_ages_wrap_after_256_searches(table: TranspositionTable) -> None:
    table.new_search()
    table.store(KEY, MOVE, 1, 9, CUT_NODE)
    for count in range(255):
        table.new_search()
        assert table.generation == (count + 2) % 256
        assert table.probe(KEY, 0) != 0, "age alone removes nothing"
    table.new_search()
    assert table.generation == 1
    # 256 searches later an entry counts as this search's own again: known, and the siblings' way.
    table.store(RIVAL, OTHER, 1, 8, CUT_NODE)
    assert table.probe(KEY, 0) != 0


def test_clear_forgets_ages_too(table: TranspositionTable) -> None:
    table.new_search()
    table.store(KEY, MOVE, 1, 9, CUT_NODE)
    table.clear()
    assert table.generation == 0
    assert table.probe(KEY, 0) == 0
    assert not any(table.words)


def test_torn_cell_is_a_miss(table: TranspositionTable) -> None:
    """Two writers without a lock may leave the key word of one beside the data word of the other."""
    table.store(KEY, MOVE, 1, 9, CUT_NODE)
    index = int(table.first) + 2 * (KEY & table.mask)
    first = (table.words[index], table.words[index + 1])
    table.clear()
    table.store(RIVAL, OTHER, 2, 9, PV_NODE)
    second = (table.words[index], table.words[index + 1])
    for key_word, data_word in ((first[0], second[1]), (second[0], first[1])):
        table.words[index], table.words[index + 1] = key_word, data_word
        assert table.probe(KEY, 0) == 0
        assert table.probe(RIVAL, 0) == 0
    for word in (0, 1):
        for bit in range(63):
            table.words[index], table.words[index + 1] = first
            assert table.probe(KEY, 0) == first[1]
            table.words[index + word] ^= 1 << bit
            assert table.probe(KEY, 0) == 0, (word, bit)


def test_hashfull_is_the_permille_of_the_first_thousand_cells(table: TranspositionTable) -> None:
    for key in range(250):
        table.store(key, MOVE, 1, 1, CUT_NODE)
    assert table.hashfull() == 250
    table.store(1000, MOVE, 1, 1, CUT_NODE)  # the thousand-and-first cell
    assert table.hashfull() == 250
    table.store(999, MOVE, 1, 1, CUT_NODE)
    assert table.hashfull() == 251
    table.new_search()
    assert table.hashfull() == 251, "entries of all ages count"
    for key in range(1000):
        table.store(key, MOVE, 1, 1, CUT_NODE)
    assert table.hashfull() == 1000


def test_index_is_the_low_bits_of_the_key(table: TranspositionTable) -> None:
    for key in (0, 1, 0xFFFF, 0x10000, -1, -(2**63), 2**63 - 1):
        table.clear()
        table.store(key, MOVE, 1, 1, CUT_NODE)
        datas = range(int(table.first) + 1, int(table.first) + 2 * 65536, 2)
        assert [place for place, i in enumerate(datas) if table.words[i]] == [key % 65536]


def test_entries_are_packed_and_yield_by_functions_that_all_tables_share() -> None:
    entry = packed_entry(MOVE, -31900, -3, PV_NODE, 255)
    assert (entry & KEPT_IN_TABLE, stored_score(entry), stored_depth(entry), stored_bound(entry), age(entry)) == (
        MOVE,
        -31900,
        -3,
        PV_NODE,
        255,
    )
    assert yields(0, -9, ALL_NODE, 1)
    assert not yields(entry, -4, ALL_NODE, 255)
    assert yields(entry, -3, ALL_NODE, 255)
    assert yields(entry, -4, ALL_NODE, 254)
    assert yields(entry, -4, PV_NODE, 255)


class TestSecondTable:
    """Where cells cannot be mapped, a second table stands behind each thread's own (Windows)."""

    @pytest.fixture
    def second(self, table: TranspositionTable) -> Iterator[SecondTable]:
        second = SecondTable(mmap.mmap(-1, 1024 * CELL_BYTES), 0, 1024)
        table.share(second, 3)
        yield second
        table.share(None, 0)

    def test_gets_what_is_deep_enough(self, table: TranspositionTable, second: SecondTable) -> None:
        table.store(KEY, MOVE, 1, 2, CUT_NODE)
        assert second.probe(KEY) == 0
        table.store(KEY, MOVE, 1, 3, CUT_NODE)
        assert second.probe(KEY) == table.probe(KEY, 0) != 0

    def test_answers_where_the_own_table_knows_too_little(self, table: TranspositionTable, second: SecondTable) -> None:
        second.store(KEY, OTHER, 2, 5, CUT_NODE)
        assert table.probe(KEY, 2) == 0, "not asked"
        assert table.probe(KEY, 3) & KEPT_IN_TABLE == OTHER
        table.store(KEY, MOVE, 1, 4, CUT_NODE)
        assert table.probe(KEY, 4) & KEPT_IN_TABLE == MOVE, "deep enough"
        assert stored_depth(table.probe(KEY, 5)) == 5
        second.store(KEY, OTHER, 2, 6, CUT_NODE)
        second.store(RIVAL, OTHER, 2, 7, CUT_NODE)
        assert table.probe(KEY, 9) & KEPT_IN_TABLE == MOVE, "another position's"

    def test_ages_and_forgets_with_the_own_one(self, table: TranspositionTable, second: SecondTable) -> None:
        table.new_search()
        table.store(KEY, MOVE, 1, 9, CUT_NODE)
        assert age(second.probe(KEY)) == table.generation
        table.clear_own()
        assert second.probe(KEY) != 0
        table.clear()
        assert second.probe(KEY) == 0

    def test_use_of_all_tables(self, table: TranspositionTable, second: SecondTable) -> None:
        for key in range(1, 401):
            table.store(key, MOVE, 1, 1, CUT_NODE)
        for key in range(1, 101):
            second.store(key, MOVE, 1, 1, CUT_NODE)
        assert table.hashfull_of_all([0, 500]) == (100 + 300) // 2
        table.share(None, 0)
        assert table.hashfull_of_all([]) == 400
