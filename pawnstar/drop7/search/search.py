"""Fair expectimax: a column is judged by its mean over sampled futures, and all columns share the samples.

Two facts save most of the work, and change no result and no counter:

* A move whose cascade reveals no cover has the same outcome in every sample; only the next disc differs. It is
  played once.
* At the last ply the next disc decides a single term of the leaf, the last one of the sum. The rest is evaluated once.

So a position one ply above the leaves costs about one move and one evaluation a column rather than one for each
sample. The counters count what the definition asks for (moves and leaves of every sample), so that they agree with
engines that do all of it.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.drop7.rules.board import column_of, mirrored, prefers_mirror
from pawnstar.drop7.rules.rng import POLICY_SEED, SAMPLED_DISC, Strata, board_hash, scenario_seed, stratified_disc
from pawnstar.drop7.rules.rules import Rules
from pawnstar.drop7.rules.state import SEARCH_ORDER, State
from pawnstar.drop7.search.bounds import check_size
from pawnstar.drop7.search.leaf import Leaf
from pawnstar.drop7.search.leaf_cache import LeafCache
from pawnstar.drop7.search.table import Table, hash_key, last_key_word
from pawnstar.system.interrupts import let_others_in

TERMINAL_UTILITY: Final = -1_000_000.0
"""What the end of the game is worth in the search, added to the points of the last move."""

LEAVES_WORTH_A_CACHE: Final = 10_000
"""Leaves after which the cache of leaves takes its memory. Small searches, of which a decision may have many,
do without."""

UNLIMITED: Final = 0x7FFFFFFFFFFFFFFF

PAUSE_WORK: Final = 4096
"""Units of work between two looks at signals and other threads: some half a millisecond, compiled."""

MINUS_INFINITY: Final = -float("inf")


class WorkLimitReached(Exception):
    """The search was stopped by its work limit; the counters tell how far it came."""

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles, also those of packages that carry errors between processes, name the text."""
        return WorkLimitReached, self.args


class UnsearchableState(ValueError):
    """The position cannot be searched; the text says why."""

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles, also those of packages that carry errors between processes, name the text."""
        return UnsearchableState, self.args


class ColumnValue:
    """The value of one column, numbered as on the board that was given."""

    def __init__(self, column: int, value: float) -> None:
        self.column: int = column
        self.value: float = value

    def __repr__(self) -> str:
        return f"ColumnValue({self.column}, {self.value!r})"

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles name the fields: compiled classes have no instance dictionary."""
        return ColumnValue, (self.column, self.value)


class Counters:
    """What a search did: moves and leaves (``work`` is their sum), nodes, and table hits."""

    def __init__(self, work: int = 0, nodes: int = 0, leaves: int = 0, moves: int = 0, hits: int = 0) -> None:
        self.work: int = work
        self.nodes: int = nodes
        self.leaves: int = leaves
        self.moves: int = moves
        self.hits: int = hits

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles name the fields: compiled classes have no instance dictionary."""
        return Counters, self.as_tuple()

    def add(self, other: Counters) -> None:
        """Add another search's counters to these."""
        self.work += other.work
        self.nodes += other.nodes
        self.leaves += other.leaves
        self.moves += other.moves
        self.hits += other.hits

    def as_tuple(self) -> tuple[int, int, int, int, int]:
        """Work, nodes, leaves, moves, hits."""
        return self.work, self.nodes, self.leaves, self.moves, self.hits


def best_column(values: list[ColumnValue]) -> int:
    """The first column with the greatest value; -1 for an empty list."""
    best = -1
    best_value = MINUS_INFINITY
    for entry in values:
        if best < 0 or entry.value > best_value:
            best = entry.column
            best_value = entry.value
    return best


class Searcher:
    """Searches positions with one set of parameters, one leaf and one table. Not for use by two threads at once.

    >>> searcher = Searcher(samples=3)
    >>> values = searcher.column_values(State.start(4), 2)
    >>> [entry.column for entry in values], best_column(values), searcher.counters().work
    ([3, 2, 4, 1, 5, 0, 6], 3, 903)
    """

    def __init__(
        self,
        samples: int = 7,
        leaf: Leaf | None = None,
        table: Table | None = None,
        policy_seed: int = POLICY_SEED,
        terminal_utility: float = TERMINAL_UTILITY,
        work_limit: int = UNLIMITED,
    ) -> None:
        """Set the parameters.

        Args:
            samples: sampled futures of each column ("strata"), at least 1. Seven see every next disc once.
            leaf: the evaluator; the frozen one by default.
            table: the transposition table; none by default.
            policy_seed: 32-bit seed of the samples.
            terminal_utility: what the end of the game is worth, beside the points.
            work_limit: units of work (moves and leaves) after which ``WorkLimitReached`` is raised.

        Raises:
            ValueError: ``samples`` is less than 1, or more than 100,000.
        """
        check_size(1, samples)
        self.samples: i64 = samples
        self.leaf: Leaf = Leaf() if leaf is None else leaf
        self.leaf_cache: LeafCache = LeafCache(self.leaf)
        self.table: Table = Table() if table is None else table
        self.policy_seed: i64 = policy_seed
        self.terminal_utility: float = terminal_utility
        self.work_limit: i64 = min(work_limit, UNLIMITED)
        # The work at which to stop or to pause, whichever comes first: one comparison serves both.
        self._pause_at: i64 = 0
        self.rules: Rules = Rules()
        self.strata: Strata = Strata(samples)
        self.discs: vec[i64] = vec[i64]([i64(0)] * 0)
        self.completed_depth: int = 0
        self.work: i64 = 0
        self.nodes: i64 = 0
        self.leaves: i64 = 0
        self.moves: i64 = 0

    def __reduce__(self) -> tuple[object, ...]:
        """Refuse copies and pickles."""
        raise TypeError("a Searcher is not copied: make another with the same parameters, in the process that uses it")

    def reset_counters(self) -> None:
        """Count from zero again. Table hits are the table's own count."""
        self.work = 0
        self.nodes = 0
        self.leaves = 0
        self.moves = 0
        self._pause_at = 0

    def _pause(self) -> None:
        """Stop at the work limit; let signal handlers and other threads in."""
        if self.work >= self.work_limit:
            self._pause_at = 0
            raise WorkLimitReached()
        self._pause_at = min(self.work + PAUSE_WORK, self.work_limit)
        let_others_in()

    def counters(self) -> Counters:
        """What has been done since the last reset."""
        return Counters(int(self.work), int(self.nodes), int(self.leaves), int(self.moves), int(self.table.hits))

    def reserve(self, depth: int) -> None:
        """Make room for searches of this depth."""
        needed: i64 = (depth + 1) * self.samples
        if len(self.discs) < needed:
            self.discs = vec[i64]([i64(0)] * needed)

    # Public searches

    def column_values(self, state: State, depth: int) -> list[ColumnValue]:
        """Values of the columns with room, searched to a fixed depth.

        The columns are numbered as on the given board, and listed in the search order of its canonical form, of two
        mirror images the one that is searched. Equal values are decided by that order. A finished game, or a full
        board, gives an empty list.

        Raises:
            UnsearchableState: floating discs, or a clock below 1.
            WorkLimitReached: the work limit struck.
            ArithmeticError: a leaf value was not finite.
        """
        check_size(depth, int(self.samples))
        check_searchable(state)
        if state.over:
            return []
        root, mirrored = state.canonical()
        self.reserve(depth)
        self._pause_at = 0  # the work limit may be another than at the last search
        board = root.board
        return [
            ColumnValue(
                6 - column if mirrored else column,
                self.action(
                    board.pair0, board.pair1, board.pair2, board.pair3, root.next_disc, root.clock, column, depth
                ),
            )
            for column in root.legal_columns()
        ]

    def choose_action(self, state: State, depth: int) -> int:
        """The best column by iterative deepening up to ``depth``, within the work limit; -1 when there is none.

        The table is cleared once and the counters start from zero. When the limit strikes, the last completed depth
        decides, without one the first column of the search order. ``completed_depth`` tells which it was.

        Raises:
            UnsearchableState: floating discs, or a clock below 1.
            ArithmeticError: a leaf value was not finite.
        """
        self.completed_depth = 0
        self.reset_counters()
        self.table.clear()
        check_searchable(state)
        if state.over or not state.has_move():
            return -1
        root, mirrored = state.canonical()
        first = root.legal_columns()[0]
        action = 6 - first if mirrored else first
        try:
            for current in range(1, depth + 1):
                action = best_column(self.column_values(state, current))
                self.completed_depth = current
        except WorkLimitReached:
            pass
        return action

    # The recursion. Boards are canonical column pairs; nothing is allocated.

    def action(
        self, pair0: i64, pair1: i64, pair2: i64, pair3: i64, disc: i64, clock: i64, column: i64, depth: i64
    ) -> float:
        """Value of one legal column of a canonical position; ``reserve`` was called for this depth."""
        seed: i64 = self.prepare_samples(pair0, pair1, pair2, pair3, disc, clock, depth)
        return self._mean(pair0, pair1, pair2, pair3, disc, clock, column, depth, seed)

    def prepare_samples(self, pair0: i64, pair1: i64, pair2: i64, pair3: i64, disc: i64, clock: i64, depth: i64) -> i64:
        """Draw the next discs of all samples of a position; returns its scenario seed."""
        if self.leaves >= LEAVES_WORTH_A_CACHE and self.leaf_cache.mask == 0:
            self.leaf_cache.grow()
        seed: i64 = scenario_seed(board_hash(pair0, pair1, pair2, pair3), disc, clock, depth, self.policy_seed)
        samples: i64 = self.samples
        discs = self.discs
        sample: i64 = 0
        while sample < samples:
            discs[depth * samples + sample] = stratified_disc(seed, sample, samples, SAMPLED_DISC, 0)
            sample += 1
        return seed

    def value(self, pair0: i64, pair1: i64, pair2: i64, pair3: i64, disc: i64, clock: i64, depth: i64) -> float:
        """Value of a canonical position of a game that is not over."""
        self.nodes += 1
        if self.work >= self._pause_at:
            self._pause()
        if depth == 0:
            # Only a whole task of depth 0 comes here; inside a search the samples of a column share their leaf in
            # _mean.
            self.work += 1
            self.leaves += 1
            self.leaf.prepare(pair0, pair1, pair2, pair3, clock)
            return finite(self.leaf.finish(disc))
        table = self.table
        word3: i64 = 0
        hashed: i64 = 0
        cached: bool = depth >= table.from_depth
        if cached:
            word3 = last_key_word(pair3, disc, clock, depth)
            hashed = hash_key(pair0, pair1, pair2, word3)
            if table.probe(pair0, pair1, pair2, word3, hashed):
                return table.found
        seed: i64 = self.prepare_samples(pair0, pair1, pair2, pair3, disc, clock, depth)
        best: float = MINUS_INFINITY
        searched: float = 0.0
        # The first of equal columns stays.
        order = SEARCH_ORDER
        turn: i64 = 0
        while turn < 7:
            column: i64 = order[turn]
            if (column_of(pair0, pair1, pair2, pair3, column) >> 24) == 0:
                searched = self._mean(pair0, pair1, pair2, pair3, disc, clock, column, depth, seed)
                if searched > best:
                    best = searched
            turn += 1
        best = best_or_terminal(best, self.terminal_utility)
        if cached:
            table.store(pair0, pair1, pair2, word3, hashed, depth, best)
        return best

    def _mean(
        self, pair0: i64, pair1: i64, pair2: i64, pair3: i64, disc: i64, clock: i64, column: i64, depth: i64, seed: i64
    ) -> float:
        """Mean over the samples of one legal column."""
        rules = self.rules
        strata = self.strata
        leaf = self.leaf
        discs = self.discs
        samples: i64 = self.samples
        first_disc: i64 = depth * samples
        total: float = 0.0
        sample: i64 = 0
        shared: bool = False
        # Deeper down the workbench serves other moves between two samples.
        resumable: bool = False
        over: bool = False
        delta: float = 0.0
        next0: i64 = 0
        next1: i64 = 0
        next2: i64 = 0
        next3: i64 = 0
        next_clock: i64 = 0
        while sample < samples:
            if self.work >= self._pause_at:
                self._pause()
            if not shared:
                # 1. Play the column, and turn the position into its canonical form.
                strata.rewind(seed, sample)
                if resumable:
                    rules.resume(strata)
                else:
                    rules.drop(pair0, pair1, pair2, pair3, disc, clock, column, strata)
                    shared = strata.draws == 0
                    resumable = depth == 1 and not shared
                over = rules.over
                delta = float(rules.delta)
                next0 = rules.pair0
                next1 = rules.pair1
                next2 = rules.pair2
                next3 = rules.pair3
                next_clock = rules.clock
                if prefers_mirror(next0, next1, next2, next3):
                    next0, next1, next2, next3 = mirrored(next0, next1, next2, next3)
                if depth == 1 and not over:
                    self.leaf_cache.prepare(next0, next1, next2, next3, next_clock)
            self.work += 1
            self.moves += 1
            # 2. The end of the game, a leaf, or the best reply.
            if over:
                total += delta + self.terminal_utility
            elif depth == 1:
                self.nodes += 1
                if self.work >= self._pause_at:
                    self._pause()
                self.work += 1
                self.leaves += 1
                total += delta + finite(leaf.finish(discs[first_disc + sample]))
            else:
                total += delta + self.value(
                    next0, next1, next2, next3, discs[first_disc + sample], next_clock, depth - 1
                )
            sample += 1
        return total / float(samples)


def best_or_terminal(best: float, terminal_utility: float) -> float:
    """The greatest value of a position's columns; that of the game's end where it is not finite.

    It is not when no column has room (minus infinity), or when extreme weights make sums overflow.
    """
    if best - best != 0.0:
        return terminal_utility
    return best


def finite(value: float) -> float:
    """Pass a leaf value through.

    Raises:
        ArithmeticError: it is infinite or not a number, which only extreme weights can cause.
    """
    if value - value != 0.0:
        raise ArithmeticError("a leaf value is not finite")
    return value


def check_searchable(state: State) -> None:
    """Refuse positions that the rules do not define.

    Raises:
        UnsearchableState: floating discs, or a clock below 1.
    """
    reason = state.why_unsearchable()
    if reason:
        raise UnsearchableState(reason)
