"""Random lines and FENs, some hundreds in each mode; ``ci/fuzz.py`` runs as many as it is told to."""

import codecs
import os
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from modes import COMPILED
from sessions import Session
from uci_fuzz import FENS, LINES, check_fen, check_lines, little_memory

from pawnstar.protocol.input import LineReader


@pytest.fixture(scope="module")
def fuzzed() -> Iterator[Session]:
    with little_memory():
        one = Session(background=True)
        yield one
        one.close()


@given(lines=LINES)
def test_random_lines(fuzzed: Session, lines: list[str]) -> None:
    check_lines(fuzzed, lines)


@given(fen=FENS, search=st.sampled_from((COMPILED, False, False, False)))
def test_random_fens(fuzzed: Session, fen: str, search: bool) -> None:
    check_fen(fuzzed, fen, search)


@given(chunks=st.lists(st.one_of(st.binary(max_size=12), st.just(codecs.BOM_UTF8)), max_size=12))
def test_lines_are_cut_alike_however_they_arrive(chunks: list[bytes]) -> None:
    read, write = os.pipe()
    try:
        for chunk in chunks:
            os.write(write, chunk)
        os.close(write)
        reader = LineReader(read)
        lines: list[bytes] = []
        while (line := reader.next_line()) is not None:
            lines.append(line.text.encode("utf-8", errors="surrogateescape"))
    finally:
        os.close(read)
    whole = b"".join(chunks)
    expected = whole.removesuffix(b"\n").split(b"\n") if whole else []
    assert lines == [line.removeprefix(codecs.BOM_UTF8) for line in expected[:1]] + expected[1:]
