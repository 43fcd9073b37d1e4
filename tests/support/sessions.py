"""UCI sessions inside the test's own process, and what of their output is compared."""

import io
import re

from pawnstar.engine.engine import Engine
from pawnstar.engine.network import Network
from pawnstar.protocol.options import Options
from pawnstar.protocol.output import Output
from pawnstar.protocol.uci import Uci

_TIME = re.compile(r" time +\d+ ")
_NPS = re.compile(r" nps +\d+ ")


def masked(lines: list[str]) -> list[str]:
    """Lines as goldens hold them: times and speeds are ``X``; ``currmove`` lines, which depend on time, left out.

    Reports of depth 0, which no sibling makes, are left as they are: they have no time.
    """
    return [
        line if line.startswith("info depth 0 ") else _NPS.sub(" nps X ", _TIME.sub(" time X ", line))
        for line in lines
        if " currmove " not in line
    ]


class Session:
    """A UCI session that writes into memory. Lines go in one by one, and what each brought comes back."""

    def __init__(self, network: Network, megabytes: int = 64) -> None:
        self.stream = io.StringIO()
        self.uci = Uci(Engine(network, megabytes), Options(threads=1), Output(self.stream), "0.0.0")
        self.running = True
        self._read = 0

    def taken(self) -> list[str]:
        """The lines written since they were last taken."""
        text = self.stream.getvalue()
        new = text[self._read :]
        self._read = len(text)
        return new.splitlines()

    def send(self, line: str, wait: bool = True) -> list[str]:
        """What a line of input brings; by default a search is waited for until it ends by itself."""
        self.running = self.uci.process_line(line)
        if wait:
            self.uci.wait_for_search()
        return self.taken()
