"""``go``: its words read without a session, and the limits and the clock of the search that a session starts."""

import pytest
from modes import COMPILED
from nets import Net
from sessions import Session, check_answer, masked

from pawnstar.chess.fen import START_FEN, position_from_fen
from pawnstar.protocol.uci.go import FIXED_DEPTH, FIXED_TIME, INFINITE, STANDARD, ClockState, Go, read_go

START = position_from_fen(START_FEN)
MOST = 2**63 - 1


# The words alone.


@pytest.mark.parametrize(
    ("text", "clock", "go"),
    [
        ("", ClockState(), Go()),
        ("what is this", ClockState(), Go()),
        ("wtime 5 btime 6 winc 7 binc 8", ClockState(time_left=5, increment=7), Go(understood=True)),
        ("depth 3 wtime 5", ClockState(STANDARD, 5, depth=3), Go(understood=True)),
        ("wtime 5 depth 3", ClockState(FIXED_DEPTH, 5, depth=3), Go(understood=True)),
        ("mate 4", ClockState(FIXED_DEPTH, depth=8), Go(understood=True)),
        ("movetime 9 movestogo 2", ClockState(FIXED_TIME, movetime=9, moves_to_go=2), Go(understood=True)),
        ("infinite nodes 7", ClockState(INFINITE), Go(7, infinite=True, understood=True)),
        ("infinite depth 7", ClockState(FIXED_DEPTH, depth=7), Go(infinite=True, understood=True)),
        ("infinite wtime 5", ClockState(time_left=5), Go(infinite=True, understood=True)),
        ("wtime 5 infinite", ClockState(INFINITE, 5), Go(infinite=True, understood=True)),
        ("nodes 9 depth 7", ClockState(FIXED_DEPTH, depth=7), Go(9, understood=True)),
        ("nodes 0", ClockState(INFINITE), Go(understood=True)),
        ("ponder wtime 5", ClockState(time_left=5), Go(ponder=True, understood=True)),
        ("perft 2", ClockState(), Go(perft=2, understood=True)),
        ("searchmoves a b ponder c", ClockState(), Go(ponder=True, search_moves=["a", "b"], understood=True)),
        ("searchmoves a depth 2 b", ClockState(FIXED_DEPTH, depth=2), Go(search_moves=["a"], understood=True)),
        ("searchmoves", ClockState(), Go(understood=True)),
        ("searchmoves depth", ClockState(), Go(faults=["go depth: no number; depth ignored"])),
        ("depth x", ClockState(), Go(faults=["go depth: 'x' is no whole number; depth ignored"])),
        (
            "depth infinite",
            ClockState(INFINITE),
            Go(
                infinite=True,
                faults=["go depth: 'infinite' is no whole number; depth ignored"],
                understood=True,
            ),
        ),
        (
            "nodes 1.5 movetime",
            ClockState(INFINITE),
            Go(
                1,
                faults=["go nodes: '1.5' is no whole number; read as 1", "go movetime: no number; movetime ignored"],
                understood=True,
            ),
        ),
    ],
)
def test_words(text: str, clock: ClockState, go: Go) -> None:
    read = ClockState()
    assert read_go(text.split(), read, white=True) == go
    assert read == clock


def test_the_side_to_move_has_its_own_clock() -> None:
    clock = ClockState()
    read_go(["btime", "6", "wtime", "5", "binc", "8", "winc", "7"], clock, white=False)
    assert clock == ClockState(time_left=6, increment=8)


def test_what_is_remembered() -> None:
    """All of the clock but the increment stays for the next ``go``; nodes, moves and flags do not."""
    clock = ClockState()
    text = "wtime 5 winc 3 movestogo 2 depth 4 nodes 9 ponder searchmoves a"
    read_go(text.split(), clock, white=True)
    assert read_go([], clock, white=True) == Go()
    assert clock == ClockState(INFINITE, 5, 0, 2, 0, 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a clock of 300000 ms"),
        ("wtime 5", "a clock of 5 ms"),
        ("depth 5", "the last depth, 5"),
        ("mate 2", "the last depth, 4"),
        ("movetime 7", "the last movetime, 7 ms"),
        ("nodes 7", "no limit, until 'stop'"),
    ],
)
def test_what_a_plain_go_searches_by(text: str, words: str) -> None:
    clock = ClockState()
    read_go(text.split(), clock, white=True)
    assert clock.in_words() == words


# What a session makes of them.


# What follows `go`: soft and hard budget in milliseconds (0: none), depth and node limit, whether it waits for stop.
# Budgets follow spec section 16, with 30 ms overhead; below 800 ms left the hard one is an eighth of what is left.
CLOCKS = {
    "": (7500, 14970, None, None, False),
    "wtime 60000 btime 30000": (1500, 2970, None, None, False),
    "btime 30000": (7500, 14970, None, None, False),
    "wtime 60000 winc 600 binc 5": (1500, 2970, None, None, False),
    "wtime 60000 movestogo 10": (6000, 11970, None, None, False),
    "wtime 60000 movestogo 1": (60000, 58970, None, None, False),
    "wtime 60000 movestogo 0": (1500, 2970, None, None, False),
    "wtime 60000 movestogo -3": (1500, 2970, None, None, False),
    "wtime 2000": (50, 70, None, None, False),
    "wtime 1000": (25, 70, None, None, False),
    "wtime 400": (10, 20, None, None, False),
    "wtime 200": (5, 1, None, None, False),
    "wtime 100": (2, 1, None, None, False),
    "wtime 1": (0, 1, None, None, False),
    "wtime 0": (0, 1, None, None, False),
    "wtime -1": (0, 1, None, None, False),
    "wtime -5000": (-125, 1, None, None, False),
    f"wtime {MOST}": (MOST // 40, 2 * (MOST // 40) - 30, None, None, False),
    "movetime 1000": (0, 970, None, None, False),
    "movetime 1": (0, 1, None, None, False),
    "movetime 0": (0, 1, None, None, False),
    "movetime -5": (0, 1, None, None, False),
    "depth 7": (0, 0, 7, None, False),
    "depth 0": (0, 0, 0, None, False),
    "depth -3": (0, 0, -3, None, False),
    f"depth {MOST}": (0, 0, MOST, None, False),
    "mate 3": (0, 0, 6, None, False),
    "mate 0": (0, 0, 0, None, False),
    "mate -2": (0, 0, -4, None, False),
    "nodes 5000": (0, 0, None, 5000, False),
    "nodes -1": (0, 0, None, -1, False),
    "nodes 0": (0, 0, None, None, False),
    "infinite": (0, 0, None, None, True),
    "infinite nodes 500": (0, 0, None, 500, True),
    # The last clock named wins.
    "depth 5 movetime 1000": (0, 970, None, None, False),
    "movetime 1000 depth 5": (0, 0, 5, None, False),
    "infinite depth 5": (0, 0, 5, None, False),
    "depth 5 infinite": (0, 0, None, None, True),
    "nodes 100 wtime 60000": (1500, 2970, None, 100, False),
    "wtime 60000 btime 60000 winc 1 binc 1 movestogo 20 depth 3 nodes 9 mate 2 movetime 50": (0, 20, None, 9, False),
    # Malformed numbers are dropped with their keyword.
    "depth 5x": (7500, 14970, None, None, False),
    "depth": (7500, 14970, None, None, False),
    "depth depth 5": (0, 0, 5, None, False),
    "movetime 1.5 depth 4": (0, 0, 4, None, False),
    "depth 9223372036854775808 nodes 7": (0, 0, None, 7, False),
    "nonsense depth 4 more": (0, 0, 4, None, False),
    # Numbers beyond 64 bits are limits that nobody reaches; they were "no whole number", and the clock five minutes.
    "nodes 18446744073709551615": (0, 0, None, MOST, False),
    f"depth {10**20}": (0, 0, MOST, None, False),
    f"mate {10**30}": (0, 0, 2 * MOST, None, False),
    f"movetime {2**63}": (0, MOST - 30, None, None, False),
    f"wtime {10**30} btime {10**30}": (MOST // 40, 2 * (MOST // 40) - 30, None, None, False),
    f"wtime -{10**30}": (-(2**63 // 40), 1, None, None, False),
    f"wtime 60000 movestogo {10**30}": (0, 70, None, None, False),
    f"nodes {'9' * 5000}": (0, 0, None, MOST, False),
    # Some clients send fractions of a millisecond.
    "movetime 1000.7": (0, 970, None, None, False),
    "wtime 60000.0 btime 30000.0": (1500, 2970, None, None, False),
    "wtime -0.5": (0, 1, None, None, False),
    "depth 7.9": (0, 0, 7, None, False),
}


@pytest.mark.parametrize("words", CLOCKS)
def test_clock_of_each_keyword(session: Session, words: str) -> None:
    soft, hard, depth, nodes, waits = CLOCKS[words]
    output = session.send("position startpos", f"go {words}", "stop")
    (started,) = session.started
    limits, clock = started.limits, started.clock
    assert (clock.soft, clock.hard, limits.depth, limits.nodes, started.waits) == (soft, hard, depth, nodes, waits)
    assert limits.analysis == waits
    assert not limits.ponder
    assert not clock.pondering
    check_answer(START, output)


def test_ponder_reaches_the_search(session: Session) -> None:
    session.send("position startpos", "go ponder wtime 1000", "stop")
    (started,) = session.started
    assert started.limits.ponder
    assert started.limits.time_left == 1000
    assert not started.waits


def test_black_looks_at_its_own_clock(session: Session) -> None:
    session.send("position startpos moves e2e4", "go wtime 60000 btime 30000 winc 1 binc 2", "stop")
    (started,) = session.started
    assert (started.limits.time_left, started.limits.increment, started.clock.soft) == (30000, 2, 750)


def test_clock_carries_over_until_a_position_is_set_up(session: Session) -> None:
    """Kind of clock, time left, depth and moves to go stay; increment, nodes, moves and ponder do not."""

    def limits_of(line: str) -> dict[str, object]:
        session.send(line, "stop")
        limits = session.started[-1].limits
        names = ("depth", "nodes", "movetime", "time_left", "increment", "moves_to_go", "search_moves", "ponder")
        return {name: value for name in names if (value := getattr(limits, name)) not in (None, 0, (), False)}

    first = limits_of("go wtime 5000 winc 9 movestogo 3 ponder searchmoves e2e4")
    assert list(first) == ["time_left", "increment", "moves_to_go", "search_moves", "ponder"]
    assert limits_of("go") == {"time_left": 5000, "moves_to_go": 3}
    limits_of("go depth 6")
    assert limits_of("go") == {"depth": 6, "moves_to_go": 3}
    limits_of("go movetime 50")
    assert limits_of("go") == {"movetime": 50, "moves_to_go": 3}
    limits_of("go nodes 77")
    assert limits_of("go") == {"moves_to_go": 3}
    session.send("position moves e2e4")
    assert limits_of("go") == {"moves_to_go": 3}, "no set-up"
    session.send("position startpos")
    assert limits_of("go") == {"time_left": 300_000}
    limits_of("go depth 6")
    session.send("ucinewgame")
    assert limits_of("go") == {"time_left": 300_000}


def test_move_overhead_is_kept_back(session: Session) -> None:
    session.send("setoption name move overhead value 200", "go movetime 1000", "stop")
    assert session.started[0].clock.hard == 800


@pytest.mark.parametrize(
    ("words", "remarks"),
    [
        ("nodes 18446744073709551615", []),
        (f"depth {10**20}", []),
        (f"wtime {10**30}", []),
        (f"movetime {'9' * 5000}", []),
        (f"movestogo -{10**30} nodes 5", []),
        ("wtime 1000.5", ["go wtime: '1000.5' is no whole number; read as 1000"]),
        ("depth", ["go depth: no number; depth ignored", "go: no limit in 'depth'; searching by a clock of 300000 ms"]),
        (
            "movetime 1e3",
            [
                "go movetime: '1e3' is no whole number; movetime ignored",
                "go: no limit in 'movetime 1e3'; searching by a clock of 300000 ms",
            ],
        ),
        ("dpeth 5", ["go: no limit in 'dpeth 5'; searching by a clock of 300000 ms"]),
        ("Infinite", ["go: no limit in 'Infinite'; searching by a clock of 300000 ms"]),
        ("", []),
        ("searchmoves e2e4", []),
        ("foo bar depth 3", []),
    ],
)
def test_what_is_not_understood_of_a_go_is_told(session: Session, words: str, remarks: list[str]) -> None:
    """``go nodes 18446744073709551615`` was "no whole number", and five minutes of search followed; so did ``dpeth``,
    without a word.
    """
    output = session.send("position startpos", f"go {words}", "stop")
    assert [line.removeprefix("info string ") for line in output if line.startswith("info string go")] == remarks


@pytest.mark.parametrize(
    ("line", "more"),
    [
        ("go depth 3 searchmoves " + "e7e5 " * 1000, "info string 990 more illegal moves ignored"),
        ("go depth 3 " + "movetime x " * 1000, "info string 990 more faults in this line"),
        ("go " + "depth 3.0 " * 1000, "info string 990 more faults in this line"),
    ],
)
def test_many_faults_of_a_go_line_are_summed_up(session: Session, line: str, more: str) -> None:
    """A line of a megabyte brought two hundred thousand lines of answers."""
    lines = session.answer(line)
    assert len(lines) < 15
    assert lines[10] == more


def test_a_remembered_limit_is_named(session: Session) -> None:
    remark = "info string go: no limit in 'x'; searching by "
    for words, limit in (("depth 3", "the last depth, 3"), ("movetime 20", "the last movetime, 20 ms")):
        assert remark + limit in session.answer("position startpos", f"go {words}", "go x")
    session.answer("position startpos", "go nodes 5")
    assert remark + "no limit, until 'stop'" in session.send("go x", "stop")


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("searchmoves a2a3", {"a2a3"}),
        ("searchmoves a2a3 h2h4", {"a2a3", "h2h4"}),
        ("searchmoves h2h4 nonsense", {"h2h4"}),
    ],
)
def test_searchmoves(session: Session, words: str, first: set[str]) -> None:
    output = session.answer("position startpos", f"go depth 3 {words}")
    assert check_answer(START, output) in first


def test_searchmoves_without_a_legal_one_searches_all(session: Session) -> None:
    output = session.answer("position startpos", "go depth 2 searchmoves e7e5 zz")
    assert "info string searchmoves: illegal move 'e7e5' ignored" in output
    check_answer(START, output)


@pytest.mark.parametrize("depth", [-3, 0, 1, 2, 3])
def test_shallow_limits_report_the_shallow_pass(session: Session, depth: int) -> None:
    output = session.answer("position startpos", f"go depth {depth}")
    check_answer(START, output)
    assert [line.split()[:3] for line in output] == [["info", "depth", "3"], output[-1].split()[:3]]


def test_only_move_is_searched_when_moves_are_given(parity: Net) -> None:
    lines = Session(parity.network).answer("position fen k7/8/8/8/8/8/6r1/7K w - - 0 1", "go searchmoves a1a2 depth 3")
    assert "info string only move" not in lines
    assert lines[-2].startswith("info depth  3 ")
    assert lines[-1] == "bestmove h1g2"


def test_mate_is_found_within_its_moves(session: Session) -> None:
    *_, report, answer = masked(session.answer("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2"))
    assert session.started[0].limits.depth == 4
    assert " score mate  2 " in report
    assert answer == "bestmove a1a6 ponder b7a6"


def test_stop_and_ponderhit_while_idle_are_forgotten(session: Session) -> None:
    """A stop that waited for the next search would end it at once; a ponderhit would let it answer too early."""
    assert session.send("stop", "ponderhit", "stop") == []
    lines = session.answer("position startpos", "go depth 4")
    assert any(line.startswith("info depth  4") for line in lines)
    assert session.send("stop", "ponderhit", "isready") == ["readyok"]


def test_promotion_and_castling_are_written_in_coordinates(session: Session) -> None:
    output = session.answer("position fen 8/P7/8/8/8/8/k6K/8 w - - 0 1", "go depth 3 searchmoves a7a8q")
    assert output[-1].split()[1] == "a7a8q"
    output = session.answer("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "go depth 3 searchmoves e1g1")
    assert output[-1].split()[1] == "e1g1"


def test_quiescence_hears_a_stop(session: Session) -> None:
    """On boards overfull of queens quiescence ran for hours between two nodes, and no stop was heard."""
    board = "qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1"
    output = session.answer(f"position fen {board}", "go movetime 50")
    check_answer(session.history[-1], output)
    assert session.started[0].clock.elapsed() < (1000 if COMPILED else 20_000)
