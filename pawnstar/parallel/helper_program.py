"""The program of a helper process: it searches what its pipe says until it is stopped (see ``helpers.py``).

Not compiled: it is a program's main part.
"""

import os
import queue
import signal
import sys
import threading
import time

from pawnstar.chess.fen import position_from_fen
from pawnstar.evaluation.cache import EvalCache
from pawnstar.evaluation.nnue.net_file import NetRefused
from pawnstar.evaluation.nnue.network import Network
from pawnstar.parallel.messages import ChangeNet, Clear, Message, MessageRefused, SetUp, StartSearch, decode
from pawnstar.parallel.schedule import skips
from pawnstar.parallel.thread_memory import ThreadMemory
from pawnstar.search.clock import Clock
from pawnstar.search.info import no_report
from pawnstar.search.limits import Limits
from pawnstar.search.reference import ReferenceSearch
from pawnstar.search.reference_deepening import ReferenceRoot
from pawnstar.search.tables.transposition_table import TranspositionTable
from pawnstar.search.team import Team
from pawnstar.search.worker import Worker
from pawnstar.system.owner import end_with_owner


class HelperTeam(Team):
    """A helper's view of the team: it leaves out some iterations, so as not to repeat the main search in step."""

    def __init__(self, search: Worker, thread: int) -> None:
        super().__init__(search)
        self.thread = thread

    def skips(self, depth: int) -> bool:
        """Whether the schedule leaves out the iteration of ``depth`` plies for this helper."""
        return skips(self.thread, depth)


class HelperSignal:
    """Stops a helper's search when it is no longer the active one. Each look publishes the helper's node count."""

    def __init__(self, memory: ThreadMemory, search: Worker, thread: int, search_number: int) -> None:
        self.memory = memory
        self.search = search
        self.thread = thread
        self.search_number = search_number

    def is_set(self) -> bool:
        """Whether to stop."""
        self.memory.publish(self.thread, self.search_number, int(self.search.nodes), self.search.table.hashfull())
        return self.memory.active_search() != self.search_number


class Helper:
    """A helper's tables and search."""

    def __init__(self, memory: ThreadMemory, set_up: SetUp) -> None:
        self.memory = memory
        self.thread = set_up.thread
        self.table = TranspositionTable(set_up.sizes.own_megabytes)
        if memory.is_mapped:
            memory.map_table(self.table)
        self.eval_cache = EvalCache()
        self.search = ReferenceSearch(Network(memory.read_net(), set_up.net_origin), self.table, self.eval_cache)
        self.search.alone = False
        if not memory.is_mapped:
            self.table.share(memory.second_table(), set_up.sizes.second_depth)

    def obey(self, message: Message) -> None:
        """Do what a message says; a search returns when it is stopped. Raises MessageRefused for a second set-up."""
        match message:
            case StartSearch():
                self._search(message)
            case Clear():
                if not self.memory.is_mapped:  # else the engine clears it
                    self.table.clear_own()
                self.eval_cache.clear()
            case ChangeNet():
                self._change_net(message.net_origin)
            case SetUp():
                raise MessageRefused("a second set-up")

    def _change_net(self, origin: str) -> None:
        """Load the net in the shared memory.

        A net that is refused is one that the engine is just replacing, so loading is tried again.
        """
        for _ in range(100):
            try:
                self.search.set_network(Network(self.memory.read_net(), origin))
                break
            except NetRefused:
                time.sleep(0.02)
        self.eval_cache.clear()

    def _search(self, order: StartSearch) -> None:
        """Search until another search is active, or to the end."""
        if self.memory.active_search() != order.search:
            return
        search = self.search
        self.table.set_generation(order.generation)
        search.prepare(position_from_fen(order.fen), order.history)
        search.stop = HelperSignal(self.memory, search, self.thread, order.search)
        team = HelperTeam(search, self.thread)
        root = ReferenceRoot(search, Clock(Limits(), 0), order.moves, None, no_report, team)
        for root_move, score in zip(root.moves, order.scores, strict=True):
            root_move.score = score
        root.iterate()


def _read(messages: "queue.SimpleQueue[Message]") -> None:
    """Read messages until the pipe closes, then end this process: its engine has ended or needs it no more.

    A line that is no message ends the process as well, since the main thread would wait for ever.
    """
    status = 1
    try:
        for line in sys.stdin.buffer:
            messages.put(decode(line))
        status = 0
    finally:
        os._exit(status)


def main() -> None:
    """Run a helper. The argument is the process id of its owner, and messages come on standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the engine handles a Ctrl-C at the terminal
    end_with_owner(int(sys.argv[1]))
    try:
        set_up = decode(sys.stdin.buffer.readline())
        if not isinstance(set_up, SetUp):
            raise MessageRefused("the first message is the set-up")
        memory = ThreadMemory(set_up.sizes, set_up.memory)
        memory.set_ready(set_up.thread)
        messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(messages,), daemon=True).start()
        helper = Helper(memory, set_up)
        while True:
            helper.obey(messages.get())
    finally:
        # The interpreter's own end would wait for the reading thread, which holds standard input.
        os._exit(1)
