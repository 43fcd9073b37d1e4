"""A position of a game, as people and other programs see it."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.drop7.rules.board import Board, has_room, mirrored, parse_board, prefers_mirror

COLUMN_ORDER: Final[tuple[int, ...]] = (3, 2, 4, 1, 5, 0, 6)
"""The order in which columns are searched and reported; the earlier of two equals is chosen."""

SEARCH_ORDER: Final = vec[i64]([i64(column) for column in COLUMN_ORDER])
"""The same for loops that are hot."""

LONGEST_CLOCK: Final = 255
"""What a table key has room for."""

LEAST_CLOCK: Final = -(1 << 31)
MOST_CLOCK: Final = (1 << 31) - 1
"""Some engines start from 0 and count on below it: such boards never rise. Only clocks of 1 to 255 are searched."""

MOST: Final = (1 << 63) - 1


def check_whole(name: str, value: int, least: int, most: int) -> None:
    """Refuse what is no whole number within its bounds.

    Raises:
        TypeError: it is no whole number.
        ValueError: it is out of bounds.
    """
    if not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}")
    if not least <= value <= most:
        raise ValueError(f"invalid {name} {value}: it must be {least} to {most}")


class State:
    """A position: board, next disc, moves until the rise, and the score sheet. Treat it as immutable.

    >>> state = State.start(4)
    >>> state.next_disc, state.clock, state.legal_columns()
    (4, 5, [3, 2, 4, 1, 5, 0, 6])
    """

    def __init__(
        self,
        board: Board,
        next_disc: int,
        clock: int = 5,
        level: int = 1,
        score: int = 0,
        moves_played: int = 0,
        over: bool = False,
    ) -> None:
        """Describe a position.

        Args:
            board: the cells; the state keeps the object, so do not change it afterwards.
            next_disc: the disc to drop, 1 to 7.
            clock: moves until the board rises, counting the coming one; 5 after a rise.
            level: 1 plus the number of rises so far.
            score: points so far.
            moves_played: discs dropped so far.
            over: whether the game has ended.

        Raises:
            ValueError: the disc is not 1 to 7, the clock no 32-bit number, the level below 1, score or moves below 0.
            TypeError: something is not a board, a whole number, or a truth value.
        """
        # Compiled code checks the types by itself.
        if not isinstance(board, Board):
            raise TypeError(f"board must be a Board, not {type(board).__name__}")
        if not isinstance(over, bool):
            raise TypeError(f"over must be True or False, not {type(over).__name__}")
        check_whole("next disc", next_disc, 1, 7)
        check_whole("rise clock", clock, LEAST_CLOCK, MOST_CLOCK)
        check_whole("level", level, 1, MOST)
        check_whole("score", score, 0, MOST)
        check_whole("moves played", moves_played, 0, MOST)
        self.board: Board = board
        self.next_disc: int = next_disc
        self.clock: int = clock
        self.level: int = level
        self.score: int = score
        self.moves_played: int = moves_played
        self.over: bool = over

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles name the fields: compiled classes have no instance dictionary."""
        return State, (self.board, *self._sheet())

    def clone(self) -> State:
        """An independent copy; its board may be changed."""
        return State(self.board.clone(), *self._sheet())

    @staticmethod
    def start(next_disc: int) -> State:
        """The start of a game: a row of solid covers, five moves until it rises."""
        return State(Board(), next_disc)

    @staticmethod
    def parse(text: str, next_disc: int, clock: int = 5, level: int = 1, over: bool = False) -> State:
        """A position from 49 digits, row by row from the top left.

        >>> State.parse("0" * 42 + "8888888", 4).board.heights()
        [1, 1, 1, 1, 1, 1, 1]

        Raises:
            ValueError: the text is not 49 digits, or the disc is not 1 to 7.
        """
        return State(parse_board(text), next_disc, clock, level, 0, 0, over)

    def legal_columns(self) -> list[int]:
        """Columns with room, in search order."""
        board = self.board
        return [column for column in COLUMN_ORDER if (board.column(column) >> 24) == 0]

    def has_move(self) -> bool:
        """Whether any column has room."""
        board = self.board
        return has_room(board.pair0, board.pair1, board.pair2, board.pair3)

    def canonical(self) -> tuple[State, bool]:
        """The lesser of the position and its mirror image as text, and whether it is the image. The score becomes 0."""
        board = self.board
        mirrored: bool = prefers_mirror(board.pair0, board.pair1, board.pair2, board.pair3)
        return State(
            mirror_of(board) if mirrored else board,
            self.next_disc,
            self.clock,
            self.level,
            0,
            self.moves_played,
            self.over,
        ), mirrored

    def why_unsearchable(self) -> str:
        """What keeps this position from being searched, or the empty string. The game may be over."""
        if self.board.has_floating_discs():
            return "the board has floating discs"
        if self.clock < 1:
            return "the rise clock must be at least 1"
        if self.clock > LONGEST_CLOCK:
            return f"the rise clock must be at most {LONGEST_CLOCK}"
        if any(int(self.board.cell(row, column)) > 9 for row in range(7) for column in range(7)):
            return "the board has unknown cells"
        return ""

    def __eq__(self, other: object) -> bool:
        """Whether everything is equal, the score sheet included."""
        if not isinstance(other, State):
            return NotImplemented
        return self.board.same_as(other.board) and self._sheet() == other._sheet()

    def __hash__(self) -> int:
        return hash((self.board.text(), self.next_disc, self.clock))

    def __repr__(self) -> str:
        return f"State.parse({self.board.text()!r}, {self.next_disc}, {self.clock}, {self.level}, {self.over})"

    def _sheet(self) -> tuple[int, int, int, int, int, bool]:
        return self.next_disc, self.clock, self.level, self.score, self.moves_played, self.over


def mirror_of(board: Board) -> Board:
    """The board with its columns in reverse order."""
    image = Board()
    image.pair0, image.pair1, image.pair2, image.pair3 = mirrored(board.pair0, board.pair1, board.pair2, board.pair3)
    return image
