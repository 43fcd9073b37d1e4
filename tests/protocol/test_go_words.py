"""The words behind ``go``, read without a session."""

import pytest

from pawnstar.protocol.go import FIXED_DEPTH, FIXED_TIME, INFINITE, STANDARD, ClockState, Go, read_go


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
