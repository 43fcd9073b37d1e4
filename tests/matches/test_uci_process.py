"""An engine spoken to line by line."""

import signal
import sys

import pytest
from fake_engine import command_of

from pawnstar.matches.uci_process import UciProcess

pytestmark = pytest.mark.processes


def test_lines_go_to_and_fro() -> None:
    with UciProcess(command_of("A")) as engine:
        engine.send("uci")
        told = engine.until("uciok")
        assert told[0] == "id name A"
        assert told[-1] == "uciok"
        engine.send("isready", "position startpos moves e2e4", "go nodes 1")
        assert engine.until("bestmove")[0] == "readyok"
        engine.send("quit")
        assert engine.wait() == 0
        assert engine.errors() == []


def test_the_end_of_the_output_is_told_each_time() -> None:
    with UciProcess(command_of("A", "--refuse-to-start")) as engine:
        for _ in range(2):
            with pytest.raises(EOFError, match=r"without a line 'uciok\.\.\.'"):
                engine.until("uciok")
        assert engine.wait() == 1
        assert engine.errors() == ["out of order"]


def test_a_line_that_does_not_come_is_told() -> None:
    with UciProcess(command_of("A")) as engine:
        engine.send("uci")
        engine.until("uciok")
        engine.send("position startpos", "go nodes 1")
        with pytest.raises(TimeoutError, match=r"no line 'readyok\.\.\.' in 1 s, but .*'bestmove "):
            engine.until("readyok", 1.0)


def test_a_process_that_runs_on_is_told_and_killed() -> None:
    with UciProcess(command_of("A", "--deaf")) as engine:
        engine.send("quit")
        with pytest.raises(TimeoutError, match=r"still runs after 0\.2 s"):
            engine.wait(0.2)
    assert engine.wait() == (1 if sys.platform == "win32" else -signal.SIGKILL)


def test_the_environment_is_added_to() -> None:
    code = "import os; print(os.environ['PAWNSTAR_THREADS'], 'PATH' in os.environ)"
    with UciProcess([sys.executable, "-c", code], {"PAWNSTAR_THREADS": "3"}) as engine:
        assert engine.until("3") == ["3 True"]
