"""A score as its user reads it: an int with a point of view."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from pawnstar.api import hints
from pawnstar.api.checks import whole
from pawnstar.search.scores import is_mate, mate_in

Color: TypeAlias = Literal["white", "black"]

# Centipawns a unit of the logistic curve: the scale that the net's file states.
_SCALE: Final = 400


class WinDrawLoss(NamedTuple):
    """Probabilities of a win, a draw and a loss; they add up to 1.

    >>> import pawnstar
    >>> pawnstar.Score(0).wdl()
    WinDrawLoss(win=0.25, draw=0.5, loss=0.25)
    """

    win: float
    draw: float
    loss: float


class Score(int):
    """A score in centipawns, beyond ±31,000 a forced mate, and the side from whose point of view it is: ``turn``.

    It is an int: it compares, adds up, prints and formats as one (the results of arithmetic are plain ints; only its
    ``repr`` names the point of view). A nearer mate is a higher score, a farther one for those who are mated. Compare
    scores of one point of view only, such as ``white()`` of both: as ints, +50 for White and +50 for Black are equal.

    >>> import pawnstar
    >>> score = pawnstar.Score(31, "black")
    >>> score + 1, str(score), score.white()
    (32, '31', Score(-31, 'white'))
    >>> pawnstar.Score(31899) > pawnstar.Score(31897) > pawnstar.Score(900)
    True
    """

    turn: Color

    def __new__(cls, value: int = 0, turn: Color = "white") -> Score:
        """Raises TypeError where ``value`` is no int, ValueError where ``turn`` is no side."""
        if turn not in ("white", "black"):
            raise ValueError(f"turn must be 'white' or 'black', not {turn!r}")
        score = super().__new__(cls, whole("a score", value))
        object.__setattr__(score, "turn", turn)
        return score

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Score never changes")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Score never changes")

    def white(self) -> Score:
        """The score from White's point of view.

        >>> import pawnstar
        >>> pawnstar.Score(31, "black").white()
        Score(-31, 'white')
        """
        return self._seen_by("white")

    def black(self) -> Score:
        """The score from Black's point of view.

        >>> import pawnstar
        >>> pawnstar.Score(31, "white").black()
        Score(-31, 'black')
        """
        return self._seen_by("black")

    def _seen_by(self, color: Color) -> Score:
        return self if color == self.turn else Score(-int(self), color)

    def cp(self) -> int | None:
        """Centipawns; None where the score is a mate.

        >>> import pawnstar
        >>> pawnstar.Score(31).cp(), pawnstar.Score(31899).cp()
        (31, None)
        """
        return None if is_mate(self) else int(self)

    def mate(self) -> int | None:
        """Moves to the forced mate, negative when being mated, 0 on a mated board; None where the score is no mate.

        >>> import pawnstar
        >>> pawnstar.Score(31897).mate(), pawnstar.Score(-31898).mate(), pawnstar.Score(31).mate()
        (2, -1, None)
        """
        return mate_in(self)

    def is_mate(self) -> bool:
        """Whether a mate is forced, for either side.

        >>> import pawnstar
        >>> pawnstar.Score(-31898).is_mate()
        True
        """
        return is_mate(self)

    def expectation(self) -> float:
        """The points to be expected of the game, 0 to 1: ``1 / (1 + exp(-centipawns / 400))``; 1 or 0 for mates.

        This is the logistic convention, by the scale of 400 that the net's file states: training targets are
        made so. It has not been fitted to games of this engine.

        >>> import pawnstar
        >>> pawnstar.Score(0).expectation(), round(pawnstar.Score(100).expectation(), 3)
        (0.5, 0.562)
        """
        if is_mate(self):
            return 1.0 if self > 0 else 0.0
        return 1 / (1 + math.exp(-int(self) / _SCALE))

    def wdl(self) -> WinDrawLoss:
        """Win, draw and loss that make up the expectation E: E², 2E(1 - E) and (1 - E)².

        A convention without parameters, as if each of the two half points were won by itself; not fitted to games.

        >>> import pawnstar
        >>> win, draw, loss = pawnstar.Score(100).wdl()
        >>> round(win, 2), round(draw, 2), round(loss, 2)
        (0.32, 0.49, 0.19)
        """
        expected = self.expectation()
        return WinDrawLoss(expected * expected, 2 * expected * (1 - expected), (1 - expected) * (1 - expected))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            raise hints.missing(self, name, hints.SCORE)

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, (int(self), self.turn)

    def __str__(self) -> str:
        return int.__repr__(self)

    def __repr__(self) -> str:
        return f"Score({int(self)}, {self.turn!r})"
