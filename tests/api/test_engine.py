"""The engine of the API: options, searches and their results, and every way to stop one."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from modes import COMPILED, package_folder

import pawnstar
from pawnstar import Book, Engine, Limits, Move, Network, Position, SearchInfo
from pawnstar.evaluation.nnue.net_file import NetRefused

START = Position.initial()
# A search looks at its signals every 2,048 nodes: milliseconds compiled, up to seconds in plain Python.
PATIENCE = 0.5 if COMPILED else 20.0
DEPTH = 6 if COMPILED else 4


@pytest.fixture(scope="module")
def network() -> Network:
    return Network.default()


def test_search_is_the_inner_engines(network: Network) -> None:
    from pawnstar.chess.coordinate import move_text
    from pawnstar.engine.engine import Engine as Inner
    from pawnstar.search.limits import Limits as InnerLimits

    position = Position.from_fen("r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1")
    expected = Inner(network._network, 1).search(position._rules, (), InnerLimits(depth=DEPTH))
    infos: list[SearchInfo] = []
    with Engine(hash=1, network=network) as engine:
        result = engine.search(position, limits=Limits(depth=DEPTH), on_info=infos.append)
    assert (str(result.best_move), str(result.ponder_move), result.score, result.nodes, result.depth) == (
        move_text(expected.best_move),
        move_text(expected.ponder_move),
        expected.score,
        expected.nodes,
        expected.depth,
    )
    assert [str(move) for move in result.pv] == [move_text(move) for move in expected.pv]
    last = [info for info in infos if info.has_score][-1]
    assert (last.depth, last.score, last.pv) == (result.depth, result.score, result.pv)
    assert last.nodes <= result.nodes
    assert last.seldepth >= last.depth
    assert last.nodes > 0
    assert 0 <= last.hashfull <= 1000
    assert last.nps > 0
    assert last.cp == last.score
    assert last.mate is None


def test_mate_and_the_games_end(network: Network) -> None:
    with Engine(hash=1, network=network) as engine:
        position = START.play("f3").play("e5").play("g4")
        result = engine.search(position, limits=Limits(mate=1))
        assert (str(result.best_move), result.mate, result.cp) == ("d8h4", 1, None)
        over = engine.search(position.play("Qh4"), limits=Limits(depth=3))
        assert (over.best_move, over.source, over.mate, over.pv) == (None, "none", 0, ())
        with pytest.raises(ValueError, match="no legal move"):
            engine.play(position.play("Qh4"), Limits(depth=3))
        forced = engine.search(Position.from_fen("7k/8/8/8/8/8/6q1/7K w - - 0 1"), limits=Limits(depth=3))
        assert (str(forced.best_move), forced.source) == ("h1g2", "forced")


def test_limits_limit(network: Network) -> None:
    with Engine(hash=1, network=network) as engine:
        nodes = engine.search(START, limits=Limits(nodes=3000)).nodes
        assert 3000 <= nodes < 3000 + 2 * 2048
        began = time.monotonic()
        engine.search(START, limits=Limits(movetime=100))
        assert time.monotonic() - began < 0.1 + PATIENCE
        move = engine.play(START, Limits(depth=3, search_moves=["a3", Move.from_uci("h2h3"), chess.Move(9, 17)]))
        assert str(move) in ("a2a3", "h2h3", "b2b3")
        with pytest.raises(ValueError, match="illegal"):
            engine.search(START, limits=Limits(depth=1, search_moves=["e2e5"]))
        engine.search(START, limits=Limits(time_left=200, increment=10, moves_to_go=20))


def test_history_makes_repetitions(network: Network) -> None:
    position, history = START, []
    for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        history.append(position)
        position = position.play(move)
    board = chess.Board()
    for text in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        board.push_san(text)
    with Engine(hash=1, network=network) as engine:
        assert engine.evaluate(position, history) == 0
        assert engine.evaluate(board) == 0, "a board brings its own history"
        assert engine.evaluate(board, ()) == engine.evaluate(position) != 0
        assert engine.search(board, limits=Limits(depth=3)).best_move is not None
        assert engine.evaluate(position, [earlier.fen for earlier in history]) == 0
        with pytest.raises(TypeError, match="history holds Positions, not int"):
            engine.evaluate(position, [5])  # type: ignore[list-item]


def test_evaluation_is_the_networks_and_fades(network: Network) -> None:
    with Engine(hash=1, network=network) as engine:
        queen = "4k3/8/8/8/8/8/8/QQ2K3 w - - {} 60"
        raw = network.evaluate(Position.from_fen(queen.format(0)))
        assert engine.evaluate(Position.from_fen(queen.format(0))) == raw
        assert engine.evaluate(Position.from_fen(queen.format(60))) == raw * 40 // 80
        assert engine.evaluate(Position.from_fen(queen.format(100))) == 0
        assert engine.network is network


# Options.


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"hash": 0}, ValueError, "hash must be from 1 to 4096, not 0"),
        ({"hash": 4097}, ValueError, "hash must be from 1 to 4096"),
        ({"hash": 1.5}, TypeError, "hash must be an int, not float"),
        ({"hash": True}, TypeError, "hash must be an int, not bool"),
        ({"threads": 0}, ValueError, "threads must be from 1 to 256"),
        ({"threads": "2"}, TypeError, "threads must be an int"),
        ({"move_overhead": -1}, ValueError, "move_overhead must be from 0 to 5000"),
        ({"eval_file": "no such net"}, FileNotFoundError, "no such net"),
        ({"book": "no such book"}, FileNotFoundError, "no such book"),
        ({"network": "net"}, TypeError, "network must be a Network"),
        ({"depth": 3}, TypeError, "depth"),
    ],
)
def test_bad_options(options: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Engine(**options)  # type: ignore[arg-type]


def test_bad_net_is_refused(tmp_path: Path, network: Network) -> None:
    path = tmp_path / "net"
    path.write_bytes(b"PSN1" + bytes(100))
    with pytest.raises(NetRefused, match="magic is PSN1"):
        Engine(eval_file=path)
    with pytest.raises(ValueError, match="exclude each other"):
        Engine(eval_file=path, network=network)


@pytest.mark.parametrize(
    ("limits", "error"),
    [
        ({"depth": 0}, ValueError),
        ({"depth": 2.0}, TypeError),
        ({"nodes": 0}, ValueError),
        ({"nodes": True}, TypeError),
        ({"movetime": -1}, ValueError),
        ({"time_left": -5}, ValueError),
        ({"increment": -1}, ValueError),
        ({"moves_to_go": -1}, ValueError),
        ({"mate": 0}, ValueError),
        ({"search_moves": "e2e4"}, TypeError),
    ],
)
def test_bad_limits(limits: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error, match=next(iter(limits))):
        Limits(**limits)  # type: ignore[arg-type]


def test_search_needs_an_end(network: Network) -> None:
    with Engine(hash=1, network=network) as engine:
        with pytest.raises(ValueError, match="a limit or a stop signal"):
            engine.search(START)
        with pytest.raises(TypeError, match="limits must be Limits"):
            engine.search(START, limits=5)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="startpos"):
            engine.search("startpos", Limits(depth=1))
        with pytest.raises(TypeError, match=r"a chess\.Board or a FEN, not int"):
            engine.search(5, Limits(depth=1))  # type: ignore[arg-type]


def test_book_is_played(tmp_path: Path, network: Network) -> None:
    path = tmp_path / "book"
    path.write_text("1. a2a3 a7a6 # dull\nb2b3?\n")
    with Engine(hash=1, network=network, book=path) as engine:
        messages: list[str] = []
        result = engine.search(START, limits=Limits(depth=3), on_info=lambda info: messages.append(info.message))
        assert (str(result.best_move), result.source) == ("a2a3", "book")
        assert "book move" in messages
        assert engine.book is not None
        assert len(engine.book) == 2
    with Engine(hash=1, network=network, book=Book(["a2a3"]), own_book=False) as engine:
        assert engine.search(START, limits=Limits(depth=3)).source == "search"
    with Engine(hash=1, network=network, own_book=True) as engine:
        assert engine.search(START, limits=Limits(depth=3)).source == "book"
    with pytest.raises(pawnstar.BookError, match="line 2 move e2e5"):
        Book(["e2e4", "e2e5"])
    with pytest.raises(TypeError, match="not of one str"):
        Book("e2e4")


def test_threads_are_processes_that_end_with_the_engine(network: Network) -> None:
    with Engine(hash=4, threads=2, network=network) as engine:
        assert (engine.threads, engine.hash) == (2, 4)
        assert engine._inner.helper_processes() == [], "started by the first search"
        assert engine.search(START, limits=Limits(depth=4)).best_move in START.legal_moves
        (helper,) = engine._inner.helper_processes()
        analysis = engine.analyse(START)
        next(analysis)
        analysis.close()
    assert engine._inner.helper_processes() == []
    if os.name != "nt":
        with pytest.raises(ProcessLookupError):
            os.kill(helper, 0)


def test_evaluations_from_many_threads_do_not_disturb_a_search(network: Network) -> None:
    found: list[list[int]] = []
    positions = [START.play(move) for move in START.legal_moves[:4]]
    with Engine(hash=1, network=network) as engine:
        expected = [engine.evaluate(position) for position in positions]
        nodes = engine.search(START, limits=Limits(depth=DEPTH)).nodes

        def evaluate() -> None:
            found.append([engine.evaluate(position) for position in positions])

        engine.new_game()
        askers = [threading.Thread(target=evaluate) for _ in range(3)]
        for asker in askers:
            asker.start()
        assert engine.search(START, limits=Limits(depth=DEPTH)).nodes == nodes
        for asker in askers:
            asker.join()
    assert found == [expected] * 3


# Stopping.


@contextlib.contextmanager
def later(seconds: float, action: threading.Event | Engine) -> Iterator[None]:
    """Set an event, or stop an engine, from another thread after a while."""
    timer = threading.Timer(seconds, action.set if isinstance(action, threading.Event) else action.stop)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def test_event_stops_a_search(network: Network) -> None:
    stop = threading.Event()
    with Engine(hash=1, network=network) as engine, later(0.2, stop):
        began = time.monotonic()
        result = engine.search(START, stop=stop)
        assert time.monotonic() - began < 0.2 + PATIENCE
        assert result.best_move in START.legal_moves


def test_stop_from_another_thread(network: Network) -> None:
    with Engine(hash=1, network=network) as engine, later(0.2, engine):
        engine.stop()  # forgotten: nothing runs
        began = time.monotonic()
        assert engine.search(START, limits=Limits(movetime=60_000)).best_move in START.legal_moves
        assert time.monotonic() - began < 0.2 + PATIENCE


def test_closing_ends_a_search_and_the_engine(network: Network) -> None:
    engine = Engine(hash=1, network=network)
    threading.Timer(0.2, engine.close).start()
    began = time.monotonic()
    engine.search(START, limits=Limits(movetime=60_000))
    assert time.monotonic() - began < 0.2 + PATIENCE
    engine.close()
    for call in (
        lambda: engine.search(START, limits=Limits(depth=1)),
        lambda: engine.evaluate(START),
        engine.new_game,
        engine.__enter__,
        lambda: engine.analyse(START),
    ):
        with pytest.raises(RuntimeError, match="closed"):
            call()


def test_one_search_at_a_time(network: Network) -> None:
    with Engine(hash=1, network=network) as engine:
        value = engine.evaluate(START)
        analysis = engine.analyse(START)
        next(analysis)
        with pytest.raises(RuntimeError, match="a search is running"):
            engine.search(START, limits=Limits(depth=1))
        with pytest.raises(RuntimeError, match="a search is running"):
            engine.new_game()
        with pytest.raises(RuntimeError, match="a search is running"):
            engine.analyse(START)
        assert engine.evaluate(START) == value, "an evaluation may be asked for"
        analysis.close()
        engine.new_game()


def test_exception_in_on_info_ends_the_search(network: Network) -> None:
    class Enough(Exception):
        pass

    def receive(info: SearchInfo) -> None:
        raise Enough

    with Engine(hash=1, network=network) as engine:
        with pytest.raises(Enough):
            engine.search(START, limits=Limits(depth=DEPTH), on_info=receive)
        assert engine.search(START, limits=Limits(depth=3)).best_move is not None


def test_analysis_yields_and_returns(network: Network) -> None:
    with Engine(hash=1, network=network) as engine:
        analysis = engine.analyse(START, limits=Limits(depth=DEPTH))
        infos: list[SearchInfo] = []
        while True:
            try:
                infos.append(next(analysis))
            except StopIteration as end:
                result = end.value
                break
        assert infos[-1].depth == DEPTH == result.depth
        assert result.pv[0] == result.best_move
        with pytest.raises(ValueError, match="illegal"):
            engine.analyse(START, limits=Limits(search_moves=["Ke2"]))


def test_closing_the_generator_stops_the_search(network: Network) -> None:
    with Engine(hash=1, network=network) as engine:
        analysis = engine.analyse(START)
        next(analysis)
        began = time.monotonic()
        analysis.close()
        assert time.monotonic() - began < PATIENCE
        assert not any(thread.name == "pawnstar-analysis" for thread in threading.enumerate())
        for _ in engine.analyse(START):
            break
        engine.new_game()  # raises where a search still runs


def test_closing_the_engine_ends_an_analysis(network: Network) -> None:
    engine = Engine(hash=1, network=network)
    analysis = engine.analyse(START)
    next(analysis)
    closer = threading.Thread(target=engine.close)
    closer.start()
    for _ in analysis:
        pass
    closer.join(PATIENCE)
    assert not closer.is_alive()


KEYBOARD_INTERRUPT = textwrap.dedent(
    """
    import signal, sys, threading, time, os
    import pawnstar
    signalled = []
    def interrupt():
        time.sleep(0.4)
        signalled.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    engine = pawnstar.Engine(hash=1)
    threading.Thread(target=interrupt).start()
    try:
        if sys.argv[1] == "search":
            engine.search(pawnstar.Position.initial(), limits=pawnstar.Limits(movetime=60_000))
        else:
            for info in engine.analyse(pawnstar.Position.initial()):
                pass
    except KeyboardInterrupt:
        late = time.monotonic() - signalled[0]
        again = engine.search(pawnstar.Position.initial(), limits=pawnstar.Limits(depth=3))
        print("interrupted", late, again.best_move is not None)
    """
)


@pytest.mark.skipif(os.name == "nt", reason="SIGINT to oneself is another thing on Windows")
@pytest.mark.parametrize("way", ["search", "analyse"])
def test_keyboard_interrupt_ends_a_search(way: str, tmp_path: Path) -> None:
    """Compiled code runs no signal handlers: without an interpreted stop signal Ctrl-C waited for the search's end."""
    script = tmp_path / "script.py"
    script.write_text(KEYBOARD_INTERRUPT)
    environment = {**os.environ, "PYTHONPATH": str(package_folder().parent)}
    latencies: list[float] = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, str(script), way], capture_output=True, text=True, timeout=60, env=environment, check=True
        )
        word, late, again = done.stdout.split()
        assert (word, again) == ("interrupted", "True")
        latencies.append(float(late))
        if latencies[-1] < 0.05:
            break
    # Of three: on a busy machine a process may not run for that long. Interpreted analyses end with their 2,048 nodes.
    assert min(latencies) < (0.05 if COMPILED or way == "search" else PATIENCE)


def test_signal_handlers_are_left_alone() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Engine(hash=1) as engine:
        engine.search(START, limits=Limits(depth=3))
    assert signal.getsignal(signal.SIGINT) is before
