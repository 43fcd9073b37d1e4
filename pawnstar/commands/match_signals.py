"""Ctrl-C, SIGTERM and SIGHUP during a match, which ends its engines and tells the score before the program ends."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final

SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # those of them that the system has


class Interrupts:
    """The signals that ask the program to end.

    Until ``then`` is called, they raise KeyboardInterrupt. From then on each of them only calls the action: a second
    Ctrl-C must not interrupt the orderly end that the first has begun.
    """

    def __init__(self) -> None:
        self.signal = 0  # the first that came; 0: none
        self._action: Callable[[], None] | None = None

    @property
    def status(self) -> int:
        """The exit status that tells of the signal, as shells count: 130 for Ctrl-C, 143 for SIGTERM."""
        return 128 + (self.signal or signal.SIGINT)

    @property
    def name(self) -> str:
        """The signal's name, in words where it is Ctrl-C."""
        return "Ctrl-C" if self.signal in (0, signal.SIGINT) else signal.Signals(self.signal).name

    def then(self, action: Callable[[], None]) -> None:
        """Call this for each signal from now on; it must not block."""
        self._action = action

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.signal = self.signal or number
        if self._action is None:
            raise KeyboardInterrupt
        self._action()

    @contextlib.contextmanager
    def listening(self) -> Iterator[Interrupts]:
        """Listen while the context is open.

        A signal that is ignored stays ignored: ``nohup`` wants its program to survive the hangup. Only the main thread
        can listen; in other threads nothing is changed. If a signal came, the program is about to end when the context
        closes. Further signals would kill it before its end, so they are ignored from then on.
        """
        before: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for name in SIGNALS:
                number = getattr(signal, name, None)
                if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
                    before[number] = signal.signal(number, self._handle)
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, signal.SIG_IGN if self.signal else handler)
