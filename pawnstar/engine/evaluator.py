"""What a search asks when it evaluates: a cache in front, the evaluation itself, the fifty-move scaling behind.

``Evaluator`` is the place in which any evaluation stands; a subclass says what a position is worth (``raw``) and may
keep what it needs of the line that is searched. Searches call ``begin`` and ``evaluate``, which compile to direct
calls; the virtual call of ``raw`` is made only where the cache has no answer.

A search does not tell of the moves that it makes. The network's accumulators are expensive and most positions are never
evaluated, so they are built when an evaluation first needs them, from the nearest ancestor that has them; whether those
of a ply are the right ones is seen by its position's key.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import truncated
from pawnstar.chess.position import Position
from pawnstar.engine.counters import DEBUGX, Counters
from pawnstar.engine.eval_cache import NOT_CACHED, EvalCache
from pawnstar.engine.kernels import PLIES
from pawnstar.engine.network import Accumulators, Network

# Fifty-move scaling of evaluations: none up to this clock, then linearly towards 0 at 100.
SCALING_CLOCK: Final = 20


def scaled_evaluation(score: i64, clock: i64) -> i64:
    """An evaluation pulled towards 0 as the fifty-move clock runs out, of which the evaluation itself knows nothing."""
    if clock <= SCALING_CLOCK:
        return score
    return truncated(score * (100 - clock), 80)


class Evaluator:
    """The evaluation of the positions on one search's stack, which lie there by their ply. Not for two searches."""

    def __init__(self, stack: list[Position], cache: EvalCache, counters: Counters) -> None:
        self.stack: list[Position] = stack
        self.cache: EvalCache = cache
        self.counters: Counters = counters

    def begin(self) -> None:
        """Start a search: its root lies at ply 0, and what was kept of the search before is void."""

    def raw(self, ply: i64) -> i64:
        """The evaluation of the board at ``ply`` in centipawns for the side to move, within +-30000."""
        raise NotImplementedError

    def evaluate(self, position: Position, ply: i64) -> i64:
        """The evaluation of ``position``, which lies at ``ply``, in centipawns for the side to move.

        Draws are the caller's affair.
        """
        if DEBUGX:
            self.counters.eval_calls += 1
        cache = self.cache
        score = cache.probe(position.key)
        if score == NOT_CACHED:
            score = self.raw(ply)
            cache.store(position.key, score)
        elif DEBUGX:
            self.counters.eval_hash_hits += 1
        return scaled_evaluation(score, position.clock)

    def evaluate_root(self) -> i64:
        """The evaluation of the position at ply 0, which leaves no trace in cache and counters."""
        return scaled_evaluation(self.raw(0), self.stack[0].clock)


class NnueEvaluator(Evaluator):
    """Evaluation by the network."""

    def __init__(self, network: Network, stack: list[Position], cache: EvalCache, counters: Counters) -> None:
        if len(stack) > PLIES:
            raise ValueError(f"a stack of {len(stack)} positions, where {PLIES} is the most")
        super().__init__(stack, cache, counters)
        self.network: Network = network
        self.accumulators: Accumulators = Accumulators()
        # By ply, whose accumulators lie in the slot of that number: whether there are any, and their position's key.
        self.built: vec[i64] = vec[i64]([i64(0)] * PLIES)
        self.keys: vec[i64] = vec[i64]([i64(0)] * PLIES)

    def begin(self) -> None:
        """Build the root's accumulators; those of all other plies are void."""
        ply: i64 = 1
        while ply < PLIES:
            self.built[ply] = 0
            ply += 1
        self.network.refresh_both(self.stack[0], self.accumulators, 0)

    def raw(self, ply: i64) -> i64:
        """The network's output, from accumulators brought up to date."""
        return self.network.evaluate(self.stack[ply], self.accumulators, self._slot(ply))

    def _slot(self, ply: i64) -> i64:
        """The slot of the position at ``ply``, brought up to date from its nearest ancestor that has one.

        After a pass that is the slot of the position before: a ply that was passed into has none of its own, and what
        lies in its slot stays that of the position which was there last.
        """
        stack = self.stack
        built = self.built
        keys = self.keys
        slot = ply
        while slot > 0:
            position = stack[slot]
            if position.null_move == 0 and built[slot] != 0 and keys[slot] == position.key:
                break
            slot -= 1
        at = slot
        while at < ply:
            before = stack[at]
            at += 1
            after = stack[at]
            if after.null_move == 0:
                self.network.update(before, after, self.accumulators, slot, at)
                slot = at
                built[at] = 1
                keys[at] = after.key
        return slot
