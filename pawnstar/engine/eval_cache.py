"""The evaluation cache: one word an entry, the top 48 bits of the position's key beside a 16-bit score.

An entry is a single word, so it cannot be torn and needs no lock. What is stored is the network's raw output, before
the fifty-move scaling, which depends on more than the key.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.engine.arrays import first_word, zeroed_words
from pawnstar.engine.system_memory import clear

ENTRIES: Final = 1 << 20  # 8 MB
_INDEX: Final = ENTRIES - 1
_KEY_BITS: Final = -0x10000


class EvalCache:
    """A direct-mapped cache of raw evaluations (centipawns within +-30000) by position key."""

    def __init__(self) -> None:
        self.words: vec[i64] = zeroed_words(ENTRIES)
        self.first: i64 = first_word(self.words, ENTRIES)

    def clear(self) -> None:
        """Forget everything."""
        clear(self.words, int(self.first) * 8, ENTRIES * 8)


def packed_evaluation(key: i64, score: i64) -> i64:
    """The word that stores ``score`` for ``key``."""
    return (key & _KEY_BITS) | (score & 0xFFFF)


def cached_score(word: i64) -> i64:
    """The score in a word."""
    return ((word & 0xFFFF) ^ 0x8000) - 0x8000


def cache_index(key: i64) -> i64:
    """Where the entry of ``key`` lies, from the cache's first word on."""
    return key & _INDEX
