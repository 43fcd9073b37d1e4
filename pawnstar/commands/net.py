"""The net that a command works with, where none was named."""

from __future__ import annotations

import sys

from pawnstar import resources
from pawnstar.evaluation.nnue.net_file import NetRefused
from pawnstar.evaluation.nnue.network import Network
from pawnstar.protocol.messages import net_missing, net_unusable
from pawnstar.protocol.output import Output


def load_network() -> Network:
    """The net that the UCI program would start with; where it cannot be used, it says why and ends with status 1.

    As the UCI program says it, on both streams; but that the environment's net is missing, on standard error alone,
    because the commands' standard output is for results.
    """
    net = resources.chosen_net()
    if net.missing is not None and sys.stderr is not None:
        print(net_missing(net), file=sys.stderr)
    try:
        return resources.load_network(net)
    except (NetRefused, OSError) as error:
        for text in net_unusable(net, error):
            Output().both(text)
        sys.exit(1)
