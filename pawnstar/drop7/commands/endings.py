"""How a command ends: whatever goes wrong outside it becomes one line and a status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

import click

from pawnstar.drop7.commands.options import Failure, os_error

INTERRUPTED = 130
"""Status after a Ctrl-C, as shells have it."""


@contextmanager
def one_line_endings(command: str) -> Iterator[None]:
    """End a command that is interrupted, or lacks memory or output, with one line and status 130 or 2."""
    if sys.stdout is None:
        raise Failure(f"{command} failed: standard output is closed")
    _accept_all_characters(sys.stdout)
    try:
        yield
        sys.stdout.flush()
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        raise SystemExit(INTERRUPTED) from None
    except MemoryError as error:
        raise Failure(f"{command} failed: {str(error) or 'not enough memory'}") from None
    except BrokenPipeError:
        _give_up_output()
        raise Failure(f"{command} failed: nobody reads the output any more") from None
    except OSError as error:
        _give_up_output()
        what = "cannot write the output" if error.filename is None else f"cannot use {error.filename}"
        raise Failure(f"{command} failed: {what}: {os_error(error)}") from None


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
