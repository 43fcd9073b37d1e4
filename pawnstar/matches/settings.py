"""How a match is played: clocks and limits, what ends a game early, how many games. Without python-chess."""

from __future__ import annotations

from dataclasses import dataclass

from pawnstar.matches.statistics import Sprt


@dataclass(frozen=True)
class TimeControl:
    """What limits each move. ``base`` and ``increment`` in seconds, where there is a clock; else nodes or plies."""

    base: float | None = None
    increment: float = 0.0
    nodes: int | None = None
    depth: int | None = None

    def __str__(self) -> str:
        if self.base is not None:
            return f"{self.base:g}+{self.increment:g}"
        return f"{self.nodes} nodes" if self.nodes is not None else f"depth {self.depth}"


@dataclass(frozen=True)
class Rules:
    """How games are limited and ended.

    ``margin``: seconds that a clock may be overrun. ``timeout``: seconds for a move without a clock. Resignation: both
    engines agree, for ``resign_moves`` moves each, that one is ahead by ``resign_score`` centipawns. Draw: from move
    ``draw_after`` on, both report at most ``draw_score`` centipawns for ``draw_moves`` moves each. 0 moves: never.
    """

    control: TimeControl
    margin: float = 0.05
    timeout: float = 60.0
    resign_score: int = 1000
    resign_moves: int = 4
    draw_score: int = 10
    draw_moves: int = 8
    draw_after: int = 40


@dataclass(frozen=True)
class MatchSettings:
    """A whole match: ``games`` by the ``rules``, ``concurrency`` of them at once, until ``sprt`` has its verdict."""

    rules: Rules
    games: int = 100
    concurrency: int = 1
    sprt: Sprt | None = None
