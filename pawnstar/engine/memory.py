"""Large arrays of words."""

from librt.vecs import extend, vec
from mypy_extensions import i64

from pawnstar.chess.bits import COMPILED
from pawnstar.engine.huge_pages import advise


def zeroed_words(count: i64) -> vec[i64]:
    """``count`` zero words, on large pages where the system gives them. Raises MemoryError where there is no room."""
    if COMPILED:
        words = vec[i64]([i64(0)] * count)
        advise(words, int(count) * 8, True)
        return words
    else:
        # Without a list of ``count`` boxed items in between.
        words = vec[i64](capacity=count)
        block = vec[i64]([i64(0)] * min(count, 1 << 16))
        while len(words) < count:
            words = extend(words, block)
        return words
