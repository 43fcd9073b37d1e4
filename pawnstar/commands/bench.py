"""``pawnstar bench``: the node count that signs the engine's behaviour, and its speed."""

import threading

import click

from pawnstar.commands.net import load_network
from pawnstar.engine.bench import BENCH_DEPTH
from pawnstar.engine.engine import Engine
from pawnstar.protocol.output import Output
from pawnstar.protocol.uci.bench import print_bench


@click.command(
    "bench", short_help="Search 16 positions: nodes, and speed.", epilog="Examples: pawnstar bench; pawnstar bench 8"
)
@click.argument("depth", type=click.IntRange(min=1, max=63), default=BENCH_DEPTH)
def command(depth: int) -> None:
    """Search 16 positions to DEPTH (1 to 63, default 13), one thread, no book; print nodes and nodes per second.

    The node count depends on the net and on nothing else: it is the same on every machine. PAWNSTAR_EVALFILE names
    another net; PAWNSTAR_BENCH_DEBUG=1 prints each position's diagnostic counters. On a terminal each position is
    announced with its number, on standard error.
    """
    # The search asks the signal, which is plain Python, and so lets Ctrl-C through.
    print_bench(Engine(load_network()), depth, Output(), threading.Event())
