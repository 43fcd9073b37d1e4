"""The transposition table: what earlier searches found out about a position.

A cell is two words: an entry (see ``table_entry.py``), and the position's key XORed with it (Robert Hyatt's lockless
scheme). A probe accepts a cell only where the XOR gives back the full 64-bit key: a cell of another position, or one
torn by a racing writer, is a miss and never a wrong entry.

A cell is replaced when it is empty, from an older search, no deeper than the new entry, or when the new entry is exact.
Ages make clearing between searches unnecessary: each search has a generation, and older entries yield.

Several threads use one table, whose cells each process maps (see ``system_memory.py``), or where that cannot be done
each its own with a second one behind it that all share. A search sees no difference.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.search.tables.second_table import SecondTable
from pawnstar.search.tables.table_entry import CELL_BYTES, HASHFULL_SAMPLE, packed_entry, stored_depth, yields
from pawnstar.settings import HASH
from pawnstar.system.arrays import WORD_BYTES, first_word, zeroed_words
from pawnstar.system.system_memory import clear

NO_SECOND_TABLE: Final = 1000  # a remaining depth that no search has


def cells_for(megabytes: int) -> int:
    """The number of cells of a table of that size: the largest power of two that fits."""
    return int(1 << ((megabytes << 20) // CELL_BYTES).bit_length() - 1)


def rounded_megabytes(megabytes: int) -> int:
    """The megabytes that a table of that size really has."""
    return cells_for(megabytes) * CELL_BYTES >> 20


class TranspositionTable:
    """A table of ``megabytes`` (rounded down to a power of two), all zero at first."""

    def __init__(self, megabytes: int = HASH.default) -> None:
        cells: i64 = cells_for(megabytes)
        self.words: vec[i64] = zeroed_words(2 * cells)
        self.first: i64 = first_word(self.words, 2 * cells)  # where the cells begin
        self.mask: i64 = cells - 1
        self.generation: i64 = 0
        self.second: SecondTable | None = None
        self.second_depth: i64 = NO_SECOND_TABLE

    def share(self, second: SecondTable | None, depth: int) -> None:
        """Use a second table, too, for results of at least ``depth`` plies of remaining depth; with None, use none."""
        self.second = second
        self.second_depth = depth if second is not None else NO_SECOND_TABLE
        self.set_generation(int(self.generation))

    def megabytes(self) -> int:
        """The table's true size, a second one not counted."""
        return self.size() >> 20

    def size(self) -> int:
        """The cells' bytes."""
        return (int(self.mask) + 1) * CELL_BYTES

    def start(self) -> int:
        """The cells' byte offset in ``words``."""
        return int(self.first) * WORD_BYTES

    def clear(self) -> None:
        """Forget everything, ages too, in a second table as well."""
        self.clear_own()
        if self.second is not None:
            self.second.clear()

    def clear_own(self) -> None:
        """Forget everything but what a second table holds."""
        self.generation = 0
        clear(self.words, self.start(), self.size())

    def new_search(self) -> None:
        """Age every entry by one search."""
        self.set_generation((int(self.generation) + 1) & 255)

    def set_generation(self, generation: int) -> None:
        """Set the generation of the search that begins, 0 to 255; entries of other generations give way to new ones."""
        self.generation = generation
        if self.second is not None:
            self.second.generation = generation

    def probe(self, key: i64, depth: i64) -> i64:
        """The entry of a position that is to be searched to ``depth``, or 0."""
        words = self.words
        index = self.first + (key & self.mask) * 2
        entry = words[index + 1]
        if words[index] ^ entry != key:
            entry = 0
        if depth >= self.second_depth and (entry == 0 or stored_depth(entry) < depth):
            return self._better_entry(key, entry)
        return entry

    def _better_entry(self, key: i64, own: i64) -> i64:
        """The deeper of the own entry and the second table's."""
        second = self.second
        if second is None:
            return own
        entry = second.probe(key)
        if entry == 0 or (own != 0 and stored_depth(own) >= stored_depth(entry)):
            return own
        return entry

    def store(self, key: i64, move: i64, score: i64, depth: i64, bound: i64) -> None:
        """Enter a result where the cell is free to take it."""
        words = self.words
        index = self.first + (key & self.mask) * 2
        generation = self.generation
        if yields(words[index + 1], depth, bound, generation):
            entry = packed_entry(move, score, depth, bound, generation)
            words[index] = key ^ entry
            words[index + 1] = entry
        if depth >= self.second_depth:
            second = self.second
            if second is not None:
                second.store(key, move, score, depth, bound)

    def hashfull(self) -> int:
        """How full the table is, in permille, by its first thousand cells; a second one not counted."""
        words = self.words
        first = self.first
        used: i64 = 0
        i: i64 = 0
        while i < HASHFULL_SAMPLE:
            if words[first + 2 * i + 1] != 0:
                used += 1
            i += 1
        return int(used)

    def hashfull_of_all(self, others: list[int]) -> int:
        """How full the tables of all threads are, in permille; ``others`` are the figures of the other threads' own.

        Without a second table all threads use this one. With one, it has half of Hash and all own tables have the rest.
        """
        if self.second is None:
            return self.hashfull()
        own = [self.hashfull(), *others]
        return (self.second.hashfull() + sum(own) // len(own)) // 2
