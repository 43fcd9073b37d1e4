"""A search that runs beside its user: reports as they come, stopped and waited for at will.

It searches on a thread of its own, because its user wants control back in the middle of a search, which compiled frames
cannot give. Nothing here waits for that thread except where it is asked to: who drops an analysis, or ends the
program, only tells it to stop. So a forgotten analysis never keeps anyone from anything.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Final, NoReturn

from pawnstar.api import hints
from pawnstar.api.info import SearchInfo, SearchResult

if TYPE_CHECKING:
    from pawnstar.search.clock import Clock
    from pawnstar.search.worker import StopSignal

# Seconds between two looks at what is waited for: where waiting cannot be interrupted (Windows), Ctrl-C waits so long.
PATIENCE: Final = 0.02
# Seconds that the end of the program waits at most for searches that it has told to stop.
_LAST_PATIENCE: Final = 10.0


class Stop:
    """Set by ours or by the user's signal. Interpreted on purpose: see the text of ``engine.py``."""

    def __init__(self, users: StopSignal | None) -> None:
        self.ours = False
        self._users = users

    def set(self) -> None:
        """Tell the search to stop."""
        self.ours = True

    def is_set(self) -> bool:
        """Whether to stop."""
        return self.ours or (self._users is not None and bool(self._users.is_set()))


class Run:
    """One use of the engine: who uses it, how to stop it, and when it is over.

    Signal handlers may interrupt any line of this and call it again, so there is no lock to be held: the latch is a
    lock that opens once, by the end.
    """

    def __init__(self, users: StopSignal | None = None) -> None:
        self.stop = Stop(users)
        self.thread = threading.current_thread()
        self._latch = threading.Lock()
        self._latch.acquire()
        self._over = False

    def end(self) -> None:
        """Let go whoever waits."""
        self._over = True
        with contextlib.suppress(RuntimeError):  # open already
            self._latch.release()

    def is_over(self) -> bool:
        """Whether it has ended, or its thread with it (as in the child of a fork)."""
        return self._over or not self.thread.is_alive()

    def is_ours(self) -> bool:
        """Whether the calling thread is in the middle of it, and so cannot wait for its end."""
        return self.thread is threading.current_thread()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is over, or so many seconds; returns whether it is. Signals are heard meanwhile."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while not self.is_over():
            left = PATIENCE if deadline is None else min(PATIENCE, deadline - time.monotonic())
            if left <= 0:
                return False
            if self._latch.acquire(timeout=left):
                self._latch.release()
        return True


class _Mailbox:
    """Reports on their way from the searching thread, and who is to be woken by the next one."""

    def __init__(self) -> None:
        self._letters: queue.SimpleQueue[SearchInfo | None] = queue.SimpleQueue()
        self._wakers: list[Callable[[], object]] = []
        self.result: SearchResult | None = None
        self.error: BaseException | None = None

    def put(self, letter: SearchInfo | None) -> None:
        """Deliver a report; None is the last letter."""
        self._letters.put(letter)
        while self._wakers:
            with contextlib.suppress(IndexError, RuntimeError):  # woken by another; its event loop is closed
                self._wakers.pop()()

    def get(self, run: Run) -> SearchInfo | None:
        """The next letter, waited for; None where the run is over and there is none (as in the child of a fork)."""
        while True:
            over = run.is_over()  # before looking: what was sent until then is there
            try:
                return self._letters.get_nowait() if over else self._letters.get(timeout=PATIENCE)
            except queue.Empty:
                if over:
                    return None

    async def get_later(self, run: Run) -> SearchInfo | None:
        """As ``get``; the event loop runs meanwhile."""
        import asyncio

        loop = asyncio.get_running_loop()
        while True:
            over = run.is_over()  # before looking, as above
            with contextlib.suppress(queue.Empty):
                return self._letters.get_nowait()
            if over:  # another reader has taken the last letter
                return None
            arrived = asyncio.Event()
            self._wakers.append(functools.partial(loop.call_soon_threadsafe, arrived.set))
            if self._letters.empty() and not run.is_over():  # still: what comes from now on wakes us
                await arrived.wait()


# Analyses that run: the end of the program stops them.
_running: set[Run] = set()


def _end_all() -> None:
    runs = list(_running)
    for run in runs:
        run.stop.set()
    deadline = time.monotonic() + _LAST_PATIENCE
    for run in runs:
        run.wait(max(0.0, deadline - time.monotonic()))


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_running.clear)


class Analysis(Iterator[SearchInfo]):
    """A running search, made by ``Engine.analyse`` or ``Engine.ponder``; an iterator over its reports.

    The search starts at once and goes on whether or not its reports are read. It ends at its limits, or is stopped: by
    ``stop()`` (from any thread), ``close()``, the end of a ``with`` or ``async with``, by dropping the analysis (as a
    ``for`` loop does that is left), by an exception while waiting for it (Ctrl-C), by ``Engine.stop()`` and
    ``Engine.close()``, and by the program's end. ``wait()`` gives the result; so does running it to its end: the
    ``StopIteration`` (or ``yield from``) has the ``SearchResult`` as its value.

    >>> import pawnstar
    >>> with pawnstar.Engine(hash=1) as engine, engine.analyse(pawnstar.Position.initial()) as analysis:
    ...     for info in analysis:
    ...         if info.depth >= 4:
    ...             analysis.stop()
    ...     result = analysis.wait()
    >>> result.best_move == info.pv[0]
    True
    """

    def __init__(
        self,
        run: Run,
        search: Callable[[Callable[[SearchInfo], None]], SearchResult],
        leave: Callable[[Run], None],
        wanted: Callable[[SearchInfo], bool],
        clock: Clock | None = None,
    ) -> None:
        """For ``Engine.analyse``: start ``search`` on a thread of its own, which ends with ``leave``.

        Reports that are ``wanted`` are kept for who iterates.
        """
        mailbox = _Mailbox()

        def receive(info: SearchInfo) -> None:
            if wanted(info):
                mailbox.put(info)

        def work() -> None:
            run.thread = threading.current_thread()
            try:
                mailbox.result = search(receive)
            except BaseException as error:  # handed to whoever waits
                mailbox.error = error
            finally:
                try:
                    leave(run)  # before the last letter: who reads it may search at once
                finally:
                    _running.discard(run)
                    mailbox.put(None)

        self._run = run
        self._mailbox = mailbox
        self._clock = clock
        self._exhausted = False
        # A daemon: the program's end need not wait for it, and stops it (``_end_all``).
        thread = threading.Thread(target=work, name="pawnstar-analysis", daemon=True)
        _running.add(run)
        try:
            thread.start()
        except BaseException:
            _running.discard(run)
            raise
        # Not before: a thread that has not started looks like one that has ended, and another would get the engine.
        run.thread = thread

    # Reports.

    def __iter__(self) -> Analysis:
        return self

    def __next__(self) -> SearchInfo:
        """The next report; what the search raises is raised here."""
        if self._exhausted:
            raise StopIteration(self._mailbox.result)
        try:
            report = self._mailbox.get(self._run)
        except BaseException:  # Ctrl-C, or what else a signal handler raises
            self._run.stop.set()
            raise
        if report is None:
            self._exhausted = True
            if self._mailbox.error is not None:
                raise self._mailbox.error
            raise StopIteration(self._mailbox.result)
        return report

    def __aiter__(self) -> Analysis:
        return self

    async def __anext__(self) -> SearchInfo:
        """The next report, for ``async for``: other tasks run while it is waited for."""
        report = None if self._exhausted else await self._mailbox.get_later(self._run)
        if report is None:
            was_exhausted, self._exhausted = self._exhausted, True
            if self._mailbox.error is not None and not was_exhausted:
                raise self._mailbox.error
            raise StopAsyncIteration
        return report

    # Ending it.

    def stop(self) -> None:
        """Tell the search to end with the best move found so far. Returns at once; for any thread.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     analysis = engine.analyse(pawnstar.Position.initial())
        ...     analysis.stop()
        ...     analysis.wait().best_move is not None
        True
        """
        self._run.stop.set()

    def wait(self, timeout: float | None = None) -> SearchResult:
        """Wait until the search has ended and return its result; raises what the search raised.

        An analysis without limits ends by ``stop()`` alone. Raises TimeoutError after ``timeout`` seconds; the search
        then goes on. A KeyboardInterrupt stops it.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     engine.analyse(pawnstar.Position.initial(), pawnstar.Limits(depth=4)).wait().depth
        4
        """
        try:
            over = self._run.wait(timeout)
        except BaseException:
            self._run.stop.set()
            raise
        if not over:
            raise TimeoutError(f"the search has not ended within {timeout} seconds")
        if self._mailbox.error is not None:
            raise self._mailbox.error
        if self._mailbox.result is None:
            raise RuntimeError("the search's thread is gone: analyses do not live on in the child of a fork")
        return self._mailbox.result

    def ponderhit(self) -> None:
        """The move pondered on was played: the clock runs from now. Raises RuntimeError where nobody ponders.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     pondering = engine.ponder(pawnstar.Position.initial(), pawnstar.Limits(movetime=100))
        ...     pondering.ponderhit()
        ...     pondering.wait().best_move is not None
        True
        """
        if self._clock is None:
            raise RuntimeError("this analysis does not ponder; see Engine.ponder")
        self._clock.ponderhit()

    @property
    def is_running(self) -> bool:
        """Whether the search still runs.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     with engine.analyse(pawnstar.Position.initial()) as analysis:
        ...         pass
        >>> analysis.is_running
        False
        """
        return not self._run.is_over()

    def close(self) -> None:
        """Stop the search, wait until it has ended, and forget the reports that were not read.

        >>> import pawnstar
        >>> with pawnstar.Engine(hash=1) as engine:
        ...     analysis = engine.analyse(pawnstar.Position.initial())
        ...     analysis.close()
        ...     list(analysis)
        []
        """
        self._exhausted = True
        self._run.stop.set()
        if not self._run.is_ours():
            self._run.wait()

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Analysis:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._run.stop.set()
        if not self._exhausted:
            while await self._mailbox.get_later(self._run) is not None:
                pass
            self._exhausted = True

    def __del__(self) -> None:
        run = getattr(self, "_run", None)
        if run is not None:
            run.stop.set()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            raise hints.missing(self, name, hints.ANALYSIS)

    def __reduce__(self) -> NoReturn:
        raise TypeError("an Analysis cannot be copied or pickled: it is a running search; take its result, wait()")

    def __repr__(self) -> str:
        if self.is_running:
            return "<Analysis, running>"
        return f"<Analysis, ended: {self._mailbox.error or self._mailbox.result!r}>"
