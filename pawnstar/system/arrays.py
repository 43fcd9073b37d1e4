"""Large packed arrays of words, zero at first, that begin on a page: for transposition table and evaluation cache."""

import time
from typing import Final

from librt.vecs import extend, vec
from mypy_extensions import i64

from pawnstar.system.system_memory import LARGE_PAGE, PAGE, advise, bytes_to_boundary, release

WORD_BYTES: Final = 8
_BLOCK: Final = 1 << 15  # words copied at a time: they stay in the processor's cache
_STEP: Final = 1 << 23  # words between two chances for other threads to run: a few milliseconds


def _boundary(count: i64) -> i64:
    """The alignment in bytes of an array of ``count`` words: the size of the pages that hold it."""
    return i64(LARGE_PAGE if count * WORD_BYTES >= LARGE_PAGE else PAGE)


def zeroed_words(count: i64) -> vec[i64]:
    """An array with room for ``count`` zero words from ``first_word`` on, on large pages where the system gives them.

    Raises MemoryError where there is no room. Python's other threads run in between.
    """
    room: i64 = count + _boundary(count) // WORD_BYTES
    # Not ``vec[i64](capacity=room)``, which writes zeros before large pages can be asked for.
    nothing: list[i64] = [i64(0)]
    words = vec[i64](nothing, capacity=room)
    advise(words, int(room) * WORD_BYTES)
    block = vec[i64]([i64(0)] * min(room, _BLOCK))
    given_back: i64 = 0
    while len(words) < room:
        left = room - len(words)
        words = extend(words, block if left >= len(block) else block[:left])
        if len(words) - given_back >= _STEP or len(words) == room:
            # The system may take zero pages back: at the next access it supplies cleared ones.
            release(words, int(given_back) * WORD_BYTES, len(words) * WORD_BYTES)
            given_back = len(words)
            time.sleep(0)
    return words


def first_word(words: vec[i64], count: i64) -> i64:
    """The index of the first word on a page boundary, in an array of ``zeroed_words(count)``.

    From there on no cell straddles a cache line, large pages cover all cells, and other memory can be mapped over them.
    """
    return i64(bytes_to_boundary(words, int(_boundary(count))) // WORD_BYTES)
