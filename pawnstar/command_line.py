"""How ``pawnstar`` and ``drop7`` end: the exit status, and one line on standard error where something went wrong.

The statuses, for all their commands:

* 0: done.
* 1: done, and the answer is no (a wrong count, a net that the engine would refuse).
* 2: not done: the command line, a file or a line of input cannot be used, or the output cannot be written. If the
  reader of a pipe has gone, nothing is said of it.
* 130: ended by Ctrl-C. What was written before stays written.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import signal
import sys
from collections import UserDict
from collections.abc import Iterator, Mapping
from typing import Final

import click

from pawnstar.system.interrupts import INTERRUPTED
from pawnstar.system.streams import give_up, give_up_errors, settle_streams

CANNOT: Final = 2


class Failure(click.ClickException):
    """What was asked for cannot be done; the text says why, and what to do."""

    exit_code = CANNOT


class _Imported(UserDict[str, click.Command]):
    """Commands by name: ``command`` of each module, which is imported when the command is asked for."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        super().__init__()
        self._modules = modules

    def __getitem__(self, name: str) -> click.Command:
        if name not in self.data:
            self.data[name] = importlib.import_module(self._modules[name]).command
        return self.data[name]

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


def group(modules: Mapping[str, str], name: str, version: str, help: str, epilog: str) -> click.Group:
    """A program's command line: ``modules`` says where the ``command`` of each name is defined."""
    settings = {"help_option_names": ["-h", "--help"]}
    found = click.Group(commands=_Imported(modules), help=help, epilog=epilog, context_settings=settings)
    return click.version_option(version, prog_name=name)(found)


def run(commands: click.Command, name: str) -> int:
    """Carry out the program's command line; returns the exit status. ``name`` is the program's, for messages."""
    try:
        return _status(commands, name)
    finally:
        give_up_errors()


def _status(commands: click.Command, name: str) -> int:
    """Carry out the command line; returns the exit status, whatever goes wrong outside the program."""
    if not settle_streams():
        _complain("standard output is closed, there is nowhere to write to")
        return CANNOT
    if sys.stdin is None:
        sys.stdin = os.fdopen(0)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w")
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        # A console may lack characters of a text. Who has chosen what becomes of them (PYTHONIOENCODING) gets it so.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = _carry_out(commands, name)
        sys.stdout.flush()
        return status
    except (KeyboardInterrupt, click.exceptions.Abort):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        status = INTERRUPTED
        with contextlib.suppress(OSError):
            sys.stdout.flush()
    except BrokenPipeError:
        status = CANNOT
    except OSError as error:
        status = CANNOT
        _complain(_reason(error))
    except MemoryError as error:
        status = CANNOT
        _complain(str(error) or "out of memory")
    drop_output()
    return status


def _carry_out(commands: click.Command, name: str) -> int:
    """Parse the command line and call the command; returns the exit status."""
    if f"_{name.upper()}_COMPLETE" in os.environ:
        commands.main(prog_name=name)  # a shell asks for completions
    try:
        with commands.make_context(name, sys.argv[1:]) as context:
            commands.invoke(context)
        return 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        with contextlib.suppress(OSError):
            error.show()
        return error.exit_code
    except SystemExit as end:
        if isinstance(end.code, str):
            _complain(end.code)
            return 1
        return end.code or 0


def _reason(error: OSError) -> str:
    """What could not be read or written, and why; what has no name is standard output."""
    what = f"cannot use '{error.filename}'" if error.filename is not None else "cannot write standard output"
    return f"{what}: {error.strerror or error}"


def _complain(message: str) -> None:
    """One line on standard error, if anybody listens there."""
    with contextlib.suppress(OSError):
        click.echo(f"Error: {message}", err=True)


def drop_output() -> None:
    """Discard the output that is still buffered; else the interpreter would fail to write it once more at its end."""
    give_up(sys.stdout)
