"""Every ``go`` keyword and the clock it sets, in process and in the running program."""

import time

import pytest
from modes import COMPILED
from uci_process import Program
from uci_session import Session, check_answer

from pawnstar.chess.coordinate import move_text
from pawnstar.chess.fen import position_from_fen

START = position_from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
MOST = 2**63 - 1

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
    soft, hard, depth, nodes, infinite = CLOCKS[words]
    output = session.send("position startpos", f"go {words}", "stop")
    limits, clock, waits = session.started[0]
    assert (clock.soft, clock.hard, limits.depth, limits.nodes, waits) == (soft, hard, depth, nodes, infinite)
    assert not limits.ponder
    assert not clock.pondering
    check_answer(START, output)


def test_black_looks_at_its_own_clock(session: Session) -> None:
    session.send("position startpos moves e2e4", "go wtime 60000 btime 30000 winc 1 binc 2", "stop")
    limits, clock, _ = session.started[0]
    assert (limits.time_left, limits.increment, clock.soft) == (30000, 2, 750)


def test_clock_stays_until_a_position_is_set_up(session: Session) -> None:
    session.send("position startpos", "go movetime 50 searchmoves e2e4", "stop", "go", "stop")
    assert [limits.movetime for limits, _, _ in session.started] == [50, 50]
    assert [len(limits.search_moves) for limits, _, _ in session.started] == [1, 0]
    session.send("position startpos", "go", "stop")
    assert session.started[-1][0].time_left == 300_000


def test_move_overhead_is_kept_back(session: Session) -> None:
    session.send("setoption name move overhead value 200", "go movetime 1000", "stop")
    assert session.started[0][1].hard == 800


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


def test_mate_searches_twice_as_many_plies(session: Session) -> None:
    output = session.answer("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2")
    assert "score mate  2" in output[-2]


# The running program: how soon answers come.


def timed(program: Program, *lines: str) -> float:
    program.send(*lines)
    output = program.until("bestmove")
    assert output[-1] != "bestmove (none)"
    assert any(" score " in line and " pv " in line for line in output)
    return program.latency


@pytest.mark.parametrize(
    "words",
    [
        *("wtime 1 btime 1", "wtime 0 btime 0", "wtime -100 btime -100", "wtime 1", "movetime 1", "movetime 0"),
        *("movetime -1", "nodes 1", "nodes -1", "depth 0", "depth -3", "mate 0", "wtime 1 winc 1000 movestogo 1"),
        "movetime 9 depth 64 nodes 1",
    ],
)
def test_answers_at_once(program: Program, words: str) -> None:
    limit = 0.25 if COMPILED else 8.0
    assert min(timed(program, "position startpos", f"go {words}") for _ in range(3)) < limit


@pytest.mark.parametrize("milliseconds", [100, 300])
def test_movetime_is_kept(program: Program, milliseconds: int) -> None:
    took = min(timed(program, "position startpos", f"go movetime {milliseconds}") for _ in range(3))
    assert took < milliseconds / 1000 + (0.05 if COMPILED else 5.0)


def test_hard_budget_is_kept(program: Program) -> None:
    took = min(timed(program, "position startpos", "go wtime 1000 btime 1000") for _ in range(3))
    assert took < (0.2 if COMPILED else 8.0)


def test_one_sided_clock_uses_what_is_known(program: Program) -> None:
    """Only Black's clock is given, and White is to move: White plays on its default, five minutes."""
    program.send("position startpos", "go btime 1")
    program.nothing_for(0.3, "bestmove")
    program.send("stop")
    program.until("bestmove")


def test_infinite_waits_for_stop_even_after_mate(program: Program) -> None:
    program.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "go infinite")
    program.until("info depth  4")
    program.nothing_for(0.5, "bestmove")
    program.send("stop")
    assert program.until("bestmove")[-1] == "bestmove d1d8"


@pytest.mark.parametrize(
    ("fen", "answer"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "bestmove (none)"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "bestmove (none)"),
        ("k7/8/8/8/8/8/6r1/7K w - - 0 1", "bestmove h1g2"),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "bestmove d1d8"),
    ],
)
@pytest.mark.parametrize(
    "words", ["infinite", "ponder", "ponder infinite", "ponder wtime 1 btime 1", "infinite nodes 9"]
)
def test_waiting_burns_no_processor(program: Program, fen: str, answer: str, words: str) -> None:
    psutil = pytest.importorskip("psutil")
    program.send(f"position fen {fen}", f"go {words}")
    program.until("info depth")
    # Mate in one, searched at no limit, is found and over within this time.
    time.sleep(0.3 if COMPILED else 3.0)
    handle = psutil.Process(program.process.pid)
    before = sum(handle.cpu_times()[:2])
    program.nothing_for(0.3, "bestmove")
    assert sum(handle.cpu_times()[:2]) - before <= 0.05
    program.send("stop")
    assert program.until("bestmove")[-1].startswith(answer)


def test_ponderhit_lets_a_finished_search_answer(program: Program) -> None:
    program.send("position startpos moves e2e4", "go ponder depth 3")
    program.until("info depth  3")
    program.nothing_for(0.2, "bestmove")
    program.send("ponderhit")
    program.until("bestmove")


def test_ponderhit_starts_the_clock(program: Program) -> None:
    program.send("position startpos moves e2e4", "go ponder movetime 300")
    program.nothing_for(0.6, "bestmove")
    program.send("ponderhit")
    program.until("bestmove")
    assert (0.2 if COMPILED else 0.0) < program.latency < (0.5 if COMPILED else 8.0)


def test_ponderhit_right_behind_go_is_not_lost(program: Program) -> None:
    """The search's clock was made on the search's thread: a ponderhit that came first found none, and was forgotten."""
    for _ in range(30 if COMPILED else 3):
        program.send("position startpos moves e2e4", "go ponder movetime 40", "ponderhit")
        program.until("bestmove", 10.0)


def test_ponderhit_does_not_end_an_infinite_search(program: Program) -> None:
    for words in ("infinite", "ponder infinite"):
        program.send("position startpos", f"go {words}", "ponderhit")
        program.nothing_for(0.3, "bestmove")
        program.send("stop")
        program.until("bestmove")


def test_ponderhit_gives_a_timed_search_no_more_time(program: Program) -> None:
    program.send("position startpos", "go movetime 300")
    time.sleep(0.2)
    program.send("ponderhit")
    program.until("bestmove")
    assert program.latency < (0.25 if COMPILED else 8.0)


def test_ponder_move_is_legal(program: Program) -> None:
    import chess

    program.send("position startpos", "go depth 5")
    words = program.until("bestmove")[-1].split()
    board = chess.Board()
    board.push_uci(words[1])
    assert words[2] == "ponder"
    assert chess.Move.from_uci(words[3]) in board.legal_moves


def test_stop_and_ponderhit_while_idle_are_forgotten(program: Program) -> None:
    program.send("stop", "ponderhit", "stop", "position startpos", "go depth 4")
    program.until("info depth  4")
    program.until("bestmove")
    program.send("stop", "ponderhit", "isready")
    assert program.until("readyok") == ["readyok"]


def test_promotion_and_castling_are_written_in_coordinates(session: Session) -> None:
    output = session.answer("position fen 8/P7/8/8/8/8/k6K/8 w - - 0 1", "go depth 3 searchmoves a7a8q")
    assert output[-1].split()[1] == "a7a8q"
    output = session.answer("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "go depth 3 searchmoves e1g1")
    assert output[-1].split()[1] == "e1g1"


def test_the_move_is_played_on_the_games_position(session: Session) -> None:
    output = session.answer("position startpos", "go depth 3")
    assert move_text(0) == "0000"
    played = output[-1].split()[1]
    assert session.send("getboard")[-1].split()[1] == "b"
    assert session.game.history[0].key == START.key
    assert session.game.play_text(played) is False
