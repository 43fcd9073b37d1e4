"""The packed board: text form, heights, mirror and canonical form of four column pairs (see ``words``)."""

from __future__ import annotations

from mypy_extensions import i64

from pawnstar.drop7.rules.words import COLUMN, SOLID_ROW, TOP_CELLS, occupied, to_rows


def height(column: i64) -> i64:
    """Number of non-empty cells of one column, 0 to 7."""
    either: i64 = column | (column >> 2)
    # The product sums the flags of all nibbles into the seventh.
    return ((((either | (either >> 1)) & 0x1111111) * 0x1111111) >> 24) & 15


def column_of(pair0: i64, pair1: i64, pair2: i64, pair3: i64, column: i64) -> i64:
    """The nibbles of one column, 0 to 6."""
    pair: i64 = pair3
    if column < 2:
        pair = pair0
    elif column < 4:
        pair = pair1
    elif column < 6:
        pair = pair2
    if column & 1:
        return pair >> 32
    return pair & COLUMN


class Board:
    """49 cells, packed. Cell codes: 0 empty, 1 to 7 numbered, 8 solid cover, 9 cracked cover. Rows count from the top.

    >>> board = Board()
    >>> board.text()[-14:]
    '00000008888888'
    """

    def __init__(self) -> None:
        """The start position: one row of solid covers."""
        self.pair0: i64 = SOLID_ROW
        self.pair1: i64 = SOLID_ROW
        self.pair2: i64 = SOLID_ROW
        self.pair3: i64 = 8

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles name the columns: compiled classes have no instance dictionary."""
        return board_of, (self.columns(),)

    def clone(self) -> Board:
        """An independent copy."""
        return board_of(self.columns())

    def set_columns(self, columns: list[int]) -> None:
        """Set the seven column words (bottom cell in the lowest nibble)."""
        if len(columns) != 7 or not all(0 <= word <= 0x0FFFFFFF for word in columns):
            raise ValueError("a board needs seven column words of seven nibbles each")
        self.pair0 = columns[0] | columns[1] << 32
        self.pair1 = columns[2] | columns[3] << 32
        self.pair2 = columns[4] | columns[5] << 32
        self.pair3 = columns[6]

    def column(self, column: i64) -> i64:
        """One column word, bottom cell in the lowest nibble."""
        return column_of(self.pair0, self.pair1, self.pair2, self.pair3, column)

    def columns(self) -> list[int]:
        """The seven column words."""
        return [int(self.column(column)) for column in range(7)]

    def cell(self, row: i64, column: i64) -> i64:
        """Code of a cell, 0 to 9; row 0 is the top."""
        return (self.column(column) >> (4 * (6 - row))) & 15

    def heights(self) -> list[int]:
        """Number of non-empty cells of each column."""
        return [int(height(self.column(column))) for column in range(7)]

    def has_floating_discs(self) -> bool:
        """Whether a non-empty cell stands above an empty one. Such boards cannot be played."""
        rows: i64 = occupied_rows(self.pair0, self.pair1, self.pair2, self.pair3)
        return ((rows & ~(rows << 8)) >> 8) != 0

    def text(self) -> str:
        """49 digits, row by row from the top left."""
        return "".join(str(int(self.cell(row, column))) for row in range(7) for column in range(7))

    def same_as(self, other: Board) -> bool:
        """Whether all cells are equal."""
        return (
            self.pair0 == other.pair0
            and self.pair1 == other.pair1
            and self.pair2 == other.pair2
            and self.pair3 == other.pair3
        )


def board_of(columns: list[int]) -> Board:
    """The board of seven column words (bottom cell in the lowest nibble)."""
    board = Board()
    board.set_columns(columns)
    return board


def parse_board(text: str) -> Board:
    """Read 49 digits, row by row from the top left.

    Raises ValueError unless there are exactly 49 ASCII digits. Floating discs are accepted here.
    """
    if len(text) != 49 or not all("0" <= letter <= "9" for letter in text):
        raise ValueError("invalid board")
    columns = [0] * 7
    for index, letter in enumerate(text):
        row, column = divmod(index, 7)
        columns[column] |= (ord(letter) - 48) << (4 * (6 - row))
    return board_of(columns)


def occupied_rows(pair0: i64, pair1: i64, pair2: i64, pair3: i64) -> i64:
    """Row board of the non-empty cells."""
    return to_rows(occupied(pair0), occupied(pair1), occupied(pair2), occupied(pair3))


def mirrored(pair0: i64, pair1: i64, pair2: i64, pair3: i64) -> tuple[i64, i64, i64, i64]:
    """The column pairs with the columns in reverse order. Column 7 does not exist, so column 6 is alone in its pair."""
    return (
        pair3 | (pair2 & ~COLUMN),
        (pair2 & COLUMN) | (pair1 & ~COLUMN),
        (pair1 & COLUMN) | (pair0 & ~COLUMN),
        pair0 & COLUMN,
    )


def prefers_mirror(pair0: i64, pair1: i64, pair2: i64, pair3: i64) -> bool:
    """Whether the mirror image is the canonical one: its row-major text is smaller."""
    # Columns 0 and 1, and 2, against their mirror images 6 and 5, and 4.
    outer: i64 = pair0 ^ (pair3 | (pair2 & ~COLUMN))
    inner: i64 = (pair1 ^ pair2) & COLUMN
    different: i64 = outer | (outer >> 32) | inner
    different &= COLUMN
    if different == 0:
        return False
    # The topmost row with a difference decides, and in it the leftmost column.
    shift: i64 = 24
    while not (different >> shift) & 15:
        shift -= 4
    if (outer >> shift) & 15:
        return (pair0 >> shift) & 15 > (pair3 >> shift) & 15
    shift += 32
    if (outer >> shift) & 15:
        return (pair0 >> shift) & 15 > (pair2 >> shift) & 15
    shift -= 32
    return (pair1 >> shift) & 15 > (pair2 >> shift) & 15


def has_room(pair0: i64, pair1: i64, pair2: i64, pair3: i64) -> bool:
    """Whether any column can take a disc."""
    # Smear each top nibble into its lowest bit; column 7 of the last pair does not exist.
    full: i64 = occupied(pair0) & occupied(pair1) & occupied(pair2) & (occupied(pair3) | 0x0100000000000000)
    return full & 0x0100000001000000 != 0x0100000001000000


def rise_blocked(pair0: i64, pair1: i64, pair2: i64, pair3: i64) -> bool:
    """Whether a top cell is occupied, so that the board cannot move up."""
    return (pair0 | pair1 | pair2 | pair3) & TOP_CELLS != 0
