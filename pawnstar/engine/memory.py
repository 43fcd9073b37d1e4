"""Large arrays of words."""

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import COMPILED
from pawnstar.engine.huge_pages import advise


def zeroed_words(count: i64) -> vec[i64]:
    """``count`` zero words, on large pages where the system gives them. Raises MemoryError where there is no room."""
    words = vec[i64]([i64(0)] * count)
    if COMPILED:
        advise(words, int(count) * 8, True)
    return words
