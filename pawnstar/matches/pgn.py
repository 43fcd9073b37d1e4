"""Games as PGN: how a game is written down, and the file that a match's games are appended to."""

from __future__ import annotations

import contextlib
import os
import stat
from datetime import date
from pathlib import Path
from typing import Final

import chess
import chess.engine
import chess.pgn

from pawnstar.matches.engine_spec import MatchError, one_line
from pawnstar.matches.openings import Opening
from pawnstar.matches.settings import TimeControl

MATE: Final = 100_000  # centipawns that stand for a forced mate
_DEEPEST: Final = 999  # what an engine tells of more is taken for that


def depth_of(info: chess.engine.InfoDict) -> int:
    """The depth that an engine reported, from 0 to 999; 0 where it reported none."""
    return min(max(info.get("depth", 0), 0), _DEEPEST)


def move_comment(info: chess.engine.InfoDict, seconds: float) -> str:
    """Score, depth and time, as match programs write them: ``+0.31/12 0.523s``."""
    score = info.get("score")
    if score is None:
        return f"{seconds:.3f}s"
    relative = score.relative
    mate = relative.mate()
    centipawns = min(max(relative.score(mate_score=MATE), -MATE), MATE)
    text = f"{centipawns / 100:+.2f}" if mate is None else f"{'+' if mate > 0 else '-'}M{abs(mate)}"
    return f"{text}/{depth_of(info)} {seconds:.3f}s"


class _TagEscaper(chess.pgn.StringExporter):
    """python-chess's exporter, which escapes quotes and backslashes in tags, as the PGN standard (8.1.1) demands."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Write a tag."""
        value = one_line(tagvalue).replace("\\", "\\\\").replace('"', '\\"')
        super().visit_header(tagname, value)


class ScoreSheet:
    """A game as players write it down: the opening, then move after move with its comment, at the end the tags."""

    def __init__(self, opening: Opening) -> None:
        self.game = chess.pgn.Game()
        self.game.setup(opening.board().root())
        self._last: chess.pgn.GameNode = self.game
        for move in opening.moves:
            self.add(move, "book")

    def add(self, move: chess.Move, comment: str) -> None:
        """Write a move down."""
        self._last = self._last.add_variation(move, comment=comment)

    def end(
        self, number: int, names: tuple[str, str], result: str, reason: str, termination: str, control: TimeControl
    ) -> None:
        """Write the tags, White's name first, and the reason of the end behind the last move."""
        headers = self.game.headers
        headers["Event"] = "pawnstar match"
        headers["Site"] = "?"
        headers["Date"] = date.today().strftime("%Y.%m.%d")
        headers["Round"] = str(number)
        headers["White"], headers["Black"] = names
        headers["Result"] = result
        headers["TimeControl"] = str(control) if control.base is not None else "-"
        headers["Termination"] = termination
        self._last.comment = f"{self._last.comment}, {reason}" if self._last.comment else reason


def pgn_text(game: chess.pgn.Game) -> str:
    """The game as PGN, in lines of 80 columns."""
    return game.accept(_TagEscaper(columns=80))


class PgnError(MatchError):
    """A PGN file that cannot be written; the message names it and the system's reason."""


class PgnFile:
    """Games appended to a file, each of them whole or not at all.

    It is opened and tried at once, so that a folder without permission or a full disk is reported before the first
    game. Raises PgnError.
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
        """Make the file again where it has been deleted. What is written to a deleted file is lost."""
        if os.fstat(self._file).st_nlink == 0:
            gone, self._file = self._file, self._open()
            os.close(gone)

    @property
    def _size(self) -> int | None:
        """Of a regular file, in bytes; None for a device or a pipe."""
        status = os.fstat(self._file)
        return status.st_size if stat.S_ISREG(status.st_mode) else None

    def _missing(self) -> bytes:
        """The line breaks that are missing behind the last game. Readers need an empty line before the next one."""
        size = self._size
        if not size:
            return b""
        os.lseek(self._file, max(size - 4, 0), os.SEEK_SET)
        end = os.read(self._file, 4).replace(b"\r", b"")
        return b"" if end.endswith(b"\n\n") else b"\n" if end.endswith(b"\n") else b"\n\n"

    def _try(self) -> None:
        """Write a byte to see whether there is room, and take it back where that is possible."""
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
