"""The strict referee: what a match forgives is a fault."""

import asyncio
import time

import chess
import pytest
from fake_engine import command_of

from pawnstar.matches.engine_spec import EngineSpec
from pawnstar.matches.games import Record
from pawnstar.matches.openings import default_openings
from pawnstar.matches.referee import Referee, Stalls, ponder_fault, strict_rules
from pawnstar.matches.settings import Rules, TimeControl

SHORT = Rules(TimeControl(nodes=1), timeout=5.0, draw_moves=1, draw_after=7)


def fake(name: str, *arguments: str) -> EngineSpec:
    return EngineSpec(command_of(name, *arguments))


def refereed(one: EngineSpec, games: int = 1, rules: Rules = SHORT) -> tuple[Referee, list[Record]]:
    referee = Referee((one, fake("Good")), rules)

    async def play() -> list[Record]:
        async with referee:
            opening = default_openings()[0]
            return [await referee.play(number + 1, opening, number % 2 == 0) for number in range(games)]

    return referee, asyncio.run(play())


@pytest.mark.processes
def test_good_engines_have_no_faults() -> None:
    referee, records = refereed(fake("A"), 2)
    assert referee.faults == ([], [])
    assert [record.reason for record in records] == ["draw by adjudication"] * 2
    assert [(record.white, record.black) for record in records] == [("A", "Good"), ("Good", "A")]


@pytest.mark.processes
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("crash", "A crashed (exit status 3); the move took "),
        ("hang", "A hangs; the move took "),
        ("illegal", "A: illegal move a1a1 in "),
        ("none-move", "A gives no move; the move took "),
        ("slow", "A loses on time; the move took 2."),
    ],
)
def test_a_lost_game_is_told_with_its_position(fault: str, told: str) -> None:
    rules = strict_rules(TimeControl(1.5)) if fault == "slow" else Rules(TimeControl(nodes=1), timeout=1.0)
    referee, records = refereed(fake("A", "--fault", fault, "--after", "5"), 1, rules)
    assert records[0].result == "0-1"
    assert referee.faults[1] == []
    assert referee.faults[0][0].startswith(told)
    assert "(the referee itself was kept waiting " in referee.faults[0][0]
    board = records[0].pgn.end().board()
    assert f", at {board.fen()}" in referee.faults[0][0]


@pytest.mark.processes
def test_lines_out_of_place_ponder_moves_and_standard_error_are_faults() -> None:
    """A match overhears all of it."""
    referee, records = refereed(fake("Loud", "--chatter"))
    assert records[0].fault == ""
    mine = "\n".join(referee.faults[0])
    assert "unexpected line 'rubbish }{ \u2654', at " in mine
    assert "illegal ponder move a1h8 after " in mine
    assert "standard error: ['a flood', " in mine
    assert "unexpected line 'info" not in mine
    assert referee.faults[1] == []


@pytest.mark.processes
def test_an_engine_that_ends_between_games_is_told_and_started_again() -> None:
    async def play() -> Referee:
        referee = Referee((fake("A"), fake("Good")), SHORT)
        async with referee:
            opening = default_openings()[0]
            await referee.play(1, opening, True)
            referee.players[0].end()
            await referee.players[0].how_it_ended()
            await referee.play(2, opening, False)
        return referee

    referee = asyncio.run(play())
    assert referee.players[0].starts == 2
    assert len(referee.faults[0]) == 1
    assert referee.faults[0][0].startswith("ended between games (")


@pytest.mark.processes
def test_an_engine_that_does_not_quit_is_told() -> None:
    referee, _ = refereed(fake("Deaf", "--deaf"))
    assert referee.faults == (["did not end within 2 s of quit"], [])


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("e2e4", ""),
        ("e2e4 ponder e7e5", ""),
        ("e2e4 ponder", "'bestmove e2e4 ponder' is not of the form bestmove MOVE ponder MOVE"),
        ("e2e4 e7e5", "'bestmove e2e4 e7e5' is not of the form"),
        ("e2e4 ponder e2e4", "illegal ponder move e2e4 after e2e4 in "),
        ("e2e4 ponder 0000", "illegal ponder move 0000 after e2e4 in "),
        ("e2e4 ponder }{", "illegal ponder move }{ after e2e4 in "),
    ],
)
def test_ponder_moves(said: str, fault: str) -> None:
    board = chess.Board()
    board.push_uci("e2e4")
    found = ponder_fault(said, board)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


def test_a_stall_of_the_machine_is_noticed() -> None:
    async def stall() -> float:
        stalls = Stalls()
        watch = asyncio.create_task(stalls.watch())
        await asyncio.sleep(0.05)
        threshold = stalls.worst
        time.sleep(threshold + 0.2)  # nothing else may run, which is what a stall is
        await asyncio.sleep(0.05)
        watch.cancel()
        return stalls.worst - threshold

    assert asyncio.run(stall()) > 0.1


def test_strict_rules_adjudicate_nothing() -> None:
    rules = strict_rules(TimeControl(1.0, 0.01))
    assert (rules.margin, rules.resign_moves, rules.draw_moves) == (0.0, 0, 0)
