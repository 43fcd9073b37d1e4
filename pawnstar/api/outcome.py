"""How a game has ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pawnstar.api.score import Color


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game has ended, and who has won it; ``winner`` is None for a draw.

    >>> import pawnstar
    >>> pawnstar.Outcome("checkmate", "black").result(), pawnstar.Outcome("stalemate").result()
    ('0-1', '1/2-1/2')
    """

    termination: Literal["checkmate", "stalemate", "insufficient material", "fifty moves", "threefold repetition"]
    winner: Color | None = None

    def result(self) -> Literal["1-0", "0-1", "1/2-1/2"]:
        """The result as PGN writes it.

        >>> import pawnstar
        >>> pawnstar.Outcome("checkmate", "white").result()
        '1-0'
        """
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner == "white" else "0-1"
