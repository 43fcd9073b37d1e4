"""``bench`` against what the siblings recorded: info lines, moves, node counts and every counter, byte for byte.

Only times and speeds are masked. Compiled, depths 4 to 8 with both nets; plain Python does depth 4, of the shipped net
the first positions only, for time's sake.
"""

import re

import pytest
from modes import COMPILED
from nets import Net
from recorded_bench import SIGNATURE_DEPTH, signature, signature_line, transcript
from sessions import Session, masked

from pawnstar.protocol import uci
from pawnstar.protocol.bench import BENCH_FENS

DEPTHS = [pytest.param(depth, marks=[] if depth == 4 else pytest.mark.compiled_only) for depth in range(4, 9)]
PLAIN_POSITIONS = 4


def first_positions(lines: list[str], count: int) -> list[str]:
    """A bench transcript cut behind the counters of its first positions."""
    rules = [index for index, line in enumerate(lines) if line == "*" * 50]
    return lines[: rules[count - 1] + 1]


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("name", ["parity", "shipped"])
def test_bench_is_byte_for_byte_the_siblings(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, name: str, depth: int
) -> None:
    net: Net = request.getfixturevalue(name)
    monkeypatch.setenv("PAWNSTAR_BENCH_DEBUG", "1")
    expected = transcript(name, depth)
    total = signature(name, depth)
    if name == "shipped" and not COMPILED:
        monkeypatch.setattr(uci, "BENCH_FENS", BENCH_FENS[:PLAIN_POSITIONS])
        expected = first_positions(expected, PLAIN_POSITIONS)
        total = sum(int(line.split()[-1]) for line in expected if line.startswith("### pos"))
    *lines, totals = Session(net.network).send(f"bench {depth}")
    assert masked(lines) == expected
    assert re.fullmatch(rf"{total} nodes \d+ nps", totals)


def test_transcripts_hold_what_they_should() -> None:
    """Guards the guard: sixteen positions each, their nodes adding up to the last line, counters included."""
    for net in ("parity", "shipped"):
        for depth in range(4, 9):
            lines = transcript(net, depth)
            nodes = [int(line.split()[-1]) for line in lines if line.startswith("### pos")]
            assert len(nodes) == len(BENCH_FENS) == 16
            assert sum(nodes) == signature(net, depth)
            assert len([line for line in lines if line.startswith("alpha beta calls")]) == 16
    assert SIGNATURE_DEPTH == 8
    assert signature_line("parity") == "bench 8 parity net: 1574409"
    assert signature_line("shipped") == "bench 8 shipped net: 570525"


def test_bench_positions_are_the_recorded_ones(goldens: object) -> None:
    from golden_files import golden_lines

    assert list(BENCH_FENS) == golden_lines("facts", "bench_fens.txt")


def small_bench(monkeypatch: pytest.MonkeyPatch, positions: int = 2) -> None:
    monkeypatch.setattr(uci, "BENCH_FENS", BENCH_FENS[:positions])


def test_bench_repeats_itself(parity: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was played before, a bench starts from nothing, and leaves no counters unless asked."""
    small_bench(monkeypatch)
    session = Session(parity.network)
    first = masked(session.send("bench 4"))
    assert not any(line.startswith(("###", "***")) for line in first)
    session.send("setoption name Hash value 64")
    session.send("position startpos moves e2e4")
    session.send("go depth 4")
    again = masked(session.send("bench 4"))
    assert again[:-1] == first[:-1]
    assert again[-1].split()[0] == first[-1].split()[0]


def test_bench_leaves_the_last_position_and_a_fixed_depth(parity: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the siblings do: the board stays where bench ended, and a bare ``go`` searches to bench's depth."""
    small_bench(monkeypatch, 1)
    session = Session(parity.network)
    session.send("bench 4")
    assert session.send("getboard")[-1] == "1k1r4/pp1b1R2/6pp/4p3/2B5/4Q3/PPP2B2/2Kq4 w - - 1 2"
    session.send("position startpos")
    session.send("bench 4")
    session.send("setoption name OwnBook value false")
    assert session.send("go")[-1].startswith("bestmove ")
    assert session.uci.clock.kind == "depth"
    assert session.uci.clock.depth == 4


def test_bench_does_not_use_the_book_and_keeps_it(parity: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    from pawnstar.engine.book import Book

    monkeypatch.setattr(uci, "BENCH_FENS", ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",))
    session = Session(parity.network)
    session.uci.book = Book(["a2a3"])
    assert not any("book" in line for line in session.send("bench 4"))
    session.send("position startpos")
    assert session.send("go depth 4")[0] == "info string book move"


@pytest.mark.parametrize("text", ["x", "4x", "4.5"])
def test_malformed_bench_depth_is_the_default(parity: Net, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(uci, "BENCH_FENS", ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",))
    session = Session(parity.network)
    remark, *_ = session.send(f"bench {text}")
    assert remark == f"info string bench: '{text}' is no whole number; depth 13 instead"
    assert session.uci.clock.depth == 13
