"""The frontier of a decision: the positions a few plies ahead as tasks, and the tree that reduces their values.

The coordinator expands the first plies, numbers the positions at which it stops, and, when all their values are
known, forms the sums, means and maxima in exactly the order of the sequential search. So it does not matter who
evaluated which task, or when.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from pawnstar.drop7.rules.board import column_of, mirrored, prefers_mirror
from pawnstar.drop7.rules.rng import SAMPLED_DISC, Strata, board_hash, scenario_seed, stratified_disc
from pawnstar.drop7.rules.rules import Rules
from pawnstar.drop7.rules.state import COLUMN_ORDER, State
from pawnstar.drop7.search.bounds import PlanError
from pawnstar.drop7.search.search import ColumnValue, best_or_terminal
from pawnstar.system.interrupts import let_others_in

CONSTANT: Final = 0
TASK: Final = 1
ADD: Final = 2
MEAN: Final = 3
MAX: Final = 4

TASK_BYTES: Final = 64
NODE_BYTES: Final = 32
CHILD_BYTES: Final = 8
RESULT_BYTES: Final = 24
"""Sizes in the Rust engine, in whose layout plans are measured."""

PAUSE_NODES: Final = 1024
"""Nodes between two looks at signals and other threads."""

Task = tuple[int, int, int, int, int, int, int]
"""Four column pairs, next disc, clock, remaining depth."""


class Frontier:
    """Tasks, and the tree above them. Nodes are numbered so that children come before their parents."""

    def __init__(self, samples: int, policy_seed: int, terminal_utility: float, most_tasks: int) -> None:
        """An empty frontier; ``expand`` fills it."""
        self.samples: int = samples
        self.policy_seed: i64 = policy_seed
        self.terminal_utility: float = terminal_utility
        self.most_tasks: int = most_tasks
        self.tasks: list[Task] = []
        self.kinds: list[int] = []
        self.numbers: list[float] = []
        self.links: list[int] = []
        self.children: list[list[int]] = []
        self.columns: list[tuple[int, int]] = []
        self.mirrored: bool = False
        self.nodes: int = 0
        self.work: int = 0
        self.hits: int = 0
        self.child_references: int = 0
        self._task_numbers: dict[Task, int] = {}
        self._known: dict[tuple[int, int, int, int, int, int, int, int], int] = {}
        self._rules: Rules = Rules()
        self._strata: Strata = Strata(samples)

    def __reduce__(self) -> tuple[object, ...]:
        """Refuse copies and pickles."""
        raise TypeError("a Frontier is not copied: expand the position again")

    def expand(self, state: State, depth: int, split: int) -> None:
        """Expand ``split`` plies of replies below each column of a position that is not over.

        Raises:
            PlanError: there are more tasks than the bound.
        """
        root, self.mirrored = state.canonical()
        board = root.board
        for column in root.legal_columns():
            node = self._expand_action(
                board.pair0, board.pair1, board.pair2, board.pair3, root.next_disc, root.clock, column, depth, split
            )
            self.columns.append((column, node))
        self._task_numbers.clear()
        self._known.clear()

    def projected_bytes(self) -> int:
        """Size of this plan in the layout of the Rust engine."""
        tasks = len(self.tasks)
        return tasks * (TASK_BYTES + RESULT_BYTES) + len(self.kinds) * NODE_BYTES + self.child_references * CHILD_BYTES

    def reduce(self, results: list[float]) -> list[ColumnValue]:
        """Values of the columns, numbered as on the given board, from the values of the tasks in their order."""
        values: list[float] = []
        for node, kind in enumerate(self.kinds):
            if node % PAUSE_NODES == 0:
                let_others_in()
            if kind == CONSTANT:
                value = self.numbers[node]
            elif kind == TASK:
                value = results[self.links[node]]
            elif kind == ADD:
                value = self.numbers[node] + values[self.links[node]]
            elif kind == MEAN:
                value = 0.0
                for child in self.children[self.links[node]]:
                    value += values[child]
                value /= float(self.samples)
            else:
                value = -float("inf")
                for child in self.children[self.links[node]]:
                    if values[child] > value:
                        value = values[child]
                value = best_or_terminal(value, self.terminal_utility)
            values.append(value)
        return [ColumnValue(6 - column if self.mirrored else column, values[node]) for column, node in self.columns]

    def _node(self, kind: int, number: float, link: int) -> int:
        self.kinds.append(kind)
        self.numbers.append(number)
        self.links.append(link)
        return len(self.kinds) - 1

    def _parent(self, kind: int, children: list[int]) -> int:
        self.children.append(children)
        self.child_references += len(children)
        return self._node(kind, 0.0, len(self.children) - 1)

    def _expand_action(
        self, pair0: i64, pair1: i64, pair2: i64, pair3: i64, disc: i64, clock: i64, column: i64, depth: i64, split: int
    ) -> int:
        seed: i64 = scenario_seed(board_hash(pair0, pair1, pair2, pair3), disc, clock, depth, self.policy_seed)
        rules = self._rules
        samples: i64 = self.samples
        children: list[int] = []
        sample: i64 = 0
        while sample < samples:
            self._strata.rewind(seed, sample)
            rules.drop(pair0, pair1, pair2, pair3, disc, clock, column, self._strata)
            self.work += 1
            delta: float = float(rules.delta)
            if rules.over:
                children.append(self._node(CONSTANT, delta + self.terminal_utility, 0))
            else:
                next0: i64 = rules.pair0
                next1: i64 = rules.pair1
                next2: i64 = rules.pair2
                next3: i64 = rules.pair3
                if prefers_mirror(next0, next1, next2, next3):
                    next0, next1, next2, next3 = mirrored(next0, next1, next2, next3)
                next_disc: i64 = stratified_disc(seed, sample, samples, SAMPLED_DISC, 0)
                child = self._expand_value(next0, next1, next2, next3, next_disc, rules.clock, depth - 1, split)
                children.append(self._node(ADD, delta, child))
            sample += 1
        return self._parent(MEAN, children)

    def _expand_value(
        self, pair0: i64, pair1: i64, pair2: i64, pair3: i64, disc: i64, clock: i64, depth: i64, split: int
    ) -> int:
        self.nodes += 1
        if self.nodes % PAUSE_NODES == 0:
            let_others_in()
        task: Task = (int(pair0), int(pair1), int(pair2), int(pair3), int(disc), int(clock), int(depth))
        if split == 0:
            number = self._task_numbers.get(task)
            if number is None:
                number = len(self.tasks)
                if number >= self.most_tasks:
                    raise PlanError(f"frontier exceeded the configured {self.most_tasks}-task bound")
                self.tasks.append(task)
                self._task_numbers[task] = number
            return self._node(TASK, 0.0, number)
        key = (task[0], task[1], task[2], task[3], task[4], task[5], task[6], split)
        known = self._known.get(key)
        if known is not None:
            self.hits += 1
            return known
        children: list[int] = []
        for column in COLUMN_ORDER:
            if (column_of(pair0, pair1, pair2, pair3, column) >> 24) == 0:
                children.append(self._expand_action(pair0, pair1, pair2, pair3, disc, clock, column, depth, split - 1))
        node = self._parent(MAX, children) if children else self._node(CONSTANT, self.terminal_utility, 0)
        self._known[key] = node
        return node
