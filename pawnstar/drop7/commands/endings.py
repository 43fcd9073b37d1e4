"""How the program ends: whatever goes wrong outside it becomes one line and a status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn, TextIO

import click

from pawnstar.drop7.commands.options import os_error

INTERRUPTED = 130
"""Status after a Ctrl-C, as shells have it."""

CANNOT = 2


@contextmanager
def one_line_endings() -> Iterator[None]:
    """End what is interrupted, or lacks memory or output, with one line and status 130 or 2."""
    if sys.stdout is None:
        _end("drop7 failed: standard output is closed")
    _accept_all_characters(sys.stdout)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        _end("interrupted", INTERRUPTED)
    except MemoryError as error:
        _end(f"drop7 failed: {str(error) or 'not enough memory'}")
    except BrokenPipeError:
        _give_up_output()
        _end("drop7 failed: nobody reads the output any more")
    except OSError as error:
        _give_up_output()
        what = "cannot write the output" if error.filename is None else f"cannot use {error.filename}"
        _end(f"drop7 failed: {what}: {os_error(error)}")


def _end(line: str, status: int = CANNOT) -> NoReturn:
    with suppress(OSError):
        click.echo(line, err=True)
    raise SystemExit(status) from None


def _accept_all_characters(stream: TextIO) -> None:
    """Let characters that the stream's encoding lacks be written as escapes, rather than end the command."""
    if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
        stream.reconfigure(errors="backslashreplace")


def _give_up_output() -> None:
    """Send what is still to be written to standard output nowhere, so that Python does not try again at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
