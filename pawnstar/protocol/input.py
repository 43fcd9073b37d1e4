"""Standard input, line by line, with a look at what comes behind the current one."""

import codecs
import os
import select
import sys
import time
from collections import deque
from typing import Final, NamedTuple

from pawnstar.protocol.words import split_words

_CHUNK: Final = 1 << 16
# Lines beyond this length are no commands: 2,000 moves take 10 kB.
LONGEST_LINE: Final = 1 << 22


class Line(NamedTuple):
    """A line of input, and when it came (``time.monotonic``)."""

    text: str
    came: float

    def command(self) -> str:
        """The first word."""
        return next(iter(split_words(self.text)), "")


class LineReader:
    """Lines of a file descriptor. The program reads it itself, because it must see what comes behind a line."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._lines: deque[Line] = deque()
        self._rest = b""
        self._began = False
        # When the end of input came, None before.
        self.ended: float | None = None

    def _read(self) -> None:
        """Wait for a chunk and cut it into lines; remember an end of input."""
        try:
            chunk = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            select.select([self._descriptor], [], [])
            return
        except OSError:
            chunk = b""
        now = time.monotonic()
        if not chunk:
            self.ended = now
            if self._rest:
                self._add(self._rest, now)
                self._rest = b""
            return
        *whole, self._rest = (self._rest + chunk).split(b"\n") if b"\n" in chunk else [self._rest + chunk]
        for line in whole:
            self._add(line, now)
        if len(self._rest) > LONGEST_LINE:
            # It is reported as an unknown command when its end comes.
            self._rest = b"(endless-line) "

    def _add(self, line: bytes, now: float) -> None:
        if not self._began:
            # Some shells put the mark of UTF-8 before what they pipe.
            line = line.removeprefix(codecs.BOM_UTF8)
            self._began = True
        # Bytes that are no UTF-8 survive: they may be part of a file's name.
        self._lines.append(Line(line.decode("utf-8", errors="surrogateescape"), now))

    def next_line(self) -> Line | None:
        """The next line, waited for; None at the end of input. A last line need not be ended."""
        while not self._lines:
            if self.ended is not None:
                return None
            self._read()
        return self._lines.popleft()

    def look(self, seconds: float) -> list[Line]:
        """What waits behind the line last taken, after a pause in which more may come."""
        if self.ended is not None or sys.platform == "win32":
            time.sleep(seconds)  # nothing more comes, or there is no way to look into a pipe
        elif select.select([self._descriptor], [], [], seconds)[0]:
            self._read()
        return list(self._lines)
