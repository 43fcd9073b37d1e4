"""Leaf evaluations by board, for one searcher.

Discs that fall in another order give the same boards, so a deep search meets nearly half of its leaves again.
Evaluating one costs some hundred nanoseconds, finding it about twenty. This cache is no part of the definition of the
search, and cannot be seen in its results or counters: it returns what the evaluator would, by full key.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.drop7.rules.words import wrap64
from pawnstar.drop7.search.leaf import Leaf

LEAF_SLOTS: Final = 65_536
"""Slots once a search has become large enough to use them."""

LEAF_SLOT_BYTES: Final = 48
"""Four key words, the sum without the last term, and the heights from which that term follows."""


class LeafCache:
    """A direct-mapped cache in front of ``Leaf.prepare``; the latest entry keeps the slot."""

    def __init__(self, leaf: Leaf) -> None:
        """Start with a single slot; ``grow`` makes it useful."""
        self.leaf: Leaf = leaf
        self._resize(1)

    def __reduce__(self) -> tuple[object, ...]:
        """Refuse copies and pickles."""
        raise TypeError("a LeafCache belongs to one Searcher and is not copied")

    def _resize(self, slots: int) -> None:
        words: i64 = 4 * slots
        self.mask: i64 = slots - 1
        self.keys: vec[i64] = vec[i64]([i64(0)] * words)
        self.sums: vec[float] = vec[float]([0.0] * slots)
        self.heights: vec[i64] = vec[i64]([i64(0)] * slots)

    def grow(self, slots: int = LEAF_SLOTS) -> None:
        """Take the memory of ``slots`` slots, a power of two, unless it is taken already."""
        if slots > self.mask + 1:
            self._resize(slots)

    def prepare(self, pair0: i64, pair1: i64, pair2: i64, pair3: i64, clock: i64) -> None:
        """The same as ``Leaf.prepare``, to be followed by ``Leaf.finish``."""
        leaf = self.leaf
        keys = self.keys
        # The clock is not 0, so no key equals that of an empty slot.
        last: i64 = pair3 | (clock << 32)
        mixed: i64 = wrap64(
            wrap64(pair0 * 0x1E3779B97F4A7C15)
            + wrap64(pair1 * 0x3F58476D1CE4E5B9)
            + wrap64(pair2 * 0x14D049BB133111EB)
            + wrap64(last * 0x2545F4914F6CDD1D)
        )
        slot: i64 = ((mixed >> 40) ^ (mixed >> 20)) & self.mask
        at: i64 = 4 * slot
        if keys[at] == pair0 and keys[at + 1] == pair1 and keys[at + 2] == pair2 and keys[at + 3] == last:
            leaf.base = self.sums[slot]
            leaf.heights = self.heights[slot]
            return
        leaf.prepare(pair0, pair1, pair2, pair3, clock)
        keys[at] = pair0
        keys[at + 1] = pair1
        keys[at + 2] = pair2
        keys[at + 3] = last
        sums = self.sums
        sums[slot] = leaf.base
        heights = self.heights
        heights[slot] = leaf.heights
