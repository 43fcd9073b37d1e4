"""The threads that search one root together, as its driver sees them."""

from collections.abc import Sequence

from mypy_extensions import mypyc_attr

from pawnstar.chess.position import Position
from pawnstar.search.root_moves import RootMove
from pawnstar.search.worker import Worker


# Subclasses live in modules that are not compiled: they speak to processes.
@mypyc_attr(allow_interpreted_subclasses=True)
class Team:
    """A thread that searches alone; subclasses add the other threads.

    It is asked a few times an iteration, never at a node.
    """

    def __init__(self, search: Worker) -> None:
        self.search = search

    def start_others(
        self, position: Position, history: Sequence[tuple[int, int]], root_moves: Sequence[RootMove]
    ) -> None:
        """Let the other threads search ``position`` from its sorted root moves, until they are stopped.

        ``history`` is that of ``Worker.prepare``.
        """

    def stop_others(self) -> None:
        """Stop the other threads; does nothing where they do not search."""

    def nodes(self) -> int:
        """Nodes searched by all threads since the search began."""
        return int(self.search.nodes)

    def hashfull(self) -> int:
        """How full the transposition tables of all threads are, in permille."""
        return self.search.table.hashfull()

    def warnings(self) -> list[str]:
        """What has gone wrong with other threads since the last call, a sentence each for the user."""
        return []

    def skips(self, depth: int) -> bool:
        """Whether this thread leaves out the iteration of ``depth`` plies, which another one searches."""
        return False
