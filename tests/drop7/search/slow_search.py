"""The search by its definition, with nothing shared or skipped: every sample plays its move and evaluates its leaf."""

from __future__ import annotations

from pawnstar.drop7 import COLUMN_ORDER, Leaf, Rules, State
from pawnstar.drop7.rules.rng import POLICY_SEED, SAMPLED_DISC, Strata, board_hash, scenario_seed, stratified_disc
from pawnstar.drop7.search.search import TERMINAL_UTILITY
from pawnstar.drop7.search.table import hash_key, last_key_word


def work_bound(depth: int, samples: int) -> int:
    """Most units of work (moves and leaves) that a search can need, an unsigned 64-bit number that wraps."""
    branches = 7 * samples
    bound = 0
    tree = 0
    for level in range(1, depth + 1):
        power = pow(branches, level, 2**64)
        tree += power
        bound += power + tree
    return bound % 2**64


class Limit(Exception):
    """The work limit struck."""


class SlowSearch:
    """Counters and a table as in the definition; a table of no slots is none."""

    def __init__(self, samples: int, limit: int, slots: int, gate: int) -> None:
        self.samples = samples
        self.limit = limit
        self.slots = slots
        self.gate = gate
        self.table: dict[int, tuple[tuple[int, int, int, int], int, float]] = {}
        self.leaf = Leaf()
        self.rules = Rules()
        self.work = self.nodes = self.leaves = self.moves = self.hits = 0

    def counters(self) -> tuple[int, int, int, int, int]:
        return self.work, self.nodes, self.leaves, self.moves, self.hits

    def check(self) -> None:
        if self.work >= self.limit:
            raise Limit()

    def action(self, state: State, column: int, depth: int) -> float:
        board = state.board
        hashed = board_hash(board.pair0, board.pair1, board.pair2, board.pair3)
        seed = scenario_seed(hashed, state.next_disc, state.clock, depth, POLICY_SEED)
        total = 0.0
        for sample in range(self.samples):
            self.check()
            strata = Strata(self.samples)
            strata.rewind(seed, sample)
            move = self.rules.play(state, column, strata)
            assert move is not None
            self.work += 1
            self.moves += 1
            if move.after.over:
                total += move.delta + TERMINAL_UTILITY
                continue
            after = move.after
            after.next_disc = int(stratified_disc(seed, sample, self.samples, SAMPLED_DISC, 0))
            total += move.delta + self.value(after.canonical()[0], depth - 1)
        return total / self.samples

    def value(self, state: State, depth: int) -> float:
        self.nodes += 1
        self.check()
        if depth == 0:
            self.work += 1
            self.leaves += 1
            return self.leaf.evaluate(state)
        board = state.board
        last = last_key_word(board.pair3, state.next_disc, state.clock, depth)
        key = (int(board.pair0), int(board.pair1), int(board.pair2), int(last))
        cached = self.slots > 0 and depth >= self.gate
        slot = int(hash_key(*key)) & (self.slots - 1) if cached else 0
        if cached and slot in self.table and self.table[slot][0] == key:
            self.hits += 1
            return self.table[slot][2]
        best = max(self.action(state, column, depth) for column in COLUMN_ORDER if column in state.legal_columns())
        if cached and (slot not in self.table or depth >= self.table[slot][1]):
            self.table[slot] = (key, depth, best)
        return best

    def choose(self, state: State, depth: int) -> tuple[int, int]:
        """Action and completed depth of iterative deepening."""
        root, mirrored = state.canonical()
        action = root.legal_columns()[0]
        completed = 0
        try:
            for current in range(1, depth + 1):
                values = [(self.action(root, column, current), column) for column in root.legal_columns()]
                best = max(value for value, _ in values)
                action = next(column for value, column in values if value == best)
                completed = current
        except Limit:
            pass
        return (6 - action if mirrored else action), completed
