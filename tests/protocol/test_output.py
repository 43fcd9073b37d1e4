"""Output: whole lines, one write each, from whichever thread; both streams where both are asked for."""

import io
import threading

import pytest

from pawnstar.protocol.output import Output


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
