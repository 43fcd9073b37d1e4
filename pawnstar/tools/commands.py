"""The command line's tools, by name."""

import click

from pawnstar.tools.bench import command as bench
from pawnstar.tools.dump_magics import command as dump_magics
from pawnstar.tools.match.command import command as match
from pawnstar.tools.net_info import command as net_info
from pawnstar.tools.nnue_dump import command as nnue_dump
from pawnstar.tools.perft import command as perft
from pawnstar.tools.stamp_net import command as stamp_net
from pawnstar.tools.write_synthetic_net import command as write_synthetic_net
from pawnstar.version import version


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Without a command, pawnstar is a UCI chess engine on standard input and output. Each command has a --help. "
    "The exit status is 0 if all went well, 1 if the answer is no (a wrong count, a net that would be refused), 2 if "
    "something could not be done, 130 after Ctrl-C.",
)
@click.version_option(version(), prog_name="pawnstar")
def commands() -> None:
    """Pawnstar, a UCI chess engine, and the tools that come with it."""


for tool in (bench, dump_magics, match, net_info, nnue_dump, perft, stamp_net, write_synthetic_net):
    commands.add_command(tool)
