"""The root of a search: the shallow pass that orders the moves, iterative deepening, and when to stop."""

from collections.abc import Callable
from typing import Final

from mypy_extensions import i64

from pawnstar.chess.moves import IDENTITY
from pawnstar.engine.clock import CURRMOVE_AFTER, GO_ON, STOP_MESSAGES, Clock
from pawnstar.engine.info import SearchInfo
from pawnstar.engine.scores import INFINITY, is_mate, root_score
from pawnstar.engine.search import MAX_PLY, Search
from pawnstar.engine.team import Team

START_DEPTH: Final = 3
STABLE_WINDOW: Final = 50  # centipawns


class Root:
    """One thread's iterative deepening over the root moves.

    ``report`` receives every ``SearchInfo``; the main thread reports and minds the clock, helpers do neither. ``team``
    answers for all threads together.
    """

    def __init__(
        self,
        search: Search,
        clock: Clock,
        moves: list[int],
        depth_limit: int | None,
        report: Callable[[SearchInfo], None],
        team: Team,
    ) -> None:
        self.search = search
        self.clock = clock
        self.moves = moves
        self.scores = [0] * len(moves)
        self.depth_limit = depth_limit
        self.report = report
        self.team = team
        self.best_move = moves[0]
        self.best_score = 0
        self.pv: tuple[int, ...] = (moves[0],)
        self.ponder_move = 0
        self.depth = 0
        self.reported = False

    def _line(self, move: int) -> tuple[int, ...]:
        """The principal variation behind ``move``, which has just been searched."""
        length = int(self.search.stack[1].pv_length)
        return (move, *(int(self.search.pv[i64(MAX_PLY + 2 + index)]) for index in range(length)))

    def _search(self, move: int, depth: int, alpha: int, index: int) -> int:
        """Search one root move with the window (alpha, infinity)."""
        node = self.search.stack[0]
        child = self.search.stack[1]
        child.pv_length = 0
        return int(self.search.search_move(node, child, depth, 0, alpha, INFINITY, move, index))

    def _sort(self) -> None:
        """Best scores first; moves with equal scores keep their order."""
        order = sorted(range(len(self.moves)), key=lambda index: -self.scores[index])
        self.moves = [self.moves[index] for index in order]
        self.scores = [self.scores[index] for index in order]

    def _report(self, depth: int, score: int, pv: tuple[int, ...]) -> None:
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
                score=score,
                time=elapsed,
                nodes=nodes,
                nps=nodes * 1000 // max(1, elapsed),
                hashfull=self.team.hashfull(),
                pv=pv,
            )
        )

    def shallow_pass(self) -> None:
        """Search every move to depth 3 with the full window, to order them.

        The window is not narrowed, so each move after the first is first scouted at the very top of it and fails; that
        costs nodes, and the node count is the siblings'. Nor does a stop end the pass: it only makes its moves cheap.
        """
        best = -INFINITY - 1
        for index, move in enumerate(self.moves):
            score = root_score(self._search(move, START_DEPTH, -INFINITY, index))
            if self.search.cancelled and not self.search.limited and index > 0:
                # Out of time or told to stop: a move not searched to the end is no better than one that was. (Where
                # the node limit ends the pass, the half-searched move is the answer, as in the siblings.)
                score = -INFINITY - 1
            self.scores[index] = int(score)
            if score > best:
                best = int(score)
                self.pv = self._line(move)
        self._sort()
        self.best_move = self.moves[0]
        self.best_score = self.scores[0]
        self.depth = START_DEPTH

    def report_shallow(self) -> None:
        """Report the shallow pass, where nothing deeper has been: its scores count unless it was stopped half-way."""
        if not self.reported and not self.search.cancelled:
            self.ponder_move = 0
            self._report(START_DEPTH, self.best_score, self.pv)

    def iterate(self) -> None:
        """Deepen from 4 plies on until a limit, the clock or a forced mate says stop."""
        remembered: list[tuple[int, int]] = []
        depth = START_DEPTH + 1
        while depth < MAX_PLY and (self.depth_limit is None or depth <= self.depth_limit):
            if self.team.skips(depth):
                depth += 1
                continue
            self._sort()
            alpha = -INFINITY
            remembered.append((self.best_move & IDENTITY, self.best_score))
            for index, move in enumerate(self.moves):
                if self.clock.searched() > CURRMOVE_AFTER:
                    self.report(SearchInfo(depth=depth, currmove=move, currmove_number=index + 1))
                score = self._search(move, depth, alpha, index)
                self.scores[index] = int(root_score(score))
                if self.search.cancelled:
                    return
                if score > alpha:
                    alpha = score
                    self.best_move = move
                    self.best_score = score
                    self.pv = self._line(move)
                    self.ponder_move = self.pv[1] if len(self.pv) > 1 else 0
                    self.depth = depth
                    self._report(depth, score, self.pv)
            if is_mate(alpha):
                return
            consistent = all(move == self.best_move & IDENTITY for move, _ in remembered)
            stable = all(abs(score - self.best_score) <= STABLE_WINDOW for _, score in remembered)
            advice = self.clock.advice(consistent, stable)
            if advice != GO_ON:
                if advice in STOP_MESSAGES:
                    self.report(SearchInfo(message=STOP_MESSAGES[advice]))
                return
            depth += 1
