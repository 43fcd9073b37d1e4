"""Files that the commands read and write. Each failure is one line that names the file."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path
from typing import Final

import click

from pawnstar.command_line import Failure

_LARGEST: Final = 1 << 30  # bytes; no net, suite or list that fits into memory is larger


def read_bytes(path: Path) -> bytes:
    """A file's or a pipe's contents. Raises Failure where it cannot be read, or has more than a gigabyte."""
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
            raise Failure(f"cannot read '{path}': it is no ordinary file")
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise Failure(f"cannot read '{path}': {error.strerror or error}") from None
    if len(data) > _LARGEST:
        raise Failure(f"cannot read '{path}': it has more than {_LARGEST:,} bytes")
    return data


def read_text(path: Path) -> str:
    """A text file's contents; a mark of its encoding at the start is left out, and what is no UTF-8 survives."""
    return read_bytes(path).decode("utf-8-sig", errors="surrogateescape").replace("\r\n", "\n")


def somebody_can_answer() -> bool:
    """Whether a question reaches a person: both standard input and standard error are a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def may_write(path: Path, force: bool) -> None:
    """Ask before a file is overwritten, where somebody can answer; raises Failure where it may not be.

    ``force``: the user has agreed already.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise Failure(f"cannot write '{path}': {error.strerror or error}") from None
    if force or not stat.S_ISREG(mode):
        return  # a device or a pipe loses nothing
    if not somebody_can_answer():
        raise Failure(f"'{path}' exists; --force overwrites it")
    try:
        agreed = click.confirm(f"'{path}' exists. Overwrite it?", err=True)
    except click.Abort as abort:
        if not isinstance(abort.__context__, EOFError):
            raise
        click.echo(err=True)  # Ctrl-D is an answer, and leaves the line open
        agreed = False
    if not agreed:
        raise Failure(f"'{path}' stays as it was")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: into a new one beside it, which then takes its name.

    Raises Failure where it cannot be written; an older file of the name is as it was then. See ``may_write``.
    """
    # A link stays one, and its target is written.
    target = Path(os.path.realpath(path))
    part = target.with_name(f".pawnstar-{os.getpid()}.part")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        try:
            with part.open("xb") as file:
                file.write(data)
            if target.exists():
                part.chmod(stat.S_IMODE(target.stat().st_mode))
            part.replace(target)
        finally:
            with contextlib.suppress(OSError):
                part.unlink()
    except OSError as error:
        raise Failure(f"cannot write '{path}': {error.strerror or error}") from None
