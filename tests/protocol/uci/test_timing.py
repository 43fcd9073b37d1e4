"""How soon answers come while the clock runs, in the running program; what ``stop`` and ``ponderhit`` do to it."""

import time

import chess
import pytest
from modes import COMPILED
from processes import busy_seconds
from programs import Program

pytestmark = pytest.mark.processes

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


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
    program.send(f"position fen {MATE_IN_ONE}", "go infinite")
    program.until("info depth  4")
    program.nothing_for(0.5, "bestmove")
    program.send("stop")
    assert program.until("bestmove")[-1] == "bestmove d1d8"


@pytest.mark.parametrize(
    ("fen", "answer", "words"),
    [
        *(
            (fen, answer, words)
            for fen, answer in (
                ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "bestmove (none)"),
                ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "bestmove (none)"),
                ("k7/8/8/8/8/8/6r1/7K w - - 0 1", "bestmove h1g2"),
                (MATE_IN_ONE, "bestmove d1d8"),
            )
            for words in ("infinite", "ponder")
        ),
        *(
            (MATE_IN_ONE, "bestmove d1d8", words)
            for words in ("ponder infinite", "ponder wtime 1 btime 1", "infinite nodes 9")
        ),
    ],
)
def test_waiting_burns_no_processor(program: Program, fen: str, answer: str, words: str) -> None:
    program.send(f"position fen {fen}", f"go {words}")
    program.until("info depth")
    # Mate in one, searched at no limit, is found and over within this time.
    time.sleep(0.3 if COMPILED else 3.0)
    before = busy_seconds(program.process.pid)
    assert before > 0.0
    program.nothing_for(0.3, "bestmove")
    assert busy_seconds(program.process.pid) - before <= 0.05
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
    program.send("position startpos", "go depth 5")
    words = program.until("bestmove")[-1].split()
    board = chess.Board()
    board.push_uci(words[1])
    assert words[2] == "ponder"
    assert chess.Move.from_uci(words[3]) in board.legal_moves
