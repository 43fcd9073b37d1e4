"""The ``pawnstar`` command (without arguments a UCI engine, with a name one of its commands) and the ``drop7`` command.

Not compiled: it has the entry points, and what they do is wait. The command-line library is imported only when there is
a command line, which keeps the engine's own start short.
"""

from __future__ import annotations

import sys

from pawnstar.system.interrupts import INTERRUPTED


def main() -> int:
    """Run the UCI program, or the command that is named; returns the exit status (see command_line.py)."""
    try:
        if len(sys.argv) > 1:
            from pawnstar.command_line import run
            from pawnstar.subcommands import command_group

            return run(command_group(), "pawnstar")
        from pawnstar.protocol import program

        return program.run()
    except KeyboardInterrupt:
        # During the imports.
        return INTERRUPTED


def drop7() -> int:
    """Run the ``drop7`` command; returns the exit status. It stands here since this module is imported in no time."""
    try:
        from pawnstar.drop7 import cli

        return cli.main()
    except KeyboardInterrupt:
        # During the imports.
        return INTERRUPTED
