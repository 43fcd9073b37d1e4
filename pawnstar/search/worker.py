"""What any search of one thread needs, whatever its method: a stack of positions, the draws of the line, the look at
clock and stop, principal variations, counters, an evaluator and the table.

Nothing is allocated per node: positions, move lists, principal variations and accumulators live in stacks made once.
"""

import time
from typing import Final, Protocol

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import COMPILED
from pawnstar.chess.draws import FIFTY_MOVE_PLIES, fifty_move_draw, material_draw, repeated_twice
from pawnstar.chess.moves import IDENTITY, MAX_MOVES
from pawnstar.chess.position import Position
from pawnstar.evaluation.cache import EvalCache
from pawnstar.evaluation.counters import DEBUGX
from pawnstar.evaluation.evaluator import Evaluator, NnueEvaluator, Node, new_stack
from pawnstar.evaluation.nnue.network import Network
from pawnstar.search.counters import Counters
from pawnstar.search.tables.transposition_table import TranspositionTable

MAX_PLY: Final = 64
STACK: Final = MAX_PLY + 2

LIMIT_MASK: Final = 2047  # the node limit is looked at every 2,048 nodes: where it strikes decides the answer
# Clock and stop are looked at every so many nodes (and calls of quiescence), less one: a few milliseconds' worth.
POLL_MASK: Final = 2047
PLAIN_POLL_MASK: Final = 63


class StopSignal(Protocol):
    """Whatever tells a search to stop: a ``threading.Event`` will do."""

    def is_set(self) -> bool:
        """Whether to stop."""
        ...


class Deadline(Protocol):
    """Whatever tells when time is up."""

    def expired(self) -> bool:
        """Whether the hard deadline has passed."""
        ...


class Worker:
    """The state of one searching thread. ``prepare`` before each root search; searches extend it."""

    def __init__(self, network: Network, table: TranspositionTable, eval_cache: EvalCache) -> None:
        self.counters: Counters = Counters()
        self.table: TranspositionTable = table
        self.eval_cache: EvalCache = eval_cache
        # Positions by ply; a move is made from one into the next.
        self.stack: list[Node] = new_stack(STACK)
        self.evaluator: Evaluator = NnueEvaluator(network, self.stack, eval_cache, self.counters)
        self.moves: vec[i64] = vec[i64]([i64(0)] * (STACK * MAX_MOVES))
        # A row of principal variation a ply, as long as its node says.
        self.pv: vec[i64] = vec[i64]([i64(0)] * (STACK * STACK))
        # Keys and clocks of all earlier positions of the game and of the line being searched.
        self.line_keys: vec[i64] = vec[i64]([i64(0)] * STACK)
        self.line_clocks: vec[i64] = vec[i64]([i64(0)] * STACK)
        self.game_length: i64 = 0
        self.clock_wrapped: bool = False
        self.nodes: i64 = 0
        self.quiet_nodes: i64 = 0  # calls of quiescence, which are no nodes
        self.node_limit: i64 = 0
        self.seldepth: i64 = 0
        self.alone: bool = True  # no other thread shares its results with this one
        self.cancelled: bool = False
        self.limited: bool = False  # cancelled by the node limit
        self.stop: StopSignal | None = None
        self.deadline: Deadline | None = None

    def set_network(self, network: Network) -> None:
        """Evaluate with another net from now on. The cache is the caller's to clear."""
        self.evaluator = NnueEvaluator(network, self.stack, self.eval_cache, self.counters)

    def prepare(self, position: Position, history: list[tuple[int, int]]) -> None:
        """Start afresh at ``position``, reached through earlier positions' (key, clock) pairs, oldest first."""
        length: i64 = len(history)
        self.game_length = length
        self.line_keys = vec[i64]([i64(0)] * (length + STACK))
        self.line_clocks = vec[i64]([i64(0)] * (length + STACK))
        self.clock_wrapped = False
        for index, (key, clock) in enumerate(history):
            self.line_keys[i64(index)] = key
            self.line_clocks[i64(index)] = clock
            if clock >= FIFTY_MOVE_PLIES:
                self.clock_wrapped = True
        self.nodes = 0
        self.seldepth = 0
        self.cancelled = False
        self.limited = False
        root = self.stack[0]
        root.copy_from(position)
        self.evaluator.begin()
        self.enter_line(root)

    # When to stop.

    def poll(self) -> bool:
        """Let other threads run (compiled code holds Python's lock), then see whether the clock or a stop ends it."""
        time.sleep(0)
        if (self.stop is not None and self.stop.is_set()) or (self.deadline is not None and self.deadline.expired()):
            self.cancelled = True
            return True
        return False

    def node_limit_reached(self) -> bool:
        """Whether the node limit ends the search at this node, which is one of every 2,048."""
        if self.node_limit != 0 and self.nodes >= self.node_limit:
            if not self.cancelled:
                self.cancelled = True
                self.limited = True
            return True
        return False

    # The line that is searched, and its draws.

    def enter_line(self, node: Node) -> None:
        """Let repetitions behind a node be found: its position belongs to the line from now on."""
        index = self.game_length + node.ply
        self.line_keys[index] = node.key
        self.line_clocks[index] = node.clock

    def is_draw(self, node: Node) -> bool:
        """Draw by material, by the fifty-move rule unless mated, or by threefold repetition, tested in this order."""
        pieces = material_draw(node)
        if pieces != 0:
            if DEBUGX:
                if pieces == 2:
                    self.counters.draws_by_material_2 += 1
                elif pieces == 3:
                    self.counters.draws_by_material_3 += 1
                else:
                    self.counters.draws_by_material_4 += 1
            return True
        # The clock is looked at first, here: reading the list's array counts a reference.
        if node.clock >= FIFTY_MOVE_PLIES and fifty_move_draw(node, self.moves, node.ply * MAX_MOVES):
            return True
        # Two earlier occurrences need four reversible moves since; the game's own wrapped clocks spoil that shortcut.
        if node.clock < 4 and not self.clock_wrapped:
            return False
        if repeated_twice(self.line_keys, self.line_clocks, node.key, self.game_length + node.ply):
            if DEBUGX:
                self.counters.draws_by_repetition_ss += 1
            return True
        return False

    def is_drawn_root(self) -> bool:
        """Whether the prepared root is a draw by material, fifty moves or repetition."""
        return self.is_draw(self.stack[0])

    # Evaluation.

    def evaluate(self, node: Node) -> i64:
        """The full evaluation of a node's position in centipawns for the side to move; 0 where drawn."""
        if self.is_draw(node):
            if DEBUGX:
                self.counters.eval_calls += 1
            return 0
        return self.evaluator.evaluate(node)

    def evaluate_root(self) -> i64:
        """The same of the prepared root, which leaves no trace in the evaluation cache."""
        if self.is_drawn_root():
            return 0
        return self.evaluator.evaluate_root()

    # Principal variations.

    def raise_pv(self, node: Node, child: Node, move: i64) -> None:
        """The principal variation of ``node`` becomes ``move`` and that of ``child``, the next ply."""
        pv = self.pv
        target = node.ply * STACK
        source = target + STACK
        length = child.pv_length
        pv[target] = move & IDENTITY
        index: i64 = 0
        while index < length:
            pv[target + 1 + index] = pv[source + index]
            index += 1
        node.pv_length = length + 1

    def line(self, ply: int) -> tuple[int, ...]:
        """The principal variation of ``ply``, as packed moves."""
        return tuple([int(self.pv[i64(ply * STACK + index)]) for index in range(int(self.stack[ply].pv_length))])


def poll_is_due(count: i64) -> bool:
    """Whether so many nodes call for a look at the clock."""
    if COMPILED:
        return count & POLL_MASK == 0
    else:
        return count & PLAIN_POLL_MASK == 0
