"""Standard output, line by line: each line is one write and one flush, whole, from whichever thread."""

import os
import sys
import threading
from typing import TextIO


class Output:
    """Writes protocol lines to a stream. A closed stream ends the program: nobody is listening any more."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stdout
        self._lock = threading.Lock()

    def line(self, text: str) -> None:
        """Write one line (or several, as one write)."""
        with self._lock:
            try:
                self._stream.write(text + "\n")
                self._stream.flush()
            except (BrokenPipeError, ValueError, OSError):
                if self._stream is sys.stdout:
                    os._exit(0)
                raise

    def info(self, text: str) -> None:
        """Write an ``info string`` line."""
        self.line("info string " + text)

    def both(self, text: str) -> None:
        """Tell the user on both streams: GUIs read the info string, match harnesses keep standard error."""
        self.info(text)
        with self._lock:
            sys.stderr.write(text + "\n")
            sys.stderr.flush()
