"""What limits a search.

Not compiled: a few are made a search, and the API's ``Limits`` extends the numbers.
"""

from dataclasses import dataclass, field, fields
from typing import Any


def _at_least(least: int, default: int | None = None) -> Any:
    """A number that the API refuses below ``least``; with the default None it need not be given."""
    return field(default=default, metadata={"least": least})


@dataclass(frozen=True, slots=True)
class LimitNumbers:
    """The limits that are numbers: their names, defaults and least values are written here alone.

    ``depth`` in plies; ``nodes`` positions; ``movetime``, ``time_left`` and ``increment`` in milliseconds;
    ``moves_to_go`` to the next time control (0: none announced); ``mate`` in moves (searched to twice that depth).
    """

    depth: int | None = _at_least(1)
    nodes: int | None = _at_least(1)
    movetime: int | None = _at_least(0)
    time_left: int | None = _at_least(0)
    increment: int = _at_least(0, 0)
    moves_to_go: int = _at_least(0, 0)
    mate: int | None = _at_least(1)


def limit_numbers(limits: LimitNumbers) -> dict[str, Any]:
    """The numbers by name, as keywords for another class that has them."""
    return {number.name: getattr(limits, number.name) for number in fields(LimitNumbers)}


@dataclass(frozen=True, slots=True)
class Limits(LimitNumbers):
    """Limits of one search. All that are given apply; without any, the search runs until it is told to stop.

    ``search_moves`` restricts the root (packed moves; illegal ones are ignored). With ``ponder`` the search runs on the
    opponent's time: no budget counts until ``Engine.ponderhit``. With ``analysis`` the search asks no book, searches an
    only move, too, and reports each line when it is found. With ``book`` False it asks no book.
    """

    search_moves: tuple[int, ...] = ()
    ponder: bool = False
    analysis: bool = False
    book: bool = True

    def depth_limit(self) -> int | None:
        """The depth that the iteration may not pass, from ``depth`` and ``mate``."""
        limits: list[int] = []
        if self.depth is not None:
            limits.append(self.depth)
        if self.mate is not None:
            limits.append(2 * self.mate)
        return min(limits) if limits else None
