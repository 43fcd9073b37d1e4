"""The net that a command works with, where none was named."""

from __future__ import annotations

import sys

from pawnstar.evaluation.nnue.network import Network
from pawnstar.protocol import starting_net
from pawnstar.protocol.output import Output


def load_network() -> Network:
    """The net that the UCI program would start with; where it cannot be used, it says why and ends with status 1.

    As the UCI program says it, on both streams; but that the environment's net is missing, on standard error alone,
    because the commands' standard output is for results.
    """
    return starting_net.load_network(Output(), _tell)


def _tell(text: str) -> None:
    if sys.stderr is not None:
        print(text, file=sys.stderr)
