"""The ``pawnstar`` command (without arguments a UCI engine, with a name one of its commands) and the ``drop7`` command.

Not compiled: it has the entry points, and what they do is wait. The command-line library is imported only when there is
a command line, which keeps the engine's own start short.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from pawnstar.system.interrupts import INTERRUPTED

if TYPE_CHECKING:
    import click

# What ``pawnstar NAME`` runs: ``command`` of the module, which is imported when it is called.
COMMANDS: Final = {
    "bench": "pawnstar.commands.bench",
    "dump-magics": "pawnstar.commands.dump_magics",
    "match": "pawnstar.commands.match",
    "net-info": "pawnstar.commands.net_info",
    "nnue-dump": "pawnstar.commands.nnue_dump",
    "perft": "pawnstar.commands.perft",
    "stamp-net": "pawnstar.commands.stamp_net",
    "write-synthetic-net": "pawnstar.commands.write_synthetic_net",
}


def command_group() -> click.Group:
    """The command line of ``pawnstar``: the commands, and what ``--help`` says of them all."""
    from pawnstar.command_line import group
    from pawnstar.version import version

    return group(
        COMMANDS,
        "pawnstar",
        version(),
        help="Pawnstar, a UCI chess engine, and the tools that come with it.",
        epilog="Without a command, pawnstar is a UCI chess engine on standard input and output. Each command has a "
        "--help. The exit status is 0 if all went well, 1 if the answer is no (a wrong count, a net that would be "
        "refused), 2 if something could not be done, 130 after Ctrl-C.",
    )


def main() -> int:
    """Run the UCI program, or the command that is named; returns the exit status (see command_line.py)."""
    try:
        if len(sys.argv) > 1:
            from pawnstar import command_line

            return command_line.run(command_group(), "pawnstar")
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
