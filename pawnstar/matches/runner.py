"""A whole match: its games, several at once, and their score."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pawnstar.matches.engine_spec import EngineSpec, MatchError
from pawnstar.matches.games import Record, play_game
from pawnstar.matches.openings import Opening
from pawnstar.matches.players import Player
from pawnstar.matches.settings import MatchSettings
from pawnstar.matches.statistics import Sprt, estimate

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
    # How many games ended how; of each engine the moves that it played, their depths' sum, the seconds that it thought.
    endings: dict[str, int] = field(default_factory=dict)
    moves: list[int] = field(default_factory=lambda: [0, 0])
    depths: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    # The points of games whose partner is still to come, by pair.
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
        self.endings[record.ending] = self.endings.get(record.ending, 0) + 1
        for side in (0, 1):
            engine = side if first_is_white else 1 - side
            self.moves[engine] += record.moves[side]
            self.depths[engine] += record.depths[side]
            self.seconds[engine] += record.seconds[side]
        pair = (record.number - 1) // 2
        other = self._halves.pop(pair, None)
        if other is None:
            self._halves[pair] = points
        else:
            self.pairs[round(2 * (points + other))] += 1

    @property
    def unpaired(self) -> int:
        """Games whose partner has not been played (yet)."""
        return len(self._halves)

    @property
    def counts(self) -> list[float]:
        """The pairs, and each game without its partner as half a pair of twice its points."""
        counts: list[float] = [float(count) for count in self.pairs]
        for points in self._halves.values():
            counts[round(4 * points)] += 0.5
        return counts

    def strength(self) -> list[str]:
        """Elo with its 95 % interval, and the likelihood of superiority, as texts; none before the first game."""
        if self.games == 0:
            return []
        found = estimate(self.counts)
        return [f"Elo {found.elo + 0.0:+.1f} ± {found.margin:.1f}", f"LOS {100 * found.los:.1f} %"]

    def parts(self, sprt: Sprt | None) -> list[str]:
        """Games, points, Elo, likelihoods: the parts of the score as texts, the most important first."""
        parts = [f"+{self.wins} ={self.draws} -{self.losses}", f"{100 * self.score:.1f} %", *self.strength()]
        if sprt is not None:
            low, high = sprt.bounds
            parts.append(f"LLR {sprt.ratio(self.pairs):.2f} ({low:.2f}, {high:.2f})")
        return parts

    def line(self, sprt: Sprt | None) -> str:
        """The score in one line."""
        return ", ".join(self.parts(sprt))


@dataclass
class Outcome:
    """How a match ended: its score, and whether by an interruption, by a verdict of the SPRT, or by a failure."""

    names: tuple[str, str]
    tally: Tally
    verdict: str = ""
    interrupted: bool = False
    failure: str = ""


def distinct_names(first: str, second: str) -> tuple[str, str]:
    """The two engines' names, numbered where they are the same."""
    return (f"{first} (1)", f"{second} (2)") if first == second else (first, second)


class Match:
    """Two engines that play games from openings; ``run`` plays them.

    ``on_start`` is told the engines' names when they run, ``on_game`` of every game as it ends, with the tally;
    ``on_tick`` is called once a second.
    """

    def __init__(
        self,
        specs: tuple[EngineSpec, EngineSpec],
        openings: Sequence[Opening],
        settings: MatchSettings,
        on_game: Callable[[Record, Tally], None] = lambda record, tally: None,
        on_start: Callable[[tuple[str, str]], None] = lambda names: None,
        on_tick: Callable[[], None] = lambda: None,
    ) -> None:
        self.specs = specs
        self.openings = openings
        self.settings = settings
        self.on_game = on_game
        self.on_start = on_start
        self.on_tick = on_tick
        self.tally = Tally()
        self.names: tuple[str, str] = ("", "")
        self._verdict = ""
        self._numbers: Iterator[int] = iter(range(settings.games))
        self._players: list[Player] = []
        self._workers: list[asyncio.Task[None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._interruptions = 0

    def run(self) -> Outcome:
        """Play the match. Raises MatchError where it cannot go on and no game has been played."""
        return asyncio.run(self._run())

    def interrupt(self) -> None:
        """End the match with the results so far. A second call no longer waits for the engines to quit.

        Safe in a signal handler.
        """
        self._interruptions += 1
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        """Do what ``interrupt`` asks, in the event loop."""
        if self._interruptions == 1:
            # Once more would cut short the farewells that follow.
            for worker in self._workers:
                worker.cancel()
        else:
            for player in self._players:
                player.end()

    async def _run(self) -> Outcome:
        self._loop = asyncio.get_running_loop()
        boards = min(self.settings.concurrency, self.settings.games)
        self._workers = [asyncio.create_task(self._work()) for _ in range(boards)]
        ticker = asyncio.create_task(self._tick())
        interrupted, failure = False, ""
        if self._interruptions:
            self._end()
        try:
            await asyncio.gather(*self._workers)
        except asyncio.CancelledError:
            # What `interrupt` makes, and asyncio of Ctrl-C; gather has cancelled the workers then.
            interrupted = True
        except MatchError as error:
            if self.tally.games == 0:
                raise
            failure = str(error)
        finally:
            ticker.cancel()
            # Not a second time where they have been cancelled already.
            for worker in self._workers:
                if not worker.cancelling():
                    worker.cancel()
            await asyncio.gather(*self._workers, return_exceptions=True)
            self._loop = None
        return Outcome(self.names, self.tally, self._verdict, interrupted, failure)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            self.on_tick()

    async def _work(self) -> None:
        """One board: game after game with one process of each engine."""
        players = Player(self.specs[0]), Player(self.specs[1])
        self._players += players
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
                record = await play_game(index + 1, white, black, opening, self.settings.rules)
                self.tally.add(record, first_is_white)
                if self.settings.sprt is not None and not self._verdict:
                    self._verdict = self.settings.sprt.verdict(self.tally.pairs)
                self.on_game(record, self.tally)
        finally:
            await asyncio.gather(*(player.quit() for player in players))

    async def _ready(self, player: Player) -> None:
        """Make sure that an engine runs. Raises MatchError if its first start fails, a later one ``RETRIES`` times."""
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
        """Give the players the match's names. The first two players that run decide them."""
        if not any(self.names):
            self.names = distinct_names(players[0].name, players[1].name)
            self.on_start(self.names)
        for player, name in zip(players, self.names, strict=True):
            player.name = name
