"""What limits a search, as its user says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from pawnstar.api import hints
from pawnstar.api.checks import optional_whole, whole
from pawnstar.api.moves import Move, MoveLike
from pawnstar.api.position import Position
from pawnstar.search.limits import LimitNumbers, limit_numbers
from pawnstar.search.limits import Limits as EngineLimits


@dataclass(frozen=True, slots=True)
class Limits(LimitNumbers):
    """Limits of one search. All that are given apply: the first to be reached ends it.

    ``depth`` in plies, from 1 (at least 3 are searched, at most 63); ``nodes`` positions, looked at every 2,048;
    ``movetime``, ``time_left`` and ``increment`` in milliseconds: the whole search's time, or the clock of the side to
    move, from which the engine plans (it leaves the increment as a reserve); ``moves_to_go`` until the next time
    control, 0 where none is announced; ``mate`` in moves, searched to twice that depth; ``search_moves`` restricts the
    search to some moves (``Move``, ``chess.Move`` or text; they must be legal in the position that is searched; none:
    all moves). Any iterable will do, it is kept as a tuple. Numbers may be as large as you like.

    Raises TypeError and ValueError for what is no such number or move.

    >>> import pawnstar
    >>> pawnstar.Limits(depth=6, movetime=500).depth
    6
    >>> pawnstar.Limits(depth=0)
    Traceback (most recent call last):
    ...
    ValueError: depth must be at least 1, not 0
    """

    search_moves: Iterable[MoveLike | str] = ()

    if not TYPE_CHECKING:

        def __new__(cls, *arguments: object, **named: object) -> Limits:
            """Refuse the names that python-chess and UCI have for these numbers."""
            for name in named:
                if name in hints.LIMITS:
                    raise TypeError(f"Limits has no {name!r}: it is {hints.LIMITS[name]}")
            return object.__new__(cls)

    def __post_init__(self) -> None:
        for number in fields(LimitNumbers):
            check = optional_whole if number.default is None else whole
            value = check(number.name, getattr(self, number.name), number.metadata["least"])
            object.__setattr__(self, number.name, value)
        object.__setattr__(self, "search_moves", _moves(self.search_moves))

    def is_unlimited(self) -> bool:
        """Whether nothing ends the search but being told to stop.

        >>> import pawnstar
        >>> pawnstar.Limits().is_unlimited()
        True
        """
        given = (self.depth, self.nodes, self.movetime, self.time_left, self.mate)
        return all(value is None for value in given)


def _moves(moves: object) -> tuple[MoveLike | str, ...]:
    """The search moves as a tuple; raises TypeError where they are none."""
    if isinstance(moves, (str, bytes)) or hasattr(moves, "from_square"):
        raise TypeError(f"search_moves must be several moves, in a list for example, not one {type(moves).__name__}")
    if not isinstance(moves, Iterable):
        raise TypeError(f"search_moves must be moves, in a list for example, not {type(moves).__name__}")
    found = tuple(moves)
    for move in found:
        if not isinstance(move, (str, Move)) and not hasattr(move, "from_square"):
            raise TypeError(f"search_moves holds Moves, chess.Moves or texts, not {type(move).__name__}")
    return found


def engine_limits(limits: Limits, position: Position, *, analysis: bool = False, ponder: bool = False) -> EngineLimits:
    """The engine's own limits; raises ValueError for search moves that are illegal in the position."""
    return EngineLimits(
        **limit_numbers(limits),
        search_moves=tuple(position._packed(move) for move in limits.search_moves),
        analysis=analysis,
        ponder=ponder,
    )
