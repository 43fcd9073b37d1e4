"""Policies: who chooses the columns of a game."""

from __future__ import annotations

from re import compile as pattern
from typing import Final

from pawnstar.drop7.rules.rng import Source
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.rules.words import MASK32
from pawnstar.drop7.search.search import Searcher
from pawnstar.drop7.search.table import PrivateTable, Table

RANDOM_SEED: Final = 0x5EED5EED
SEARCH: Final = pattern(r"d([1-9])s([1-9][0-9]?)")
SEARCH_SLOTS: Final = 65_536


class Policy:
    """Chooses a column. The base class is ``center``: the first open column from the middle outwards."""

    def choose(self, state: State) -> int:
        """A column with room; the game is not over."""
        return state.legal_columns()[0]


class RandomPolicy(Policy):
    """Any column with room, by a generator of its own."""

    def __init__(self, game_seed: int) -> None:
        """The same game seed gives the same choices."""
        self.source: Source = Source((game_seed ^ RANDOM_SEED) & MASK32)

    def choose(self, state: State) -> int:
        """A column with room; the game is not over."""
        columns = sorted(state.legal_columns())
        return columns[(int(self.source.bits()) * len(columns)) >> 32]


class SearchPolicy(Policy):
    """The best column of a search."""

    def __init__(self, depth: int, samples: int, table: Table | None = None) -> None:
        """Look ``depth`` discs ahead with ``samples`` sampled futures."""
        self.depth: int = depth
        self.searcher: Searcher = Searcher(samples, table=table)

    def __reduce__(self) -> tuple[object, ...]:
        """Refuse copies and pickles."""
        raise TypeError("a SearchPolicy holds a Searcher and is not copied: make another with named_policy")

    def choose(self, state: State) -> int:
        """A column with room; the game is not over."""
        return self.searcher.choose_action(state, self.depth)


def named_policy(name: str, game_seed: int) -> Policy:
    """``center``, ``random``, or a search such as ``d2s3``: depth 2 with 3 samples.

    >>> named_policy("d2s3", 1).choose(State.start(4))
    3

    Raises:
        ValueError: there is no such policy.
    """
    if name == "center":
        return Policy()
    if name == "random":
        return RandomPolicy(game_seed)
    match = SEARCH.fullmatch(name)
    if match is None:
        raise ValueError(f"unknown policy {name}: want center, random, or a search such as d3s7")
    depth = int(match.group(1))
    return SearchPolicy(depth, int(match.group(2)), PrivateTable(SEARCH_SLOTS) if depth > 2 else None)
