"""Output: whole lines, one write each, from whichever thread; both streams where both are asked for."""

import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from programs import environment

from pawnstar.protocol import output as output_module
from pawnstar.protocol.output import Output, end_program


class Recorder(io.StringIO):
    """Remembers every write, and how often it was flushed."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []
        self.flushes = 0

    def write(self, text: str, /) -> int:
        self.writes.append(text)
        return super().write(text)

    def flush(self) -> None:
        self.flushes += 1


def test_a_line_is_one_write_and_one_flush() -> None:
    stream = Recorder()
    output = Output(stream)
    output.line("bestmove e2e4")
    output.info("only move")
    output.line("id name X\nuciok")
    assert stream.writes == ["bestmove e2e4\n", "info string only move\n", "id name X\nuciok\n"]
    assert stream.flushes == 3


def test_both_streams(capsys: pytest.CaptureFixture[str]) -> None:
    stream = Recorder()
    Output(stream).both("NNUE: loaded net 'x'")
    assert stream.writes == ["info string NNUE: loaded net 'x'\n"]
    assert capsys.readouterr().err == "NNUE: loaded net 'x'\n"


class Slow(io.StringIO):
    """A stream that writes a character at a time, and lets other threads run in between."""

    def write(self, text: str, /) -> int:
        for character in text:
            super().write(character)
            threading.Event().wait(0)
        return len(text)


def test_lines_of_several_threads_do_not_mix() -> None:
    stream = Slow()
    output = Output(stream)
    texts = [letter * 40 for letter in "abcdef"]

    def write(text: str) -> None:
        for _ in range(20):
            output.line(text)

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 120
    assert set(lines) == set(texts)


def test_closed_stream_of_a_library_user_is_their_error() -> None:
    """Only the program's own standard output ends the program."""
    stream = io.StringIO()
    stream.close()
    with pytest.raises(ValueError, match="closed"):
        Output(stream).line("x")


def test_two_threads_that_end_the_program_do_not_end_it_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watching and the writing thread both stored coverage's data, at once, and crashed."""
    ending = threading.Lock()
    monkeypatch.setattr(output_module, "_ending", ending)
    monkeypatch.setattr(output_module, "ENDING", 600.0)
    ends: list[int] = []
    began = threading.Event()

    def end(status: int) -> None:
        ends.append(status)
        began.set()

    monkeypatch.setattr(os, "_exit", end)
    threads = [threading.Thread(target=end_program, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert began.wait(60)
    for thread in threads:
        thread.join(0.1)
    assert ends == [0]
    ending.release()  # which the real end never does
    for thread in threads:
        thread.join(60)
    assert ends == [0, 0]


def test_an_end_that_does_not_come_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = threading.Lock()
    ending.acquire()
    monkeypatch.setattr(output_module, "_ending", ending)
    monkeypatch.setattr(output_module, "ENDING", 0.01)
    ends: list[int] = []
    monkeypatch.setattr(os, "_exit", ends.append)
    end_program()
    assert ends == [0]


@pytest.mark.parametrize("closed", [(0,), (2,), (0, 2)])
def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path, closed: tuple[int, ...]) -> None:
    """What the program opens next (shared memory, a helper's pipe) was standard input or error then."""
    script = f"""
import os
from pawnstar.system.streams import settle_streams
for descriptor in {closed}:
    os.close(descriptor)
assert settle_streams()
for descriptor in {closed}:
    assert os.get_inheritable(descriptor)
    assert os.path.sameopenfile(descriptor, os.open(os.devnull, os.O_RDWR))
assert os.open("file", os.O_CREAT | os.O_RDWR) > 2
os.close(1)
assert not settle_streams()
os._exit(7)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment(), check=False, timeout=60)
    assert done.returncode == 7
