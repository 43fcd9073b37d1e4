"""A whole match: games handed out to as many boards as play at once, and what they add up to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pawnstar.tools.match.games import Record, Rules, play_game
from pawnstar.tools.match.openings import Opening
from pawnstar.tools.match.players import EngineSpec, MatchError, Player
from pawnstar.tools.match.statistics import Sprt, estimate

RETRIES: Final = 3  # times that an engine may fail to start again before the match is given up


@dataclass
class Tally:
    """The score so far, from the first engine's point of view. Games 2k and 2k + 1 (from 0) are a pair."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    # Pairs that scored 0, 1/2, 1, 3/2 and 2 points.
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    faults: dict[str, int] = field(default_factory=dict)
    _halves: dict[int, float] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """Games finished."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The first engine's share of the points, 0 to 1; 0.5 before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def add(self, record: Record, first_is_white: bool) -> None:
        """Count a finished game."""
        points = record.points if first_is_white else 1.0 - record.points
        if points == 0.5:
            self.draws += 1
        elif points > 0.5:
            self.wins += 1
        else:
            self.losses += 1
        if record.fault:
            self.faults[record.fault] = self.faults.get(record.fault, 0) + 1
        pair = (record.number - 1) // 2
        other = self._halves.pop(pair, None)
        if other is None:
            self._halves[pair] = points
        else:
            self.pairs[round(2 * (points + other))] += 1

    def strength(self) -> str:
        """Elo with its 95 % interval and the likelihood of superiority, as text; empty before the first pair."""
        if sum(self.pairs) == 0:
            return ""
        found = estimate(self.pairs)
        if found.low == found.high:
            return f"Elo {found.elo + 0.0:+.1f}"  # all pairs scored the same, which says nothing of the spread
        spread = f"± {found.margin:.1f}" if found.margin < float("inf") else f"({found.low:+.1f} to {found.high:+.1f})"
        return f"Elo {found.elo + 0.0:+.1f} {spread}, LOS {100 * found.los:.1f} %"

    def line(self, sprt: Sprt | None) -> str:
        """Everything in one line."""
        parts = [f"+{self.wins} ={self.draws} -{self.losses}", f"{100 * self.score:.1f} %", self.strength()]
        if sprt is not None:
            low, high = sprt.bounds
            parts.append(f"LLR {sprt.ratio(self.pairs):.2f} ({low:.2f}, {high:.2f})")
        return ", ".join(part for part in parts if part)


@dataclass
class Outcome:
    """How a match ended: its score, and whether by an interruption or by a verdict of the SPRT."""

    names: tuple[str, str]
    tally: Tally
    verdict: str = ""
    interrupted: bool = False


class Match:
    """Two engines, openings, rules; ``on_game`` is told of every game as it ends, with the tally."""

    def __init__(
        self,
        specs: tuple[EngineSpec, EngineSpec],
        openings: Sequence[Opening],
        rules: Rules,
        games: int,
        concurrency: int = 1,
        sprt: Sprt | None = None,
        on_game: Callable[[Record, Tally], None] = lambda record, tally: None,
    ) -> None:
        self.specs = specs
        self.openings = openings
        self.rules = rules
        self.games = games
        self.concurrency = min(concurrency, games)
        self.sprt = sprt
        self.on_game = on_game
        self.tally = Tally()
        self.names = ("", "")
        self._verdict = ""
        self._numbers: Iterator[int] = iter(range(games))

    def run(self) -> Outcome:
        """Play the match. Ctrl-C ends it with the results so far. Raises MatchError where it cannot go on."""
        return asyncio.run(self._run())

    async def _run(self) -> Outcome:
        workers = [asyncio.create_task(self._work()) for _ in range(self.concurrency)]
        interrupted = False
        try:
            await asyncio.gather(*workers)
        except asyncio.CancelledError:
            # What asyncio makes of Ctrl-C. gather has cancelled the workers; once more would cut short their farewells.
            interrupted = True
        except BaseException:
            for worker in workers:
                worker.cancel()
            raise
        finally:
            await asyncio.gather(*workers, return_exceptions=True)
        return Outcome(self.names, self.tally, self._verdict, interrupted)

    async def _work(self) -> None:
        """One board: game after game with one process of each engine."""
        players = Player(self.specs[0]), Player(self.specs[1])
        try:
            for index in self._numbers:
                if self._verdict:
                    return
                for player in players:
                    await self._ready(player)
                self._name(players)
                first_is_white = index % 2 == 0
                white, black = players if first_is_white else players[::-1]
                opening = self.openings[index // 2 % len(self.openings)]
                record = await play_game(index + 1, white, black, opening, self.rules)
                self.tally.add(record, first_is_white)
                if self.sprt is not None and not self._verdict:
                    self._verdict = self.sprt.verdict(self.tally.pairs)
                self.on_game(record, self.tally)
        finally:
            await asyncio.gather(*(player.quit() for player in players))

    async def _ready(self, player: Player) -> None:
        """Have an engine running. The first start must work; a later one is tried again."""
        for attempt in range(RETRIES):
            first = player.starts == 0
            try:
                await player.ready()
                return
            except MatchError:
                if first or attempt == RETRIES - 1:
                    raise
                await asyncio.sleep(0.5 * (attempt + 1))

    def _name(self, players: tuple[Player, Player]) -> None:
        """The two names, told apart where both engines call themselves the same."""
        one, two = players
        if one.name == two.name:
            one.name, two.name = f"{one.name} (1)", f"{two.name} (2)"
        self.names = (one.name, two.name)
