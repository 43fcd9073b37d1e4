"""The evaluation cache: one word an entry, the top 48 bits of the position's key beside a 16-bit score.

An entry is a single word, so it cannot be torn and needs no lock. What is stored is the evaluator's raw result, before
the fifty-move scaling, which depends on more than the key.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.system.arrays import WORD_BYTES, first_word, zeroed_words
from pawnstar.system.system_memory import clear

ENTRIES: Final = 1 << 20  # 8 MB
NOT_CACHED: Final = -0x8000  # no evaluation: those are within +-30000
_INDEX: Final = ENTRIES - 1
_KEY_BITS: Final = -0x10000


class EvalCache:
    """A direct-mapped cache of raw evaluations (centipawns within +-30000) by position key."""

    def __init__(self) -> None:
        self.words: vec[i64] = zeroed_words(ENTRIES)
        self.first: i64 = first_word(self.words, ENTRIES)

    def probe(self, key: i64) -> i64:
        """The raw evaluation of a position, or NOT_CACHED."""
        word = self.words[self.first + (key & _INDEX)]
        if (word ^ key) >> 16 == 0:
            return ((word & 0xFFFF) ^ 0x8000) - 0x8000
        return NOT_CACHED

    def store(self, key: i64, score: i64) -> None:
        """Remember a position's raw evaluation, in place of whatever was there."""
        self.words[self.first + (key & _INDEX)] = (key & _KEY_BITS) | (score & 0xFFFF)

    def clear(self) -> None:
        """Forget everything."""
        clear(self.words, int(self.first) * WORD_BYTES, ENTRIES * WORD_BYTES)
