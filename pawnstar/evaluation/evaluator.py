"""What a search asks when it evaluates: a cache in front, the evaluation itself, the fifty-move scaling behind.

``Evaluator`` is the place in which any evaluation stands; a subclass says what a position is worth (``raw``) and may
keep what it needs of the line that is searched. Searches call ``begin`` and ``evaluate``, which compile to direct
calls; the virtual call of ``raw`` is made only where the cache has no answer.

A search does not tell of the moves that it makes. The network's accumulators are expensive and most positions are never
evaluated, so they are built when an evaluation first needs them, from the nearest ancestor that has them; whether those
of a ply are the right ones is seen by its position's key.
"""

from typing import Final

from mypy_extensions import i64

from pawnstar.chess.bits import truncated
from pawnstar.chess.position import Position
from pawnstar.evaluation.cache import NOT_CACHED, EvalCache
from pawnstar.evaluation.counters import DEBUGX, EvaluationCounters
from pawnstar.evaluation.nnue.kernels import PLIES
from pawnstar.evaluation.nnue.network import Accumulators, Network

# Fifty-move scaling of evaluations: none up to this clock, then linearly towards 0 at 100.
SCALING_CLOCK: Final = 20


def scaled_evaluation(score: i64, clock: i64) -> i64:
    """An evaluation pulled towards 0 as the fifty-move clock runs out, of which the evaluation itself knows nothing."""
    if clock <= SCALING_CLOCK:
        return score
    return truncated(score * (100 - clock), 80)


class Node(Position):
    """One ply of a search's stack: its position, and what evaluation and search keep beside it.

    It knows the plies before and after it, so that nobody looks into the stack's list for them.
    """

    def __init__(self, ply: i64) -> None:
        super().__init__()
        self.ply: i64 = ply
        self.before: Node = self  # the ply before; the root's is itself
        self.after: Node = self  # the ply after; the last one's is itself
        # The key of the position whose accumulators lie in this ply's slot, 0 for none. (Those of a position whose key
        # is 0 are built each time.)
        self.built: i64 = 0
        self.pv_length: i64 = 0


def new_stack(plies: int) -> list[Node]:
    """Nodes for so many plies, each behind the one before."""
    stack = [Node(ply) for ply in range(plies)]
    for ply in range(1, plies):
        stack[ply].before = stack[ply - 1]
        stack[ply - 1].after = stack[ply]
    return stack


class Evaluator:
    """The evaluation of the positions on one search's stack, which lie there by their ply. Not for two searches."""

    def __init__(self, stack: list[Node], cache: EvalCache, counters: EvaluationCounters) -> None:
        self.stack: list[Node] = stack
        self.cache: EvalCache = cache
        self.counters: EvaluationCounters = counters

    def begin(self) -> None:
        """Start a search: its root lies at ply 0, and what was kept of the search before is void."""

    def raw(self, node: Node) -> i64:
        """The evaluation of the board at a node in centipawns for the side to move, within +-30000."""
        raise NotImplementedError

    def evaluate(self, node: Node) -> i64:
        """The evaluation of a node in centipawns for the side to move. Draws are the caller's affair."""
        if DEBUGX:
            self.counters.eval_calls += 1
        cache = self.cache
        score = cache.probe(node.key)
        if score == NOT_CACHED:
            score = self.raw(node)
            cache.store(node.key, score)
        elif DEBUGX:
            self.counters.eval_hash_hits += 1
        return scaled_evaluation(score, node.clock)

    def evaluate_root(self) -> i64:
        """The evaluation of the position at ply 0, which leaves no trace in cache and counters."""
        root = self.stack[0]
        return scaled_evaluation(self.raw(root), root.clock)


class NnueEvaluator(Evaluator):
    """Evaluation by the network."""

    def __init__(self, network: Network, stack: list[Node], cache: EvalCache, counters: EvaluationCounters) -> None:
        if len(stack) > PLIES:
            raise ValueError(f"a stack of {len(stack)} positions, where {PLIES} is the most")
        super().__init__(stack, cache, counters)
        self.network: Network = network
        self.accumulators: Accumulators = Accumulators()

    def begin(self) -> None:
        """Build the root's accumulators; those of all other plies are void."""
        for node in self.stack:
            node.built = 0
        self.network.refresh_both(self.stack[0], self.accumulators, 0)

    def raw(self, node: Node) -> i64:
        """The network's output, from accumulators brought up to date."""
        return self.network.evaluate(node, self.accumulators, self._slot(node))

    def _slot(self, node: Node) -> i64:
        """The slot of a node's accumulators, brought up to date from its nearest ancestor that has any.

        After a pass it is the slot of the node before: a node that was passed into has none of its own, and what lies
        in its slot stays that of the position which was there last.
        """
        if node.null_move == 0 and node.built == node.key and node.built != 0:
            return node.ply
        if node.ply == 0:
            return 0
        before = node.before
        slot = self._slot(before)
        if node.null_move == 0:
            self.network.update(before, node, self.accumulators, slot, node.ply)
            node.built = node.key
            slot = node.ply
        return slot
