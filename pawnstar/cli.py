"""The ``pawnstar`` command (without arguments a UCI engine, with a name one of its tools) and the ``drop7`` command.

Not compiled: it has the entry points, and what they do is wait. The command-line library is imported only when there is
a command line, which keeps the engine's own start short.
"""

import sys

from pawnstar.interrupts import INTERRUPTED


def main() -> int:
    """Run the UCI program, or the tool that the command line names; returns the exit status (see command_line.py)."""
    try:
        if len(sys.argv) > 1:
            from pawnstar import command_line
            from pawnstar.tools.commands import commands

            return command_line.run(commands, "pawnstar")
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
