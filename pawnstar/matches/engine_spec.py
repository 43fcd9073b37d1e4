"""The engines of a match: how they are started, and what is set in them. Without python-chess."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pawnstar


class MatchError(Exception):
    """A match that cannot be played, and why."""


@dataclass(frozen=True)
class EngineSpec:
    """How to start an engine, what to set, and what it is allowed besides the match's rules.

    ``name`` is empty where the engine's own is to be used. ``fair``: where the options say nothing of threads and book,
    one thread and no book (``players.FAIR``); else the engine's own defaults. ``stderr`` says what becomes of its
    standard error: dropped, shown on the match's own, or kept for ``Player.stderr_lines``. ``nodes`` limits each of its
    moves, whatever else does. ``margin``: seconds that its clock may be overrun; None: those of the rules.
    """

    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    fair: bool = True
    stderr: Literal["drop", "show", "keep"] = "drop"
    nodes: int | None = None
    margin: float | None = None


def _words(text: str, windows: bool) -> list[str]:
    """A command line's words. On Windows ``\\`` separates folders and only ``"`` quotes. Raises ValueError."""
    if not windows:
        return shlex.split(text)
    if text.count('"') % 2:
        raise ValueError("No closing quotation")
    return [word.replace('"', "") for word in re.findall(r'(?:[^\s"]|"[^"]*")+', text)]


def split_command(text: str, windows: bool | None = None) -> list[str]:
    """The program and the arguments of a command line, by the rules of Windows or the others', or of this system.

    A path with blanks may be quoted. It need not be where the file exists and no program has the first word's name: as
    many words as name a file together are the program. Raises ValueError for an unclosed quotation.
    """
    if windows is None:
        windows = os.name == "nt"
    whole = os.path.expanduser(text.strip())
    if " " in whole and os.path.isfile(whole):
        return [whole]
    words = _words(text, windows)
    if words and shutil.which(os.path.expanduser(words[0])) is None:
        for blank in reversed(list(re.finditer(r"\s+", text))):
            program = text[: blank.start()].strip()
            if " " in program and os.path.isfile(os.path.expanduser(program)):
                words = [program, *_words(text[blank.end() :], windows)]
                break
    return [os.path.expanduser(word) if index == 0 else word for index, word in enumerate(words)]


def spec_of(text: str, options: Mapping[str, str], name: str = "", show_stderr: bool = False) -> EngineSpec:
    """The engine of a command line; ``this`` is the Pawnstar that runs the match. Raises MatchError."""
    stderr: Literal["drop", "show"] = "show" if show_stderr else "drop"
    if text.strip() == "this":
        folder = str(Path(str(pawnstar.__file__)).resolve().parent.parent)
        path = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
        own = (sys.executable, "-P", "-m", "pawnstar")
        return EngineSpec(own, options, name, {"PYTHONPATH": path}, stderr=stderr)
    try:
        command = split_command(text)
    except ValueError as error:
        raise MatchError(f"engine '{text}': {error}") from error
    if not command or not command[0]:
        raise MatchError("an engine's command is empty")
    if "\0" in text:
        raise MatchError("an engine's command holds a null character")
    return EngineSpec(tuple(command), options, name, stderr=stderr)


def one_line(text: str) -> str:
    """A text without line breaks, other control characters and blanks at its ends, as a name in a PGN tag must be."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
