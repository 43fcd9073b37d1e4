"""The engine, as its user drives it: options as arguments, one search at a time, stopped from wherever.

Two things here must not be simplified away. The search always gets a stop signal that is interpreted Python: it is
asked every 2,048 nodes, and running interpreted code is what lets CPython deliver a KeyboardInterrupt to the main
thread while compiled code searches. And nothing waits while it holds a lock: the engine belongs to the ``Run`` in
``_run`` from its admission to its end, and ``close`` may be called from anywhere, in the middle of that run too (from
``on_info``, from the stop signal, by a signal handler): then what is left to do is done when the run has ended.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, Final, Never, NoReturn, cast

from pawnstar.api import hints
from pawnstar.api.analysis import Analysis, Run, Stop
from pawnstar.api.boards import PositionLike, resolve
from pawnstar.api.book import Book
from pawnstar.api.checks import whole
from pawnstar.api.info import SearchInfo, SearchResult, info_of, result_of
from pawnstar.api.limits import Limits, engine_limits
from pawnstar.api.moves import Move
from pawnstar.api.network import Network
from pawnstar.api.position import Position
from pawnstar.api.score import Score
from pawnstar.engine.engine import Engine as InnerEngine
from pawnstar.search.info import SearchInfo as InnerInfo
from pawnstar.search.limits import Limits as InnerLimits
from pawnstar.settings import HASH, MOVE_OVERHEAD, OWN_BOOK, THREADS, Check, Spin

if TYPE_CHECKING:
    from pawnstar.search.clock import Clock
    from pawnstar.search.worker import StopSignal


class _Unchanged(Enum):
    """The default of ``configure``'s arguments: the option keeps its value. None means something for some of them."""

    UNCHANGED = "unchanged"

    def __repr__(self) -> str:
        return self.value


_UNCHANGED: Final = _Unchanged.UNCHANGED


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

    ``configure`` changes them later. Wherever a position is wanted, a ``Position``, a FEN, a ``Game`` or a
    ``chess.Board`` will do; the last two bring their history.

    One search at a time: another call while one runs raises RuntimeError (one that has been told to stop is waited
    for), and so does any call after ``close``. A search ends early by its ``stop`` signal, by ``stop()`` from another
    thread, or by a KeyboardInterrupt (within 50 ms). What was learnt stays in the table for the next search: see
    ``new_game``. An engine cannot be copied or pickled.

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
        *positional: Never,
        hash: int = HASH.default,
        threads: int = THREADS.default,
        eval_file: str | os.PathLike[str] | None = None,
        network: Network | None = None,
        book: Book | str | os.PathLike[str] | None = None,
        own_book: bool | None = None,
        move_overhead: int = MOVE_OVERHEAD.default,
    ) -> None:
        if positional:
            raise TypeError("options are given by keyword, such as Engine(hash=64, threads=2)")
        megabytes = _number(HASH, hash)
        count = _number(THREADS, threads)
        overhead = _number(MOVE_OVERHEAD, move_overhead)
        if network is not None and eval_file is not None:
            raise ValueError("eval_file and network exclude each other")
        plays = _flag(OWN_BOOK, own_book, book is not None)
        self._network = _network(eval_file, network)
        self._book = _book(book)
        if plays and self._book is None:
            self._book = Book.default()
        # Who uses the engine; None where it is idle.
        self._run: Run | None = None
        # Held for moments only: while a static evaluation is made, and while a run is admitted. A signal handler may
        # come in between, so it is the same thread's again.
        self._lock = threading.RLock()
        self._closed = False
        self._inner = InnerEngine(self._network._network, megabytes)
        self._play_from(self._book, plays)
        self._inner.settings[MOVE_OVERHEAD] = overhead
        self._inner.set_threads(count)

    # Settings that can be read back.

    @property
    def hash(self) -> int:
        """Megabytes of the transposition table: with several threads, all they have of it.

        >>> import pawnstar
        >>> pawnstar.Engine(hash=3).hash
        2
        """
        return self._inner.table_megabytes()

    @property
    def threads(self) -> int:
        """The number of threads: as many as were asked for, or 1 once the system would not start them.

        >>> import pawnstar
        >>> pawnstar.Engine(hash=1).threads
        1
        """
        return self._inner.threads

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

    @property
    def own_book(self) -> bool:
        """Whether moves of the book are played unsearched.

        >>> import pawnstar
        >>> pawnstar.Engine(hash=1, book=pawnstar.Book(["e2e4"])).own_book
        True
        """
        return self._inner.settings[OWN_BOOK]

    @property
    def move_overhead(self) -> int:
        """Milliseconds kept back from every time budget.

        >>> import pawnstar
        >>> pawnstar.Engine(hash=1).move_overhead
        30
        """
        return self._inner.settings[MOVE_OVERHEAD]

    def configure(
        self,
        *positional: Never,
        hash: int | _Unchanged = _UNCHANGED,
        threads: int | _Unchanged = _UNCHANGED,
        eval_file: str | os.PathLike[str] | _Unchanged | None = _UNCHANGED,
        network: Network | _Unchanged | None = _UNCHANGED,
        book: Book | str | os.PathLike[str] | _Unchanged | None = _UNCHANGED,
        own_book: bool | _Unchanged | None = _UNCHANGED,
        move_overhead: int | _Unchanged = _UNCHANGED,
    ) -> None:
        """Change options, those of the constructor; what is not given stays.

        ``eval_file=None`` or ``network=None`` goes back to the shipped net, ``book=None`` takes the book away. A book
        given is played from, unless ``own_book`` says otherwise. Another ``hash`` or number of threads forgets what the
        table holds. Raises as the constructor does, and RuntimeError while a search runs; nothing has changed then.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     engine.configure(hash=2, move_overhead=100)
        ...     engine.hash, engine.move_overhead
        (2, 100)
        """
        if positional:
            raise TypeError("options are given by keyword, such as configure(hash=64, threads=2)")
        # Everything is checked and read before anything changes.
        settings = self._inner.settings
        megabytes = settings[HASH] if hash is _UNCHANGED else _number(HASH, hash)
        count = settings[THREADS] if threads is _UNCHANGED else _number(THREADS, threads)
        overhead = settings[MOVE_OVERHEAD] if move_overhead is _UNCHANGED else _number(MOVE_OVERHEAD, move_overhead)
        new_network = self._network
        if eval_file is not _UNCHANGED or network is not _UNCHANGED:
            path = None if eval_file is _UNCHANGED else eval_file
            given = None if network is _UNCHANGED else network
            if path is not None and given is not None:
                raise ValueError("eval_file and network exclude each other")
            new_network = _network(path, given)
        new_book, plays = self._book, settings[OWN_BOOK]
        if book is not _UNCHANGED:
            new_book = _book(book)
            plays = new_book is not None
        if own_book is not _UNCHANGED:
            plays = _flag(OWN_BOOK, own_book, new_book is not None)
        if plays and new_book is None:
            new_book = Book.default()
        with self._alone():
            self._resize(megabytes, count)
            settings[MOVE_OVERHEAD] = overhead
            if new_network is not self._network:
                self._inner.set_network(new_network._network)
                self._network = new_network
            self._play_from(new_book, plays)

    def _play_from(self, book: Book | None, plays: bool) -> None:
        """Have this book, and play from it or not."""
        self._book = book
        self._inner.book = book._book if book is not None else None
        self._inner.settings[OWN_BOOK] = plays

    def _resize(self, megabytes: int, threads: int) -> None:
        """Change the table and the threads where they differ; raises MemoryError with both as they were."""
        before = self._inner.settings[THREADS]
        try:
            self._inner.set_threads(threads)
            if megabytes != self._inner.settings[HASH]:
                self._inner.resize_table(megabytes)
        except MemoryError:
            self._inner.set_threads(before)
            raise

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

    def _admit(self, run: Run) -> None:
        """Make the engine ``run``'s; one that has been told to stop is waited for.

        Raises RuntimeError where another one has the engine, or the engine is closed.
        """
        while True:
            with self._lock:
                self._check_open()
                before = self._run
                if before is None or before.is_over():
                    self._run = run
                    return
            if before.is_ours() or not before.stop.is_set():
                raise RuntimeError("a search is running; stop() ends it")
            before.wait()

    def _leave(self, run: Run) -> None:
        """The end of a run, admitted or not."""
        try:
            if self._run is run:
                self._run = None
        finally:
            run.end()
        if self._closed:
            self._release()

    def _release(self) -> None:
        with self._lock:
            self._inner.close()

    @contextmanager
    def _alone(self, users: StopSignal | None = None) -> Iterator[Run]:
        """Hold the engine, which does one thing at a time."""
        run = Run(users)
        try:
            self._admit(run)
            yield run
        finally:
            self._leave(run)

    def close(self) -> None:
        """Stop a running search, wait until it has ended, and release what the engine holds. Closing twice is no error.

        It may be called from anywhere. From within a search (``on_info``, the stop signal, a signal handler in the
        thread that searches) it returns at once, and the engine is released when that search has ended.

        >>> import pawnstar
        >>> engine = pawnstar.Engine(hash=1)
        >>> engine.close()
        >>> engine.new_game()
        Traceback (most recent call last):
        ...
        RuntimeError: the engine is closed
        """
        self._closed = True
        run = self._run
        if run is not None:
            run.stop.set()
            if run.is_ours() and not run.is_over():
                return
            run.wait()
        self._release()

    def stop(self) -> None:
        """Tell a running search or analysis to end with the best move found so far; forgotten where none runs.

        Returns at once, and may be called from anywhere; the next search waits until the engine is free.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     engine.stop()
        """
        run = self._run
        if run is not None:
            run.stop.set()

    def new_game(self) -> None:
        """Forget what earlier searches have learnt. Raises RuntimeError while a search runs.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     engine.new_game()
        """
        with self._alone():
            self._inner.new_game()

    # Evaluation and search.

    def evaluate(self, position: PositionLike, history: Iterable[PositionLike] | None = None) -> Score:
        """The static evaluation in centipawns for the side to move, as the search sees it.

        0 for draws by material, fifty moves or repetition (of ``history``, the earlier positions, oldest first; a
        ``Game`` and a ``chess.Board`` bring their own), and drawn towards 0 as the fifty-move clock runs out. It may be
        asked for while a search runs, and from several threads.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     engine.evaluate("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1") > 1000
        True
        """
        self._check_open()
        current, past = _situation(position, history)
        with self._lock:
            run = self._run
            searching = run is not None and not run.is_over()
            value = self._inner.evaluate(
                current._rules, [earlier._rules for earlier in past], while_searching=searching
            )
        return Score(value, current.turn)

    def search(
        self,
        position: PositionLike,
        limits: Limits | None = None,
        history: Iterable[PositionLike] | None = None,
        stop: StopSignal | None = None,
        on_info: Callable[[SearchInfo], None] | None = None,
    ) -> SearchResult:
        """Find the best move; returns when a limit is reached or the search is told to stop.

        ``history`` holds the game's earlier positions, oldest first, for the rule of repetition; a ``Game`` and a
        ``chess.Board`` bring their own. ``stop`` is whatever has ``is_set()``, such as a ``threading.Event``.
        ``on_info`` is called with every report, those without a score too, from this thread; what it raises ends the
        search and is passed on. Moves of the book and only moves are answered unsearched: ``analyse`` searches always.

        Raises ValueError without any limit and without ``stop``, RuntimeError while another search runs.

        >>> import pawnstar
        >>> depths = []
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     result = engine.search(
        ...         "8/8/8/8/8/2k5/2p5/2K5 b - - 0 1",
        ...         pawnstar.Limits(depth=5),
        ...         on_info=lambda info: depths.append(info.depth),
        ...     )
        >>> result.depth == max(depths), result.source
        (True, 'search')
        """
        limits = _checked_limits(position, limits)
        _check_stop(stop)
        if limits.is_unlimited() and stop is None:
            raise ValueError("a search needs a limit or a stop signal; without, use analyse")
        current, past = _situation(position, history)
        inner_limits = engine_limits(limits, current)
        with self._alone(stop) as run:
            return self._search(current, past, inner_limits, run.stop, on_info)

    def _search(
        self,
        position: Position,
        history: Sequence[Position],
        limits: InnerLimits,
        stop: Stop,
        on_info: Callable[[SearchInfo], None] | None,
        clock: Clock | None = None,
    ) -> SearchResult:
        """Search, the engine being the caller's."""
        turn = position.turn
        receiver: Callable[[InnerInfo], None] | None = None
        if on_info is not None:
            receive = on_info
            # A lambda: a def in this branch would give the name a second type.
            receiver = lambda info: receive(info_of(info, turn))  # noqa: E731
        if self._closed:  # closed after this search was admitted, before it could be told to stop
            stop.set()
        past = [earlier._rules for earlier in history]
        return result_of(self._inner.search(position._rules, past, limits, stop, receiver, clock), turn)

    def play(
        self,
        position: PositionLike,
        limits: Limits | None = None,
        history: Iterable[PositionLike] | None = None,
        stop: StopSignal | None = None,
        on_info: Callable[[SearchInfo], None] | None = None,
    ) -> Move:
        """The move to play: ``search`` for those who want nothing else. Raises ValueError where the game is over.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     engine.play("7k/8/8/8/8/8/6q1/7K w - - 0 1", pawnstar.Limits(depth=1))
        Move.from_uci('h1g2')
        """
        move = self.search(position, limits, history, stop, on_info).best_move
        if move is None:
            raise ValueError("there is no legal move")
        return move

    def analyse(
        self,
        position: PositionLike,
        limits: Limits | None = None,
        history: Iterable[PositionLike] | None = None,
        *,
        all_reports: bool = False,
    ) -> Analysis:
        """Search beside the caller, and give every report with a score as it comes; without limits until stopped.

        The ``Analysis`` is an iterator over reports, a context manager, and for ``async for``; leaving the loop stops
        the search. ``all_reports`` gives those without a score too: the root move being searched, remarks.
        The book is never asked, and an only move is searched: a mate behind it is told as one. Arguments as in
        ``search``. Raises RuntimeError while another search runs.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     for info in engine.analyse(pawnstar.Position.initial()):
        ...         if info.depth == 5:
        ...             break
        ...     mated = engine.analyse("k7/8/1K6/5R2/8/8/8/8 b - - 0 1", pawnstar.Limits(depth=5)).wait()
        >>> info.depth, len(info.pv) > 0, mated.score.mate()
        (5, True, -1)
        """
        limits = _checked_limits(position, limits)
        current, past = _situation(position, history)
        inner_limits = engine_limits(limits, current, analysis=True)
        wanted = _any_report if all_reports else _with_score
        return self._start(current, past, inner_limits, wanted, None)

    def ponder(
        self,
        position: PositionLike,
        limits: Limits,
        history: Iterable[PositionLike] | None = None,
        *,
        all_reports: bool = False,
    ) -> Analysis:
        """Think on the opponent's time: search ``position``, which is the one after the move expected of them.

        No clock runs until ``ponderhit()``: call it when that move has been played, then ``wait()`` for the result. If
        another was played, ``close()`` it. The search may end before either, at a limit of depth or with a forced mate.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     game = pawnstar.Game(moves=["e4"])
        ...     game.push("e5")  # expected
        ...     pondering = engine.ponder(game, pawnstar.Limits(movetime=50))
        ...     pondering.ponderhit()
        ...     pondering.wait().best_move in game.legal_moves
        True
        """
        limits = _checked_limits(position, limits)
        current, past = _situation(position, history)
        inner_limits = engine_limits(limits, current, ponder=True)
        clock = self._inner.new_clock(current._rules, inner_limits)
        return self._start(current, past, inner_limits, _any_report if all_reports else _with_score, clock)

    def _start(
        self,
        position: Position,
        history: Sequence[Position],
        limits: InnerLimits,
        wanted: Callable[[SearchInfo], bool],
        clock: Clock | None,
    ) -> Analysis:
        """Search on a thread of its own, which has the engine from now on."""
        run = Run()

        def search(receive: Callable[[SearchInfo], None]) -> SearchResult:
            if self._run is not run:  # the start was interrupted, and the engine given to another
                raise RuntimeError("the analysis was given up")
            return self._search(position, history, limits, run.stop, receive, clock)

        try:
            self._admit(run)
            return Analysis(run, search, self._leave, wanted, clock)
        except BaseException:
            run.stop.set()
            if run.thread is threading.current_thread() or not run.thread.is_alive():
                self._leave(run)
            raise

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            raise hints.missing(self, name, hints.ENGINE)

    # As a value.

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "an Engine cannot be copied or pickled: it holds a table, a search and perhaps processes; "
            "make another one (its network and book may be shared, and pickled)"
        )

    def __repr__(self) -> str:
        state = ", closed" if self._closed else ""
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"<Engine {self._network.origin!r}, hash {self.hash} MB, {threads}{state}>"


def _with_score(info: SearchInfo) -> bool:
    return info.has_score


def _any_report(info: SearchInfo) -> bool:
    return True


def _network(path: str | os.PathLike[str] | None, network: Network | None) -> Network:
    """The net meant by two options of which one at most is given."""
    if network is not None:
        if not isinstance(network, Network):
            path_is = "; eval_file takes a path" if isinstance(network, (str, os.PathLike)) else ""
            raise TypeError(f"network must be a Network, not {type(network).__name__}{path_is}")
        return network
    return Network.default() if path is None else Network.from_file(path)


def _book(book: Book | str | os.PathLike[str] | None) -> Book | None:
    return book if book is None or isinstance(book, Book) else Book.from_file(book)


def _number(option: Spin, value: object) -> int:
    """An option's value as it was given; raises by the name of its argument what is no such number."""
    return whole(str(option.keyword), value, option.least, option.most)


def _flag(option: Check, value: object, default: bool) -> bool:
    if value is None:
        return default
    if not isinstance(value, bool):
        raise TypeError(f"{option.keyword} must be True, False or None, not {type(value).__name__}")
    return value


_ORDER: Final = "the order is position, limits, history"


def _checked_limits(position: object, limits: object) -> Limits:
    """The limits; raises TypeError that knows the habits of older scripts and of python-chess."""
    _check_first(position)
    if limits is None:
        return Limits()
    if isinstance(limits, Limits):
        return limits
    if type(limits).__module__.split(".")[0] == "chess" and type(limits).__name__ == "Limit":
        raise TypeError(
            "limits must be pawnstar.Limits, not python-chess's Limit: "
            "time=0.5 is movetime=500, white_clock=60 is time_left=60000 (milliseconds)"
        )
    if isinstance(limits, (list, tuple)):
        raise TypeError(f"limits must be Limits, not {type(limits).__name__}; {_ORDER}")
    raise TypeError(f"limits must be Limits, such as Limits(movetime=1000), not {type(limits).__name__}")


def _check_first(position: object) -> None:
    if isinstance(position, Limits):
        raise TypeError(f"a position is wanted first, not Limits; {_ORDER}")


def _check_stop(stop: object) -> None:
    if stop is not None and not callable(getattr(stop, "is_set", None)):
        raise TypeError(f"stop must have is_set(), as a threading.Event has, not be {type(stop).__name__}")


def _situation(position: PositionLike, history: object) -> tuple[Position, Sequence[Position]]:
    """The position and the game's earlier ones: those given, else those that a game or a board remembers."""
    _check_first(position)
    current, remembered = resolve(position)
    if history is None:
        return current, remembered
    if isinstance(history, Limits):
        raise TypeError(f"history holds the game's earlier positions, not Limits; {_ORDER}")
    if isinstance(history, (str, bytes, Position)) or not isinstance(history, Iterable):
        raise TypeError(f"history holds the game's earlier positions, in a list for example, not {_named(history)}")
    past: list[Position] = []
    for earlier in history:
        if isinstance(earlier, Position):
            past.append(earlier)
            continue
        try:
            past.append(resolve(cast("PositionLike", earlier))[0])
        except TypeError:
            raise TypeError(f"history holds Positions, not {_named(earlier)}") from None
    return current, past


def _named(value: object) -> str:
    return f"one {type(value).__name__}" if isinstance(value, (str, Position)) else type(value).__name__
