"""``Engine``: the one way into a search, and what it answers."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from modes import COMPILED
from nets import Net

from pawnstar.chess.coordinate import move_text, parse_coordinate
from pawnstar.chess.fen import position_from_fen, start_position
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import IDENTITY
from pawnstar.chess.position import Position, make_move
from pawnstar.engine.book import Book
from pawnstar.engine.engine import Engine
from pawnstar.parallel.thread_memory import SECOND_TABLE_DEPTH
from pawnstar.search.info import SearchInfo
from pawnstar.search.limits import Limits
from pawnstar.search.scores import mate_in
from pawnstar.settings import MOVE_OVERHEAD, THREADS
from pawnstar.system import arrays

MIDDLEGAME = "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1"
# Some two thousand nodes to depth 5.
ENDGAME = "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1"


def moves_of(position: Position, *texts: str) -> tuple[int, ...]:
    return tuple(int(parse_coordinate(position, text)) for text in texts)


def test_result_is_the_last_report(engine: Engine) -> None:
    reports: list[SearchInfo] = []
    position = position_from_fen(ENDGAME)
    result = engine.search(position, limits=Limits(depth=4), on_info=reports.append)
    last = reports[-1]
    assert (result.best_move & IDENTITY, result.score, result.depth) == (last.pv[0] & IDENTITY, last.score, 4)
    assert result.pv == last.pv
    assert result.ponder_move == last.pv[1]
    assert result.source == "search"
    assert result.nodes == engine.counters()["alpha beta calls"] >= last.nodes
    assert result.time >= last.time >= 0


def test_pv_is_legal(engine: Engine) -> None:
    position = position_from_fen(ENDGAME)
    for move in engine.search(position, limits=Limits(depth=5)).pv:
        assert move & IDENTITY in [legal & IDENTITY for legal in legal_moves(position)]
        child = Position()
        make_move(position, child, move)
        position = child


def test_search_leaves_the_position_alone(engine: Engine) -> None:
    position = position_from_fen(ENDGAME)
    before = position.key
    engine.search(position, limits=Limits(depth=4))
    assert position.key == before
    assert [move_text(move) for move in legal_moves(position)] == [
        move_text(move) for move in legal_moves(position_from_fen(ENDGAME))
    ]


def test_time_does_not_follow_the_wrapped_move_number(engine: Engine) -> None:
    """``0 0`` is stored as move 256, so a fifth of the clock was planned instead of a fortieth; from move 257 on the
    number is small again, and a fortieth was."""

    def soft(fields: str, *moves: str) -> int:
        position = position_from_fen(f"4k3/8/8/8/8/8/8/4K2R {fields}")
        for text in moves:
            child = Position()
            make_move(position, child, parse_coordinate(position, text))
            position = child
        return engine.new_clock(position, Limits(time_left=20_000)).soft

    assert soft("w - - 0 0") == soft("w - - 0 1") == soft("w - - 0 -7") == 500
    assert soft("w - - 0 0", "h1h2", "e8e7") == 500
    assert soft("w - - 0 30") == 20_000 // 11
    for number in (256, 257, 300, 512, 10**17):
        assert soft(f"w - - 0 {number}") == 4_000
    assert soft("b - - 0 256", "e8e7") == 4_000


def test_same_search_twice_is_the_same_after_new_game(engine: Engine) -> None:
    position = position_from_fen(ENDGAME)
    first = engine.search(position, limits=Limits(depth=4))
    warm = engine.search(position, limits=Limits(depth=4))
    assert warm.nodes != first.nodes, "the table remembers"
    engine.new_game()
    again = engine.search(position, limits=Limits(depth=4))
    assert (again.nodes, again.score, again.pv) == (first.nodes, first.score, first.pv)


@pytest.mark.parametrize(("limit", "nodes"), [(1, 2048), (2048, 2048), (2049, 4096), (5000, 6144), (8000, 8192)])
def test_node_limit_is_looked_at_every_2048_nodes(engine: Engine, limit: int, nodes: int) -> None:
    reports: list[SearchInfo] = []
    position = position_from_fen(MIDDLEGAME)
    result = engine.search(position, limits=Limits(nodes=limit), on_info=reports.append)
    # Unwinding from where it struck, the shallow pass still looks at each of its remaining moves.
    assert nodes <= result.nodes < nodes + 500
    assert result.best_move in legal_moves(position)
    assert reports[-1].pv[0] & IDENTITY == result.best_move & IDENTITY


def test_stopped_shallow_pass_has_a_score(engine: Engine) -> None:
    """It was the cancellation's sentinel, cut to 23 bits: 3,957,070 centipawns."""
    reports: list[SearchInfo] = []
    position = position_from_fen(MIDDLEGAME)
    for limits in (Limits(nodes=1), Limits(nodes=5000)):
        result = engine.search(position, limits=limits, on_info=reports.append)
        assert result.score == reports[-1].score == engine.evaluate(position)
        assert result.pv == (result.best_move,)
        assert (result.depth, result.ponder_move) == (0, 0)


def test_stop_signal_set_beforehand(engine: Engine) -> None:
    stop = threading.Event()
    stop.set()
    reports: list[SearchInfo] = []
    position = position_from_fen(MIDDLEGAME)
    result = engine.search(position, limits=Limits(), stop=stop, on_info=reports.append)
    assert result.best_move in legal_moves(position)
    assert result.nodes < 3000
    assert len(reports) == 1


def test_stop_signal_from_another_thread(engine: Engine) -> None:
    """Compiled code keeps Python's lock; the search must let the other thread run that stops it."""
    stop = threading.Event()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    started = time.monotonic()
    result = engine.search(position_from_fen(MIDDLEGAME), stop=stop)
    assert 0.1 < time.monotonic() - started < 5
    assert result.best_move != 0


def test_movetime_ends_an_unlimited_search(engine: Engine) -> None:
    result = engine.search(position_from_fen(MIDDLEGAME), limits=Limits(movetime=150))
    assert 80 <= result.time < 5000
    assert result.best_move != 0


def test_overhead_shortens_the_search(engine: Engine) -> None:
    engine.settings[MOVE_OVERHEAD] = 5000
    result = engine.search(position_from_fen(MIDDLEGAME), limits=Limits(movetime=5001))
    assert result.time < 2500


def test_ponderhit_starts_the_clock(engine: Engine) -> None:
    """Pondering, a search has no deadline; from ponderhit on its time runs."""
    done = threading.Event()

    def think() -> None:
        engine.search(position_from_fen(MIDDLEGAME), limits=Limits(movetime=50, ponder=True))
        done.set()

    thread = threading.Thread(target=think)
    thread.start()
    assert not done.wait(0.4)
    engine.ponderhit()
    assert done.wait(10)
    thread.join()
    engine.ponderhit()  # nobody searches: forgotten


def test_search_moves_restrict_the_root(engine: Engine) -> None:
    position = start_position()
    wanted = moves_of(position, "h2h4", "a2a3")
    reports: list[SearchInfo] = []
    result = engine.search(position, limits=Limits(depth=4, search_moves=wanted), on_info=reports.append)
    assert move_text(result.best_move) == "a2a3"
    assert {move_text(info.pv[0]) for info in reports} <= {"a2a3", "h2h4"}


def test_search_moves_that_are_all_illegal_do_not_count(engine: Engine) -> None:
    position = start_position()
    free = engine.search(position, limits=Limits(depth=4))
    engine.new_game()
    bound = engine.search(position, limits=Limits(depth=4, search_moves=(0, 12345)))
    assert (bound.best_move, bound.nodes) == (free.best_move, free.nodes)


@pytest.mark.parametrize("depth", [-1, 0, 1, 2, 3])
def test_shallow_limits_report_depth_three(engine: Engine, depth: int) -> None:
    reports: list[SearchInfo] = []
    result = engine.search(start_position(), limits=Limits(depth=depth), on_info=reports.append)
    (only,) = reports
    assert (only.depth, only.score, only.pv) == (3, result.score, result.pv)
    assert (result.depth, result.ponder_move, move_text(result.best_move)) == (3, 0, "e2e3")


@pytest.mark.parametrize(
    ("fen", "score"), [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -31900), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0)]
)
def test_no_legal_move(engine: Engine, fen: str, score: int) -> None:
    reports: list[SearchInfo] = []
    engine.book = Book(["e2e4"])
    result = engine.search(position_from_fen(fen), limits=Limits(depth=5), on_info=reports.append)
    assert (result.best_move, result.ponder_move, result.score, result.pv, result.source) == (0, 0, score, (), "none")
    assert reports == [SearchInfo(score=score)]
    assert reports[0].mate == (0 if score else None)


def test_only_move_is_not_searched(engine: Engine) -> None:
    reports: list[SearchInfo] = []
    position = position_from_fen("k7/8/8/8/8/8/6r1/7K w - - 0 1")
    engine.search(position_from_fen(ENDGAME), limits=Limits(depth=4))
    before = (engine.counters(), engine.table.generation)
    result = engine.search(position, limits=Limits(depth=5), on_info=reports.append)
    assert (engine.counters(), engine.table.generation) == before, "no trace of a search that was none"
    assert (move_text(result.best_move), result.source, result.nodes) == ("h1g2", "forced", 0)
    assert reports[0].message == "only move"
    assert (reports[1].depth, reports[1].score, reports[1].pv) == (0, engine.evaluate(position), result.pv)
    assert result.score == reports[1].score


def test_book_move_is_not_searched(engine: Engine) -> None:
    reports: list[SearchInfo] = []
    engine.book = Book(["g2g4", "g2g4 e7e5"])
    result = engine.search(start_position(), limits=Limits(depth=5), on_info=reports.append)
    assert (move_text(result.best_move), result.source, result.nodes) == ("g2g4", "book", 0)
    assert [info.message for info in reports] == ["book move", ""]
    assert engine.search(position_from_fen(ENDGAME), limits=Limits(depth=3)).source == "search"
    wanted = moves_of(start_position(), "a2a3")
    assert engine.search(start_position(), limits=Limits(depth=3, search_moves=wanted)).source == "search"


ONLY_MOVE_INTO_MATE = "k7/8/1K6/5R2/8/8/8/8 b - - 0 1"


def test_analysis_searches_an_only_move(engine: Engine) -> None:
    """An only move was answered unsearched with a static score; the mate behind it was not seen."""
    position = position_from_fen(ONLY_MOVE_INTO_MATE)
    result = engine.search(position, limits=Limits(depth=4, analysis=True))
    assert (result.source, mate_in(result.score), len(result.pv)) == ("search", -1, 2)
    assert engine.search(position, limits=Limits(depth=4)).source == "forced", "play keeps the shortcut"


def test_analysis_leaves_the_book_shut(engine: Engine) -> None:
    engine.book = Book(["a2a3"])
    assert engine.search(start_position(), limits=Limits(depth=4, analysis=True)).source == "search"
    assert engine.search(start_position(), limits=Limits(depth=4)).source == "book"


def test_analysis_reports_the_shallow_pass_when_it_is_done(engine: Engine) -> None:
    """The first line came with depth 4; the nodes searched are the same either way."""
    plain: list[SearchInfo] = []
    analysis: list[SearchInfo] = []
    position = position_from_fen(ENDGAME)
    nodes = engine.search(position, limits=Limits(depth=4), on_info=plain.append).nodes
    engine.new_game()
    assert engine.search(position, limits=Limits(depth=4, analysis=True), on_info=analysis.append).nodes == nodes
    assert (analysis[0].depth, plain[0].depth) == (3, 4)
    assert [info.pv for info in analysis[1:]] == [info.pv for info in plain]


def test_node_limit_beyond_64_bits_is_never_reached(engine: Engine) -> None:
    """``Limits(nodes=2**63)``: ValueError, "int too large to convert to i64"."""
    position = position_from_fen(ENDGAME)
    expected = engine.search(position, limits=Limits(depth=4)).nodes
    for limit in (2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**40):
        engine.new_game()
        assert engine.search(position, limits=Limits(depth=4, nodes=limit)).nodes == expected


def test_drawn_root_still_gets_a_move(engine: Engine) -> None:
    for fen in ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "8/8/8/4k3/8/8/8/4KR2 w - - 100 80"):
        result = engine.search(position_from_fen(fen), limits=Limits(depth=4))
        assert result.best_move in legal_moves(position_from_fen(fen))
        assert result.score == 0


def test_static_score_of_a_drawn_root_is_zero(engine: Engine) -> None:
    """A forced move in a position that is drawn already: what stands before bestmove is a draw's score."""
    reports: list[SearchInfo] = []
    engine.search(position_from_fen("k7/8/8/8/8/8/6r1/7K w - - 100 80"), on_info=reports.append)
    assert reports[-1].score == 0


def test_evaluation_beside_a_search_does_not_disturb_it(parity: Net) -> None:
    """``eval`` while a search runs: another position, asked from the search's own reports and from another thread."""
    quiet = Engine(parity.network, 1)
    expected = quiet.search(position_from_fen(ENDGAME), limits=Limits(depth=5))
    engine = Engine(parity.network, 1)
    other = position_from_fen(MIDDLEGAME)
    value = Engine(parity.network, 1).evaluate(other)
    found: list[int] = []
    result = engine.search(
        position_from_fen(ENDGAME), limits=Limits(depth=5), on_info=lambda info: found.append(engine.evaluate(other))
    )
    assert found
    assert set(found) == {value}
    assert (result.nodes, result.score, result.pv) == (expected.nodes, expected.score, expected.pv)
    assert engine.counters() == quiet.counters()


class Interrupting(list[tuple[int, int]]):
    """A history that plain Python reads while another thread does something, or waits to do it."""

    def __init__(self, what: Callable[[], None]) -> None:
        super().__init__()
        self.thread = threading.Thread(target=what)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        self.thread.start()
        self.thread.join(0.1)
        return super().__iter__()


@pytest.mark.skipif(COMPILED, reason="compiled code does not ask a list for its iterator")
def test_new_net_while_another_thread_evaluates(parity: Net, mirrored: Net) -> None:
    """The evaluation failed, as its worker was gone; or it kept the old net for those to come."""
    engine = Engine(parity.network, 1)
    position = position_from_fen(MIDDLEGAME)
    old, new = (Engine(net.network, 1).evaluate(position) for net in (parity, mirrored))
    history = Interrupting(lambda: engine.set_network(mirrored.network))
    assert engine._evaluate_separately(position, history) == old
    history.thread.join()
    assert engine.evaluate(position, while_searching=True) == new != old


def test_one_thread_stays_where_memory_lacks_for_more(parity: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a bench that asked for one thread: the option says what is, and setting it tries again."""
    engine = Engine(parity.network, 16)
    engine.second_table_depth = SECOND_TABLE_DEPTH
    engine.set_threads(4)
    assert engine.table.megabytes() == 2
    engine.use_one_thread(True)
    assert engine.table.megabytes() == 16

    def refuse(vector: object, size: int) -> None:
        raise MemoryError("no table")

    with monkeypatch.context() as patch:
        patch.setattr(arrays, "advise", refuse)
        with pytest.raises(MemoryError, match="no table"):
            engine.use_one_thread(False)
    assert engine.threads == engine.settings[THREADS] == 1
    assert engine.table.megabytes() == 16
    engine.set_threads(4)
    assert engine.threads == 4
    assert engine.table.megabytes() == 2


def test_failing_receiver_does_not_leave_the_engine_searching(engine: Engine) -> None:
    def fail(info: SearchInfo) -> None:
        raise RuntimeError("nobody listens")

    with pytest.raises(RuntimeError, match="nobody listens"):
        engine.search(start_position(), limits=Limits(depth=4), on_info=fail)
    assert not engine.searching
    engine.new_game()
    assert move_text(engine.search(start_position(), limits=Limits(depth=4)).best_move) == "d2d3"


def test_resized_table_is_used_and_empty(engine: Engine) -> None:
    engine.search(start_position(), limits=Limits(depth=5))
    assert engine.table.hashfull() > 0
    engine.resize_table(2)
    assert engine.table.megabytes() == 2
    assert engine.table.hashfull() == 0
    assert engine.table.generation == 0
    engine.search(start_position(), limits=Limits(depth=3))
    assert engine.table.generation == 1
    assert any(engine.table.words)
