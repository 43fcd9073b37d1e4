"""Scores: centipawns for the side to move, and mates as a distance from the end of the scale.

A mate is worth 31,900 less the number of plies, counted from the root, after which it stands on the board. No
evaluation exceeds 30,000, so a score of 31,000 or more, of either sign, is a forced mate.
"""

from typing import Final

from mypy_extensions import i64

from pawnstar.chess.bits import wrap

INFINITY: Final = 32000
CHECKMATED: Final = -31900  # for the side that is mated, plus the ply at which the mate stands on the board
WIN: Final = 31000
MATE_BAND: Final = 31836  # 64 plies, the search's greatest, below a mate at the root: no mate is worth less
CANCELLED: Final = -12345678  # returned by a search that was told to stop

SCORE_SHIFT: Final = 41  # of a score in the free upper bits of a move's word: 23 bits, signed


def mated_at(ply: i64) -> i64:
    """The score of a side that is mated ``ply`` plies from the root."""
    return CHECKMATED + ply


def is_mate(score: int) -> bool:
    """Whether a score is a forced mate, for either side."""
    return score >= WIN or score <= -WIN


def mate_in(score: int) -> int | None:
    """Moves to the forced mate that a score means, negative when being mated; None for other scores."""
    if score >= WIN:
        return (-CHECKMATED - score + 1) // 2
    if score <= -WIN:
        return -((-CHECKMATED + score + 1) // 2)
    return None


def root_score(score: i64) -> i64:
    """A score as the root list stores it: 23 bits, signed. Only CANCELLED does not survive that."""
    return wrap(score << SCORE_SHIFT) >> SCORE_SHIFT
