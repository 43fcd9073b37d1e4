"""The team: what the root is told of all threads together."""

from nets import Net

from pawnstar.chess.fen import position_from_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.evaluation.cache import EvalCache
from pawnstar.search.clock import Clock
from pawnstar.search.info import SearchInfo
from pawnstar.search.limits import Limits
from pawnstar.search.reference import ReferenceSearch
from pawnstar.search.reference_deepening import ReferenceRoot
from pawnstar.search.tables.transposition_table import TranspositionTable
from pawnstar.search.team import Team
from pawnstar.search.worker import Worker

ENDGAME = "8/8/4k3/3p4/3P4/4K3/8/8 w - - 0 1"


class Crowd(Team):
    """A team of a test's own, which need not be compiled."""

    def __init__(self, search: Worker) -> None:
        super().__init__(search)
        self.new_warnings = ["one is gone"]

    def nodes(self) -> int:
        return 1_000_000

    def hashfull(self) -> int:
        return 321

    def warnings(self) -> list[str]:
        warnings, self.new_warnings = self.new_warnings, []
        return warnings

    def skips(self, depth: int) -> bool:
        return depth % 2 == 0


def test_a_thread_alone_counts_its_own_nodes_and_skips_nothing(parity: Net) -> None:
    search = Worker(parity.network, TranspositionTable(1), EvalCache())
    search.prepare(position_from_fen(ENDGAME), [])
    search.nodes = 12
    team = Team(search)
    assert (team.nodes(), team.hashfull(), team.warnings()) == (12, 0, [])
    assert not any(team.skips(depth) for depth in range(100))


def test_root_asks_the_team(parity: Net) -> None:
    """Through a subclass that is not compiled, as those of the helper processes are."""
    position = position_from_fen(ENDGAME)
    search = ReferenceSearch(parity.network, TranspositionTable(1), EvalCache())
    search.prepare(position, [])
    infos: list[SearchInfo] = []
    root = ReferenceRoot(search, Clock(Limits(), 0), legal_moves(position), 7, infos.append, Crowd(search))
    root.shallow_pass()
    root.iterate()
    assert [info.message for info in infos if info.message] == ["one is gone"]
    scored = [info for info in infos if info.pv]
    assert {info.depth for info in scored} == {5, 7}
    assert {(info.nodes, info.hashfull) for info in scored} == {(1_000_000, 321)}
