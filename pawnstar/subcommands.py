"""The subcommands of ``pawnstar``: their names, and the modules that have them, each imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import click

# What ``pawnstar NAME`` runs: ``command`` of the module, which is imported when it is called.
SUBCOMMANDS: Final = {
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
        SUBCOMMANDS,
        "pawnstar",
        version(),
        help="Pawnstar, a UCI chess engine, and the tools that come with it.",
        epilog="Without a command, pawnstar is a UCI chess engine on standard input and output. Each command has a "
        "--help. The exit status is 0 if all went well, 1 if the answer is no (a wrong count, a net that would be "
        "refused), 2 if something could not be done, 130 after Ctrl-C.",
    )
