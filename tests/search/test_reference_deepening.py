"""The root: how the shallow pass orders the moves, and what ends the iteration."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from nets import Net

from pawnstar.chess.coordinate import move_text
from pawnstar.chess.fen import position_from_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import IDENTITY
from pawnstar.chess.position import Position, make_move
from pawnstar.evaluation.cache import EvalCache
from pawnstar.search.clock import Clock
from pawnstar.search.info import SearchInfo
from pawnstar.search.limits import Limits
from pawnstar.search.reference import ReferenceSearch
from pawnstar.search.reference_deepening import ReferenceRoot
from pawnstar.search.tables.transposition_table import TranspositionTable
from pawnstar.search.team import Team

MIDDLEGAME = "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1"
QUIET = "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1"
DRAWN = "8/8/8/4k3/8/2b5/4KB2/8 w - - 0 1"
CONSISTENT = "Best move consistent - search terminated."
STABLE = "Score stable - search terminated."


class Rig:
    """A root with its own search, time that a test sets, and the reports it made."""

    def __init__(
        self,
        net: Net,
        fen: str,
        limits: Limits,
        now: Callable[[], float] = lambda: 0.0,
        stop_when: Callable[[SearchInfo], bool] = lambda info: False,
    ) -> None:
        self.position = position_from_fen(fen)
        self.reports: list[SearchInfo] = []
        self.stopped = False
        self.stop_when = stop_when
        self.search = ReferenceSearch(net.network, TranspositionTable(1), EvalCache())
        self.search.prepare(self.position, [])
        clock = Clock(limits, 0, 0, now)
        self.search.deadline = clock
        self.search.stop = self
        self.moves = legal_moves(self.position)
        self.root = ReferenceRoot(
            self.search, clock, list(self.moves), limits.depth_limit(), self.report, Team(self.search)
        )

    def ranked(self) -> list[int]:
        return [root_move.move for root_move in self.root.moves]

    def is_set(self) -> bool:
        return self.stopped

    def report(self, info: SearchInfo) -> None:
        self.reports.append(info)
        self.stopped = self.stopped or self.stop_when(info)

    def run(self) -> list[SearchInfo]:
        self.root.shallow_pass()
        self.root.iterate()
        return self.reports


def test_shallow_pass_sorts_stably_by_score(parity: Net) -> None:
    rig = Rig(parity, MIDDLEGAME, Limits(depth=3))
    rig.root.shallow_pass()
    scores = {root_move.move: root_move.score for root_move in rig.root.moves}
    assert rig.ranked() == sorted(rig.moves, key=lambda move: -scores[move])
    assert rig.ranked() != rig.moves
    best = rig.root.best
    assert (best.move, best.score) == (rig.ranked()[0], max(scores.values()))
    assert best.pv[0] == best.move
    assert sum(root_move.nodes for root_move in rig.root.moves) == rig.search.nodes
    assert rig.reports == [], "its report comes only where nothing deeper does"


def test_moves_of_equal_score_keep_their_order(parity: Net) -> None:
    """All moves of a drawn position score 0."""
    rig = Rig(parity, DRAWN, Limits(depth=6))
    rig.root.shallow_pass()
    assert {root_move.score for root_move in rig.root.moves} == {0}
    assert rig.ranked() == rig.moves
    rig.root.iterate()
    assert rig.ranked() == rig.moves


def test_shallow_pass_searches_every_move_twice_unless_it_checks(parity: Net) -> None:
    """The window is never narrowed, so all scouts fail: the siblings' nodes and counters depend on it."""
    for fen in (MIDDLEGAME, QUIET, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"):
        rig = Rig(parity, fen, Limits(depth=3))
        rig.root.shallow_pass()
        checks = 0
        for move in rig.moves[1:]:
            child = Position()
            make_move(rig.position, child, move)
            checks += child.checkers != 0
        assert rig.search.counters.by_name()["pvs fails root ply"] == len(rig.moves) - 1 - checks


def test_reports_rise_within_an_iteration_and_end_at_the_limit(parity: Net) -> None:
    reports = Rig(parity, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Limits(depth=6)).run()
    assert {info.depth for info in reports} == {4, 5, 6}
    assert len(reports) > 3, "several in an iteration"
    for before, after in pairwise(reports):
        assert after.depth >= before.depth
        assert after.seldepth >= before.seldepth
        assert after.nodes > before.nodes
        if after.depth == before.depth:
            assert after.score > before.score
    for info in reports:
        assert info.nps == info.nodes * 1000  # in no time at all: the milliseconds count as 1
        assert info.seldepth >= len(info.pv) - 1
        assert info.pv


def test_forced_mate_ends_the_iteration(parity: Net) -> None:
    rig = Rig(parity, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Limits(depth=20))
    (only,) = rig.run()
    assert (only.depth, only.mate, only.cp) == (4, 2, None)
    assert [move_text(move) for move in only.pv] == ["a1a6", "b7a6", "b6b7"]
    assert rig.root.ponder_move == only.pv[1]


def test_being_mated_ends_the_iteration(parity: Net) -> None:
    rig = Rig(parity, "4k3/8/8/8/8/8/r6r/4K3 w - - 0 1", Limits(depth=20))
    assert [(info.depth, info.mate) for info in rig.run()] == [(4, -1)]


def test_unlimited_search_ends_at_the_greatest_depth(parity: Net) -> None:
    rig = Rig(parity, DRAWN, Limits())
    assert rig.run()[-1].depth == 63


def hours(hour: float) -> Callable[[], float]:
    """A source of time that has gone on by so many seconds after its first look."""
    looks = [0.0]
    return lambda: looks.pop() if looks else hour


@pytest.mark.parametrize(
    ("fen", "seconds", "message"),
    [
        # 320 s for 40 moves: 8 s a move. A quarter of it, the shallow pass's move still the best, its score within 50.
        (QUIET, 2.1, "Best move consistent AND score stable - search terminated."),
        # Half: the same move, another score; another move, the same score.
        ("2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1", 4.1, CONSISTENT),
        ("8/8/8/4k3/8/8/8/4KR2 w - - 0 1", 4.1, STABLE),
        # All: another move and another score, in silence.
        ("2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1", 8.1, ""),
    ],
)
def test_soft_budget_ends_the_search_after_an_iteration(parity: Net, fen: str, seconds: float, message: str) -> None:
    shallow = Rig(parity, fen, Limits(depth=3))
    shallow.root.shallow_pass()
    reports = Rig(parity, fen, Limits(time_left=320_000), hours(seconds)).run()
    assert {info.depth for info in reports if info.pv} == {4}
    assert reports[-1].message == message
    last = [info for info in reports if info.pv][-1]
    consistent = last.pv[0] & IDENTITY == shallow.root.best.move & IDENTITY
    stable = abs(last.score - shallow.root.best.score) <= 50
    assert (consistent, stable) == ("consistent" in message, "stable" in message.lower())


def test_search_goes_on_within_the_soft_budget(parity: Net) -> None:
    """Just under a quarter of it: nothing ends the search of a drawn position but the greatest depth."""
    assert Rig(parity, DRAWN, Limits(time_left=320_000), hours(1.9)).run()[-1].depth == 63


def test_remembered_moves_of_all_iterations_count(parity: Net) -> None:
    """Stable at last: this score was within 50 of the shallow pass's, and of every iteration's, at depth 7 first."""
    reports = Rig(
        parity, "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1", Limits(time_left=320_000), hours(4.1)
    ).run()
    assert reports[-1].message == STABLE
    assert max(info.depth for info in reports) == 7


def test_currmove_lines_come_after_three_seconds(parity: Net) -> None:
    for seconds, expected in ((2.9, False), (3.1, True)):
        rig = Rig(parity, QUIET, Limits(depth=4), hours(seconds))
        lines = [info for info in rig.run() if info.currmove]
        assert bool(lines) == expected
        if expected:
            assert [info.currmove_number for info in lines] == list(range(1, len(rig.moves) + 1))
            assert sorted(info.currmove or 0 for info in lines) == sorted(rig.moves)
            assert all(info.depth == 4 and not info.pv for info in lines)


def test_hard_deadline_within_the_shallow_pass_still_leaves_a_move(parity: Net) -> None:
    rig = Rig(parity, MIDDLEGAME, Limits(movetime=1), hours(99.0))
    rig.run()
    assert rig.search.cancelled
    assert rig.root.best.move in rig.moves
    rig.root.report_shallow()
    assert not any(info.pv for info in rig.reports), "scores of a stopped pass are not reported"


def test_stop_within_an_iteration_keeps_its_best_move_so_far(parity: Net) -> None:
    rig = Rig(parity, QUIET, Limits(), stop_when=lambda info: info.depth == 6)
    last = rig.run()[-1]
    assert rig.search.cancelled
    assert (rig.root.best.move & IDENTITY, rig.root.best.score) == (last.pv[0] & IDENTITY, last.score)
    assert rig.root.best.pv == last.pv
