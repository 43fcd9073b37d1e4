"""Lazy SMP across processes: helpers that search the same root and share what they find.

CPython's lock keeps compiled code of one process on one core, so a "thread" beyond the first is a helper *process*. It
runs a complete search of its own, skipping some depths so as not to repeat the main search in step, and tells what it
finds through the shared table alone. Nothing is split and nobody waits.

What passes between the processes:

* One piece of memory without a name (an anonymous file handed down, or on Windows a named mapping that ends with its
  last user), so that nothing stays behind however the processes end. It holds a control block, the net's file, and the
  shared table.
* A pipe to each helper: one line of JSON a command. A helper whose pipe closes exits at once. It also watches the
  engine's process itself (see ``owner.py``), for others may hold the pipe. So none survives the engine, whatever ended
  it.
* The control block: which search is on (a helper looks at it every 2,048 nodes, and stops when it is no longer its
  own), and a line a helper, where it keeps its node count.

The table is one for all: each process maps it over the cells of its own TranspositionTable (see ``pages.py``), so that
the search need not know. Where that cannot be done (Windows), each has a private table, and all share a second one
through slower ways (see ``shared_table.py``), used from a minimum remaining depth on.

Helpers are programs of their own (``python -c``), not ``multiprocessing`` children: nothing of the calling script is
imported again, so a script needs no ``__main__`` guard, and notebooks and threads do not matter. Where the executable
is no Python (a frozen or embedding program) none is started. Should one be taken for a Python all the same, it is told
by its environment that it was meant as a helper and starts no further ones, and it is ended since it does not report.

Not compiled: it runs a few times a search.
"""

import contextlib
import json
import mmap
import os
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pawnstar import machine
from pawnstar.chess.fen import write_fen
from pawnstar.chess.position import Position
from pawnstar.engine import pages
from pawnstar.engine.network import Network
from pawnstar.engine.shared_table import SharedTable
from pawnstar.engine.table_entry import CELL_BYTES
from pawnstar.engine.team import Team
from pawnstar.engine.transposition_table import TranspositionTable, cells_for
from pawnstar.engine.worker import Worker
from pawnstar.shared_memory import nameless_file

MAX_THREADS: Final = 256
# The remaining depth from which results are shared where tables cannot be mapped; see docs for the measurements.
SHARED_DEPTH: Final = 3
# All of them, in one table mapped by all: the choice wherever the system can do it.
EVERY_DEPTH: Final = -1000

# Iteration skipping, by helper number less one (modulo 20).
SKIP_SIZE: Final = (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4)
SKIP_PHASE: Final = (0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 7)

_LINE: Final = 64  # bytes a line of the control block: no two processes write to the same cache line
_ACTIVE: Final = 0  # offset of the running search's number, 0 where none runs
_NODES: Final = 0  # offsets within a helper's line: its node count, the search it belongs to, table use in permille
_OWNER: Final = 8
_FULL: Final = 16
_READY: Final = 24  # its process number, once it has begun
_NET_ROOM: Final = 13 << 20  # for a net file of either shape
# What a helper needs besides its tables: interpreter, code, net, stacks.
HELPER_MEMORY: Final = 64 << 20
# Seconds that a helper has to begin: an interpreter's start, on a machine with other things to do.
START_PATIENCE: Final = 60.0
# Set in the environment of helpers, which start none themselves.
HELPER_MARK: Final = "PAWNSTAR_HELPER"
# Memory that helpers leave to others.
HELPER_RESERVE: Final = 256 << 20


def skips(helper: int, depth: int) -> bool:
    """Whether the ``helper``-th thread (1, 2, …) skips an iteration."""
    row = (helper - 1) % len(SKIP_SIZE)
    return (depth + SKIP_PHASE[row]) // SKIP_SIZE[row] % 2 == 1


@dataclass(frozen=True)
class Division:
    """How a Hash is divided: the shared table's cells, and the megabytes of each thread's private table.

    One table mapped by all has everything, and there are no private ones (0 megabytes). Otherwise half goes to the
    shared table, half to the private ones in equal parts, each rounded down to a power of two; at least a thousand
    cells and one megabyte.
    """

    shared_cells: int
    private_megabytes: int


def divide(megabytes: int, threads: int, shared_depth: int) -> Division:
    """The division of a Hash among so many threads (two or more), which share from ``shared_depth`` on."""
    if shared_depth == EVERY_DEPTH:
        return Division(cells_for(megabytes), 0)
    cells = max(1024, cells_for(max(1, megabytes // 2)))
    private = max(1, megabytes // 2 // threads)
    return Division(cells, 1 << (private.bit_length() - 1))


class SharedMemory:
    """The shared memory: control block, net, table. ``handle`` and ``inherited`` say how a helper gets at it."""

    def __init__(self, division: Division, handle: str = "") -> None:
        """Make it, or with a ``handle`` open the one that another process made. Raises MemoryError."""
        self.cells = division.shared_cells
        self.is_mapped = division.private_megabytes == 0
        self.net_offset = _LINE * (MAX_THREADS + 1)
        # On a boundary of large pages, as the cells in each process are.
        self.table_offset = -(-(self.net_offset + _NET_ROOM) // pages.LARGE_PAGE) * pages.LARGE_PAGE
        size = self.table_offset + self.cells * CELL_BYTES
        # What is read and written through ``self.memory``.
        window = self.table_offset if self.is_mapped else size
        self.inherited: tuple[int, ...] = ()
        self.handle = handle
        if handle:
            if sys.platform == "win32":
                self.memory = mmap.mmap(-1, size, tagname=handle)
            else:
                self.memory = mmap.mmap(int(handle), window)
            return
        if sys.platform == "win32":
            self.handle = f"pawnstar-{os.getpid()}-{os.urandom(8).hex()}"
            self.memory = mmap.mmap(-1, size, tagname=self.handle)
            return
        descriptor = nameless_file("pawnstar")
        try:
            os.ftruncate(descriptor, size)
            # A first page of each large one, without which Linux has nothing to gather (see ``pages.share``).
            for large_page in range(self.table_offset, size, pages.LARGE_PAGE):
                os.pwrite(descriptor, b"\0", large_page)
            self.memory = mmap.mmap(descriptor, window)
        except OSError as error:
            os.close(descriptor)
            raise MemoryError(f"no {size >> 20} MB of shared memory ({error.strerror})") from error
        self.handle = str(descriptor)
        self.inherited = (descriptor,)
        self._finalizer = weakref.finalize(self, os.close, descriptor)

    def map_table(self, table: TranspositionTable) -> None:
        """Let the cells of a table of the right size be the shared ones. Raises OSError."""
        pages.share(table.words, table.start(), table.size(), int(self.handle), self.table_offset)

    def reserve(self) -> None:
        """Take the memory from the system now, so that a lack is an error here and no crash later. Raises OSError."""
        if self.inherited and hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self.inherited[0], 0, self.table_offset + self.cells * CELL_BYTES)

    def table(self) -> SharedTable:
        """The shared table where it is not mapped."""
        return SharedTable(self.memory, self.table_offset, self.cells)

    def write_net(self, data: bytes) -> None:
        """Put a net's file where the helpers find it."""
        start = self.net_offset
        self.memory[start : start + 8] = len(data).to_bytes(8, "little")
        self.memory[start + 8 : start + 8 + len(data)] = data

    def read_net(self) -> bytes:
        """The net's file."""
        start = self.net_offset
        size = int.from_bytes(self.memory[start : start + 8], "little")
        return self.memory[start + 8 : start + 8 + size]

    def say_ready(self, helper: int) -> None:
        """In a helper: say that it has begun."""
        self._set_word(_LINE * helper + _READY, os.getpid())

    def is_ready(self, helper: int) -> bool:
        """Whether a helper has begun."""
        return self._word(_LINE * helper + _READY) != 0

    def _word(self, offset: int) -> int:
        return int.from_bytes(self.memory[offset : offset + 8], "little")

    def _set_word(self, offset: int, value: int) -> None:
        self.memory[offset : offset + 8] = value.to_bytes(8, "little")

    def active(self) -> int:
        """The number of the search that is on; 0 where none is."""
        return self._word(_ACTIVE)

    def set_active(self, number: int) -> None:
        """Say which search is on; helpers in another one stop."""
        self._set_word(_ACTIVE, number)

    def publish(self, helper: int, number: int, nodes: int, full: int) -> None:
        """A helper's count of nodes in a search, and its private table's use."""
        line = _LINE * helper
        self._set_word(line + _NODES, nodes)
        self._set_word(line + _FULL, full)
        self._set_word(line + _OWNER, number)

    def published(self, helper: int, number: int) -> tuple[int, int]:
        """A helper's nodes in the search with that number, and its table's use; zeros where it has not begun."""
        line = _LINE * helper
        if self._word(line + _OWNER) != number:
            return 0, 0
        return self._word(line + _NODES), self._word(line + _FULL)

    def close(self) -> None:
        """Let go of it; the system frees it with its last user. Memory that is merely dropped is let go as well."""
        if self.inherited:
            self._finalizer()
        self.inherited = ()


def _end(owner: int, processes: list[subprocess.Popen[bytes]], mapped: TranspositionTable | None) -> None:
    """End helpers, then take the shared memory from the table that was mapped onto it.

    Helpers have nothing to lose, so they are killed; their closed pipes would end them as well. In a fork of their
    owner they are left alone: they are the owner's, and their locks may be held for ever, by threads that it has not.
    """
    if owner == os.getpid():
        for process in processes:
            if process.stdin is not None:
                with contextlib.suppress(OSError):
                    process.stdin.close()
            process.kill()
        for process in processes:
            process.wait()
    if mapped is not None:
        pages.unshare(mapped.words, mapped.start(), mapped.size())


class Helpers:
    """The helper processes of one engine."""

    def __init__(
        self,
        threads: int,
        network: Network,
        table: TranspositionTable,
        division: Division,
        shared_depth: int = SHARED_DEPTH,
    ) -> None:
        """Start ``threads - 1`` helpers, which load the net and then wait; raises MemoryError or OSError.

        They share the cells of ``table``, which are emptied, or where there are private tables results from
        ``shared_depth`` plies of remaining depth on.
        """
        if os.environ.get(HELPER_MARK):
            raise OSError("this process was itself started as a helper")
        self._python = machine.python_executable()
        self.shared = SharedMemory(division)
        self._owner = os.getpid()
        self.number = 0
        self.lost: list[str] = []
        self.lost_some = False
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        started: list[subprocess.Popen[bytes]] = []
        self._finalizer = weakref.finalize(self, _end, self._owner, started, table if self.shared.is_mapped else None)
        try:
            if self.shared.is_mapped:
                self.shared.map_table(table)
            self.shared.reserve()
            self.shared.write_net(network.data)
            for helper in range(1, 1 + self._fitting(threads - 1, division)):
                self._processes[helper] = self._start(helper, division, shared_depth, network.origin)
                started.append(self._processes[helper])
            self._begin_until = time.monotonic() + START_PATIENCE
        except OSError:
            self.close()
            raise

    def _fitting(self, wanted: int, division: Division) -> int:
        """How many of so many helpers the machine has memory for."""
        room = machine.available_memory()
        if room is None:
            return wanted
        fitting = max(0, (room - HELPER_RESERVE) // (HELPER_MEMORY + (division.private_megabytes << 20)))
        if fitting < wanted:
            self.lost.append(f"memory for {fitting} of {wanted} helpers only; the others are not started")
        return min(wanted, fitting)

    def _start(self, helper: int, division: Division, shared_depth: int, origin: str) -> subprocess.Popen[bytes]:
        """Start one helper's process."""
        environment = dict(os.environ)
        environment[HELPER_MARK] = "1"
        environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
        command = [
            self._python,
            "-P",  # the engine's own places for modules, and not first of all the working directory
            "-c",
            "from pawnstar.engine.helper import main; main()",
            self.shared.handle,
            str(division.shared_cells),
            str(division.private_megabytes),
            str(helper),
            str(shared_depth),
            str(os.getpid()),
            origin,
        ]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            pass_fds=self.shared.inherited,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def are_ours(self) -> bool:
        """Whether this process started them, and is not a fork of the one that did."""
        return self._owner == os.getpid()

    def process_ids(self) -> list[int]:
        """The helpers' process numbers."""
        return [process.pid for process in self._processes.values()]

    def _send(self, command: dict[str, object]) -> None:
        """Give every helper a command; those that are gone are noted in ``lost``."""
        line = (json.dumps(command) + "\n").encode()
        for helper, process in list(self._processes.items()):
            try:
                if process.poll() is not None or process.stdin is None:
                    raise OSError
                process.stdin.write(line)
                process.stdin.flush()
            except OSError:
                self._bury(helper, process)

    def _bury(self, helper: int, process: subprocess.Popen[bytes]) -> None:
        del self._processes[helper]
        self.lost_some = True
        status = process.poll()
        self.lost.append(f"helper {helper} ended by itself (status {status}); the search goes on without it")

    def check(self) -> list[str]:
        """What is to be told of helpers that have ended since the last call. One that never begins is ended."""
        for helper, process in list(self._processes.items()):
            if process.poll() is None and self._begin_until < time.monotonic() and not self.shared.is_ready(helper):
                process.kill()
                process.wait()
            if process.poll() is not None:
                self._bury(helper, process)
        told = self.lost
        self.lost = []
        return told

    def start(
        self,
        position: Position,
        history: Sequence[tuple[int, int]],
        moves: Sequence[int],
        scores: Sequence[int],
        generation: int,
    ) -> None:
        """Set all helpers searching, from the sorted root list.

        They go on until they are stopped: a limit of depth is the main search's, which has more of deeper results.
        """
        self.number += 1
        self.shared.set_active(self.number)
        self._send(
            {
                "do": "search",
                "number": self.number,
                "fen": write_fen(position),
                "history": list(history),
                "moves": list(moves),
                "scores": list(scores),
                "generation": generation,
            }
        )

    def stop(self) -> None:
        """Stop all helpers; each sees it within 2,048 nodes."""
        self.shared.set_active(0)

    def nodes(self) -> int:
        """The nodes that the helpers have searched in this search."""
        return sum(self.shared.published(helper, self.number)[0] for helper in self._processes)

    def hashfull(self) -> list[int]:
        """The use of the helpers' private tables, in permille each."""
        return [self.shared.published(helper, self.number)[1] for helper in self._processes]

    def clear(self) -> None:
        """Forget everything in private tables and evaluation caches."""
        self._send({"do": "clear"})

    def set_network(self, network: Network) -> None:
        """Evaluate with another net from now on."""
        self.shared.write_net(network.data)
        self._send({"do": "net", "origin": network.origin})

    def close(self) -> None:
        """End all helpers and give the memory back; helpers that are not ours are only let go."""
        if self.are_ours():
            self.shared.set_active(0)
        self._finalizer()
        self._processes.clear()
        self.shared.close()


class LazySmpTeam(Team):
    """The main thread and its helpers."""

    def __init__(self, search: Worker, helpers: Helpers) -> None:
        super().__init__(search)
        self.helpers = helpers

    def nodes(self) -> int:
        """Nodes searched by the main thread and all helpers."""
        return int(self.search.nodes) + self.helpers.nodes()

    def hashfull(self) -> int:
        """How full the one table is, in permille; or the mean of the shared one and of all private ones, which have
        half of Hash each.
        """
        return self.search.table.hashfull_of_all(self.helpers.hashfull())

    def warnings(self) -> list[str]:
        """Which helpers have ended since the last call."""
        return self.helpers.check()
