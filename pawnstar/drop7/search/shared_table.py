"""A transposition table in memory that several processes share, for one decision.

Slots are divided among at most 256 stripes, each with a lock. Nobody waits for a lock: where another process holds it,
a probe is a miss, and a store is left out. So a torn entry is never seen, and a process that dies while it holds a lock
costs its stripe only.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import pack_into
from typing import Final

from librt.strings import read_f64_le, read_i64_le
from mypy_extensions import i64

from pawnstar.drop7.search.table import SLOT_BYTES, Table, slots_for

SLOT_FORMAT: Final = "<qqqqdq"


class SharedTable(Table):
    """One process's handle on the table. A slot is four key words, the value, and the depth, 0 while vacant."""

    def __init__(
        self,
        memory: memoryview,
        capacity: int,
        from_depth: int,
        try_locks: list[Callable[[bool], bool]],
        unlocks: list[Callable[[], None]],
    ) -> None:
        """Attach to ``memory``, 48 zeroed bytes a slot, with a pair of lock functions for each of 2**n stripes."""
        super().__init__()
        self.memory: memoryview = memory
        self.mask: i64 = slots_for(capacity) - 1
        self.from_depth = max(1, from_depth)
        self.stripe_mask: i64 = len(try_locks) - 1
        self.try_locks: list[Callable[[bool], bool]] = try_locks
        self.unlocks: list[Callable[[], None]] = unlocks

    def probe(self, word0: i64, word1: i64, word2: i64, word3: i64, hashed: i64) -> bool:
        """Look up a key; on a hit, count it and leave the value in ``found``. A busy stripe is a miss."""
        slot: i64 = hashed & self.mask
        stripe: i64 = slot & self.stripe_mask
        if not self.try_locks[stripe](False):
            return False
        entry = bytes(self.memory[SLOT_BYTES * slot : SLOT_BYTES * (slot + 1)])
        self.unlocks[stripe]()
        if read_i64_le(entry, 0) != word0 or read_i64_le(entry, 8) != word1 or read_i64_le(entry, 16) != word2:
            return False
        if read_i64_le(entry, 24) != word3 or read_i64_le(entry, 40) == 0:
            return False
        self.hits += 1
        self.found = read_f64_le(entry, 32)
        return True

    def store(self, word0: i64, word1: i64, word2: i64, word3: i64, hashed: i64, depth: i64, value: float) -> None:
        """Offer a value searched to ``depth``; a deeper entry keeps its slot. A busy stripe takes nothing."""
        slot: i64 = hashed & self.mask
        stripe: i64 = slot & self.stripe_mask
        if not self.try_locks[stripe](False):
            return
        at: i64 = SLOT_BYTES * slot
        if depth >= read_i64_le(bytes(self.memory[at + 40 : at + 48]), 0):
            pack_into(SLOT_FORMAT, self.memory, at, word0, word1, word2, word3, value, depth)
        self.unlocks[stripe]()

    def allocated_bytes(self) -> int:
        """Memory of the slots."""
        return SLOT_BYTES * (int(self.mask) + 1)
