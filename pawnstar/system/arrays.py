"""Large packed arrays of words, zero at first, that begin on a page: for transposition table and evaluation cache."""

import time
from typing import Final

from librt.vecs import extend, vec
from mypy_extensions import i64

from pawnstar.system.system_memory import LARGE_PAGE, PAGE, advise, bytes_to_boundary, release

_WORD: Final = 8  # bytes
_BLOCK: Final = 1 << 15  # words copied at a time: they stay in the processor's cache
_STEP: Final = 1 << 23  # words after which other threads may run: a few milliseconds' worth


def _boundary(count: i64) -> i64:
    """The boundary in bytes on which an array of so many words begins: that of the pages it shall lie on."""
    return i64(LARGE_PAGE if count * _WORD >= LARGE_PAGE else PAGE)


def zeroed_words(count: i64) -> vec[i64]:
    """An array with room for ``count`` zero words from ``first_word`` on, on large pages where the system gives them.

    Raises MemoryError where there is no room. Python's other threads run in between.
    """
    room: i64 = count + _boundary(count) // _WORD
    # Not ``vec[i64](capacity=room)``, which writes zeros before large pages can be asked for.
    nothing: list[i64] = [i64(0)]
    words = vec[i64](nothing, capacity=room)
    advise(words, int(room) * _WORD)
    block = vec[i64]([i64(0)] * min(room, _BLOCK))
    given_back: i64 = 0
    while len(words) < room:
        left = room - len(words)
        words = extend(words, block if left >= len(block) else block[:left])
        if len(words) - given_back >= _STEP or len(words) == room:
            # What is zero need not be kept: the system gives it again, cleared, when it is next touched.
            release(words, int(given_back) * _WORD, len(words) * _WORD)
            given_back = len(words)
            time.sleep(0)
    return words


def first_word(words: vec[i64], count: i64) -> i64:
    """Where in an array of ``zeroed_words(count)`` the words lie that begin on a page: cells then never straddle a
    cache line, large pages cover all of them, and other memory can be mapped over them.
    """
    return i64(bytes_to_boundary(words, int(_boundary(count))) // _WORD)
