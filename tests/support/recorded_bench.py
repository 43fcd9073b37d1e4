"""The bench signature: how many nodes ``bench`` visits. One number for a whole search, and its only home.

It is read off the recorded transcripts' last lines, so nobody has to keep it in step: a change that moves it fails the
bench tests, and a commit that touches search or evaluation names it (see ``ci/bench-signature``).
"""

from typing import Final

from golden_files import golden_lines

SIGNATURE_DEPTH: Final = 8
# Folders of ``goldens/pawnstar`` by the net that they were recorded with.
FOLDERS: Final = {"parity": "bench", "shipped": "shipped_net"}


def transcript(net: str, depth: int) -> list[str]:
    """The recorded lines of ``bench depth`` with a net, ``parity`` or ``shipped``, without the totals."""
    return golden_lines(FOLDERS[net], f"bench_d{depth:02}.txt", comments=True)[:-1]


def signature(net: str, depth: int = SIGNATURE_DEPTH) -> int:
    """The node count of ``bench depth`` with a net, ``parity`` or ``shipped``."""
    nodes, word = golden_lines(FOLDERS[net], f"bench_d{depth:02}.txt", comments=True)[-1].split()
    assert word == "nodes"
    return int(nodes)


def signature_line(net: str) -> str:
    """The line that commit messages hold."""
    return f"bench {SIGNATURE_DEPTH} {net} net: {signature(net)}"
