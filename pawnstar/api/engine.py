"""The engine, as its user drives it: options as arguments, one search at a time, stopped from wherever.

Two things here must not be simplified away. The search always gets a stop signal that is interpreted Python: it is
asked every 2,048 nodes, and running interpreted code is what lets CPython deliver a KeyboardInterrupt to the main
thread while compiled code searches. And ``analyse`` searches on a thread of its own, because a generator must give
control back in the middle of a search, which compiled frames cannot.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from pawnstar.api.book import Book
from pawnstar.api.checks import whole
from pawnstar.api.info import SearchInfo, SearchResult, info_of, result_of
from pawnstar.api.limits import Limits, engine_limits
from pawnstar.api.moves import Move
from pawnstar.api.network import Network
from pawnstar.api.position import Position, PositionLike, resolve
from pawnstar.engine.engine import Engine as InnerEngine
from pawnstar.engine.info import SearchInfo as InnerInfo
from pawnstar.engine.transposition_table import CELL_BYTES, cells_for

if TYPE_CHECKING:
    from pawnstar.engine.search import StopSignal

HASH_MAX = 4096  # megabytes
THREADS_MAX = 256
OVERHEAD_MAX = 5000  # milliseconds

# Seconds between two looks at a queue: where waiting cannot be interrupted (Windows), Ctrl-C waits this long.
_PATIENCE = 0.02


class _Stop:
    """Set by ours or by the user's signal. Interpreted on purpose: see the module's text."""

    def __init__(self, users: StopSignal | None) -> None:
        self._ours = False
        self._users = users

    def set(self) -> None:
        self._ours = True

    def is_set(self) -> bool:
        return self._ours or (self._users is not None and bool(self._users.is_set()))


class Engine:
    """A chess engine: a network, a transposition table and a search, without input and output.

    A context manager; leaving it stops a running search and releases everything. Options, all by keyword:

    * ``hash``: megabytes of the transposition table, 1 to 4,096, rounded down to a power of two;
    * ``threads``: 1 to 256. With 1, a search of fixed depth visits the same nodes every time; more are processes of
      their own, started by the first search and ended by ``close``;
    * ``eval_file``: the path of a net file, or ``network``: a ``Network`` loaded already. Neither: the shipped net;
    * ``book``: a ``Book``, or the path of one; ``own_book``: whether to play from it, by default if one is given;
      ``own_book=True`` alone takes the shipped one;
    * ``move_overhead``: milliseconds kept back from every time budget, 0 to 5,000.

    One search at a time: another call while one runs raises RuntimeError, and so does any call after ``close``. A
    search ends early by its ``stop`` signal, by ``stop()`` from another thread, or by a KeyboardInterrupt (within
    50 ms). What was learnt stays in the table for the next search: see ``new_game``.

    Raises TypeError and ValueError for bad options, OSError and ``NetRefused`` for a net that cannot be used,
    MemoryError for a table that the machine cannot give.

    >>> import pawnstar
    >>> with pawnstar.Engine(hash=1) as engine:
    ...     position = pawnstar.Position.from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    ...     engine.play(position, pawnstar.Limits(depth=4))
    Move.from_uci('a1a8')
    """

    def __init__(
        self,
        *,
        hash: int = 64,
        threads: int = 1,
        eval_file: str | os.PathLike[str] | None = None,
        network: Network | None = None,
        book: Book | str | os.PathLike[str] | None = None,
        own_book: bool | None = None,
        move_overhead: int = 30,
    ) -> None:
        megabytes = whole("hash", hash, 1, HASH_MAX)
        self._threads = whole("threads", threads, 1, THREADS_MAX)
        overhead = whole("move_overhead", move_overhead, 0, OVERHEAD_MAX)
        if network is not None and eval_file is not None:
            raise ValueError("eval_file and network exclude each other")
        if network is not None and not isinstance(network, Network):
            raise TypeError(f"network must be a Network, not {type(network).__name__}")
        if book is not None and not isinstance(book, Book):
            book = Book.from_file(book)
        if own_book is None:
            own_book = book is not None
        if own_book and book is None:
            book = Book.default()
        if network is None:
            network = Network.default() if eval_file is None else Network.from_file(eval_file)
        self._network = network
        self._book = book
        self._lock = threading.Lock()  # held while a search runs
        self._evaluating = threading.Lock()  # held while a static evaluation is made, and while a search is admitted
        self._stop: _Stop | None = None
        self._closed = False
        self._inner = InnerEngine(network._network, megabytes)
        self._inner.overhead = overhead
        self._inner.book = book._book if own_book and book is not None else None
        self._inner.set_threads(self._threads)

    # Settings that can be read back.

    @property
    def hash(self) -> int:
        """Megabytes of the transposition table: with several threads, all they have of it.

        >>> import pawnstar
        >>> pawnstar.Engine(hash=3).hash
        2
        """
        return cells_for(self._inner.hash_megabytes) * CELL_BYTES >> 20

    @property
    def threads(self) -> int:
        """The number of threads asked for.

        >>> import pawnstar
        >>> pawnstar.Engine(hash=1).threads
        1
        """
        return self._threads

    @property
    def network(self) -> Network:
        """The net that evaluates.

        >>> import pawnstar
        >>> pawnstar.Engine(hash=1).network.origin
        'embedded'
        """
        return self._network

    @property
    def book(self) -> Book | None:
        """The opening book given, played from or not; None where there is none.

        >>> import pawnstar
        >>> pawnstar.Engine(hash=1).book is None
        True
        """
        return self._book

    # Life.

    def __enter__(self) -> Engine:
        self._check_open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("the engine is closed")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the engine, which does one thing at a time."""
        self._check_open()
        with self._evaluating:
            admitted = self._lock.acquire(blocking=False)
        if not admitted:
            raise RuntimeError("a search is running")
        try:
            self._check_open()
            yield
        finally:
            self._lock.release()

    def close(self) -> None:
        """Stop a running search, wait until it has ended, and release what the engine holds. Closing twice is no error.

        >>> import pawnstar
        >>> engine = pawnstar.Engine(hash=1)
        >>> engine.close()
        >>> engine.new_game()
        Traceback (most recent call last):
        ...
        RuntimeError: the engine is closed
        """
        if self._closed:
            return
        self._closed = True
        self.stop()
        with self._lock:
            self._inner.close()

    def stop(self) -> None:
        """Tell a running search to end with the best move found so far; forgotten where none runs. For other threads.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     engine.stop()
        """
        stop = self._stop
        if stop is not None:
            stop.set()

    def new_game(self) -> None:
        """Forget what earlier searches have learnt. Raises RuntimeError while a search runs.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     engine.new_game()
        """
        with self._alone():
            self._inner.new_game()

    # Evaluation and search.

    def evaluate(self, position: PositionLike, history: Sequence[Position] | None = None) -> int:
        """The static evaluation in centipawns for the side to move, as the search sees it.

        0 for draws by material, fifty moves or repetition (of ``history``, the earlier positions, oldest first; a
        ``chess.Board`` brings its own), and drawn towards 0 as the fifty-move clock runs out. It may be asked for
        while a search runs.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     engine.evaluate(pawnstar.Position.from_fen("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1")) > 1000
        True
        """
        self._check_open()
        current, past = _situation(position, history)
        with self._evaluating:
            return self._inner.evaluate(current._rules, [earlier._rules for earlier in past], aside=self._lock.locked())

    def search(
        self,
        position: PositionLike,
        history: Sequence[Position] | None = None,
        limits: Limits | None = None,
        stop: StopSignal | None = None,
        on_info: Callable[[SearchInfo], None] | None = None,
    ) -> SearchResult:
        """Find the best move; returns when a limit is reached or the search is told to stop.

        ``history`` holds the game's earlier positions, oldest first, for the rule of repetition; a ``chess.Board``
        brings its own. ``stop`` is whatever has ``is_set()``, such as a ``threading.Event``. ``on_info`` is called with
        every report, from this thread; what it raises ends the search and is passed on.

        Raises ValueError without any limit and without ``stop``, RuntimeError while another search runs.

        >>> import pawnstar
        >>> depths = []
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     result = engine.search(
        ...         pawnstar.Position.from_fen("8/8/8/8/8/2k5/2p5/2K5 b - - 0 1"),
        ...         limits=pawnstar.Limits(depth=5),
        ...         on_info=lambda info: depths.append(info.depth),
        ...     )
        >>> result.depth == max(depths), result.source
        (True, 'search')
        """
        limits = _checked_limits(limits)
        if limits.is_unlimited() and stop is None:
            raise ValueError("a search needs a limit or a stop signal")
        current, past = _situation(position, history)
        with self._alone():
            return self._search(current, past, limits, _Stop(stop), on_info)

    def _search(
        self,
        position: Position,
        history: Sequence[Position],
        limits: Limits,
        stop: _Stop,
        on_info: Callable[[SearchInfo], None] | None,
    ) -> SearchResult:
        inner_limits = engine_limits(limits, position)
        receiver: Callable[[InnerInfo], None] | None = None
        if on_info is not None:
            receive = on_info
            # A lambda: a def in this branch would give the name a second type.
            receiver = lambda info: receive(info_of(info))  # noqa: E731
        self._stop = stop
        if self._closed:  # closed after this search was admitted, before it could be told to stop
            stop.set()
        try:
            return result_of(
                self._inner.search(position._rules, [past._rules for past in history], inner_limits, stop, receiver)
            )
        finally:
            self._stop = None

    def play(
        self,
        position: PositionLike,
        limits: Limits,
        history: Sequence[Position] | None = None,
        stop: StopSignal | None = None,
    ) -> Move:
        """The move to play: ``search`` for those who want nothing else. Raises ValueError where the game is over.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     engine.play(pawnstar.Position.from_fen("7k/8/8/8/8/8/6q1/7K w - - 0 1"), pawnstar.Limits(depth=1))
        Move.from_uci('h1g2')
        """
        move = self.search(position, history, limits, stop).best_move
        if move is None:
            raise ValueError("there is no legal move")
        return move

    def analyse(
        self,
        position: PositionLike,
        history: Sequence[Position] | None = None,
        limits: Limits | None = None,
    ) -> Generator[SearchInfo, None, SearchResult]:
        """Search and yield every report as it comes; without limits until the generator is closed.

        Closing the generator stops the search: by ``close()``, by ``contextlib.closing``, or by dropping it, as a
        ``for`` loop does that is left. Run to its end, it returns the ``SearchResult`` (``yield from`` has it as its
        value). The search starts with the first report asked for, on a thread of its own; arguments are checked at
        once, as in ``search``.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     for info in engine.analyse(pawnstar.Position.initial()):
        ...         if info.depth == 5:
        ...             break
        >>> info.depth, len(info.pv) > 0
        (5, True)
        """
        limits = _checked_limits(limits)
        current, past = _situation(position, history)
        engine_limits(limits, current)
        self._check_open()
        return self._analysis(current, past, limits)

    def _analysis(
        self, position: Position, history: Sequence[Position], limits: Limits
    ) -> Generator[SearchInfo, None, SearchResult]:
        reports: queue.SimpleQueue[SearchInfo | SearchResult | BaseException] = queue.SimpleQueue()
        stop = _Stop(None)

        def run() -> None:
            try:
                reports.put(self._search(position, history, limits, stop, reports.put))
            except BaseException as error:  # handed to whoever waits
                reports.put(error)

        with self._alone():
            worker = threading.Thread(target=run, name="pawnstar-analysis", daemon=True)
            try:
                worker.start()
                while True:
                    try:
                        report = reports.get(timeout=_PATIENCE)
                    except queue.Empty:
                        continue
                    if isinstance(report, SearchResult):
                        return report
                    if isinstance(report, BaseException):
                        raise report
                    yield report
            finally:
                stop.set()
                worker.join()


def _checked_limits(limits: Limits | None) -> Limits:
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        raise TypeError(f"limits must be Limits, not {type(limits).__name__}")
    return limits


def _situation(position: PositionLike, history: Sequence[Position] | None) -> tuple[Position, Sequence[Position]]:
    """The position and the game's earlier ones: those given, else those that a board remembers."""
    current, remembered = resolve(position)
    if history is None:
        return current, remembered
    for earlier in history:
        if not isinstance(earlier, Position):
            raise TypeError(f"history holds Positions, not {type(earlier).__name__}")
    return current, history
