"""A transposition table's entry: one word, the packed move with what the search found behind it.

The bits are the upper ones of a move's word (see ``chess/moves.py``): bound, depth, age, score. Every table packs its
entries and chooses which to keep by the functions here.
"""

from typing import Final

from mypy_extensions import i64

from pawnstar.chess.bits import wrap
from pawnstar.search.scores import SCORE_SHIFT

# What a score is worth as a bound, by the kind of node that it comes from.
CUT_NODE: Final = 0  # a lower bound
ALL_NODE: Final = 1  # an upper bound
PV_NODE: Final = 2  # exact

KEPT_IN_TABLE: Final = 0x7FFFFF  # bits 0-22: the move; the highest is free
BOUND_SHIFT: Final = 23
DEPTH_SHIFT: Final = 25
AGE_SHIFT: Final = 33

CELL_BYTES: Final = 16  # an entry beside its key XORed with it
HASHFULL_SAMPLE: Final = 1000  # cells that are looked at to tell how full a table is, in permille


def packed_entry(move: i64, score: i64, depth: i64, bound: i64, generation: i64) -> i64:
    """An entry from its parts."""
    return (
        (move & KEPT_IN_TABLE)
        | bound << BOUND_SHIFT
        | (depth & 255) << DEPTH_SHIFT
        | generation << AGE_SHIFT
        | wrap(score << SCORE_SHIFT)
    )


def stored_bound(entry: i64) -> i64:
    """CUT_NODE, ALL_NODE or PV_NODE."""
    return (entry >> BOUND_SHIFT) & 3


def stored_depth(entry: i64) -> i64:
    """The depth searched, in plies, signed."""
    return (((entry >> DEPTH_SHIFT) & 255) ^ 128) - 128


def stored_score(entry: i64) -> i64:
    """The score, in centipawns."""
    return entry >> SCORE_SHIFT


def yields(old: i64, depth: i64, bound: i64, generation: i64) -> bool:
    """Whether an entry gives its cell to a new one: where it is none, from an older search, no deeper than the new one,
    or the new one is exact.
    """
    return old == 0 or ((old >> AGE_SHIFT) & 255) != generation or bound == PV_NODE or stored_depth(old) <= depth
