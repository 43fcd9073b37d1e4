"""The sibling engines' root: the shallow pass that orders the moves, iterative deepening, and when to stop.

The steps carry the documentation's numbers; step 1, the moves that are answered unsearched, is the engine's.
"""

from collections.abc import Callable
from typing import Final

from pawnstar.chess.moves import IDENTITY
from pawnstar.search.clock import CURRMOVE_AFTER, GO_ON, STOP_MESSAGES, Clock
from pawnstar.search.info import SearchInfo
from pawnstar.search.reference import ReferenceSearch
from pawnstar.search.root_moves import RootMove, sort_moves
from pawnstar.search.scores import INFINITY, is_mate, root_score
from pawnstar.search.team import Team
from pawnstar.search.worker import MAX_PLY

START_DEPTH: Final = 3
STABLE_WINDOW: Final = 50  # centipawns


class ReferenceRoot:
    """One thread's iterative deepening over the root moves.

    ``report`` receives every ``SearchInfo``. Helpers hand in a receiver that drops them, and a clock without budgets.
    ``team`` gives the figures of all threads together.
    """

    def __init__(
        self,
        search: ReferenceSearch,
        clock: Clock,
        moves: list[int],
        depth_limit: int | None,
        report: Callable[[SearchInfo], None],
        team: Team,
    ) -> None:
        self.search = search
        self.clock = clock
        self.moves = [RootMove(move) for move in moves]
        self.depth_limit = depth_limit
        self.report = report
        self.team = team
        self.best = self.moves[0]
        self.ponder_move = 0
        self.depth = 0
        self.reported = False

    def _search(self, root_move: RootMove, depth: int, alpha: int, index: int) -> int:
        """Search one root move with the window (alpha, infinity)."""
        search = self.search
        before = int(search.nodes)
        node = search.stack[0]
        child = node.after
        child.pv_length = 0
        score = int(search.search_move(node, child, depth, alpha, INFINITY, root_move.move, index))
        root_move.nodes += int(search.nodes) - before
        return score

    def _take_line(self, root_move: RootMove) -> None:
        """Keep the principal variation behind a move, which has just been searched."""
        root_move.pv = (root_move.move, *self.search.line(1))

    def _report(self, depth: int, best: RootMove) -> None:
        """Report a new best move."""
        elapsed = self.clock.searched()
        nodes = self.team.nodes()
        for text in self.team.warnings():
            self.report(SearchInfo(message=text))
        self.reported = True
        self.report(
            SearchInfo(
                depth=depth,
                seldepth=int(self.search.seldepth),
                score=best.score,
                time=elapsed,
                nodes=nodes,
                nps=nodes * 1000 // max(1, elapsed),
                hashfull=self.team.hashfull(),
                pv=best.pv,
            )
        )

    def shallow_pass(self) -> None:
        """Step 2. Search every move to depth 3 with the full window, to order them.

        The window is not narrowed. So the null-window search of each later move, at the window's lower end, fails high
        and is repeated in full; the siblings' node counts contain both searches. A stop does not end the pass: each
        remaining move is searched up to the first node that looks at ``cancelled``.
        """
        for index, root_move in enumerate(self.moves):
            root_move.score = int(root_score(self._search(root_move, START_DEPTH, -INFINITY, index)))
            if self.search.cancelled and not self.search.limited and index > 0:
                # Out of time or told to stop: a move not searched to the end is no better than one that was. (Where
                # the node limit ends the pass, the half-searched move is the answer, as in the siblings.)
                root_move.score = -INFINITY - 1
            self._take_line(root_move)
        sort_moves(self.moves)
        self.best = self.moves[0]
        self.depth = START_DEPTH

    def report_shallow(self) -> None:
        """Report the shallow pass's best move, unless a deeper search has reported or the pass was cancelled."""
        if not self.reported and not self.search.cancelled:
            self.ponder_move = 0
            self._report(START_DEPTH, self.best)

    def iterate(self) -> None:
        """Step 3. Deepen from 4 plies on until a limit, the clock or a forced mate says stop."""
        remembered: list[tuple[int, int]] = []
        depth = START_DEPTH + 1
        while depth < MAX_PLY and (self.depth_limit is None or depth <= self.depth_limit):
            if self.team.skips(depth):
                depth += 1
                continue
            sort_moves(self.moves)
            remembered.append((self.best.move & IDENTITY, self.best.score))
            for root_move in self.moves:
                root_move.previous = root_move.score
            alpha = -INFINITY
            for index, root_move in enumerate(self.moves):
                if self.clock.searched() > CURRMOVE_AFTER:
                    self.report(SearchInfo(depth=depth, currmove=root_move.move, currmove_number=index + 1))
                score = self._search(root_move, depth, alpha, index)
                if self.search.cancelled:
                    return
                root_move.score = score
                if score > alpha:
                    alpha = score
                    self._take_line(root_move)
                    self.best = root_move
                    self.ponder_move = root_move.pv[1] if len(root_move.pv) > 1 else 0
                    self.depth = depth
                    self._report(depth, root_move)

            # Step 4. When to stop.
            if is_mate(alpha):
                return
            consistent = all(move == self.best.move & IDENTITY for move, _ in remembered)
            stable = all(abs(score - self.best.score) <= STABLE_WINDOW for _, score in remembered)
            advice = self.clock.advice(consistent, stable)
            if advice != GO_ON:
                if advice in STOP_MESSAGES:
                    self.report(SearchInfo(message=STOP_MESSAGES[advice]))
                return
            depth += 1
