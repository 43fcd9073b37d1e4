"""A helper process: searches what its pipe says until it is told to stop (see ``lazy_smp.py``).

Not compiled: it is a program's main part.
"""

import json
import os
import queue
import signal
import sys
import threading
import time
from typing import Any

from pawnstar.chess.fen import position_from_fen
from pawnstar.engine.clock import Clock
from pawnstar.engine.eval_cache import EvalCache
from pawnstar.engine.info import SearchInfo
from pawnstar.engine.lazy_smp import SHARED_DEPTH, Division, SharedMemory, skips
from pawnstar.engine.limits import Limits
from pawnstar.engine.net_file import NetRefused
from pawnstar.engine.network import Network
from pawnstar.engine.reference import ReferenceSearch
from pawnstar.engine.reference_root import ReferenceRoot
from pawnstar.engine.table_entry import CELL_BYTES
from pawnstar.engine.team import Team
from pawnstar.engine.transposition_table import TranspositionTable
from pawnstar.engine.worker import Worker
from pawnstar.owner import end_with_owner


def _ignore(info: SearchInfo) -> None:
    """Helpers report nothing."""


class HelperTeam(Team):
    """A helper's view of the team: it leaves out some iterations, so as not to repeat the main search in step."""

    def __init__(self, search: Worker, helper: int) -> None:
        super().__init__(search)
        self.helper = helper

    def skips(self, depth: int) -> bool:
        """Whether the schedule leaves out the iteration of ``depth`` plies for this helper."""
        return skips(self.helper, depth)


class Signal:
    """Tells a helper's search to stop when its number is no longer the one that is on; publishes its count."""

    def __init__(self, shared: SharedMemory, search: Worker, helper: int, number: int) -> None:
        self.shared = shared
        self.search = search
        self.helper = helper
        self.number = number

    def is_set(self) -> bool:
        """Whether to stop."""
        self.shared.publish(self.helper, self.number, int(self.search.nodes), self.search.table.hashfull())
        return self.shared.active() != self.number


class Helper:
    """One helper's tables and search."""

    def __init__(
        self,
        shared: SharedMemory,
        division: Division,
        helper: int,
        origin: str,
        shared_depth: int = SHARED_DEPTH,
    ) -> None:
        self.shared = shared
        self.helper = helper
        if shared.is_mapped:
            self.table = TranspositionTable(division.shared_cells * CELL_BYTES >> 20)
            shared.map_table(self.table)
        else:
            self.table = TranspositionTable(division.private_megabytes)
        self.eval_cache = EvalCache()
        self.search = ReferenceSearch(Network(shared.read_net(), origin), self.table, self.eval_cache)
        self.search.alone = False
        if not shared.is_mapped:
            self.table.share(shared.table(), shared_depth)

    def do(self, command: dict[str, Any]) -> None:
        """Carry out one command."""
        kind = command["do"]
        if kind == "search":
            self.run(command)
        elif kind == "clear":
            if not self.shared.is_mapped:  # else it is the engine that clears it
                self.table.clear_own()
            self.eval_cache.clear()
        elif kind == "net":
            self.change_net(command["origin"])

    def change_net(self, origin: str) -> None:
        """Load the net that the mapping holds now; while the engine is writing yet another one, wait for that."""
        for _ in range(100):
            try:
                self.search.set_network(Network(self.shared.read_net(), origin))
                break
            except NetRefused:
                time.sleep(0.02)
        self.eval_cache.clear()

    def run(self, command: dict[str, Any]) -> None:
        """Search until the search's number is off, or to the end."""
        number = command["number"]
        if self.shared.active() != number:
            return
        search = self.search
        self.table.set_generation(command["generation"])
        position = position_from_fen(command["fen"])
        search.prepare(position, [(key, clock) for key, clock in command["history"]])
        search.stop = Signal(self.shared, search, self.helper, number)
        team = HelperTeam(search, self.helper)
        root = ReferenceRoot(search, Clock(Limits(), 0), command["moves"], None, _ignore, team)
        for root_move, score in zip(root.moves, command["scores"], strict=True):
            root_move.score = score
        root.iterate()


def main() -> None:
    """Run: the command line says where the mapping is; commands come one a line on standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C at the terminal is the engine's affair
    handle, cells, megabytes, helper, shared_depth, owner, origin = sys.argv[1:]
    end_with_owner(int(owner))
    division = Division(int(cells), int(megabytes))
    shared = SharedMemory(division, handle)
    shared.say_ready(int(helper))
    commands: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin.buffer:
            commands.put(json.loads(line))
        os._exit(0)  # the engine is gone, or has no more use for us

    threading.Thread(target=read, daemon=True).start()
    state = Helper(shared, division, int(helper), origin, int(shared_depth))
    while True:
        state.do(commands.get())
