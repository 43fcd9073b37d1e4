"""A session: a game, an engine, and the thread on which it searches or counts. No text goes in or out.

A protocol uses a session and receives reports, answers and faults through its ``Listener``, on the search's thread.
The thread that reads input waits for a search only to stop it. A call that changes the position, the tables, the net
or the number of threads first stops the running search, which gives its answer before the change takes effect.
"""

import threading
import time
from collections.abc import Callable
from typing import Protocol

from pawnstar.chess.fen import START_FEN
from pawnstar.chess.generation import legal_moves
from pawnstar.engine.bench import Stopped
from pawnstar.engine.engine import Engine
from pawnstar.evaluation.nnue.network import Network
from pawnstar.protocol.game import Game
from pawnstar.search.clock import Clock
from pawnstar.search.info import SearchInfo, SearchResult
from pawnstar.search.limits import Limits
from pawnstar.search.tables.transposition_table import rounded_megabytes
from pawnstar.search.worker import StopSignal
from pawnstar.system import machine


class Listener(Protocol):
    """What a session tells its protocol, from the thread that searches or counts."""

    def report(self, info: SearchInfo) -> None:
        """A report of the running search."""
        ...

    def answer(self, best: int, ponder: int) -> None:
        """The search's end: its move, which has been played, and the reply expected; 0 where there is none."""
        ...

    def failed(self, error: Exception) -> None:
        """The engine raised an error; a search gives its answer nevertheless."""
        ...

    def stopped(self) -> None:
        """A count was stopped."""
        ...


class Session:
    """One game with one engine."""

    def __init__(self, engine: Engine, listener: Listener, background: bool = False) -> None:
        """``background``: ``count`` returns while it still runs, as ``search`` does."""
        self.engine = engine
        self.game = Game()
        # When a count last began (time.monotonic).
        self.count_began = 0.0
        self._listener = listener
        self._background = background
        self._stop = threading.Event()
        # Set when a search that waits (infinite, ponder) may give its answer.
        self._release = threading.Event()
        self._worker: threading.Thread | None = None
        # The running search's clock, and whether its answer waits for a stop.
        self._clock: Clock | None = None
        self._infinite = False
        # From the start of a search until just before its answer.
        self._searching = False
        # The last move reported by the running search, for an answer in spite of an internal error.
        self._reported_move = 0

    # What runs.

    def stop(self) -> None:
        """Stop a running search or count and wait until it has answered."""
        worker = self._worker
        if worker is None:
            return
        self._stop.set()
        self._release.set()
        worker.join()
        self._worker = None

    def wait(self) -> None:
        """Wait until a running search or count ends by itself."""
        worker = self._worker
        if worker is not None:
            worker.join()
            self._worker = None

    def is_idle(self) -> bool:
        """Whether neither a search nor a count runs."""
        return self._worker is None or not self._worker.is_alive()

    def is_counting(self) -> bool:
        """Whether a count (bench, perft) runs."""
        worker = self._worker
        return worker is not None and worker.name != "search" and worker.is_alive()

    def close(self) -> None:
        """Stop whatever runs; its answer is still given. Helper processes end."""
        self.stop()
        self.engine.close()

    def _start(self, target: Callable[[], None], name: str) -> None:
        """Run ``target`` on the search's thread; the stop flag is cleared here, so that none can be lost."""
        self._stop.clear()
        self._worker = threading.Thread(target=target, name=name, daemon=True)
        self._worker.start()

    # Searching.

    def search(self, limits: Limits, infinite: bool = False) -> None:
        """Search the game's position on a thread of its own; what ran before must have been stopped.

        If ``infinite``, the answer waits for ``stop``; if pondering, for ``ponderhit``.
        """
        clock = self.engine.new_clock(self.game.position, limits)
        self._clock = clock
        self._infinite = infinite
        self._reported_move = 0
        self._searching = True
        self._release.clear()
        if not infinite and not limits.ponder:
            self._release.set()
        self._start(lambda: self._run_search(limits, clock), "search")

    def ponderhit(self) -> None:
        """The move pondered on was played: the clock starts now. Without effect where nothing is pondered on."""
        clock = self._clock
        if clock is None or not self._searching or not clock.pondering:
            return
        clock.ponderhit()
        if not self._infinite:
            self._release.set()

    def _run_search(self, limits: Limits, clock: Clock) -> None:
        """The search's thread: search, wait for the word where one is needed, play the move, answer."""
        best = 0
        ponder = 0
        try:
            result = self._search(limits, clock)
            best = result.best_move
            ponder = result.ponder_move
        except Exception as error:
            # A fault here must neither hang the GUI nor lose the game, nor pass unseen.
            self._listener.failed(error)
            legal = legal_moves(self.game.position)
            if legal:
                best = self._reported_move if self._reported_move in legal else legal[0]
        self._release.wait()
        if best != 0:
            self.game.play_answer(best)
        self._searching = False
        self._listener.answer(best, ponder)

    def _search(self, limits: Limits, clock: Clock) -> SearchResult:
        return self.engine.search(self.game.position, self.game.history, limits, self._stop, self._report, clock)

    def _report(self, info: SearchInfo) -> None:
        if info.pv:
            self._reported_move = info.pv[0]
        self._listener.report(info)

    # Counting.

    def count(self, what: Callable[[StopSignal], None], name: str) -> None:
        """Run a count on the search's thread; wait for its end unless the session works in the background.

        ``what`` receives the signal that tells it to stop, at which it raises Stopped.
        """
        self.count_began = time.monotonic()
        self._start(lambda: self._run_count(what), name)
        if not self._background:
            self.wait()

    def _run_count(self, what: Callable[[StopSignal], None]) -> None:
        """The search's thread for a count."""
        try:
            what(self._stop)
        except Stopped:
            self._listener.stopped()
        except Exception as error:
            self._listener.failed(error)

    # The game.

    def new_game(self) -> None:
        """Begin a new game: stop what runs, forget what was learnt (``Engine.new_game``), set up the start position."""
        self.stop()
        self.engine.new_game()
        self.set_up(START_FEN)

    def set_up(self, fen: str) -> list[str]:
        """Begin anew from a FEN: earlier positions and cached evaluations are forgotten.

        Returns what was wrong with the FEN, in words. What runs must have been stopped.
        """
        faults = self.game.set_up(fen)
        self.engine.forget_evaluations()
        return faults

    def evaluate(self) -> int:
        """The search's evaluation of the current position, in centipawns. It may be asked for while a search runs."""
        searching = self._searching or self.is_counting()
        return self.engine.evaluate(self.game.position, self.game.history, while_searching=searching)

    # Settings that must not change during a search. Protocols set the others in ``engine.settings`` themselves.

    def resize_table(self, megabytes: int) -> None:
        """Change the transposition table's size.

        Raises MemoryError where the machine cannot give it; the old table then stays. A larger table must leave a
        reserve for other programs; where it would not, the error says how much memory is available.
        """
        self.stop()
        wanted = rounded_megabytes(megabytes)
        if wanted > self.engine.table_megabytes():
            machine.check_memory(wanted << 20)
        self.engine.resize_table(megabytes)

    def set_threads(self, threads: int) -> None:
        """Change the number of threads. Raises MemoryError where the machine cannot give their tables."""
        self.stop()
        self.engine.set_threads(threads)

    def set_network(self, network: Network) -> None:
        """Evaluate with another net."""
        self.stop()
        self.engine.set_network(network)

    def clear_table(self) -> None:
        """Empty the transposition table."""
        self.stop()
        self.engine.clear_table()
