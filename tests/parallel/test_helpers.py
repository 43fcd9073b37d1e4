"""Lazy SMP: helper processes search, share, stop, and never outlive the engine."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from modes import COMPILED
from nets import Net
from processes import alive, children, kill, shared_memory_names, wait_for, wait_until_gone
from programs import environment as clean_environment

from pawnstar.chess.fen import position_from_fen, start_position
from pawnstar.chess.generation import legal_moves
from pawnstar.engine.engine import Engine
from pawnstar.parallel import helpers
from pawnstar.parallel.thread_memory import SECOND_TABLE_DEPTH
from pawnstar.search.info import SearchInfo
from pawnstar.search.limits import Limits
from pawnstar.system import machine, system_memory

pytestmark = pytest.mark.processes

DEPTH = 9 if COMPILED else 4
# By when helpers are gone: a bound against survival. An idle machine takes 0.1 s, and a second for helpers that are
# still importing when their engine ends; ci/kill_helpers.py demands 2 s of compiled ones.
END_SECONDS = 30
# By when a process that was told to end has ended: a bound against hanging, not a demand.
END_PATIENCE = 60
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def end_by(process: subprocess.Popen[str], name: str) -> None:
    """End a process by a signal, which is given by its name: Windows, which ends it in its own way, lacks SIGKILL."""
    if name == "SIGKILL":
        process.kill()
    else:
        process.send_signal(getattr(signal, name))


def wait_until_searching(engine: Engine, seconds: float = 20) -> None:
    """Wait until every helper has published nodes of the running search."""
    others = engine._helpers
    assert others is not None
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        counts = others.nodes()
        if counts and min(counts) > 0:
            return
        time.sleep(0.01)
    raise AssertionError("the helpers did not begin to search")


# What threads share: everything in one table, where that can be had, or deep results in a second one.
SECOND_TABLE_DEPTHS = [None, SECOND_TABLE_DEPTH] if system_memory.CAN_SHARE else [SECOND_TABLE_DEPTH]


@pytest.fixture(params=SECOND_TABLE_DEPTHS)
def engine(parity: Net, request: pytest.FixtureRequest) -> Iterator[Engine]:
    made = Engine(parity.network, 16)
    made.second_table_depth = request.param
    yield made
    made.close()


def test_one_thread_starts_no_process_and_shares_nothing(engine: Engine) -> None:
    engine.search(start_position(), limits=Limits(depth=4))
    assert engine.start_helpers() == []
    assert engine.helper_processes() == []
    assert engine.table.second is None


@pytest.mark.parametrize("threads", [2, 4])
def test_search_with_helpers(engine: Engine, threads: int) -> None:
    engine.set_threads(threads)
    infos: list[SearchInfo] = []
    position = position_from_fen(KIWIPETE)
    for _ in range(2):  # helpers live across searches
        result = engine.search(position, limits=Limits(depth=DEPTH), on_info=infos.append)
        assert result.best_move in legal_moves(position)
        assert result.depth == DEPTH
    processes = engine.helper_processes()
    assert len(processes) == threads - 1
    assert [info.message for info in infos if info.message] == []
    scored = [info for info in infos if info.pv]
    assert all(0 <= info.hashfull <= 1000 for info in scored)
    assert scored[-1].nodes > 0
    engine.close()
    assert wait_until_gone(processes, END_SECONDS) == []


def test_nodes_count_all_threads(engine: Engine) -> None:
    engine.set_threads(2)
    engine.start_helpers()
    stop = threading.Event()
    results = []
    searching = threading.Thread(
        target=lambda: results.append(engine.search(position_from_fen(KIWIPETE), stop=stop, limits=Limits()))
    )
    searching.start()
    wait_until_searching(engine)
    stop.set()
    searching.join()
    assert results[0].nodes > int(engine._search.nodes)


def test_helpers_stop_with_the_main_search(engine: Engine) -> None:
    """By 20 ms after its end where a processor is free for each; here there may be none, so several times that."""
    engine.set_threads(2)
    engine.start_helpers()
    stop = threading.Event()
    searching = threading.Thread(target=lambda: engine.search(position_from_fen(KIWIPETE), stop=stop))
    searching.start()
    wait_until_searching(engine)
    stop.set()
    searching.join()
    others = engine._helpers
    assert others is not None
    time.sleep(0.2 if COMPILED else 1.0)
    before = (others.nodes(), others.hashfull())
    time.sleep(0.3)
    assert (others.nodes(), others.hashfull()) == before


def test_killed_helper_is_reported_once_and_the_search_goes_on(engine: Engine) -> None:
    engine.set_threads(3)
    engine.start_helpers()
    killed = engine.helper_processes()[0]
    kill(killed)
    assert wait_until_gone([killed], END_SECONDS) == []
    infos: list[SearchInfo] = []
    position = position_from_fen(KIWIPETE)
    result = engine.search(position, limits=Limits(depth=DEPTH), on_info=infos.append)
    assert result.depth == DEPTH
    messages = [info.message for info in infos if info.message]
    assert len(messages) == 1
    assert "ended by itself" in messages[0]
    assert len(engine.helper_processes()) == 1
    infos.clear()
    engine.search(position, limits=Limits(depth=4), on_info=infos.append)
    assert [info.message for info in infos if info.message] == []
    # A new game has them all again.
    engine.new_game()
    engine.search(position, limits=Limits(depth=4), on_info=infos.append)
    assert len(engine.helper_processes()) == 2


def test_helper_whose_pipe_is_closed_is_ended_and_reported(engine: Engine) -> None:
    """A helper that ends closes its pipe a moment before; it was forgotten then, without a status, and left behind."""
    engine.set_threads(2)
    engine.start_helpers()
    others = engine._helpers
    assert others is not None
    helper = others._processes[1]
    with subprocess.Popen(
        [sys.executable, "-c", "import os, time; os.close(0); print('closed', flush=True); time.sleep(60)"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as deaf:
        try:
            assert deaf.stdout is not None
            deaf.stdout.readline()
            others._processes[1] = deaf
            engine.clear_table()
            assert deaf.returncode is not None
            assert others.warnings() == [
                f"helper 1 ended by itself (status {deaf.returncode}); the search goes on without it"
            ]
        finally:
            deaf.kill()
            others._processes[1] = helper


def test_settings_end_or_reach_the_helpers(engine: Engine, mirrored: Net) -> None:
    engine.set_threads(2)
    engine.start_helpers()
    first = engine.helper_processes()
    engine.set_network(mirrored.network)
    engine.new_game()
    assert engine.search(start_position(), limits=Limits(depth=4)).depth == 4
    assert engine.helper_processes() == first
    engine.resize_table(8)
    assert wait_until_gone(first, END_SECONDS) == []
    engine.search(start_position(), limits=Limits(depth=4))
    second = engine.helper_processes()
    assert len(second) == 1
    engine.set_threads(1)
    assert wait_until_gone(second, END_SECONDS) == []
    assert engine.table.megabytes() == 8


def test_with_one_thread_again_the_search_is_the_one_it_was(engine: Engine) -> None:
    """Helpers leave nothing behind in the engine: the same nodes as before they came."""
    position = position_from_fen(KIWIPETE)
    depth = 6 if COMPILED else 4
    before = engine.search(position, limits=Limits(depth=depth)).nodes
    engine.set_threads(2)
    engine.search(position, limits=Limits(depth=depth))
    engine.set_threads(1)
    engine.new_game()
    assert engine.search(position, limits=Limits(depth=depth)).nodes == before


SCRIPT = """
    # No __main__ guard on purpose.
    import os, sys, time
    from pawnstar.chess.fen import start_position
    from pawnstar.engine.engine import Engine
    from pawnstar.search.limits import Limits
    from pawnstar.evaluation.nnue.network import Network
    engine = Engine(Network(open(sys.argv[1], "rb").read(), "net"), 16)
    engine.set_threads(3)
    result = engine.search(start_position(), limits=Limits(depth=4))
    print("depth", result.depth, *engine.helper_processes(), flush=True)
    if sys.argv[2] == "hang":
        engine.search(start_position())
    elif sys.argv[2] == "crash":
        os.abort()
"""


@pytest.mark.parametrize("ending", ["return", "crash", "SIGKILL", "SIGTERM"])
def test_no_helper_and_no_memory_survives_the_engine(tmp_path: Path, parity: Net, ending: str) -> None:
    """However a script ends, without a ``__main__`` guard and without closing the engine."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
    mode = "hang" if ending.startswith("SIG") else ending
    with subprocess.Popen(
        [sys.executable, str(script), str(parity.path), mode],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        text=True,
    ) as process:
        assert process.stdout is not None
        words = process.stdout.readline().split()
        assert words[:2] == ["depth", "4"]
        helpers = [int(word) for word in words[2:]]
        assert len(helpers) == 2
        if mode == "hang":
            time.sleep(0.3)
            end_by(process, ending)
        process.wait(END_PATIENCE)
    assert wait_until_gone(helpers, END_SECONDS) == []
    # The mapping has no name anywhere; whatever else comes and goes there is not ours.
    assert [name for name in shared_memory_names() if "pawnstar" in name] == []


BYSTANDER = """
    import os, sys, time
    from pawnstar.chess.fen import start_position
    from pawnstar.engine.engine import Engine
    from pawnstar.search.limits import Limits
    from pawnstar.evaluation.nnue.network import Network
    engine = Engine(Network(open(sys.argv[1], "rb").read(), "net"), 1)
    engine.set_threads(2)
    engine.search(start_position(), limits=Limits(depth=3))
    bystander = os.fork()
    if bystander == 0:
        time.sleep(60)
        os._exit(0)
    print(bystander, *engine.helper_processes(), flush=True)
    engine.search(start_position())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.parametrize("ending", ["SIGKILL", "SIGTERM"])
def test_a_forked_bystander_keeps_no_helper_alive(tmp_path: Path, parity: Net, ending: str) -> None:
    """A process forked while helpers ran held their pipes open, so they searched on when the owner was dead."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(BYSTANDER))
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", str(script), str(parity.path)],
        stdout=subprocess.PIPE,
        env=clean_environment(),
        text=True,
    ) as process:
        assert process.stdout is not None
        bystander, helper = (int(word) for word in process.stdout.readline().split())
        time.sleep(0.3)
        end_by(process, ending)
        process.wait(END_PATIENCE)
        left = wait_until_gone([helper], END_SECONDS)
        assert alive(bystander)
        kill(bystander)
    assert left == []


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors and pages in /proc")
def test_engines_dropped_without_close_give_everything_back(parity: Net) -> None:
    """Each left the descriptor of its shared memory open, and so the memory: 30 MB."""

    def descriptors() -> list[str]:
        found = []
        for name in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                found.append(os.readlink(f"/proc/self/fd/{name}"))
        return sorted(found)

    def drop_one() -> list[int]:
        dropped = Engine(parity.network, 16)
        dropped.set_threads(2)
        dropped.search(start_position(), limits=Limits(depth=3))
        return dropped.helper_processes()

    gc.collect()
    before = descriptors()
    helpers = [helper for _ in range(3) for helper in drop_one()]
    gc.collect()
    assert len(helpers) == 3
    assert wait_until_gone(helpers, END_SECONDS) == []
    assert descriptors() == before
    assert not any("memfd:pawnstar" in line for line in Path("/proc/self/maps").read_text().splitlines())


def words_of(made: Engine) -> list[str]:
    """What a short search with two threads has to say."""
    infos: list[SearchInfo] = []
    made.set_threads(2)
    assert made.search(start_position(), limits=Limits(depth=3), on_info=infos.append).depth == 3
    return [info.message for info in infos if info.message]


@pytest.mark.parametrize("kind", ["frozen", "embedded", "unknown"])
def test_a_program_that_is_no_python_has_one_thread_and_a_word(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """It was started as its own helper, which started itself, and so on without end while a search ran."""
    if kind == "frozen":
        monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", {"frozen": sys.executable, "embedded": "/opt/gui/gui", "unknown": ""}[kind])
    words = words_of(engine)
    assert len(words) == 1
    assert "searching with one thread" in words[0]
    assert {"frozen": "frozen program", "embedded": "/opt/gui/gui is not", "unknown": "its own executable"}[
        kind
    ] in words[0]
    assert engine.helper_processes() == []
    assert engine.threads == 1


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_a_program_that_is_named_as_python_is_started_once_and_ended(
    engine: Engine, tmp_path: Path, parity: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name deceives: then its own helpers stop the chain, and the engine ends what never reports."""
    started = tmp_path / "started"
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, time\n"
        f"sys.executable = {str(tmp_path / 'python3')!r}\n"
        "from pawnstar.chess.fen import start_position\n"
        "from pawnstar.engine.engine import Engine\n"
        "from pawnstar.evaluation.nnue.network import Network\n"
        f"engine = Engine(Network(open({str(parity.path)!r}, 'rb').read(), 'net'), 1)\n"
        "engine.set_threads(2)\n"
        f"open({str(started)!r}, 'a').write('; '.join(engine.start_helpers()) + '\\n')\n"
        "time.sleep(60)\n"
    )
    fake = tmp_path / "python3"
    fake.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{program}"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", clean_environment()["PYTHONPATH"])
    monkeypatch.setattr(helpers, "START_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "executable", str(fake))
    engine.set_threads(2)
    assert engine.start_helpers() != [], "what has not reported in time is ended"
    monkeypatch.setattr(helpers, "START_PATIENCE", 60.0)
    engine.new_game()
    assert engine.start_helpers() == []
    (helper,) = engine.helper_processes()
    assert wait_for(lambda: started.exists() and started.read_text().endswith("\n"), 60)
    assert children(helper) == []
    assert "was itself started as a helper" in started.read_text()
    engine.close()
    assert wait_until_gone([helper], END_SECONDS) == []


def test_names_of_pythons() -> None:
    names = ["python", "python3", "python3.13", "python3.13t", "python3.14d", "pythonw.exe", "Python", "pypy3.11"]
    assert all(machine.PYTHON_NAME.fullmatch(name.lower()) for name in [*names, "python3-intel64", "python.exe"])
    others = ["gui", "pawnstar", "python-app", "mypython", "python3.13-config", "pythonista", "blender", "uwsgi"]
    assert not any(machine.PYTHON_NAME.fullmatch(name) for name in others)
