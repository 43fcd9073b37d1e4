"""Lazy SMP across processes: helpers that search the same root and share what they find.

CPython's lock keeps compiled code of one process on one core, so a "thread" beyond the first is a helper *process*. It
runs a complete search of its own, skipping some depths so as not to repeat the main search in step (``schedule.py``),
and reports what it finds through the shared table alone. Nothing is split and nobody waits.

What passes between the processes:

* One piece of memory without a name: control block, net, shared table (``thread_memory.py``).
* A pipe to each helper: one line a message (``messages.py``). A helper whose pipe closes exits at once. It also watches
  the engine's process itself (``owner.py``), for others may hold the pipe. So none survives the engine, whatever ended
  it.

Helpers are programs of their own (``python -c``), not ``multiprocessing`` children: nothing of the calling script is
imported again, so a script needs no ``__main__`` guard, and notebooks and threads can start them. Where the executable
is no Python (a frozen or embedding program) none is started. A program that is mistaken for a Python starts no helpers
of its own, since its environment marks it as one, and is killed since it never reports.

Not compiled: it runs a few times a search.
"""

import contextlib
import os
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from typing import Final

from pawnstar.chess.fen import write_fen
from pawnstar.chess.position import Position
from pawnstar.evaluation.nnue.network import Network
from pawnstar.parallel.messages import ChangeNet, Clear, Message, SetUp, StartSearch, encode
from pawnstar.parallel.thread_memory import TableSizes, ThreadMemory
from pawnstar.search.root_moves import RootMove
from pawnstar.search.tables.transposition_table import TranspositionTable
from pawnstar.search.team import Team
from pawnstar.search.worker import Worker
from pawnstar.system import machine, system_memory

# Bytes that a helper needs besides its tables: interpreter, code, net, stacks.
HELPER_MEMORY: Final = 64 << 20
# Bytes that must stay free for other programs.
HELPER_RESERVE: Final = 256 << 20
# Seconds after which a helper that has not begun is killed. An interpreter starts slowly on a busy machine.
START_PATIENCE: Final = 60.0
# Set in the environment of helpers, which start none themselves.
HELPER_MARK: Final = "PAWNSTAR_HELPER"


def _end(owner: int, processes: dict[int, subprocess.Popen[bytes]], mapped: TranspositionTable | None) -> None:
    """End helpers, then take the shared memory from the table that was mapped onto it.

    Helpers are killed, since they hold nothing that must be saved. A fork of their owner leaves them alone: they belong
    to the owner, and their locks may be held by threads that the fork does not have.
    """
    if owner == os.getpid():
        for process in list(processes.values()):
            _close_pipe(process)
            process.kill()
        for process in list(processes.values()):
            process.wait()
    processes.clear()
    if mapped is not None:
        system_memory.unmap_shared(mapped.words, mapped.start(), mapped.size())


def _close_pipe(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        with contextlib.suppress(OSError):  # closing tries once more to write a message that was not delivered
            process.stdin.close()


def _send(process: subprocess.Popen[bytes], line: bytes) -> None:
    """Give a helper an encoded message. Raises OSError where it has ended."""
    if process.poll() is not None or process.stdin is None:
        raise OSError("the helper has ended")
    process.stdin.write(line)
    process.stdin.flush()


class Helpers:
    """The helper processes of one engine, by thread number: 1, 2, …"""

    def __init__(self, threads: int, network: Network, table: TranspositionTable, sizes: TableSizes) -> None:
        """Start ``threads - 1`` helpers, which load the net and then wait; raises MemoryError or OSError.

        They share the cells of ``table``, which are emptied, or where ``sizes`` has one a second table.
        """
        if os.environ.get(HELPER_MARK):
            raise OSError("this process was itself started as a helper")
        self._python = machine.python_executable()
        self.memory = ThreadMemory(sizes)
        self._owner = os.getpid()
        self._search = 0  # the number of the search that was started last
        self._new_warnings: list[str] = []
        self.has_lost_some = False
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        mapped = table if self.memory.is_mapped else None
        self._finalizer = weakref.finalize(self, _end, self._owner, self._processes, mapped)
        try:
            if self.memory.is_mapped:
                self.memory.map_table(table)
            self.memory.reserve()
            self.memory.write_net(network.data)
            for thread in range(1, 1 + self._fitting(threads - 1, sizes)):
                self._processes[thread] = self._start_process()
                set_up = SetUp(thread=thread, memory=self.memory.handle, sizes=sizes, net_origin=network.origin)
                # ``warnings`` reports a helper that has ended already.
                with contextlib.suppress(OSError):
                    _send(self._processes[thread], encode(set_up))
            self._begin_until = time.monotonic() + START_PATIENCE
        except (OSError, MemoryError):
            self.close()
            raise

    def _fitting(self, wanted: int, sizes: TableSizes) -> int:
        """How many of the ``wanted`` helpers the machine has memory for; adds a warning where it is not all."""
        room = machine.available_memory()
        if room is None:
            return wanted
        own_table = 0 if self.memory.is_mapped else sizes.own_megabytes << 20
        fitting = max(0, (room - HELPER_RESERVE) // (HELPER_MEMORY + own_table))
        if fitting < wanted:
            self._new_warnings.append(f"memory for {fitting} of {wanted} helpers only; the others are not started")
        return min(wanted, fitting)

    def _start_process(self) -> subprocess.Popen[bytes]:
        """Start a process that waits for its set-up.

        Its command line holds the id of this process, which it watches before it reads its first message.
        """
        environment = dict(os.environ)
        environment[HELPER_MARK] = "1"
        environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
        command = [
            self._python,
            "-P",  # without the working directory, which may hold modules of the same names
            "-c",
            "from pawnstar.parallel.helper_program import main; main()",
            str(self._owner),
        ]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            pass_fds=self.memory.descriptors(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def are_ours(self) -> bool:
        """Whether this process started them, and is not a fork of the one that did."""
        return self._owner == os.getpid()

    def process_ids(self) -> list[int]:
        """The helpers' process ids."""
        return [process.pid for process in self._processes.values()]

    def _send_all(self, message: Message) -> None:
        """Give every helper a message; ``warnings`` tells of those that have ended."""
        line = encode(message)
        for thread, process in list(self._processes.items()):
            try:
                _send(process, line)
            except OSError:
                self._remove(thread, process)

    def _remove(self, thread: int, process: subprocess.Popen[bytes]) -> None:
        """Forget a helper that has ended or cannot be reached, and make a warning of it."""
        del self._processes[thread]
        _close_pipe(process)
        # A process closes its pipe a moment before it has ended. One that lives on would never be ended otherwise.
        process.kill()
        status = process.wait()
        self.has_lost_some = True
        self._new_warnings.append(f"helper {thread} ended by itself (status {status}); the search goes on without it")

    def warnings(self) -> list[str]:
        """A sentence for each helper that has ended since the last call. One that has not begun in time is killed."""
        for thread, process in list(self._processes.items()):
            if process.poll() is None and self._begin_until < time.monotonic() and not self.memory.is_ready(thread):
                process.kill()
                process.wait()
            if process.poll() is not None:
                self._remove(thread, process)
        warnings = self._new_warnings
        self._new_warnings = []
        return warnings

    def start_search(
        self,
        position: Position,
        history: Sequence[tuple[int, int]],
        root_moves: Sequence[RootMove],
        generation: int,
    ) -> None:
        """Set all helpers searching, from the sorted root moves.

        They search until they are stopped, beyond the main search's depth limit: deeper results in the table help it.
        """
        self._search += 1
        self.memory.set_active_search(self._search)
        self._send_all(
            StartSearch(
                search=self._search,
                fen=write_fen(position),
                history=list(history),
                moves=[root_move.move for root_move in root_moves],
                scores=[root_move.score for root_move in root_moves],
                generation=generation,
            )
        )

    def stop_search(self) -> None:
        """Stop all helpers; each sees it within 2,048 nodes."""
        self.memory.set_active_search(0)

    def nodes(self) -> list[int]:
        """The nodes that each helper has searched in this search."""
        return [self.memory.published(thread, self._search)[0] for thread in self._processes]

    def hashfull(self) -> list[int]:
        """The use of the helpers' own tables, in permille each."""
        return [self.memory.published(thread, self._search)[1] for thread in self._processes]

    def clear(self) -> None:
        """Forget everything in the helpers' own tables and evaluation caches."""
        self._send_all(Clear())

    def set_network(self, network: Network) -> None:
        """Evaluate with another net from now on."""
        self.memory.write_net(network.data)
        self._send_all(ChangeNet(network.origin))

    def close(self) -> None:
        """End all helpers and give the memory back; helpers that are not ours are only let go."""
        if self.are_ours():
            self.memory.set_active_search(0)
        self._finalizer()
        self.memory.close()


class LazySmpTeam(Team):
    """The main thread and its helpers."""

    def __init__(self, search: Worker, helpers: Helpers) -> None:
        super().__init__(search)
        self.helpers = helpers

    def start_others(
        self, position: Position, history: Sequence[tuple[int, int]], root_moves: Sequence[RootMove]
    ) -> None:
        """Set all helpers searching."""
        self.helpers.start_search(position, history, root_moves, int(self.search.table.generation))

    def stop_others(self) -> None:
        """Stop all helpers."""
        self.helpers.stop_search()

    def nodes(self) -> int:
        """Nodes searched by the main thread and all helpers."""
        return int(self.search.nodes) + sum(self.helpers.nodes())

    def hashfull(self) -> int:
        """How full the tables of all threads are, in permille."""
        return self.search.table.hashfull_of_all(self.helpers.hashfull())

    def warnings(self) -> list[str]:
        """Which helpers have ended since the last call."""
        return self.helpers.warnings()
