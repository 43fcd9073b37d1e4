#!/usr/bin/env python3
"""Play games under a strict referee: no illegal move, no loss on time, no crash, nothing unexpected on standard error.

    ci/games.py --games 200                                        # against itself, 1 s + 0.01 s
    ci/games.py --games 50 --opponent stockfish --opponent-option Threads=1 --opponent-nodes 2000

Every game starts from random opening moves, the same for two games in a row with colours changed. Faults of the engine
under test are printed as they happen, and make the exit status 1. An opponent's faults end a game, but are its own.
"""

import argparse
import asyncio
import random
import shlex
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pawnstar.matches.engine_spec import EngineSpec
from pawnstar.matches.games import Record
from pawnstar.matches.openings import Opening, random_opening
from pawnstar.matches.referee import Referee, strict_rules
from pawnstar.matches.settings import TimeControl

OPPONENT_MARGIN = 1.0  # seconds that another engine may take beyond its clock


@dataclass
class Totals:
    """How the games ended."""

    results: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    points: float = 0.0

    def add(self, record: Record, tested_is_white: bool) -> None:
        """Count a game."""
        self.results[record.result] += 1
        self.endings[record.ending] += 1
        self.moves += sum(record.moves)
        self.points += record.points if tested_is_white else 1.0 - record.points


def options(texts: list[str]) -> Mapping[str, str]:
    """Texts NAME=VALUE as a mapping."""
    return dict(text.split("=", 1) for text in texts)


def specs_of(arguments: argparse.Namespace) -> tuple[EngineSpec, EngineSpec]:
    """The engine under test, and its opponent."""
    own, command = options(arguments.option), tuple(shlex.split(arguments.engine))
    tested = EngineSpec(command, own, "Pawnstar", fair=False, margin=arguments.tolerance)
    if not arguments.opponent:
        return tested, replace(tested, name="Pawnstar 2")
    return tested, EngineSpec(
        tuple(shlex.split(arguments.opponent)),
        options(arguments.opponent_option),
        arguments.opponent,
        fair=False,
        nodes=arguments.opponent_nodes,
        margin=OPPONENT_MARGIN,
    )


async def play(arguments: argparse.Namespace) -> tuple[Totals, Referee]:
    """All games; faults are printed as they happen."""
    totals, dice = Totals(), random.Random(arguments.seed)
    referee = Referee(specs_of(arguments), strict_rules(TimeControl(arguments.time, arguments.increment)))
    opening = Opening("")
    async with referee:
        for number in range(arguments.games):
            tested_is_white = number % 2 == 0
            if tested_is_white:
                opening = random_opening(dice, arguments.plies)
            seen = [len(faults) for faults in referee.faults]
            record = await referee.play(number + 1, opening, tested_is_white)
            totals.add(record, tested_is_white)
            for faults, old in zip(referee.faults, seen, strict=True):
                for fault in faults[old:]:
                    print(f"game {number + 1}: {fault}", flush=True)
            if arguments.pgn:
                print(record.text(), file=arguments.pgn, end="\n\n", flush=True)
    return totals, referee


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=f"{sys.executable} -P -m pawnstar", help="the engine under test")
    parser.add_argument("--opponent", help="another UCI engine's command (default: the engine itself)")
    parser.add_argument("--opponent-option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--opponent-nodes", type=int, help="limit the opponent to so many nodes a move")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the engine under test")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--time", type=float, default=1.0, help="seconds for the game")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds a move")
    parser.add_argument("--tolerance", type=float, default=0.0, help="seconds beyond its clock that a side may take")
    parser.add_argument("--plies", type=int, default=6, help="random opening moves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pgn", type=argparse.FileType("w"), help="write the games there")
    arguments = parser.parse_args()
    started = time.monotonic()
    totals, referee = asyncio.run(play(arguments))
    names = [player.name for player in referee.players]
    print(
        f"{arguments.games} games, {totals.moves} moves, {time.monotonic() - started:.0f} s at {arguments.time:g}+"
        f"{arguments.increment:g}: {totals.points:g} points for {names[0]}; {dict(totals.results)}; "
        f"{dict(totals.endings)}; lowest clock of {names[0]} {referee.least_clock[0]:.3f} s"
    )
    tested, other = referee.faults
    mine = tested if arguments.opponent else tested + other
    print(f"faults of {names[0]}: {len(mine)}")
    for fault in mine:
        print(" ", fault)
    if arguments.opponent:
        print(f"faults of {names[1]}: {len(other)}")
    return 1 if mine else 0


if __name__ == "__main__":
    sys.exit(main())
