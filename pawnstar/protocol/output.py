"""Standard output, line by line: each line is one write and one flush, whole, from whichever thread."""

import contextlib
import os
import select
import sys
import threading
from typing import Final, NoReturn, Protocol

# How long the thread that ends the program may take over it before another one does, in seconds.
ENDING: Final = 2.0
_ending: Final = threading.Lock()


def claim_end() -> None:
    """Leave the end of the program to the calling thread alone; another that comes here waits for it.

    A closed output is noticed by the thread that watches it and by the one that writes, often at the same instant. Both
    ran what was hooked to the end of the process then, at once: a coverage measurement crashed while it was stored.
    """
    _ending.acquire(timeout=ENDING)


def end_program(status: int = 0) -> NoReturn:
    """End the program at once, from whichever thread."""
    claim_end()
    os._exit(status)


class Stream(Protocol):
    """What lines are written to."""

    def write(self, text: str, /) -> int:
        """Write a text."""
        ...

    def flush(self) -> None:
        """Hand on what was written and is still held back."""
        ...


class DescriptorStream:
    """A text stream without a buffer over a file descriptor: one ``write`` is one system call where the pipe has room.

    Its encoding does not depend on the locale. It waits for room even if a client made the descriptor non-blocking.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, text: str, /) -> int:
        """Write all of ``text``; raises OSError where the other end is closed."""
        data = text.encode("utf-8", errors="backslashreplace")
        while data:
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:
                select.select([], [self._descriptor], [])
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""


class Output:
    """Writes protocol lines to a stream. For the program's own output see ``standard_output``."""

    def __init__(self, stream: Stream | None = None, ends_program: bool = False) -> None:
        """With ``ends_program`` a closed stream ends the program, since its reader has gone."""
        self._stream = stream
        self._ends_program = ends_program
        self._lock = threading.Lock()

    def line(self, text: str) -> None:
        """Write one line (or several, as one write)."""
        with self._lock:
            stream = self._stream if self._stream is not None else sys.stdout
            try:
                stream.write(text + "\n")
                stream.flush()
            except (OSError, ValueError):
                if self._ends_program:
                    end_program()
                raise

    def info(self, text: str) -> None:
        """Write an ``info string`` line."""
        self.line("info string " + text)

    def both(self, text: str) -> None:
        """Tell the user on both streams: GUIs read the info string, match harnesses keep standard error."""
        self.info(text)
        # Standard error may be closed.
        with self._lock, contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(text.encode("utf-8", "backslashreplace").decode("ascii", "backslashreplace") + "\n")
            sys.stderr.flush()


def standard_output() -> Output:
    """The program's standard output. Its reader's end ends the program at once, even while nothing is written."""
    output = Output(DescriptorStream(1), ends_program=True)
    threading.Thread(target=_watch, args=(1,), name="watch", daemon=True).start()
    return output


def _watch(descriptor: int) -> None:
    """End the program when the other end of a pipe, socket or terminal is closed."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(descriptor, 0)
    try:
        while True:
            for _, event in poll.poll():
                if event & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
                    end_program()
    except OSError:
        return
