"""Standard input, line by line, with a look at what waits behind the current line."""

import os
import re
import select
import sys
from collections import deque
from typing import Final

_CHUNK: Final = 1 << 16
# What is written together with a line arrives within this time, in seconds.
_TOGETHER: Final = 0.05
# Lines beyond this length are no commands: 2,000 moves take 10 kB.
LONGEST_LINE: Final = 1 << 22

_BLANKS: Final = re.compile(r"[ \t\r\n\v\f]+")


def split_words(line: str) -> list[str]:
    """The words of a line: separated by ASCII white space only, so that any other character may stand in a path."""
    return [word for word in _BLANKS.split(line) if word]


class LineReader:
    """Lines of a file descriptor. The program reads it itself, because it must know whether more is waiting."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._lines: deque[str] = deque()
        self._rest = b""
        self._ended = False

    def _read(self) -> None:
        """Wait for a chunk and cut it into lines; remember an end of input."""
        try:
            chunk = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            select.select([self._descriptor], [], [])
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._ended = True
            if self._rest:
                self._add(self._rest)
                self._rest = b""
            return
        *whole, self._rest = (self._rest + chunk).split(b"\n") if b"\n" in chunk else [self._rest + chunk]
        for line in whole:
            self._add(line)
        if len(self._rest) > LONGEST_LINE:
            # It is reported as an unknown command when its end comes.
            self._rest = b"(endless-line) "

    def _add(self, line: bytes) -> None:
        # Bytes that are no UTF-8 survive: they may be part of a file's name.
        self._lines.append(line.decode("utf-8", errors="surrogateescape"))

    def next_line(self) -> str | None:
        """The next line, waited for; None at the end of input. A last line need not be ended."""
        while not self._lines:
            if self._ended:
                return None
            self._read()
        return self._lines.popleft()

    def more_is_waiting(self) -> bool:
        """Whether a further line, or the end of input, came along with the lines read so far."""
        while not self._lines and not self._ended:
            if sys.platform == "win32":
                return True  # no way to look into a pipe
            if not select.select([self._descriptor], [], [], _TOGETHER)[0]:
                return False
            self._read()
        return True
