"""What limits a search."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits of one search; all that are given apply, and none at all means until told to stop.

    ``depth`` in plies; ``nodes`` positions; ``movetime``, ``time_left`` and ``increment`` in milliseconds;
    ``moves_to_go`` to the next time control (0: none announced); ``mate`` in moves (searched to twice that depth);
    ``search_moves`` restricts the root (packed moves; those that are not legal do not count); ``ponder`` searches on
    the opponent's time: no clock runs until ``Engine.ponderhit``; ``analysis`` wants the position looked at, whatever
    would be played: no book, an only move is searched too, and each line is reported when it is found.
    """

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    time_left: int | None = None
    increment: int = 0
    moves_to_go: int = 0
    mate: int | None = None
    search_moves: tuple[int, ...] = ()
    ponder: bool = False
    analysis: bool = False

    def depth_limit(self) -> int | None:
        """The depth that the iteration may not pass, from ``depth`` and ``mate``."""
        limits: list[int] = []
        if self.depth is not None:
            limits.append(self.depth)
        if self.mate is not None:
            limits.append(2 * self.mate)
        return min(limits) if limits else None
