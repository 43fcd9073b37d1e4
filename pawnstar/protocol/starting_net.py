"""The net that a program starts with; without one it ends."""

import sys
from collections.abc import Callable

from pawnstar import resources
from pawnstar.evaluation.nnue.net_file import NetRefused
from pawnstar.evaluation.nnue.network import Network
from pawnstar.protocol.messages import net_missing, net_unusable
from pawnstar.protocol.output import Output


def load_network(output: Output, tell_missing: Callable[[str], None]) -> Network:
    """The net to start with; where it cannot be used, the program says why on both streams and ends with status 1.

    ``tell_missing`` is told where the net that the environment names is not there, and the shipped one is used.
    """
    net = resources.chosen_net()
    if net.missing is not None:
        tell_missing(net_missing(net))
    try:
        return resources.load_network(net)
    except (NetRefused, OSError) as error:
        for text in net_unusable(net, error):
            output.both(text)
        sys.exit(1)
