"""A game: a position that remembers how it came about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pawnstar.api import hints
from pawnstar.api.boards import BoardLike, PositionLike, resolve
from pawnstar.api.moves import Move, MoveLike
from pawnstar.api.outcome import Outcome
from pawnstar.api.position import Position, notebook_picture
from pawnstar.api.score import Color

if TYPE_CHECKING:
    import chess


class Game:
    """Moves played from a position, one after the other, and taken back; the one thing here that changes.

    It is accepted wherever a position is, and brings its own history, so that an engine sees repetitions. It starts
    from the initial position, or from any other (a FEN, a ``Position``, a ``chess.Board`` with its moves). Equal games
    have the same start and moves.

    >>> import pawnstar
    >>> game = pawnstar.Game()
    >>> for move in ("f3", "e5", "g4", "Qh4"):
    ...     game.push(move)
    >>> game.san(), game.outcome()
    ('1. f3 e5 2. g4 Qh4#', Outcome(termination='checkmate', winner='black'))
    >>> game.pop(), len(game)
    (Move.from_uci('d8h4'), 3)
    """

    __slots__ = ("_moves", "_positions")

    def __init__(self, position: PositionLike | None = None, moves: Iterable[MoveLike | str] = ()) -> None:
        """Start from ``position`` and push ``moves``; raises IllegalMoveError where one is illegal."""
        if isinstance(moves, str):
            raise TypeError("moves must be several moves, in a list for example, not one str")
        self._moves: list[Move] = []
        if position is None:
            self._positions = [Position.initial()]
        elif isinstance(position, Game):
            self._positions = list(position._positions)
            self._moves = list(position._moves)
        else:
            current, history = resolve(position)
            self._positions = [*history, current]
            stack = [] if isinstance(position, (Position, str)) else list(position.move_stack)
            self._moves = [Move.from_chess(move) for move in stack[len(stack) - len(history) :]]
        for move in moves:
            self.push(move)

    @classmethod
    def from_chess(cls, board: BoardLike) -> Game:
        """The game on a ``chess.Board`` of python-chess, its moves since the last null move included.

        >>> import chess
        >>> import pawnstar
        >>> board = chess.Board()
        >>> board.push_san("e4")
        Move.from_uci('e2e4')
        >>> pawnstar.Game.from_chess(board).moves
        (Move.from_uci('e2e4'),)
        """
        Position.from_chess(board)  # refuses what is no board
        return cls(board)

    def to_chess(self) -> chess.Board:
        """A ``chess.Board`` of python-chess with all moves. Raises ImportError where it is not installed.

        >>> import pawnstar
        >>> pawnstar.Game(moves=["e4", "e5"]).to_chess().peek()
        Move.from_uci('e7e5')
        """
        board = self.start.to_chess()
        for move in self._moves:
            board.push(move.to_chess())
        return board

    # Moves.

    def push(self, move: MoveLike | str) -> None:
        """Play a move. Raises ``Position.play``'s errors, and leaves the game as it is, where it cannot be played.

        >>> import pawnstar
        >>> game = pawnstar.Game()
        >>> game.push("Nf3")
        >>> game.push("Nf3")
        Traceback (most recent call last):
        ...
        pawnstar.chess.moves.IllegalMoveError: 'Nf3' is illegal in this position
        """
        before = self.position
        played = before.parse_san(move) if isinstance(move, str) else Move.from_chess(move)
        after = before.play(played)
        self._moves.append(played)
        self._positions.append(after)

    def pop(self) -> Move:
        """Take back the last move and return it. Raises IndexError where none has been played.

        >>> import pawnstar
        >>> pawnstar.Game(moves=["e4"]).pop()
        Move.from_uci('e2e4')
        """
        if not self._moves:
            raise IndexError("there is no move to take back")
        self._positions.pop()
        return self._moves.pop()

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played, oldest first.

        >>> import pawnstar
        >>> pawnstar.Game(moves=["e4"]).moves
        (Move.from_uci('e2e4'),)
        """
        return tuple(self._moves)

    def __len__(self) -> int:
        """The number of moves (plies) played."""
        return len(self._moves)

    def __bool__(self) -> bool:
        """True: a game is one before its first move."""
        return True

    def san(self) -> str:
        """The moves in algebraic notation, numbered.

        >>> import pawnstar
        >>> pawnstar.Game(moves=["e4", "e5", "Nf3"]).san()
        '1. e4 e5 2. Nf3'
        """
        return self.start.variation_san(self._moves)

    # Positions.

    @property
    def position(self) -> Position:
        """The position now.

        >>> import pawnstar
        >>> pawnstar.Game(moves=["e4"]).position.turn
        'black'
        """
        return self._positions[-1]

    @property
    def history(self) -> tuple[Position, ...]:
        """The earlier positions, oldest first.

        >>> import pawnstar
        >>> pawnstar.Game(moves=["e4"]).history == (pawnstar.Position.initial(),)
        True
        """
        return tuple(self._positions[:-1])

    @property
    def start(self) -> Position:
        """The position before the first move.

        >>> import pawnstar
        >>> pawnstar.Game(moves=["e4"]).start == pawnstar.Position.initial()
        True
        """
        return self._positions[0]

    @property
    def turn(self) -> Color:
        """The side to move.

        >>> import pawnstar
        >>> pawnstar.Game(moves=["e4"]).turn
        'black'
        """
        return self.position.turn

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves now; none once the game is over by checkmate or stalemate.

        >>> import pawnstar
        >>> len(pawnstar.Game().legal_moves)
        20
        """
        return self.position.legal_moves

    def outcome(self) -> Outcome | None:
        """How the game has ended, repetitions included, or None where it goes on.

        >>> import pawnstar
        >>> pawnstar.Game(moves=["Nf3", "Nf6", "Ng1", "Ng8"] * 2).outcome()
        Outcome(termination='threefold repetition', winner=None)
        """
        return self.position.outcome(self._positions[:-1])

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            raise hints.missing(self, name, hints.GAME)

    # As a value.

    def copy(self) -> Game:
        """A game of its own with the same moves.

        >>> import pawnstar
        >>> game = pawnstar.Game()
        >>> game.copy().push("e4")
        >>> len(game)
        0
        """
        return Game(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.start == other.start and self._moves == other._moves

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are played again, so that no copy shares anything that changes."""
        return Game, (self.start, self.moves)

    def __repr__(self) -> str:
        start = "" if self.start == Position.initial() else f"{self.start.fen!r}"
        moves = f"moves={[move.uci() for move in self._moves]!r}" if self._moves else ""
        return f"Game({', '.join(part for part in (start, moves) if part)})"

    def __str__(self) -> str:
        """The board as text, White below."""
        return str(self.position)

    def _repr_svg_(self) -> str | None:
        """For notebooks: the board with its last move as python-chess draws it; None where that is not installed."""
        return notebook_picture(self.to_chess)
