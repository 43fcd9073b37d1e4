"""The file that a match's games are appended to."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from pawnstar.matches.players import MatchError


class PgnError(MatchError):
    """A PGN file that cannot be written; the message names it and the system's reason."""


class PgnFile:
    """Games appended to a file, each of them whole or not at all.

    It is opened and tried at once, so that a folder without permission, a full disk or a full device is told before
    the first game rather than behind it. Raises PgnError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = self._open()
        try:
            self._append(self._missing())
            self._try()
        except BaseException:
            self.close()
            raise

    def _open(self) -> int:
        try:
            return os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise PgnError(f"cannot use '{self.path}': {error.strerror or error}") from error

    def append(self, text: str) -> None:
        """Write a game, and an empty line behind it. Raises PgnError; the file then ends with the game before."""
        self._append(text.rstrip().encode("utf-8", "replace") + b"\n\n")

    def close(self) -> None:
        """Close the file; nothing is buffered."""
        with contextlib.suppress(OSError):
            os.close(self._file)

    def _follow(self) -> None:
        """Make the file again where it has been deleted; what is written to the old one would be lost."""
        if os.fstat(self._file).st_nlink == 0:
            gone, self._file = self._file, self._open()
            os.close(gone)

    @property
    def _size(self) -> int | None:
        """Of a regular file, in bytes; None for a device or a pipe."""
        status = os.fstat(self._file)
        return status.st_size if stat.S_ISREG(status.st_mode) else None

    def _missing(self) -> bytes:
        """What the file lacks of the empty line behind its last game; without it the next one would not be seen."""
        size = self._size
        if not size:
            return b""
        os.lseek(self._file, max(size - 4, 0), os.SEEK_SET)
        end = os.read(self._file, 4).replace(b"\r", b"")
        return b"" if end.endswith(b"\n\n") else b"\n" if end.endswith(b"\n") else b"\n\n"

    def _try(self) -> None:
        """See whether there is room: a byte, taken back where that is possible."""
        before = self._size
        self._append(b"\n")
        if before is not None and self._size == before + 1:
            os.ftruncate(self._file, before)

    def _append(self, data: bytes) -> None:
        self._follow()
        before, written = self._size, 0
        try:
            while written < len(data):
                written += os.write(self._file, data[written:])
        except OSError as error:
            if before is not None and self._size == before + written:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._file, before)
            raise PgnError(f"cannot write '{self.path}': {error.strerror or error}") from error
