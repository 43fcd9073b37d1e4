"""Transposition tables: values of searched positions by full key.

A hash only chooses the slot. Values are reused when all four key words agree, so a table, whatever its size, never
changes a value or an action; it changes the counters and the time.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.drop7.rules.words import mix64, wrap64

SLOT_BYTES: Final = 48
"""Four key words, the value, and the word for depth and epoch."""

MOST_BYTES: Final = 1 << 46
"""More than any machine addresses; beyond it sizes would not be numbers of 64 bits."""

NEVER: Final = 1 << 40
"""A threshold that no depth reaches."""

MOST_EPOCHS: Final = 1 << 30


def last_key_word(column6: i64, disc: i64, clock: i64, depth: i64) -> i64:
    """The fourth word of a key. The other three are the first three column pairs."""
    return wrap64(column6 | (disc << 32) | (clock << 40) | (depth << 48))


def hash_key(word0: i64, word1: i64, word2: i64, word3: i64) -> i64:
    """Hash of a key, 64 bits in signed normal form."""
    h: i64 = mix64(word0 ^ wrap64(word1 - 0x61C8864680B583EB))
    h = mix64(h ^ wrap64(word2 - 0x40A7B892E31B1A47))
    return mix64(h ^ wrap64(word3 - 0x6B2FB644ECCEEE15))


def slots_for(capacity: int) -> int:
    """The number of slots of a table: the smallest power of two that is at least ``capacity``, and at least 1."""
    return 1 << (max(1, capacity) - 1).bit_length()


class Table:
    """No table: it accepts no depth. The real ones derive from it.

    ``from_depth`` is the least remaining depth that is looked up and stored; callers compare it before they build a
    key.
    """

    def __init__(self) -> None:
        """A table that holds nothing."""
        self.from_depth: i64 = NEVER
        self.hits: i64 = 0
        self.found: float = 0.0

    def __reduce__(self) -> tuple[object, ...]:
        """Refuse copies and pickles: a table belongs to one searcher, and may be large."""
        raise TypeError("a table belongs to one Searcher and is not copied: make another of the same size")

    def probe(self, word0: i64, word1: i64, word2: i64, word3: i64, hashed: i64) -> bool:
        """Look up a key; on a hit, count it and leave the value in ``found``."""
        return False

    def store(self, word0: i64, word1: i64, word2: i64, word3: i64, hashed: i64, depth: i64, value: float) -> None:
        """Offer a value searched to ``depth``."""

    def clear(self) -> None:
        """Forget everything, and the hits."""
        self.hits = 0

    def allocated_bytes(self) -> int:
        """Memory of the slots."""
        return 0


class PrivateTable(Table):
    """A direct-mapped table of one searcher. A slot keeps the deeper of its candidates.

    Clearing starts a new epoch instead of touching the slots, so that a fresh search costs nothing.
    """

    def __init__(self, capacity: int, from_depth: int = 1) -> None:
        """Allocate at least ``capacity`` slots of 48 bytes, rounded up to a power of two.

        Raises:
            MemoryError: the machine has not so much.
        """
        super().__init__()
        slots = slots_for(capacity)
        if slots * SLOT_BYTES >= MOST_BYTES:
            raise MemoryError(f"no memory for a table of {slots} entries")
        self.from_depth = from_depth
        self.mask: i64 = slots - 1
        # Two statements each, so that the compiler sees the repetition of a native zero.
        words: i64 = 4 * slots
        self.keys: vec[i64] = vec[i64]([i64(0)] * words)
        self.values: vec[float] = vec[float]([0.0] * slots)
        self.marks: vec[i64] = vec[i64]([i64(0)] * slots)
        self.epoch: i64 = 1

    def probe(self, word0: i64, word1: i64, word2: i64, word3: i64, hashed: i64) -> bool:
        """Look up a key; on a hit, count it and leave the value in ``found``."""
        slot: i64 = hashed & self.mask
        if self.marks[slot] >> 32 != self.epoch:
            return False
        keys = self.keys
        at: i64 = 4 * slot
        if keys[at] != word0 or keys[at + 1] != word1 or keys[at + 2] != word2 or keys[at + 3] != word3:
            return False
        self.hits += 1
        self.found = self.values[slot]
        return True

    def store(self, word0: i64, word1: i64, word2: i64, word3: i64, hashed: i64, depth: i64, value: float) -> None:
        """Offer a value searched to ``depth``; a deeper entry of this epoch keeps its slot."""
        slot: i64 = hashed & self.mask
        marks = self.marks
        mark: i64 = marks[slot]
        if mark >> 32 == self.epoch and (mark & 0xFFFFFFFF) > depth:
            return
        marks[slot] = (self.epoch << 32) | depth
        keys = self.keys
        at: i64 = 4 * slot
        keys[at] = word0
        keys[at + 1] = word1
        keys[at + 2] = word2
        keys[at + 3] = word3
        values = self.values
        values[slot] = value

    def clear(self) -> None:
        """Forget everything, and the hits."""
        self.hits = 0
        self.epoch += 1
        if self.epoch == MOST_EPOCHS:
            self.epoch = 1
            marks = self.marks
            slot: i64 = 0
            while slot <= self.mask:
                marks[slot] = 0
                slot += 1

    def slots(self) -> int:
        """How many values it can hold."""
        return int(self.mask) + 1

    def allocated_bytes(self) -> int:
        """Memory of the slots."""
        return SLOT_BYTES * self.slots()
