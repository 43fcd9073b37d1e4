"""The search of one thread: fail-soft alpha-beta with quiescence, its histories, and lazy evaluation.

Every decision and its order is the sibling engines', because the node count is compared with theirs; the steps are
numbered, and the text of the documentation follows the numbers. What differs is how the work is done: moves are picked
one by one instead of sorted (see ``_search``, step 9), and accumulators are built when an evaluation first needs them.

Nothing is allocated per node: positions, move lists, principal variations and accumulators live in stacks made once.
"""

import time
from typing import Final, Protocol

from librt.vecs import vec
from mypy_extensions import i16, i32, i64

from pawnstar.chess.bits import COMPILED, DEBUGX, popcount, truncated, wrap
from pawnstar.chess.exchange import see
from pawnstar.chess.generation import generate
from pawnstar.chess.moves import CASTLE_KING_SIDE, EN_PASSANT, IDENTITY, KEPT_IN_TABLE, MAX_MOVES, SCORE_SHIFT
from pawnstar.chess.position import FIFTY_MOVE_PLIES, Position, make_move, make_null_move, material_draw
from pawnstar.engine.counters import Counters
from pawnstar.engine.eval_cache import EvalCache, cache_index, cached_score, packed_evaluation
from pawnstar.engine.network import Accumulators, Network
from pawnstar.engine.shared_table import SharedTable
from pawnstar.engine.transposition_table import (
    ALL_NODE,
    CUT_NODE,
    PV_NODE,
    TranspositionTable,
    node_type,
    stored_depth,
    stored_score,
)

# Scores, in centipawns.
INFINITY: Final = 32000
CHECKMATED: Final = -31900  # plus the ply at which mate stands on the board
WIN: Final = 31000  # and beyond: a forced mate
CANCELLED: Final = -12345678  # returned by a search that was told to stop
MATE_BAND: Final = 31836  # betas beyond this speak of mates: no reverse futility

# Depths and distances, in plies.
MAX_PLY: Final = 64
REVERSE_FUTILITY_DEPTH: Final = 7
REVERSE_FUTILITY_MARGIN: Final = 80  # centipawns a ply
LATE_MOVE_PRUNING_DEPTH: Final = 8
LATE_MOVE_PRUNING_BASE: Final = 3  # moves, plus the depth squared
INTERNAL_REDUCTION_DEPTH: Final = 4
NULL_MOVE_REDUCTION: Final = 4
NEVER_SHARED: Final = 1000
NULL_MOVE_PIECES: Final = 3  # passing needs more pieces of our own than this, king and pawns counted

LIMIT_MASK: Final = 2047  # the node limit is looked at every 2,048 nodes: where it strikes decides the answer
# Clock and stop are looked at every so many nodes (and calls of quiescence), less one: a few milliseconds' worth.
POLL_MASK: Final = 2047
PLAIN_POLL_MASK: Final = 63

# Move ordering: disjoint bands of scores that fit the move's 23 bits.
GOOD_CAPTURE: Final = 1 << 20
FIRST_KILLER: Final = (1 << 19) + 1
SECOND_KILLER: Final = 1 << 19
COUNTERMOVE: Final = (1 << 19) - 1
MOST_HISTORY: Final = (1 << 19) - 2
HISTORY_MAX: Final = 16384
HISTORY_BONUS_MAX: Final = 400

# Fifty-move scaling of evaluations: none up to this clock, then linearly towards 0 at 100.
SCALING_CLOCK: Final = 20

_STACK: Final = MAX_PLY + 2
_PIECE_TO: Final = 448  # kinds 0..6 times 64 squares
_LOUD_BITS: Final = 7 << 15
# A move's place in its list while it is ordered, in reverse: 511, 510, … in bits 25-33.
_FIRST_PLACE: Final = 0x3FE000000
_NEXT_PLACE: Final = 0x2000000


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


class Node(Position):
    """One ply of the stack: its position and what the search keeps beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.killer1: i64 = 0
        self.killer2: i64 = 0
        self.pv_length: i64 = 0
        # The slot of the accumulators that holds this position, -1 where none does yet.
        self.accumulator: i64 = -1


def scaled_evaluation(score: i64, clock: i64) -> i64:
    """An evaluation pulled towards 0 as the fifty-move clock runs out. The network sees the board only."""
    if clock <= SCALING_CLOCK:
        return score
    return truncated(score * (100 - clock), 80)


class Search(Counters):
    """The state of one searching thread. ``prepare`` before each root search."""

    def __init__(self, network: Network, table: TranspositionTable, eval_cache: EvalCache) -> None:
        super().__init__()
        self.network: Network = network
        self.table: TranspositionTable = table
        self.eval_cache: EvalCache = eval_cache
        self.stack: list[Node] = [Node() for _ in range(_STACK)]
        self.accumulators: Accumulators = Accumulators()
        self.moves: vec[i64] = vec[i64]([i64(0)] * (_STACK * MAX_MOVES))
        self.quiets: vec[i64] = vec[i64]([i64(0)] * (_STACK * MAX_MOVES))
        self.pv: vec[i64] = vec[i64]([i64(0)] * (_STACK * _STACK))
        # Quiet history by side and from-to square; replies and follow-ups by (kind, to) of the previous move.
        self.history: vec[i32] = vec[i32]([i32(0)] * 8192)
        self.countermoves: vec[i64] = vec[i64]([i64(0)] * _PIECE_TO)
        self.continuation: vec[i16] = vec[i16]([i16(0)] * (_PIECE_TO * _PIECE_TO))
        # Keys and clocks of all earlier positions of the game and of the line being searched.
        self.line_keys: vec[i64] = vec[i64]([i64(0)] * _STACK)
        self.line_clocks: vec[i64] = vec[i64]([i64(0)] * _STACK)
        self.game_length: i64 = 0
        self.clock_wrapped: bool = False
        self.nodes: i64 = 0
        self.quiet_nodes: i64 = 0  # calls of quiescence, which are no nodes
        self.node_limit: i64 = 0
        self.seldepth: i64 = 0
        self.cancelled: bool = False
        self.alone: bool = True  # no other thread shares its results with this one
        # What several threads share, from a minimum remaining depth on; none, and never, with one thread or where all
        # use one table.
        self.shared: SharedTable | None = None
        self.shared_depth: i64 = NEVER_SHARED
        self.limited: bool = False  # cancelled by the node limit
        self.stop: StopSignal | None = None
        self.deadline: Deadline | None = None

    def prepare(self, position: Position, history: list[tuple[int, int]]) -> None:
        """Start afresh at ``position``, reached through earlier positions' (key, clock) pairs, oldest first."""
        length: i64 = len(history)
        self.game_length = length
        self.line_keys = vec[i64]([i64(0)] * (length + _STACK))
        self.line_clocks = vec[i64]([i64(0)] * (length + _STACK))
        self.clock_wrapped = False
        for index, (key, clock) in enumerate(history):
            self.line_keys[i64(index)] = key
            self.line_clocks[i64(index)] = clock
            if clock >= FIFTY_MOVE_PLIES:
                self.clock_wrapped = True
        self._forget_histories()
        for node in self.stack:
            node.killer1 = 0
            node.killer2 = 0
            node.accumulator = -1
        self.nodes = 0
        self.seldepth = 0
        self.cancelled = False
        self.limited = False
        root = self.stack[0]
        root.copy_from(position)
        self.network.refresh_both(root, self.accumulators, 0)
        root.accumulator = 0
        self.line_keys[length] = root.key
        self.line_clocks[length] = root.clock

    def _forget_histories(self) -> None:
        """Set the histories to zero.

        In place where that is cheap: fresh memory for each search costs a hundred page faults, which on a busy virtual
        machine take longer than the budget of a fast game's move (games were lost on time that way).
        """
        if COMPILED:
            history = self.history
            index: i64 = 0
            while index < len(history):
                history[index] = 0
                index += 1
            countermoves = self.countermoves
            index = 0
            while index < len(countermoves):
                countermoves[index] = 0
                index += 1
            continuation = self.continuation
            index = 0
            while index < len(continuation):
                continuation[index] = 0
                index += 1
        else:
            self.history = vec[i32]([i32(0)] * 8192)
            self.countermoves = vec[i64]([i64(0)] * _PIECE_TO)
            self.continuation = vec[i16]([i16(0)] * (_PIECE_TO * _PIECE_TO))

    def share(self, table: SharedTable | None, depth: i64) -> None:
        """Share results with other threads through ``table`` from a remaining depth on; None: with nobody."""
        self.shared = table
        self.shared_depth = depth if table is not None else NEVER_SHARED

    def set_generation(self, generation: int) -> None:
        """Age the tables' entries: those of other generations yield."""
        self.table.generation = generation
        if self.shared is not None:
            self.shared.generation = generation

    def _shared_entry(self, key: i64, own: i64) -> i64:
        """The better of the own table's entry and the shared one's."""
        shared = self.shared
        if shared is None:
            return own
        entry = shared.probe(key)
        if entry == 0 or (own != 0 and stored_depth(own) >= stored_depth(entry)):
            return own
        return entry

    def _store(self, key: i64, move: i64, score: i64, depth: i64, kind: i64) -> None:
        """Enter a result into the own table, and into the shared one where it is deep enough."""
        self.table.store(key, move, score, depth, kind)
        if depth >= self.shared_depth:
            shared = self.shared
            if shared is not None:
                shared.store(key, move, score, depth, kind)

    def _poll(self) -> bool:
        """Let other threads run (compiled code holds Python's lock), then see whether the clock or a stop ends it."""
        time.sleep(0)
        if (self.stop is not None and self.stop.is_set()) or (self.deadline is not None and self.deadline.expired()):
            self.cancelled = True
            return True
        return False

    def _node_limit_reached(self) -> bool:
        """Whether the node limit ends the search at this node, which is one of every 2,048."""
        if self.node_limit != 0 and self.nodes >= self.node_limit:
            if not self.cancelled:
                self.cancelled = True
                self.limited = True
            return True
        return False

    # Draws and evaluation.

    def _is_draw(self, node: Node, ply: i64) -> bool:
        """Draw by material, by the fifty-move rule unless mated, or by threefold repetition, tested in this order."""
        pieces = material_draw(node)
        if pieces != 0:
            if DEBUGX:
                if pieces == 2:
                    self.n_draws_by_material_2 += 1
                elif pieces == 3:
                    self.n_draws_by_material_3 += 1
                else:
                    self.n_draws_by_material_4 += 1
            return True
        clock = node.clock
        if clock >= FIFTY_MOVE_PLIES:
            start = ply * MAX_MOVES
            if node.checkers == 0 or generate(node, self.moves, start, True) != start:
                return True
        # Two earlier occurrences need four reversible moves since; the game's own wrapped clocks spoil that shortcut.
        if clock < 4 and not self.clock_wrapped:
            return False
        keys = self.line_keys
        clocks = self.line_clocks
        key = node.key
        found: i64 = 0
        index = self.game_length + ply - 4
        while index >= 0:
            if keys[index] == key:
                found += 1
                if found == 2:
                    if DEBUGX:
                        self.n_draws_by_repetition_ss += 1
                    return True
            if clocks[index] == 0:
                return False
            index -= 2
        return False

    def _accumulator(self, ply: i64) -> i64:
        """The slot of the position at ``ply``, brought up to date from its nearest ancestor that has one."""
        stack = self.stack
        first = ply
        while stack[first].accumulator < 0:
            first -= 1
        while first < ply:
            before = stack[first]
            after = stack[first + 1]
            if after.null_move != 0:
                after.accumulator = before.accumulator
            else:
                self.network.update(before, after, self.accumulators, before.accumulator, first + 1)
                after.accumulator = first + 1
            first += 1
        return stack[ply].accumulator

    def _evaluate_undrawn(self, node: Node, ply: i64) -> i64:
        """The evaluation of a position known not to be drawn: cache, network, fifty-move scaling."""
        if DEBUGX:
            self.n_eval_calls += 1
        key = node.key
        cache = self.eval_cache
        words = cache.words
        index = cache.first + cache_index(key)
        word = words[index]
        if (word ^ key) >> 16 == 0:
            if DEBUGX:
                self.n_eval_hash_hits += 1
            return scaled_evaluation(cached_score(word), node.clock)
        score = self.network.evaluate(node, self.accumulators, self._accumulator(ply))
        words[index] = packed_evaluation(key, score)
        return scaled_evaluation(score, node.clock)

    def evaluate(self, ply: i64) -> i64:
        """The full evaluation of the position at ``ply`` in centipawns for the side to move; 0 where drawn."""
        node = self.stack[ply]
        if self._is_draw(node, ply):
            if DEBUGX:
                self.n_eval_calls += 1
            return 0
        return self._evaluate_undrawn(node, ply)

    def is_drawn_root(self) -> bool:
        """Whether the prepared root is a draw by material, fifty moves or repetition."""
        return self._is_draw(self.stack[0], 0)

    # Ordering and histories.

    def _score_moves(self, node: Node, start: i64, end: i64, previous: i64) -> i64:
        """Put ordering scores into moves[start:end]; returns how many of them are loud (captures, promotions).

        Below the score goes the move's place in reverse, so that all words differ and the greatest is the first of
        those with the best score: picking greatest words one by one equals a stable sort.
        """
        moves = self.moves
        history = self.history
        continuation = self.continuation
        side = node.side * 4096
        reply = previous_index(previous)
        counter = self.countermoves[reply] & IDENTITY
        row = reply * _PIECE_TO
        killer1 = node.killer1
        killer2 = node.killer2
        loud: i64 = 0
        index = start
        place: i64 = _FIRST_PLACE
        while index < end:
            move = moves[index]
            if is_loud(move):
                loud += 1
                score = see(node, move)
                if score >= 0:
                    score += GOOD_CAPTURE
            elif move == killer1:
                score = FIRST_KILLER
            elif move == killer2:
                score = SECOND_KILLER
            elif move == counter:
                score = COUNTERMOVE
            else:
                score = i64(history[side + (move & 4095)]) + i64(continuation[row + previous_index(move)])
                if score > MOST_HISTORY:
                    score = MOST_HISTORY
            moves[index] = move | place | score << SCORE_SHIFT
            place -= _NEXT_PLACE
            index += 1
        return loud

    def _score_captures(self, node: Node, start: i64, end: i64) -> None:
        """Put exchange values into moves[start:end], which are all loud, as ``_score_moves`` does."""
        moves = self.moves
        index = start
        place: i64 = _FIRST_PLACE
        while index < end:
            move = moves[index]
            moves[index] = move | place | see(node, move) << SCORE_SHIFT
            place -= _NEXT_PLACE
            index += 1

    def _credit(self, side: i64, previous: i64, move: i64, bonus: i64) -> None:
        """Move the history of ``move`` by ``bonus``, with gravity towards 0; quiet moves' continuation too."""
        history = self.history
        index = side * 4096 + (move & 4095)
        size = bonus if bonus >= 0 else -bonus
        entry = i64(history[index])
        history[index] = i32(entry + bonus - truncated(entry * size, HISTORY_MAX))
        if not is_loud(move):
            continuation = self.continuation
            index = previous_index(previous) * _PIECE_TO + previous_index(move)
            entry = i64(continuation[index])
            continuation[index] = i16(entry + bonus - truncated(entry * size, HISTORY_MAX))

    def _quiet_cutoff(self, node: Node, previous: i64, move: i64) -> None:
        """Remember a quiet move that cut: as the ply's killer and as the reply to the previous move."""
        quiet = move & IDENTITY
        if node.killer1 != quiet:
            if DEBUGX:
                self.n_killer_moves += 1
            node.killer2 = node.killer1
            node.killer1 = quiet
        self.countermoves[previous_index(previous)] = quiet

    def _raise_pv(self, node: Node, child: Node, ply: i64, move: i64) -> None:
        """The principal variation at ``ply`` becomes ``move`` and the child's."""
        pv = self.pv
        target = ply * _STACK
        source = target + _STACK
        length = child.pv_length
        pv[target] = move & IDENTITY
        index: i64 = 0
        while index < length:
            pv[target + 1 + index] = pv[source + index]
            index += 1
        node.pv_length = length + 1

    # The search proper.

    def search_move(
        self, node: Node, child: Node, depth: i64, ply: i64, alpha: i64, beta: i64, move: i64, index: i64
    ) -> i64:
        """Make ``move``, the ``index``-th searched here, and search behind it: a null window first where it may do."""
        next_depth = depth - 1
        kind = (move >> 18) & 15
        if kind >= 2 and kind < CASTLE_KING_SIDE:
            if kind <= 5:
                next_depth += 1
                if DEBUGX:
                    self.n_extensions_promotion += 1
            elif kind == EN_PASSANT:
                next_depth += 1
                if DEBUGX:
                    self.n_extensions_ep_capture += 1
        make_move(node, child, move)
        child.accumulator = -1
        if beta > alpha + 1 and index > 0 and node.checkers == 0 and child.checkers == 0:
            if DEBUGX:
                self.n_pvs_attempts += 1
            score = -self.search(next_depth, ply + 1, -alpha - 1, -alpha, move)
            if score <= alpha:
                return score
            if DEBUGX:
                self.n_pvs_fails += 1
                if ply == 0:
                    self.n_pvs_fails_root_ply += 1
        return -self.search(next_depth, ply + 1, -beta, -alpha, move)

    def search(self, depth: i64, ply: i64, alpha: i64, beta: i64, previous: i64) -> i64:
        """Alpha-beta: the score of the position at ``ply`` in centipawns for the side to move, fail-soft.

        ``previous`` is the move that led here, 0 after a pass or from quiescence. Returns CANCELLED (of either sign, as
        it is negated on the way up) when told to stop; callers look at ``cancelled``.
        """
        # Step 1. Count, and look at the clock now and then.
        if DEBUGX:
            self.n_alpha_beta_calls += 1
        if ply > self.seldepth:
            self.seldepth = ply
        self.nodes += 1
        if poll_is_due(self.nodes) and (self._poll() or (self.nodes & LIMIT_MASK == 0 and self._node_limit_reached())):
            return CANCELLED
        stack = self.stack
        node = stack[ply]

        # Step 2. Draws.
        if self._is_draw(node, ply):
            return 0

        # Step 3. A position in check is searched one ply deeper.
        in_check = node.checkers != 0
        if in_check:
            if DEBUGX:
                self.n_extensions_check += 1
            depth += 1
        if ply == MAX_PLY:
            if DEBUGX:
                self.n_max_ply_reached += 1
            return self._evaluate_undrawn(node, ply)

        # Step 4. The transposition table.
        entry = self.table.probe(node.key)
        if depth >= self.shared_depth and (entry == 0 or stored_depth(entry) < depth):
            entry = self._shared_entry(node.key, entry)
        if entry != 0 and stored_depth(entry) >= depth:
            kind = node_type(entry)
            if kind == CUT_NODE:
                if DEBUGX:
                    self.n_table_hit_cut_node += 1
                if stored_score(entry) >= beta:
                    if DEBUGX:
                        self.n_table_hit_cut_node_cutoffs += 1
                    return stored_score(entry)
            elif kind == ALL_NODE:
                if DEBUGX:
                    self.n_table_hit_all_node += 1
                if stored_score(entry) <= alpha:
                    if DEBUGX:
                        self.n_table_hit_all_node_cutoffs += 1
                    return stored_score(entry)
            else:
                if DEBUGX:
                    self.n_table_hit_pv_node += 1
                # With helpers the entry is likely a deeper iteration's of another thread, and so are those of the whole
                # principal variation: extending each of its plies would make the tree several times larger.
                if self.alone:
                    depth += 1

        # Step 5. Internal iterative reduction: without a table move the ordering is not worth the full depth.
        if depth >= INTERNAL_REDUCTION_DEPTH and entry & IDENTITY == 0:
            if DEBUGX:
                self.n_internal_iterative_reduction += 1
            depth -= 1

        # Step 6. Quiescence.
        if depth <= 0 and not in_check:
            return self.quiesce(depth, ply, alpha, beta)

        child = stack[ply + 1]
        line = self.game_length + ply
        self.line_keys[line] = node.key
        self.line_clocks[line] = node.clock
        side = node.side

        # Step 7. Null-window nodes out of check: reverse futility, then passing. The window is the entry's.
        if beta <= alpha + 1 and not in_check:
            static = self._evaluate_undrawn(node, ply)
            if (
                depth <= REVERSE_FUTILITY_DEPTH
                and beta < MATE_BAND
                and beta > -MATE_BAND
                and static - REVERSE_FUTILITY_MARGIN * depth >= beta
            ):
                if DEBUGX:
                    self.n_reverse_futility_prune += 1
                return static
            if static >= beta and node.null_move == 0 and popcount(node.color(side)) > NULL_MOVE_PIECES:
                if DEBUGX:
                    self.n_null_move += 1
                make_null_move(node, child)
                child.accumulator = -1
                score = -self.search(depth - NULL_MOVE_REDUCTION, ply + 1, -beta, -alpha, 0)
                if self.cancelled:
                    return CANCELLED
                if score >= beta:
                    return beta
                if DEBUGX:
                    self.n_null_move_fails += 1
            # Also where no pass was tried: a cancelled shallow pass goes on with its other moves, and the counters tell
            # how far each of them got.
            if self.cancelled:
                return CANCELLED

        # Step 8. The table's move, before any other is generated.
        best: i64 = 0
        best_score: i64 = -INFINITY
        raised = False
        table_move = entry & KEPT_IN_TABLE
        table_identity = entry & IDENTITY
        quiets = self.quiets
        first_quiet = ply * MAX_MOVES
        last_quiet = first_quiet
        if table_identity != 0:
            if DEBUGX:
                self.n_table_move += 1
            best = table_move
            child.pv_length = 0
            score = self.search_move(node, child, depth, ply, alpha, beta, table_move, 0)
            if self.cancelled:
                return CANCELLED
            if score >= beta:
                if DEBUGX:
                    self.n_table_move_beta_cutoffs += 1
                self._store(node.key, table_move, score, depth, CUT_NODE)
                self._credit(side, previous, table_move, history_bonus(depth))
                if not is_loud(table_move):
                    self._quiet_cutoff(node, previous, table_move)
                return score
            best_score = score
            if score > alpha:
                if DEBUGX:
                    self.n_table_move_raised_alpha += 1
                alpha = score
                raised = True
                self._raise_pv(node, child, ply, table_move)
                self._credit(side, previous, table_move, history_bonus(depth))
            if not is_loud(table_move):
                quiets[last_quiet] = table_move
                last_quiet += 1

        # Step 9. All legal moves, best scores first. A cutoff usually comes early, so the next best is picked when it
        # is wanted instead of sorting the list.
        moves = self.moves
        at = ply * MAX_MOVES
        end = generate(node, moves, at, True)
        if end == at:
            if in_check:
                if DEBUGX:
                    self.n_checkmates += 1
                return CHECKMATED + ply
            if DEBUGX:
                self.n_stalemates += 1
            return 0
        loud_left = self._score_moves(node, at, end, previous)
        table_move_left = table_identity != 0
        index: i64 = -1
        while at < end:
            move = moves[at]
            picked = at
            candidate = at + 1
            while candidate < end:
                if moves[candidate] > move:
                    move = moves[candidate]
                    picked = candidate
                candidate += 1
            moves[picked] = moves[at]
            at += 1
            index += 1
            move &= IDENTITY
            loud = is_loud(move)
            if loud:
                loud_left -= 1
            if move == table_identity:
                table_move_left = False
                continue

            # Step 10. Late move pruning and reduction, by the window as it is now.
            null_window = beta == alpha + 1
            search_depth = depth
            if null_window and not in_check:
                if depth <= LATE_MOVE_PRUNING_DEPTH and not loud and index >= LATE_MOVE_PRUNING_BASE + depth * depth:
                    if loud_left == 0:
                        # Nothing but quiet moves is left, and each would be pruned here.
                        if DEBUGX:
                            self.n_late_move_prune += 1 + end - at
                            if table_move_left:
                                self.n_late_move_prune -= 1
                        break
                    if DEBUGX:
                        self.n_late_move_prune += 1
                    continue
                if index > 3 and depth > 2:
                    if DEBUGX:
                        self.n_late_move_reduction += 1
                    search_depth = depth - 1
                    if depth > 3 and index > 6:
                        search_depth -= 1
                        if DEBUGX:
                            self.n_late_move_reduction_x2 += 1
                        if index > 12:
                            search_depth -= 1
                            if DEBUGX:
                                self.n_late_move_reduction_x3 += 1

            # Step 11. Search it; a reduced move that raises alpha is searched again to the full depth.
            child.pv_length = 0
            score = self.search_move(node, child, search_depth, ply, alpha, beta, move, index)
            if score > alpha and search_depth < depth:
                if DEBUGX:
                    self.n_late_move_reduction_fails += 1
                score = self.search_move(node, child, depth, ply, alpha, beta, move, index)
            if self.cancelled:
                return CANCELLED

            # Step 12. A cutoff: credit the move, debit the quiet ones searched before it.
            if score >= beta:
                if DEBUGX:
                    self.n_beta_cutoffs += 1
                self._store(node.key, move, score, depth, CUT_NODE)
                bonus = history_bonus(depth)
                self._credit(side, previous, move, bonus)
                while first_quiet < last_quiet:
                    self._credit(side, previous, quiets[first_quiet], -bonus)
                    first_quiet += 1
                if not loud:
                    self._quiet_cutoff(node, previous, move)
                return score
            if score > best_score:
                if DEBUGX:
                    self.n_best_score_changed += 1
                best_score = score
                best = move
                if score > alpha:
                    if DEBUGX:
                        self.n_pv_changed += 1
                    alpha = score
                    raised = True
                    self._raise_pv(node, child, ply, move)
                    self._credit(side, previous, move, history_bonus(depth))
            if not loud:
                quiets[last_quiet] = move
                last_quiet += 1

        # Step 13. No cutoff: an exact score where alpha rose, else an upper bound.
        if raised:
            if DEBUGX:
                self.n_pv_nodes += 1
            self._store(node.key, best, alpha, depth, PV_NODE)
            self._credit(side, previous, best, history_bonus(depth))
        else:
            if DEBUGX:
                self.n_all_nodes += 1
            self._store(node.key, best, best_score, depth, ALL_NODE)
        return best_score

    def quiesce(self, depth: i64, ply: i64, alpha: i64, beta: i64) -> i64:
        """Search captures and promotions that do not lose material until the position is quiet; evasions in check.

        Not counted as nodes; no table. ``depth`` goes on falling below 0 and is what an evasion search gets.
        """
        if DEBUGX:
            self.n_quiescent_calls += 1
        if ply > self.seldepth:
            self.seldepth = ply
        # A board overfull of pieces keeps quiescence busy for hours between two nodes; it must hear a stop, too. The
        # siblings do not look here, so a search that is cancelled already goes on as theirs does: to its next check.
        self.quiet_nodes += 1
        if poll_is_due(self.quiet_nodes) and not self.cancelled and self._poll():
            return CANCELLED
        if ply == MAX_PLY:
            if DEBUGX:
                self.n_quiescent_max_ply += 1
            return self.evaluate(ply)
        stack = self.stack
        node = stack[ply]
        if node.checkers != 0:
            if DEBUGX:
                self.n_quiescent_checks += 1
            return self.search(depth, ply, alpha, beta, 0)

        # Standing pat.
        best = self.evaluate(ply)
        if best >= beta:
            if DEBUGX:
                self.n_quiescent_eval_beta_cutoffs += 1
            return best
        if best > alpha:
            if DEBUGX:
                self.n_quiescent_eval_raises_alpha += 1
            alpha = best

        moves = self.moves
        at = ply * MAX_MOVES
        end = generate(node, moves, at, False)
        if at == end:
            return best
        self._score_captures(node, at, end)
        line = self.game_length + ply
        self.line_keys[line] = node.key
        self.line_clocks[line] = node.clock
        child = stack[ply + 1]
        while at < end:
            move = moves[at]
            picked = at
            candidate = at + 1
            while candidate < end:
                if moves[candidate] > move:
                    move = moves[candidate]
                    picked = candidate
                candidate += 1
            if move < 0:
                # It loses material, and so does every move behind it.
                if DEBUGX:
                    self.n_quiescent_negative_see += 1
                return best
            moves[picked] = moves[at]
            at += 1
            move &= IDENTITY
            make_move(node, child, move)
            child.accumulator = -1
            score = -self.quiesce(depth - 1, ply + 1, -beta, -alpha)
            if self.cancelled:
                return CANCELLED
            if score >= beta:
                if DEBUGX:
                    self.n_quiescent_beta_cutoffs += 1
                self._count_capture(node.side, move)
                return score
            if score > best:
                best = score
                if score > alpha:
                    if DEBUGX:
                        self.n_quiescent_pv_changed += 1
                    alpha = score
                    self._count_capture(node.side, move)
        return best

    def _count_capture(self, side: i64, move: i64) -> None:
        """Quiescence keeps a plain count in the history."""
        index = side * 4096 + (move & 4095)
        self.history[index] = self.history[index] + 1


def poll_is_due(count: i64) -> bool:
    """Whether so many nodes call for a look at the clock."""
    if COMPILED:
        return count & POLL_MASK == 0
    else:
        return count & PLAIN_POLL_MASK == 0


def is_loud(move: i64) -> bool:
    """Whether a move captures or promotes."""
    if move & _LOUD_BITS != 0:
        return True
    kind = (move >> 18) & 15
    return kind >= 2 and kind <= 5


def previous_index(move: i64) -> i64:
    """A move's (kind of piece, target square) as one index, 0 to 447."""
    return ((move >> 6) & 0x1C0) | (move & 63)


def history_bonus(depth: i64) -> i64:
    """The credit of a good move: its depth squared, at least 1 and at most 400."""
    bonus: i64 = 1
    if depth > 1:
        bonus = depth * depth
    if bonus > HISTORY_BONUS_MAX:
        bonus = HISTORY_BONUS_MAX
    return bonus


def root_score(score: i64) -> i64:
    """A score as the root list stores it: 23 bits, signed. Only CANCELLED does not survive that."""
    return wrap(score << SCORE_SHIFT) >> SCORE_SHIFT
