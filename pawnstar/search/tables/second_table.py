"""A second transposition table, in shared memory, for threads whose own tables cannot be shared.

"Threads" are processes here (see ``helpers.py``). Where shared memory cannot be mapped over a packed array (Windows),
each has a table of its own, which compiled code reads in a load or two, and all share this one, whose slices cost a
few hundred nanoseconds. So the own table (see ``transposition_table.py``) asks it only at or above a minimum remaining
depth, where nodes are few and their results cost much.

A cell is as in the own tables: key XOR entry, entry (16 bytes, little-endian). Processes write without a lock. A cell
torn between two writers does not give back the full key by its XOR and is a miss: racing writers may lose an entry,
never invent one.
"""

from mmap import mmap

from librt.strings import BytesWriter, read_i64_le, write_i64_le
from mypy_extensions import i64

from pawnstar.search.tables.table_entry import CELL_BYTES, HASHFULL_SAMPLE, packed_entry, yields


class SecondTable:
    """``cells`` (a power of two) from byte ``offset`` of a mapping on; as it comes from the system it is all zero."""

    def __init__(self, memory: mmap, offset: int, cells: int) -> None:
        self.memory: mmap = memory
        self.offset: i64 = offset
        self.mask: i64 = cells - 1
        self.generation: i64 = 0

    def probe(self, key: i64) -> i64:
        """The entry of a position, or 0."""
        at = self.offset + (key & self.mask) * CELL_BYTES
        cell: bytes = self.memory[at : at + CELL_BYTES]
        entry = read_i64_le(cell, 8)
        if read_i64_le(cell, 0) ^ entry == key:
            return entry
        return 0

    def store(self, key: i64, move: i64, score: i64, depth: i64, bound: i64) -> None:
        """Enter a result where the cell is free to take it."""
        at = self.offset + (key & self.mask) * CELL_BYTES
        cell: bytes = self.memory[at : at + CELL_BYTES]
        if yields(read_i64_le(cell, 8), depth, bound, self.generation):
            entry = packed_entry(move, score, depth, bound, self.generation)
            writer = BytesWriter()
            write_i64_le(writer, key ^ entry)
            write_i64_le(writer, entry)
            self.memory[at : at + CELL_BYTES] = writer.getvalue()

    def clear(self) -> None:
        """Forget everything."""
        size = (int(self.mask) + 1) * CELL_BYTES
        start = int(self.offset)
        chunk = bytes(min(size, 1 << 20))
        for position in range(start, start + size, len(chunk)):
            self.memory[position : position + len(chunk)] = chunk
        self.generation = 0

    def hashfull(self) -> int:
        """How full the table is, in permille, by its first thousand cells."""
        start = int(self.offset)
        sample = self.memory[start : start + HASHFULL_SAMPLE * CELL_BYTES]
        used: i64 = 0
        i: i64 = 0
        while i < HASHFULL_SAMPLE:
            if read_i64_le(sample, CELL_BYTES * i + 8) != 0:
                used += 1
            i += 1
        return int(used)
