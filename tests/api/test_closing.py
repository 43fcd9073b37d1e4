"""Fault: an analysis that was not run to its end blocked whoever wanted to end the engine, or the program, for ever.

Leaving ``with``, ``close()`` and the interpreter's own end waited for a search that only the forgotten generator could
have stopped; ``close()`` within a search waited for itself; ``stop()`` did not free the engine. Now an analysis has a
thread that nobody needs to wait for, and ``close()`` may be called from anywhere.
"""

import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from modes import COMPILED, package_folder

from pawnstar import Engine, Limits, Network, Position, SearchInfo, SearchResult

pytestmark = pytest.mark.processes

START = Position.initial()
# Searched to the end in no time, in plain Python too.
LITTLE = Position.from_fen("8/8/4k3/8/4P3/4K3/8/8 w - - 0 1")
LONG = Limits(movetime=300_000)
# Seconds for what takes milliseconds, or in plain Python a second; a hang takes for ever.
TIMEOUT = 60


@pytest.fixture(scope="module")
def network() -> Network:
    return Network.default()


def in_time(action: Callable[[], object]) -> None:
    """Run an action on a thread of its own, and fail where it hangs."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            action()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(TIMEOUT)
    assert not thread.is_alive(), "it hangs"
    if errors:
        raise errors[0]


# Within one program.


def test_leaving_with_ends_an_analysis_that_is_held(network: Network) -> None:
    def action() -> None:
        with Engine(hash=1, network=network) as engine:
            analysis = engine.analyse(START)
            next(analysis)
        assert not analysis.is_running
        assert analysis.wait().best_move in START.legal_moves

    in_time(action)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_close_ends_an_analysis_that_is_held(network: Network, elsewhere: bool) -> None:
    engine = Engine(hash=1, network=network)
    analysis = engine.analyse(START)
    next(analysis)
    in_time(engine.close) if elsewhere else engine.close()
    assert not analysis.is_running
    engine.close()


def test_error_in_the_function_that_holds_an_analysis_is_seen(network: Network) -> None:
    def careless(engine: Engine) -> None:
        analysis = engine.analyse(START)
        next(analysis)
        raise LookupError("its own error")

    def action() -> None:
        with pytest.raises(LookupError, match="its own error"), Engine(hash=1, network=network) as engine:
            careless(engine)

    in_time(action)


def test_stop_frees_the_engine(network: Network) -> None:
    def action() -> None:
        with Engine(hash=1, network=network) as engine:
            analysis = engine.analyse(START)
            next(analysis)
            engine.stop()
            assert engine.search(LITTLE, Limits(depth=1)).best_move is not None
            assert list(analysis) is not None, "what it had found is still there"
            engine.new_game()

    in_time(action)


def test_finished_analysis_that_was_not_read_leaves_the_engine_free(network: Network) -> None:
    def action() -> None:
        with Engine(hash=1, network=network) as engine:
            analysis = engine.analyse(LITTLE, Limits(depth=4))
            result = analysis.wait()
            engine.new_game()
            infos = list(analysis)
            assert infos[-1].pv == result.pv
            assert list(analysis) == []

    in_time(action)


def test_engine_is_free_as_soon_as_the_last_report_is_read(network: Network) -> None:
    with Engine(hash=1, network=network) as engine:
        for _ in range(20):
            for _ in engine.analyse(LITTLE, Limits(depth=1)):
                pass
            engine.new_game()  # raises where the search still has the engine


def test_closing_in_on_info_ends_the_search(network: Network) -> None:
    engine = Engine(hash=1, network=network)
    in_time(lambda: engine.search(START, LONG, on_info=lambda info: engine.close()))
    with pytest.raises(RuntimeError, match="closed"):
        engine.new_game()


def test_closing_in_the_stop_signal_ends_the_search(network: Network) -> None:
    engine = Engine(hash=1, network=network)

    class Stop:
        def is_set(self) -> bool:
            engine.close()
            return False

    in_time(lambda: engine.search(START, stop=Stop()))
    with pytest.raises(RuntimeError, match="closed"):
        engine.evaluate(START)


def test_closing_in_on_info_ends_helpers(network: Network) -> None:
    engine = Engine(hash=2, threads=2, network=network)

    def receive(info: SearchInfo) -> None:
        if info.has_score:
            engine.close()

    in_time(lambda: engine.search(START, LONG, on_info=receive))
    assert engine._inner.helper_processes() == []


def test_leaving_with_in_on_info(network: Network) -> None:
    entered: list[SearchInfo] = []

    def receive(info: SearchInfo) -> None:
        # Once: on a busy machine the first report may be a currmove line, and the final one follows.
        if not entered:
            entered.append(info)
            with engine:
                pass

    engine = Engine(hash=1, network=network)
    in_time(lambda: engine.search(START, LONG, on_info=receive))
    assert entered


def test_close_from_several_threads_at_once(network: Network) -> None:
    engine = Engine(hash=2, threads=2, network=network)
    results: list[SearchResult] = []
    searching = threading.Event()
    searcher = threading.Thread(
        target=lambda: results.append(engine.search(START, LONG, on_info=lambda info: searching.set())), daemon=True
    )
    searcher.start()
    assert searching.wait(TIMEOUT)
    closers = [threading.Thread(target=engine.close, daemon=True) for _ in range(4)]
    for closer in closers:
        closer.start()
    for thread in (*closers, searcher):
        thread.join(TIMEOUT)
        assert not thread.is_alive()
    assert results[0].best_move in START.legal_moves
    assert engine._inner.helper_processes() == []


def test_search_within_a_search_is_refused_and_does_not_hang(network: Network) -> None:
    def receive(info: SearchInfo) -> None:
        engine.stop()
        for call in (lambda: engine.search(START, Limits(depth=1)), lambda: engine.analyse(START), engine.new_game):
            with pytest.raises(RuntimeError, match="a search is running"):
                call()

    with Engine(hash=1, network=network) as engine:
        in_time(lambda: engine.search(START, LONG, on_info=receive))


def test_dropped_analyses_end_their_threads(network: Network) -> None:
    before = set(threading.enumerate())
    started: set[threading.Thread] = set()
    with Engine(hash=1, network=network) as engine:
        for _ in range(3):
            for _ in engine.analyse(START):
                started |= set(threading.enumerate()) - before
                break
            engine.analyse(START)  # dropped at once
    assert len(started) == 3
    for thread in started | (set(threading.enumerate()) - before):
        thread.join(TIMEOUT)
        assert not thread.is_alive()


# Ends of programs.

SCRIPTS = {
    "a named analysis, left by break": """
        for info in analysis:
            break
        """,
    "an engine that is not closed": """
        next(analysis)
        """,
    "never read": "",
    "sys.exit": """
        next(analysis)
        sys.exit(0)
        """,
    "an exception": """
        next(analysis)
        raise LookupError("its own error")
        """,
    "held by a cycle": """
        analysis.cycle = analysis
        next(analysis)
        """,
    "held by a thread that waits for ever": """
        thread = threading.Thread(target=lambda: (next(analysis), threading.Event().wait()), daemon=True)
        thread.start()
        """,
    "several engines": """
        others = [pawnstar.Engine(hash=1, network=engine.network) for _ in range(2)]
        analyses = [engine.analyse(START) for engine in others]
        next(analyses[1])
        """,
    "helpers": """
        engine.close()
        engine = pawnstar.Engine(hash=2, threads=2)
        analysis = engine.analyse(START)
        next(analysis)
        """,
    "a generator of the user's around it": """
        def lines():
            with pawnstar.Engine(hash=1) as engine:
                for info in engine.analyse(START):
                    yield info
        generator = lines()
        next(generator)
        """,
    "a signal handler closes during a search": """
        def handler(number, frame):
            engine.close()
            said.append("handled")
        analysis.close()
        signal.signal(signal.SIGTERM, handler)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()
        result = engine.search(START, pawnstar.Limits(movetime=300_000))
        assert result.best_move and said == ["handled"]
        """,
    "a signal handler closes and exits during a search": """
        def handler(number, frame):
            engine.close()
            sys.exit(0)
        analysis.close()
        signal.signal(signal.SIGTERM, handler)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()
        engine.search(START, pawnstar.Limits(movetime=300_000))
        """,
    "a signal handler closes during an analysis": """
        def handler(number, frame):
            engine.close()
            said.append("handled")
        signal.signal(signal.SIGTERM, handler)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()
        for info in analysis:
            pass
        assert said == ["handled"]
        """,
    "a signal handler closes while another close waits": """
        def handler(number, frame):
            engine.close()
            said.append("handled")
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        engine.close()
        while not said:
            time.sleep(0.001)
        signal.setitimer(signal.ITIMER_REAL, 0)
        """,
    "the child of a fork leaves with": """
        next(analysis)
        child = os.fork()
        if child == 0:
            engine.close()
            assert not analysis.is_running
            list(analysis)
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        """,
    # A fork searched on its parent's helpers: it stopped them there, and told that "helper 1 ended by itself"; closing
    # hung where the parent's search looked after its helpers when it was forked.
    "the child of a fork searches with helpers of its own": """
        engine.close()
        engine = pawnstar.Engine(hash=2, threads=2)
        analysis = engine.analyse(START)
        next(analysis)
        helpers = engine._inner._helpers
        while not helpers.memory.active_search():
            time.sleep(0.01)
        active, processes = helpers.memory.active_search(), engine._inner.helper_processes()
        child = os.fork()
        if child == 0:
            engine.new_game()
            little = "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1"
            engine.search(little, pawnstar.Limits(depth=4), on_info=lambda info: said.append(info.message))
            own = engine._inner.helper_processes()
            assert not any(said) and len(own) == 1 and own != processes, (said, own)
            engine.close()
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert helpers.memory.active_search() == active and analysis.is_running
        analysis.stop()
        assert analysis.wait().best_move is not None
        assert engine._inner.helper_processes() == processes and not helpers.warnings()
        """,
}
UNIX_ONLY = [name for name in SCRIPTS if "signal handler" in name or "fork" in name]
HEAD = """
import os, signal, sys, threading, time
import pawnstar
START = pawnstar.Position.initial()
said = []
engine = pawnstar.Engine(hash=1)
analysis = engine.analyse(START)
"""


@pytest.mark.parametrize("name", SCRIPTS)
def test_program_ends(name: str, tmp_path: Path) -> None:
    if os.name == "nt" and name in UNIX_ONLY:
        pytest.skip("no such signals or forks on Windows")
    script = tmp_path / "script.py"
    script.write_text(HEAD + textwrap.dedent(SCRIPTS[name]) + 'print("last line")\n')
    environment = {**os.environ, "PYTHONPATH": str(package_folder().parent)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", str(script)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,  # a hang is a failure
        env=environment,
        check=False,
    )
    if name == "an exception":
        assert done.returncode == 1
        assert done.stderr.strip().endswith("LookupError: its own error")
    else:
        assert (done.returncode, done.stderr) == (0, "")
        assert ("last line" in done.stdout) == ("exit" not in name)


def test_mode_is_told() -> None:
    """The scripts above run the package under test, compiled or not."""
    code = "import pawnstar; print(pawnstar.COMPILED)"
    environment = {**os.environ, "PYTHONPATH": str(package_folder().parent)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == str(COMPILED)
