"""Lazy SMP across processes: helpers that search the same root and share what they find.

CPython's lock keeps compiled code of one process on one core, so a "thread" beyond the first is a helper *process*. It
runs a complete search of its own, skipping some depths so as not to repeat the main search in step, and tells what it
finds through the shared table alone. Nothing is split and nobody waits.

What passes between the processes:

* One mapping without a name (an anonymous file handed down, or on Windows a named mapping that ends with its last
  user), so that nothing stays behind however the processes end. It holds a control block, the net's file, and the
  shared table.
* A pipe to each helper: one line of JSON a command. A helper whose pipe closes exits at once, so that none survives the
  engine, whatever ended it.
* The control block: which search is on (a helper looks at it every 2,048 nodes, and stops when it is no longer its
  own), and a line a helper, where it keeps its node count.

Helpers are programs of their own (``python -c``), not ``multiprocessing`` children: nothing of the calling script is
imported again, so a script needs no ``__main__`` guard, and notebooks and threads do not matter.

Not compiled: it runs a few times a search.
"""

import contextlib
import json
import mmap
import os
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pawnstar import machine
from pawnstar.chess.fen import write_fen
from pawnstar.chess.position import Position
from pawnstar.engine.network import Network
from pawnstar.engine.shared_table import SharedTable
from pawnstar.engine.transposition_table import CELL_BYTES, cells_for

MAX_THREADS: Final = 256
# The remaining depth from which results are shared; see docs for the measurements.
SHARED_DEPTH: Final = 3

# Iteration skipping, by helper number less one (modulo 20).
SKIP_SIZE: Final = (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4)
SKIP_PHASE: Final = (0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 7)

_LINE: Final = 64  # bytes a line of the control block: no two processes write to the same cache line
_ACTIVE: Final = 0  # offset of the running search's number, 0 where none runs
_NODES: Final = 0  # offsets within a helper's line: its node count, the search it belongs to, table use in permille
_OWNER: Final = 8
_FULL: Final = 16
_NET_ROOM: Final = 13 << 20  # for a net file of either shape
# What a helper needs besides its tables: interpreter, code, net, stacks.
HELPER_MEMORY: Final = 64 << 20
# Memory that helpers leave to others.
HELPER_RESERVE: Final = 256 << 20


def skips(helper: int, depth: int) -> bool:
    """Whether the ``helper``-th thread (1, 2, …) skips an iteration."""
    row = (helper - 1) % len(SKIP_SIZE)
    return (depth + SKIP_PHASE[row]) // SKIP_SIZE[row] % 2 == 1


@dataclass(frozen=True)
class Division:
    """How a Hash of so many megabytes is divided: half to the shared table, half to the private ones in equal parts.

    ``shared_cells`` and ``private_megabytes`` (per thread) are rounded down to powers of two; at least a thousand
    cells and one megabyte.
    """

    shared_cells: int
    private_megabytes: int


def divide(megabytes: int, threads: int) -> Division:
    """The division of a Hash among so many threads (two or more)."""
    cells = max(1024, cells_for(max(1, megabytes // 2)))
    private = max(1, megabytes // 2 // threads)
    return Division(cells, 1 << (private.bit_length() - 1))


class SharedMemory:
    """The mapping: control block, net, table. ``handle`` and ``inherited`` say how a helper gets at it."""

    def __init__(self, cells: int, handle: str = "") -> None:
        """Make a mapping for a table of so many cells, or with a ``handle`` map the one that another process made."""
        self.cells = cells
        self.net_offset = _LINE * (MAX_THREADS + 1)
        self.table_offset = self.net_offset + _NET_ROOM
        size = self.table_offset + cells * CELL_BYTES
        self.inherited: tuple[int, ...] = ()
        self.handle = handle
        if handle:
            if sys.platform == "win32":
                self.memory = mmap.mmap(-1, size, tagname=handle)
            else:
                self.memory = mmap.mmap(int(handle), size)
            return
        if sys.platform == "win32":
            self.handle = f"pawnstar-{os.getpid()}-{os.urandom(8).hex()}"
            self.memory = mmap.mmap(-1, size, tagname=self.handle)
            return
        if hasattr(os, "memfd_create"):
            descriptor = os.memfd_create("pawnstar")
        else:
            with tempfile.TemporaryFile() as file:
                descriptor = os.dup(file.fileno())
        try:
            if hasattr(os, "posix_fallocate"):
                # Now, so that a lack of memory is an error here and no crash later.
                os.posix_fallocate(descriptor, 0, size)
            else:
                os.ftruncate(descriptor, size)
            self.memory = mmap.mmap(descriptor, size)
        except OSError as error:
            os.close(descriptor)
            raise MemoryError(f"no {size >> 20} MB of shared memory ({error.strerror})") from error
        self.handle = str(descriptor)
        self.inherited = (descriptor,)

    def table(self) -> SharedTable:
        """The shared table in this mapping."""
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
        """Let go of it; the system frees it with its last user."""
        for descriptor in self.inherited:
            os.close(descriptor)
        self.inherited = ()


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    """End helpers. They have nothing to lose, so they are killed; their closed pipes would end them as well."""
    for process in processes:
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        process.kill()
    for process in processes:
        process.wait()


class Helpers:
    """The helper processes of one engine."""

    def __init__(self, threads: int, network: Network, division: Division, shared_depth: int = SHARED_DEPTH) -> None:
        """Start ``threads - 1`` helpers, which load the net and then wait; raises MemoryError or OSError.

        They share results from ``shared_depth`` plies of remaining depth on.
        """
        if not sys.executable:
            raise OSError("this Python does not know its own executable; helpers cannot be started")
        self.shared = SharedMemory(division.shared_cells)
        self.shared.write_net(network.data)
        self.number = 0
        self.lost: list[str] = []
        self.lost_some = False
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        room = machine.available_memory()
        if room is not None:
            fitting = max(0, (room - HELPER_RESERVE) // (HELPER_MEMORY + (division.private_megabytes << 20)))
            if fitting < threads - 1:
                self.lost.append(f"memory for {fitting} of {threads - 1} helpers only; the others are not started")
                threads = fitting + 1
        environment = dict(os.environ)
        environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
        for helper in range(1, threads):
            command = [
                sys.executable,
                "-c",
                "from pawnstar.engine.helper import main; main()",
                self.shared.handle,
                str(division.shared_cells),
                str(helper),
                str(division.private_megabytes),
                str(shared_depth),
                network.origin,
            ]
            self._processes[helper] = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                pass_fds=self.shared.inherited,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        self._finalizer = weakref.finalize(self, _end, list(self._processes.values()))

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
        """What is to be told of helpers that have ended since the last call."""
        for helper, process in list(self._processes.items()):
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
        """Forget everything in private tables."""
        self._send({"do": "clear"})

    def set_network(self, network: Network) -> None:
        """Evaluate with another net from now on."""
        self.shared.write_net(network.data)
        self._send({"do": "net", "origin": network.origin})

    def close(self) -> None:
        """End all helpers and give the memory back."""
        self.shared.set_active(0)
        self._finalizer()
        self._processes.clear()
        self.shared.close()
