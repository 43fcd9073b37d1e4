"""What is accepted where a position is wanted: ours, a FEN, a game, or a board of python-chess with its history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, Union

from pawnstar.api.moves import MoveLike
from pawnstar.api.position import Position
from pawnstar.chess.moves import IllegalMoveError
from pawnstar.chess.position import Position as RulesPosition
from pawnstar.chess.position import make_null_move

if TYPE_CHECKING:
    from pawnstar.api.game import Game


class BoardLike(Protocol):
    """What we use of a ``chess.Board`` of python-chess, which is accepted wherever a position is.

    >>> import pawnstar
    >>> isinstance(pawnstar.Position.initial(), pawnstar.Position)
    True
    """

    @property
    def move_stack(self) -> Sequence[MoveLike]:
        """The moves played so far."""
        ...

    def fen(self, *, en_passant: Literal["legal", "fen", "xfen"] = ...) -> str:
        """The board's FEN."""
        ...

    def root(self) -> BoardLike:
        """The board before all moves."""
        ...


# What is accepted where a position is wanted: ours, a FEN, a game of ours or a board of python-chess with its history.
PositionLike: TypeAlias = Union[Position, BoardLike, "Game", str]


def is_board(board: object) -> bool:
    """Whether it has what we use of a board of python-chess."""
    return hasattr(board, "move_stack") and hasattr(board, "root") and hasattr(board, "fen")


def _checked_board(board: object) -> None:
    """Refuse what is no board of ordinary chess."""
    if not is_board(board):
        raise TypeError(
            f"a position is a pawnstar.Position or Game, a chess.Board or a FEN, not {type(board).__name__}"
        )
    variant = getattr(board, "uci_variant", "chess")
    if variant != "chess" or getattr(board, "chess960", False):
        name = "chess960" if getattr(board, "chess960", False) else variant
        raise ValueError(f"Pawnstar plays standard chess only, not {name}")


def resolve(position: PositionLike) -> tuple[Position, Sequence[Position]]:
    """Our position, and the earlier ones that a game or a python-chess board remembers, oldest first.

    A Position and a FEN remember none. Raises TypeError for anything else.
    """
    if isinstance(position, Position):
        return position, ()
    if isinstance(position, str):
        return Position.from_fen(position), ()
    from pawnstar.api.game import Game

    if isinstance(position, Game):
        return position.position, position.history
    return replayed(position)


def replayed(board: BoardLike) -> tuple[Position, list[Position]]:
    """The position on a python-chess board and the earlier ones of its stack.

    Null moves in the stack make what lies before them irrelevant to repetition: it is left out.
    """
    _checked_board(board)
    current = Position.from_fen(board.root().fen(en_passant="fen"))
    history: list[Position] = []
    for number, move in enumerate(board.move_stack, 1):
        if move.from_square == move.to_square:
            history.clear()
            current = _passed(current)
            continue
        try:
            after = current.play(move)
        except ValueError as error:
            raise IllegalMoveError(f"move {number} of the board's stack: {error}") from None
        history.append(current)
        current = after
    return current, history


def _passed(position: Position) -> Position:
    """The position after a null move, as python-chess makes it: clocks run on. Raises ValueError in check."""
    child = RulesPosition()
    make_null_move(position._rules, child)
    child.null_move = 0  # the search, which does not pass twice, may pass here
    child.clock = (child.clock + 1) & 255
    child.move_number += position._rules.side
    after = Position(child, position.halfmove_clock + 1)
    if position.is_check():
        raise ValueError(f"the side not to move is in check: {after.fen!r}")
    return after
