"""The tables that processes share: the same rules in both, and no entry out of nothing when writers race."""

import mmap
import os
import random
import subprocess
import sys
import textwrap

import pytest

from pawnstar.parallel.thread_memory import TableSizes, ThreadMemory
from pawnstar.search.tables.second_table import SecondTable
from pawnstar.search.tables.table_entry import CELL_BYTES, KEPT_IN_TABLE, stored_depth, stored_score
from pawnstar.search.tables.transposition_table import TranspositionTable
from pawnstar.system import system_memory

pytestmark = pytest.mark.processes

CELLS = 1 << 16  # a private table of one megabyte has as many


def new_table(cells: int = CELLS) -> SecondTable:
    return SecondTable(mmap.mmap(-1, 64 + cells * CELL_BYTES), 64, cells)


def random_key(dice: random.Random, cells: int = CELLS) -> int:
    """A key whose cell is one of a few, so that entries meet."""
    return (dice.getrandbits(47) - 2**46) * cells + dice.randrange(12)


def test_same_entries_as_an_own_table_of_the_same_size() -> None:
    dice = random.Random(1)
    second, own = new_table(), TranspositionTable(1)
    assert own.mask == CELLS - 1
    keys = [random_key(dice) for _ in range(60)]
    hits = 0
    for step in range(4000):
        if step % 400 == 0:
            own.new_search()
            second.generation = own.generation
        key = dice.choice(keys)
        assert second.probe(key) == own.probe(key, 0)
        hits += own.probe(key, 0) != 0
        entry = (dice.getrandbits(23), dice.randint(-32000, 32000), dice.randint(-3, 60), dice.randrange(3))
        second.store(key, *entry)
        own.store(key, *entry)
    assert hits > 300
    second.clear()
    assert second.hashfull() == 0
    assert all(second.probe(key) == 0 for key in keys)


def test_cell_torn_between_two_writers_is_a_miss() -> None:
    """Either word of a cell may come from another writer; no key may find anything in such a cell."""
    dice = random.Random(2)
    table = new_table()
    at = 64
    for _ in range(2000):
        cells = []
        keys = [(dice.getrandbits(47) - 2**46) * CELLS for _ in range(2)]
        for key in keys:
            table.memory[at : at + CELL_BYTES] = bytes(CELL_BYTES)
            table.store(key, dice.randrange(1, 2**22), dice.randint(-30000, 30000), dice.randint(1, 60), 2)
            cells.append(table.memory[at : at + CELL_BYTES])
        table.memory[at : at + CELL_BYTES] = cells[0][:8] + cells[1][8:]
        assert [table.probe(key) for key in keys] == [0, 0]
        table.memory[at : at + CELL_BYTES] = cells[1]
        assert table.probe(keys[1]) != 0


# Few keys and cells, so that writers and reader meet all the time; what is stored follows from key and depth.
KEYS = [(random.Random(3 + number).getrandbits(46) << 16) + number % 4 for number in range(32)]
RACE_CELLS = 1 << 16
TABLES = {"one table mapped by all": TableSizes(1), "a second table": TableSizes(1, RACE_CELLS, 1)}
WRITER = """
    import random, sys, time
    from pawnstar.parallel.thread_memory import TableSizes, ThreadMemory
    from pawnstar.search.tables.transposition_table import TranspositionTable
    handle, cells, seed, *keys = sys.argv[1:]
    shared = ThreadMemory(TableSizes(1, int(cells)), handle)
    table = TranspositionTable(1)
    if shared.is_mapped:
        shared.map_table(table)
    else:
        table = shared.second_table()
    dice = random.Random(int(seed))
    keys = [int(key) for key in keys]
    end = time.monotonic() + 2
    count = 0
    while time.monotonic() < end:
        for _ in range(100):
            key = dice.choice(keys)
            depth = dice.randrange(1, 60)
            table.store(key, key % 4194303 + 1, (key + depth) % 60001 - 30000, depth, 2)
            count += 1
    print(count)
"""


@pytest.mark.parametrize("kind", TABLES)
def test_racing_processes_never_invent_an_entry(kind: str) -> None:
    """Two writers in other processes, one reader: what a probe finds is what was stored for that key, whole."""
    sizes = TABLES[kind]
    shared = ThreadMemory(sizes)
    own = TranspositionTable(1)
    if shared.is_mapped:
        shared.map_table(own)
    else:
        own.share(shared.second_table(), 0)
    arguments = [shared.handle, str(sizes.second_cells)]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER), *arguments, str(seed), *map(str, KEYS)],
            stdout=subprocess.PIPE,
            pass_fds=shared.descriptors(),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
        )
        for seed in (1, 2)
    ]
    found = 0
    while any(writer.poll() is None for writer in writers):
        for key in KEYS:
            entry = own.probe(key, 60)
            if entry != 0:
                found += 1
                assert entry & KEPT_IN_TABLE == key % 4194303 + 1
                assert stored_score(entry) == (key + stored_depth(entry)) % 60001 - 30000
    counts = [int(writer.communicate()[0]) for writer in writers]
    if shared.is_mapped:
        system_memory.unmap_shared(own.words, own.start(), own.size())
    shared.close()
    assert min(counts) > 1000
    assert found > 1000


@pytest.mark.skipif(not system_memory.CAN_SHARE, reason="tables cannot be mapped here")
@pytest.mark.parametrize("megabytes", [1, 4])
def test_mapped_tables_are_one_until_they_are_parted(megabytes: int) -> None:
    """Whole cells, from the first to the last, and not a word beyond them."""
    shared = ThreadMemory(TableSizes(megabytes))
    one, other = TranspositionTable(megabytes), TranspositionTable(megabytes)
    before = [list(table.words[: table.first]) for table in (one, other)]
    for table in (one, other):
        table.store(5, 1, 1, 1, 2)
        shared.map_table(table)
        assert table.probe(5, 0) == 0, "mapping empties the table"
    last = int(one.mask)
    for key in (0, 1, last - 1, last):
        one.store(key, 7, 100, 3, 2)
        assert other.probe(key, 0) == one.probe(key, 0) != 0
    system_memory.unmap_shared(other.words, other.start(), other.size())
    assert other.probe(last, 0) == 0
    other.store(last, 8, -100, 4, 2)
    assert stored_score(one.probe(last, 0)) == 100
    one.clear()
    assert stored_score(other.probe(last, 0)) == -100
    assert one.probe(1, 0) == 0
    assert [list(table.words[: table.first]) for table in (one, other)] == before
    system_memory.unmap_shared(one.words, one.start(), one.size())
    shared.close()
