"""The sibling engines' search of one thread: fail-soft alpha-beta with quiescence.

Every decision and its order is the sibling engines', because the node count is compared with theirs; the steps are
numbered, and the text of the documentation follows the numbers. What differs is how the work is done: moves are picked
one by one instead of sorted (step 9), and accumulators are built when an evaluation first needs them.

It holds no switch for any technique: what searches otherwise is another search.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import popcount
from pawnstar.chess.generation import generate
from pawnstar.chess.moves import EN_PASSANT, IDENTITY, MAX_MOVES, is_loud, is_promotion, move_type
from pawnstar.chess.position import Position, make_move, make_null_move
from pawnstar.evaluation.cache import EvalCache
from pawnstar.evaluation.counters import DEBUGX
from pawnstar.evaluation.evaluator import Node
from pawnstar.evaluation.nnue.network import Network
from pawnstar.search.histories import Histories, history_bonus, pick_best, score_captures
from pawnstar.search.scores import CANCELLED, INFINITY, MATE_BAND, mated_at
from pawnstar.search.tables.table_entry import (
    ALL_NODE,
    CUT_NODE,
    KEPT_IN_TABLE,
    PV_NODE,
    stored_bound,
    stored_depth,
    stored_score,
)
from pawnstar.search.tables.transposition_table import TranspositionTable
from pawnstar.search.worker import LIMIT_MASK, MAX_PLY, STACK, Worker, poll_is_due

# Depths in plies.
REVERSE_FUTILITY_DEPTH: Final = 7
REVERSE_FUTILITY_MARGIN: Final = 80  # centipawns a ply
LATE_MOVE_PRUNING_DEPTH: Final = 8
LATE_MOVE_PRUNING_BASE: Final = 3  # moves, plus the depth squared
INTERNAL_REDUCTION_DEPTH: Final = 4
NULL_MOVE_REDUCTION: Final = 4
NULL_MOVE_PIECES: Final = 3  # passing needs more pieces of our own than this, king and pawns counted


class ReferenceSearch(Worker):
    """The search that the sibling engines make, to the node."""

    def __init__(self, network: Network, table: TranspositionTable, eval_cache: EvalCache) -> None:
        super().__init__(network, table, eval_cache)
        self.histories: Histories = Histories(STACK)
        # Quiet moves searched without a cutoff, in a row of the stack's list for each ply.
        self.quiets: vec[i64] = vec[i64]([i64(0)] * (STACK * MAX_MOVES))

    def prepare(self, position: Position, history: list[tuple[int, int]]) -> None:
        """Start afresh at ``position``, reached through earlier positions' (key, clock) pairs, oldest first."""
        self.histories.forget()
        super().prepare(position, history)

    def search_move(self, node: Node, child: Node, depth: i64, alpha: i64, beta: i64, move: i64, index: i64) -> i64:
        """Make ``move``, the ``index``-th searched here, and search behind it: a null window first where it may do."""
        counters = self.counters
        next_depth = depth - 1
        if is_promotion(move):
            next_depth += 1
            if DEBUGX:
                counters.extensions_promotion += 1
        elif move_type(move) == EN_PASSANT:
            next_depth += 1
            if DEBUGX:
                counters.extensions_ep_capture += 1
        make_move(node, child, move)
        if beta > alpha + 1 and index > 0 and node.checkers == 0 and child.checkers == 0:
            if DEBUGX:
                counters.pvs_attempts += 1
            score = -self.search(child, next_depth, -alpha - 1, -alpha, move)
            if score <= alpha:
                return score
            if DEBUGX:
                counters.pvs_fails += 1
                if node.ply == 0:
                    counters.pvs_fails_root_ply += 1
        return -self.search(child, next_depth, -beta, -alpha, move)

    def search(self, node: Node, depth: i64, alpha: i64, beta: i64, previous: i64) -> i64:
        """Alpha-beta: the score of the position at ``node`` in centipawns for the side to move, fail-soft.

        ``previous`` is the move that led here, 0 after a pass or from quiescence. Returns CANCELLED (of either sign, as
        it is negated on the way up) when told to stop; callers look at ``cancelled``.
        """
        # Step 1. Count, and look at the clock now and then.
        counters = self.counters
        ply = node.ply
        if DEBUGX:
            counters.alpha_beta_calls += 1
        if ply > self.seldepth:
            self.seldepth = ply
        self.nodes += 1
        if poll_is_due(self.nodes) and (self.poll() or (self.nodes & LIMIT_MASK == 0 and self.node_limit_reached())):
            return CANCELLED

        # Step 2. Draws.
        if self.is_draw(node):
            return 0

        # Step 3. A position in check is searched one ply deeper.
        in_check = node.checkers != 0
        if in_check:
            if DEBUGX:
                counters.extensions_check += 1
            depth += 1
        if ply == MAX_PLY:
            if DEBUGX:
                counters.max_ply_reached += 1
            return self.evaluator.evaluate(node)

        # Step 4. The transposition table.
        entry = self.table.probe(node.key, depth)
        if entry != 0 and stored_depth(entry) >= depth:
            bound = stored_bound(entry)
            if bound == CUT_NODE:
                if DEBUGX:
                    counters.table_hit_cut_node += 1
                if stored_score(entry) >= beta:
                    if DEBUGX:
                        counters.table_hit_cut_node_cutoffs += 1
                    return stored_score(entry)
            elif bound == ALL_NODE:
                if DEBUGX:
                    counters.table_hit_all_node += 1
                if stored_score(entry) <= alpha:
                    if DEBUGX:
                        counters.table_hit_all_node_cutoffs += 1
                    return stored_score(entry)
            else:
                if DEBUGX:
                    counters.table_hit_pv_node += 1
                # With helpers the entry is likely a deeper iteration's of another thread, and so are those of the whole
                # principal variation: extending each of its plies would make the tree several times larger.
                if self.alone:
                    depth += 1

        # Step 5. Internal iterative reduction: without a table move the ordering is not worth the full depth.
        if depth >= INTERNAL_REDUCTION_DEPTH and entry & IDENTITY == 0:
            if DEBUGX:
                counters.internal_iterative_reduction += 1
            depth -= 1

        # Step 6. Quiescence.
        if depth <= 0 and not in_check:
            return self.quiesce(node, depth, alpha, beta)

        child = node.after
        self.enter_line(node)

        # Step 7. Null-window nodes out of check: reverse futility, then passing. The window is the entry's.
        if beta <= alpha + 1 and not in_check:
            static = self.evaluator.evaluate(node)
            if (
                depth <= REVERSE_FUTILITY_DEPTH
                and beta < MATE_BAND
                and beta > -MATE_BAND
                and static - REVERSE_FUTILITY_MARGIN * depth >= beta
            ):
                if DEBUGX:
                    counters.reverse_futility_prune += 1
                return static
            if static >= beta and node.null_move == 0 and popcount(node.color(node.side)) > NULL_MOVE_PIECES:
                if DEBUGX:
                    counters.null_move += 1
                make_null_move(node, child)
                score = -self.search(child, depth - NULL_MOVE_REDUCTION, -beta, -alpha, 0)
                if self.cancelled:
                    return CANCELLED
                if score >= beta:
                    return beta
                if DEBUGX:
                    counters.null_move_fails += 1
            # Also where no pass was tried: a cancelled shallow pass goes on with its other moves, and the counters tell
            # how far each of them got.
            if self.cancelled:
                return CANCELLED

        # Step 8. The table's move, before any other is generated.
        best: i64 = 0
        best_score: i64 = -INFINITY
        raised = False
        table_identity = entry & IDENTITY
        quiets = self.quiets
        last_quiet = ply * MAX_MOVES
        if table_identity != 0:
            if DEBUGX:
                counters.table_move += 1
            best = entry & KEPT_IN_TABLE
            child.pv_length = 0
            best_score = self.search_move(node, child, depth, alpha, beta, best, 0)
            if self.cancelled:
                return CANCELLED
            if best_score >= beta:
                if DEBUGX:
                    counters.table_move_beta_cutoffs += 1
                self._cut(node, previous, best, best_score, depth, last_quiet)
                return best_score
            if best_score > alpha:
                if DEBUGX:
                    counters.table_move_raised_alpha += 1
                alpha = best_score
                raised = True
                self._raise_alpha(node, child, previous, best, depth)
            if not is_loud(best):
                quiets[last_quiet] = best
                last_quiet += 1

        # Step 9. All legal moves, best scores first. A cutoff usually comes early, so the next best is picked when it
        # is wanted instead of sorting the list.
        moves = self.moves
        at = ply * MAX_MOVES
        end = generate(node, moves, at, True)
        if end == at:
            if in_check:
                if DEBUGX:
                    counters.checkmates += 1
                return mated_at(ply)
            if DEBUGX:
                counters.stalemates += 1
            return 0
        loud_left = self.histories.score_moves(node, moves, at, end, ply, previous)
        table_move_left = table_identity != 0
        index: i64 = -1
        while at < end:
            move = pick_best(moves, at, end) & IDENTITY
            at += 1
            index += 1
            loud = is_loud(move)
            if loud:
                loud_left -= 1
            if move == table_identity:
                table_move_left = False
                continue

            # Step 10. Late move pruning and reduction, by the window as it is now.
            search_depth = depth
            if beta == alpha + 1 and not in_check:
                if depth <= LATE_MOVE_PRUNING_DEPTH and not loud and index >= LATE_MOVE_PRUNING_BASE + depth * depth:
                    if loud_left == 0:
                        # Nothing but quiet moves is left, and each would be pruned here.
                        if DEBUGX:
                            counters.late_move_prune += 1 + end - at
                            if table_move_left:
                                counters.late_move_prune -= 1
                        break
                    if DEBUGX:
                        counters.late_move_prune += 1
                    continue
                if index > 3 and depth > 2:
                    if DEBUGX:
                        counters.late_move_reduction += 1
                    search_depth = depth - 1
                    if depth > 3 and index > 6:
                        search_depth -= 1
                        if DEBUGX:
                            counters.late_move_reduction_x2 += 1
                        if index > 12:
                            search_depth -= 1
                            if DEBUGX:
                                counters.late_move_reduction_x3 += 1

            # Step 11. Search it; a reduced move that raises alpha is searched again to the full depth.
            child.pv_length = 0
            score = self.search_move(node, child, search_depth, alpha, beta, move, index)
            if score > alpha and search_depth < depth:
                if DEBUGX:
                    counters.late_move_reduction_fails += 1
                score = self.search_move(node, child, depth, alpha, beta, move, index)
            if self.cancelled:
                return CANCELLED

            # Step 12. A cutoff, or a better move.
            if score >= beta:
                if DEBUGX:
                    counters.beta_cutoffs += 1
                self._cut(node, previous, move, score, depth, last_quiet)
                return score
            if score > best_score:
                if DEBUGX:
                    counters.best_score_changed += 1
                best_score = score
                best = move
                if score > alpha:
                    if DEBUGX:
                        counters.pv_changed += 1
                    alpha = score
                    raised = True
                    self._raise_alpha(node, child, previous, move, depth)
            if not loud:
                quiets[last_quiet] = move
                last_quiet += 1

        # Step 13. No cutoff: an exact score where alpha rose, else an upper bound.
        if raised:
            if DEBUGX:
                counters.pv_nodes += 1
            self.table.store(node.key, best, alpha, depth, PV_NODE)
            self.histories.credit(node.side, previous, best, history_bonus(depth))
        else:
            if DEBUGX:
                counters.all_nodes += 1
            self.table.store(node.key, best, best_score, depth, ALL_NODE)
        return best_score

    def _cut(self, node: Node, previous: i64, move: i64, score: i64, depth: i64, last_quiet: i64) -> None:
        """Learn from a cutoff: a lower bound, credit for the move, debit for the quiet ones searched before it."""
        histories = self.histories
        side = node.side
        ply = node.ply
        self.table.store(node.key, move, score, depth, CUT_NODE)
        bonus = history_bonus(depth)
        histories.credit(side, previous, move, bonus)
        quiets = self.quiets
        quiet = ply * MAX_MOVES
        while quiet < last_quiet:
            histories.credit(side, previous, quiets[quiet], -bonus)
            quiet += 1
        if not is_loud(move):
            is_new = histories.remember(ply, previous, move)
            if DEBUGX:
                if is_new:
                    self.counters.killer_moves += 1

    def _raise_alpha(self, node: Node, child: Node, previous: i64, move: i64, depth: i64) -> None:
        """Learn from a move that raised alpha: it begins the principal variation, and is credited."""
        self.raise_pv(node, child, move)
        self.histories.credit(node.side, previous, move, history_bonus(depth))

    def quiesce(self, node: Node, depth: i64, alpha: i64, beta: i64) -> i64:
        """Search captures and promotions that do not lose material until the position is quiet; evasions in check.

        Not counted as nodes; no table. ``depth`` goes on falling below 0 and is what an evasion search gets.
        """
        # Step 1. Count, and look at the clock now and then.
        counters = self.counters
        ply = node.ply
        if DEBUGX:
            counters.quiescent_calls += 1
        if ply > self.seldepth:
            self.seldepth = ply
        # A board overfull of pieces keeps quiescence busy for hours between two nodes; it must hear a stop, too. The
        # siblings do not look here, so a search that is cancelled already goes on as theirs does: to its next check.
        self.quiet_nodes += 1
        if poll_is_due(self.quiet_nodes) and not self.cancelled and self.poll():
            return CANCELLED

        # Step 2. The end of the stack.
        if ply == MAX_PLY:
            if DEBUGX:
                counters.quiescent_max_ply += 1
            return self.evaluate(node)

        # Step 3. In check every evasion is searched.
        if node.checkers != 0:
            if DEBUGX:
                counters.quiescent_checks += 1
            return self.search(node, depth, alpha, beta, 0)

        # Step 4. Standing pat.
        best = self.evaluate(node)
        if best >= beta:
            if DEBUGX:
                counters.quiescent_eval_beta_cutoffs += 1
            return best
        if best > alpha:
            if DEBUGX:
                counters.quiescent_eval_raises_alpha += 1
            alpha = best

        # Step 5. Captures and promotions, best exchange value first.
        moves = self.moves
        at = ply * MAX_MOVES
        end = generate(node, moves, at, False)
        if at == end:
            return best
        score_captures(node, moves, at, end)
        self.enter_line(node)
        child = node.after
        while at < end:
            move = pick_best(moves, at, end)
            if move < 0:
                # It loses material, and so does every move behind it.
                if DEBUGX:
                    counters.quiescent_negative_see += 1
                return best
            at += 1
            move &= IDENTITY

            # Step 6. Search it. What cuts or raises alpha is counted in the history.
            make_move(node, child, move)
            score = -self.quiesce(child, depth - 1, -beta, -alpha)
            if self.cancelled:
                return CANCELLED
            if score >= beta:
                if DEBUGX:
                    counters.quiescent_beta_cutoffs += 1
                self.histories.count(node.side, move)
                return score
            if score > best:
                best = score
                if score > alpha:
                    if DEBUGX:
                        counters.quiescent_pv_changed += 1
                    alpha = score
                    self.histories.count(node.side, move)
        return best
