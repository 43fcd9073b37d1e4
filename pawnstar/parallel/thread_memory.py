"""The memory that all threads of an engine share, and how a Hash is divided among their tables.

One piece of shared memory holds, in this order:

* A control block, a cache line for each thread, so that no two processes write to the same one. The main thread's line
  holds the number of the active search: helpers look at it every 2,048 nodes, and stop when it is no longer their own.
  In its line each helper publishes its node count.
* The file of the net.
* The transposition table. Each process maps it over the cells of its own ``TranspositionTable`` (see
  ``system_memory.py``). Where that cannot be done (Windows) it is a second table, beside each process's own (see
  ``second_table.py``).

Not compiled: it is used a few times a search, and in helpers every 2,048 nodes.
"""

import os
from dataclasses import dataclass
from typing import Final

from pawnstar.search.tables.second_table import SecondTable
from pawnstar.search.tables.table_entry import CELL_BYTES
from pawnstar.search.tables.transposition_table import TranspositionTable, cells_for, rounded_megabytes
from pawnstar.settings import THREADS
from pawnstar.system import system_memory
from pawnstar.system.shared_memory import SharedMemory

# Where tables cannot be mapped: the remaining depth in plies from which results go to the second table. docs/threads.md
# has the measurements.
SECOND_TABLE_DEPTH: Final = 3

_LINE: Final = 64  # bytes of a thread's line in the control block
_WORD: Final = 8  # bytes
# Byte offset in the main thread's line: the number of the active search, 0 where none is.
_ACTIVE: Final = 0
# Byte offsets in a helper's line.
_NODES: Final = 0  # its node count
_SEARCH: Final = 8  # the number of the search that the count belongs to
_HASHFULL: Final = 16  # the use of its own table, in permille
_READY: Final = 24  # its process id, once it has begun

_NET_OFFSET: Final = _LINE * THREADS.most
_NET_ROOM: Final = 13 << 20  # bytes, for a net file of either shape and its length
# On a boundary of large pages, as the cells in each process are.
_TABLE_OFFSET: Final = -(-(_NET_OFFSET + _NET_ROOM) // system_memory.LARGE_PAGE) * system_memory.LARGE_PAGE


@dataclass(frozen=True)
class TableSizes:
    """How a Hash is divided among tables: the megabytes of each thread's own table, and the second table beside them.

    Without a second table (0 cells) the own tables of several threads are one: each process maps it over its cells.
    """

    own_megabytes: int
    second_cells: int = 0
    second_depth: int = 0  # plies of remaining depth from which results go to the second table


def divide_hash(megabytes: int, threads: int, second_depth: int | None) -> TableSizes:
    """Divide ``megabytes`` of Hash among the tables of the threads.

    One thread has all of it, and so has the one table of several threads where ``second_depth`` is None. Otherwise half
    goes to a second table, used from that remaining depth in plies on, and half to the threads' own tables in equal
    parts. Sizes are rounded down to powers of two, but not below 1,024 cells and one megabyte.
    """
    if threads == 1 or second_depth is None:
        return TableSizes(rounded_megabytes(megabytes))
    cells = max(1024, cells_for(max(1, megabytes // 2)))
    own = max(1, megabytes // 2 // threads)
    return TableSizes(1 << (own.bit_length() - 1), cells, second_depth)


class ThreadMemory:
    """The shared memory of one engine's threads. ``handle`` and ``descriptors`` say how a helper gets at it."""

    def __init__(self, sizes: TableSizes, handle: str = "") -> None:
        """Make it, or with a ``handle`` open the one that another process made. Raises MemoryError."""
        self.is_mapped = sizes.second_cells == 0
        self.cells = cells_for(sizes.own_megabytes) if self.is_mapped else sizes.second_cells
        size = _TABLE_OFFSET + self.cells * CELL_BYTES
        # A table that is mapped over arrays is not read and written through ``_bytes``.
        self._memory = SharedMemory("pawnstar", size, handle, _TABLE_OFFSET if self.is_mapped else size)
        self._bytes = self._memory.mapping
        self.handle = self._memory.handle
        if not handle and self._memory.descriptors():
            try:
                # Make one small page in each large one: Linux gathers only pages that exist (see ``map_shared``).
                for large_page in range(_TABLE_OFFSET, size, system_memory.LARGE_PAGE):
                    os.pwrite(self._memory.descriptor, b"\0", large_page)
            except OSError as error:
                self.close()
                raise MemoryError(f"no {size >> 20} MB of shared memory: {error.strerror}") from error

    def descriptors(self) -> tuple[int, ...]:
        """What a helper's process must inherit."""
        return self._memory.descriptors()

    def map_table(self, table: TranspositionTable) -> None:
        """Let the cells of a table of the right size be the shared ones. Raises OSError."""
        system_memory.map_shared(table.words, table.start(), table.size(), self._memory.descriptor, _TABLE_OFFSET)

    def reserve(self) -> None:
        """Take all of the memory from the system now: a lack raises MemoryError here and crashes no process later.

        Call it after ``map_table``, which asks for large pages.
        """
        self._memory.reserve()

    def second_table(self) -> SecondTable:
        """The second table, where the own ones are not mapped."""
        return SecondTable(self._bytes, _TABLE_OFFSET, self.cells)

    def close(self) -> None:
        """Give the memory up, as dropping the object does. The system frees it when no process uses it any more."""
        self._memory.close()

    # The net.

    def write_net(self, data: bytes) -> None:
        """Put the contents of a net file where the helpers read it."""
        start = _NET_OFFSET + _WORD
        self._set_word(_NET_OFFSET, len(data))
        self._bytes[start : start + len(data)] = data

    def read_net(self) -> bytes:
        """The net's file."""
        start = _NET_OFFSET + _WORD
        return self._bytes[start : start + self._word(_NET_OFFSET)]

    # The control block.

    def _word(self, offset: int) -> int:
        return int.from_bytes(self._bytes[offset : offset + _WORD], "little")

    def _set_word(self, offset: int, value: int) -> None:
        self._bytes[offset : offset + _WORD] = value.to_bytes(_WORD, "little")

    def active_search(self) -> int:
        """The number of the search that is on; 0 where none is."""
        return self._word(_ACTIVE)

    def set_active_search(self, search: int) -> None:
        """Say which search is on; helpers in another one stop."""
        self._set_word(_ACTIVE, search)

    def set_ready(self, thread: int) -> None:
        """In a helper: say that it has begun."""
        self._set_word(_LINE * thread + _READY, os.getpid())

    def is_ready(self, thread: int) -> bool:
        """Whether a helper has begun."""
        return self._word(_LINE * thread + _READY) != 0

    def publish(self, thread: int, search: int, nodes: int, hashfull: int) -> None:
        """In a helper: its count of nodes in a search, and its own table's use in permille."""
        line = _LINE * thread
        self._set_word(line + _NODES, nodes)
        self._set_word(line + _HASHFULL, hashfull)
        self._set_word(line + _SEARCH, search)

    def published(self, thread: int, search: int) -> tuple[int, int]:
        """A helper's nodes in a search, and its own table's use in permille; zeros where it has not begun."""
        line = _LINE * thread
        if self._word(line + _SEARCH) != search:
            return 0, 0
        return self._word(line + _NODES), self._word(line + _HASHFULL)
