"""The transposition table: what earlier searches found out about a position.

A cell is two words: the packed move with score, depth, node type and age (see ``chess/moves.py``), and the position's
key XORed with it (Robert Hyatt's lockless scheme). A probe accepts a cell only where the XOR gives back the full
64-bit key: a cell of another position, or one torn by a racing writer, is a miss and never a wrong entry.

A cell is replaced when it is empty, from an older search, no deeper than the new entry, or when the new entry is exact.
Ages make clearing between searches unnecessary: each search has a generation, and older entries yield.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import wrap
from pawnstar.chess.moves import KEPT_IN_TABLE, SCORE_SHIFT
from pawnstar.engine.arrays import first_word, zeroed_words
from pawnstar.engine.system_memory import clear

# Node types, as stored.
CUT_NODE: Final = 0  # the score is a lower bound
ALL_NODE: Final = 1  # an upper bound
PV_NODE: Final = 2  # exact

TYPE_SHIFT: Final = 23
DEPTH_SHIFT: Final = 25
AGE_SHIFT: Final = 33

DEFAULT_MEGABYTES: Final = 64
MAX_MEGABYTES: Final = 4096
CELL_BYTES: Final = 16
_HASHFULL_SAMPLE: Final = 1000


def cells_for(megabytes: int) -> int:
    """The number of cells of a table of that size: the largest power of two that fits."""
    return int(1 << ((megabytes << 20) // CELL_BYTES).bit_length() - 1)


def node_type(data: i64) -> i64:
    """CUT_NODE, ALL_NODE or PV_NODE."""
    return (data >> TYPE_SHIFT) & 3


def stored_depth(data: i64) -> i64:
    """The depth searched, in plies, signed."""
    return (((data >> DEPTH_SHIFT) & 255) ^ 128) - 128


def stored_score(data: i64) -> i64:
    """The score, in centipawns."""
    return data >> SCORE_SHIFT


class TranspositionTable:
    """A table of ``megabytes`` (rounded down to a power of two), all zero at first."""

    def __init__(self, megabytes: int = DEFAULT_MEGABYTES) -> None:
        cells: i64 = cells_for(megabytes)
        self.words: vec[i64] = zeroed_words(2 * cells)
        self.first: i64 = first_word(self.words, 2 * cells)  # where the cells begin
        self.mask: i64 = cells - 1
        self.generation: i64 = 0

    def megabytes(self) -> int:
        """The table's true size."""
        return self.size() >> 20

    def size(self) -> int:
        """The cells' bytes."""
        return (int(self.mask) + 1) * CELL_BYTES

    def start(self) -> int:
        """The cells' byte offset in ``words``."""
        return int(self.first) * 8

    def clear(self) -> None:
        """Forget everything, ages too."""
        self.generation = 0
        clear(self.words, self.start(), self.size())

    def new_search(self) -> None:
        """Age every entry by one search."""
        self.generation = (self.generation + 1) & 255

    def probe(self, key: i64) -> i64:
        """The packed entry of a position, or 0."""
        words = self.words
        index = self.first + (key & self.mask) * 2
        data = words[index + 1]
        if words[index] ^ data == key:
            return data
        return 0

    def store(self, key: i64, move: i64, score: i64, depth: i64, kind: i64) -> None:
        """Enter a result where the cell is free to take it."""
        words = self.words
        index = self.first + (key & self.mask) * 2
        generation = self.generation
        old = words[index + 1]
        if old == 0 or ((old >> AGE_SHIFT) & 255) != generation or kind == PV_NODE or stored_depth(old) <= depth:
            data = (
                (move & KEPT_IN_TABLE)
                | kind << TYPE_SHIFT
                | (depth & 255) << DEPTH_SHIFT
                | generation << AGE_SHIFT
                | wrap(score << SCORE_SHIFT)
            )
            words[index] = key ^ data
            words[index + 1] = data

    def hashfull(self) -> int:
        """How full the table is, in permille, by its first thousand cells."""
        words = self.words
        first = self.first
        used: i64 = 0
        i: i64 = 0
        while i < _HASHFULL_SAMPLE:
            if words[first + 2 * i + 1] != 0:
                used += 1
            i += 1
        return int(used)
