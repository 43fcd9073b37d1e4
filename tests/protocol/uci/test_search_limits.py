"""From the words behind ``go`` to the engine's limits, without a session."""

import pytest

from pawnstar.chess.coordinate import move_text
from pawnstar.chess.fen import start_position
from pawnstar.chess.moves import IDENTITY
from pawnstar.protocol.uci.go import ClockState, read_go, search_limits
from pawnstar.search.limits import Limits


def limits_of(text: str, clock: ClockState | None = None, analyse: bool = False) -> tuple[Limits, list[str]]:
    """The limits and remarks of one line."""
    clock = clock or ClockState()
    return search_limits(read_go(text.split(), clock, white=True), clock, start_position(), analyse)


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("", Limits(time_left=300_000)),
        ("wtime 5 btime 6 winc 7 binc 8 movestogo 9", Limits(time_left=5, increment=7, moves_to_go=9)),
        ("depth 3", Limits(depth=3)),
        ("depth 3 movetime 4", Limits(movetime=4)),
        ("mate 2", Limits(depth=4)),
        ("nodes 7", Limits(nodes=7)),
        ("nodes 0", Limits()),
        ("infinite", Limits(analysis=True)),
        ("infinite depth 7", Limits(depth=7)),
        ("infinite nodes 7", Limits(nodes=7, analysis=True)),
        ("ponder wtime 5", Limits(time_left=5, ponder=True)),
    ],
)
def test_limits(text: str, limits: Limits) -> None:
    assert limits_of(text) == (limits, [])


def test_analyse_mode_analyses_whatever_the_limits() -> None:
    assert limits_of("depth 3", analyse=True) == (Limits(depth=3, analysis=True), [])


def test_an_illegal_move_keeps_its_place_as_no_move() -> None:
    """That moves were asked for keeps the book out, even where none of them is legal."""
    limits, faults = limits_of("searchmoves e2e4 e2e5 depth 1")
    first, second = limits.search_moves
    assert (move_text(first & IDENTITY), second) == ("e2e4", 0)
    assert faults == ["searchmoves: illegal move 'e2e5' ignored"]


@pytest.mark.parametrize(
    ("text", "endless"),
    [("infinite", True), ("infinite depth 5", False), ("nodes 5", False), ("infinite nodes 5", True)],
)
def test_what_waits_for_a_stop(text: str, endless: bool) -> None:
    clock = ClockState()
    assert read_go(text.split(), clock, white=True).is_endless(clock) is endless
