"""A move as its user sees it: two squares and perhaps a promotion."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from pawnstar.api.checks import whole
from pawnstar.chess.moves import InvalidMoveError, from_square, promoted_piece, to_square
from pawnstar.chess.pieces import BISHOP, KNIGHT, PIECE_LETTERS, QUEEN, ROOK
from pawnstar.chess.squares import parse_square, square_name

if TYPE_CHECKING:
    import chess

_COORDINATES: Final = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrq]?)")


class MoveLike(Protocol):
    """Whatever names two squares and perhaps a promotion: a ``Move`` of ours or a ``chess.Move`` of python-chess.

    >>> import pawnstar
    >>> move: pawnstar.MoveLike = pawnstar.Move.from_uci("e2e4")
    >>> move.from_square, move.to_square, move.promotion
    (12, 28, None)
    """

    @property
    def from_square(self) -> int:
        """The square moved from, 0 (a1) to 63 (h8)."""
        ...

    @property
    def to_square(self) -> int:
        """The square moved to, 0 (a1) to 63 (h8)."""
        ...

    @property
    def promotion(self) -> int | None:
        """The kind of piece promoted to, 2 (knight) to 5 (queen), or None."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A move: ``from_square`` and ``to_square``, 0 (a1) to 63 (h8), and the kind of piece promoted to.

    ``promotion`` is 2 for a knight, 3 a bishop, 4 a rook, 5 a queen, None for any other move. Castling is the king's
    move (e1g1). A move knows no position; whether it is legal, a capture or a check, its ``Position`` tells. Squares
    and kinds are numbered as in python-chess. A ``chess.Move`` of the same squares and promotion is equal, so that it
    is found in ``legal_moves``. Moves sort by their squares. Raises TypeError for what is no int, ValueError for
    squares and promotions that do not exist.

    >>> import pawnstar
    >>> move = pawnstar.Move.from_uci("e7e8q")
    >>> move
    Move.from_uci('e7e8q')
    >>> move == pawnstar.Move(52, 60, promotion=5)
    True
    >>> str(move)
    'e7e8q'
    """

    from_square: int
    to_square: int
    promotion: int | None = None

    def __post_init__(self) -> None:
        for name in ("from_square", "to_square", "promotion"):
            value = getattr(self, name)
            if type(value) is not int and (name, value) != ("promotion", None):
                object.__setattr__(self, name, whole(name, value, 0))
        if not (0 <= self.from_square <= 63 and 0 <= self.to_square <= 63) or self.from_square == self.to_square:
            raise ValueError(
                f"a move leads from one square to another, 0 to 63, not {self.from_square} to {self.to_square}"
            )
        if self.promotion is not None and self.promotion not in (KNIGHT, BISHOP, ROOK, QUEEN):
            raise ValueError(f"a pawn promotes to 2 (knight), 3 (bishop), 4 (rook) or 5 (queen), not {self.promotion}")

    @classmethod
    def from_uci(cls, text: str) -> Move:
        """The move of a text in coordinate notation (``e2e4``, ``e7e8q``, ``e1g1``).

        Raises InvalidMoveError for any other.

        >>> import pawnstar
        >>> pawnstar.Move.from_uci("g1f3").to_square
        21
        >>> pawnstar.Move.from_uci("Nf3")
        Traceback (most recent call last):
        ...
        pawnstar.chess.moves.InvalidMoveError: 'Nf3' is no move in coordinate notation
        """
        if not isinstance(text, str):
            raise TypeError(f"a move in coordinate notation is a str, not {type(text).__name__}")
        match = _COORDINATES.fullmatch(text)
        if match is None or match[1] == match[2]:
            raise InvalidMoveError(f"{text!r} is no move in coordinate notation")
        promotion = PIECE_LETTERS.index(match[3].upper()) if match[3] else None
        return cls(parse_square(match[1]), parse_square(match[2]), promotion)

    def uci(self) -> str:
        """Coordinate notation, as UCI writes it.

        >>> import pawnstar
        >>> pawnstar.Move(12, 28).uci()
        'e2e4'
        """
        letter = PIECE_LETTERS[self.promotion].lower() if self.promotion is not None else ""
        return square_name(self.from_square) + square_name(self.to_square) + letter

    def to_chess(self) -> chess.Move:
        """The ``chess.Move`` of python-chess. Raises ImportError where python-chess is not installed.

        >>> import pawnstar
        >>> import chess
        >>> board = chess.Board()
        >>> board.push(pawnstar.Move.from_uci("e2e4").to_chess())
        """
        import chess

        return chess.Move(self.from_square, self.to_square, self.promotion)

    @classmethod
    def from_chess(cls, move: MoveLike) -> Move:
        """Our move for a ``chess.Move`` of python-chess. Raises ValueError for a null move.

        >>> import pawnstar
        >>> pawnstar.Move.from_chess(pawnstar.Move(12, 28))
        Move.from_uci('e2e4')
        """
        try:
            return cls(move.from_square, move.to_square, move.promotion)
        except AttributeError:
            raise TypeError(f"a move is a Move, a chess.Move or a str, not {type(move).__name__}") from None

    @property
    def drop(self) -> None:
        """None: no move of chess puts a piece on the board. Python-chess's boards ask for it.

        >>> import pawnstar
        >>> pawnstar.Move(12, 28).drop is None
        True
        """
        return None

    def _order(self) -> tuple[int, int, int]:
        return self.from_square, self.to_square, self.promotion or 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Move):
            return self._order() == other._order()
        try:
            # A chess.Move, by what it has: python-chess need not be installed.
            theirs = (other.from_square, other.to_square, other.promotion, other.drop)  # type: ignore[attr-defined]
        except AttributeError:
            return NotImplemented
        return bool((self.from_square, self.to_square, self.promotion, None) == theirs)

    def __hash__(self) -> int:
        # As python-chess's, for the sake of sets that hold both.
        return hash((self.from_square, self.to_square, self.promotion, None))

    def __lt__(self, other: Move) -> bool:
        return self._order() < other._order() if isinstance(other, Move) else NotImplemented

    def __le__(self, other: Move) -> bool:
        return self._order() <= other._order() if isinstance(other, Move) else NotImplemented

    def __gt__(self, other: Move) -> bool:
        return self._order() > other._order() if isinstance(other, Move) else NotImplemented

    def __ge__(self, other: Move) -> bool:
        return self._order() >= other._order() if isinstance(other, Move) else NotImplemented

    def __str__(self) -> str:
        return self.uci()

    def __repr__(self) -> str:
        return f"Move.from_uci({self.uci()!r})"


def unpacked(move: int) -> Move:
    """The move that the rules and the search hold as one integer."""
    return Move(int(from_square(move)), int(to_square(move)), int(promoted_piece(move)) or None)
