"""The engine: network, tables and search behind one way in. It reads nothing and prints nothing."""

import random
import threading
from collections.abc import Callable, Sequence
from typing import Final, Literal

from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import IDENTITY
from pawnstar.chess.position import Position
from pawnstar.engine.book import Book
from pawnstar.evaluation.cache import EvalCache
from pawnstar.evaluation.nnue.network import Accumulators, Network
from pawnstar.parallel.helpers import Helpers, LazySmpTeam
from pawnstar.parallel.thread_memory import SECOND_TABLE_DEPTH, divide_hash
from pawnstar.search.clock import Clock
from pawnstar.search.info import SearchInfo, SearchResult, no_report
from pawnstar.search.limits import Limits
from pawnstar.search.reference import ReferenceSearch
from pawnstar.search.reference_deepening import ReferenceRoot
from pawnstar.search.scores import mated_at
from pawnstar.search.tables.transposition_table import TranspositionTable, rounded_megabytes
from pawnstar.search.team import Team
from pawnstar.search.worker import StopSignal, Worker
from pawnstar.settings import HASH, MOVE_OVERHEAD, OWN_BOOK, THREADS, Settings
from pawnstar.system import system_memory

_MOST_NODES: Final = (1 << 63) - 1


def keys_and_clocks(history: Sequence[Position]) -> list[tuple[int, int]]:
    """What repetition needs of earlier positions: (key, clock), oldest first."""
    return [(int(position.key), int(position.clock)) for position in history]


class Engine:
    """A chess engine. One search at a time; ``search`` blocks, and another thread may stop it through its signal."""

    def __init__(self, network: Network, hash_megabytes: int = HASH.default) -> None:
        self.network = network
        # The values of all options. Methods change those of table and threads, which take work to change; protocols and
        # API set the others here.
        self.settings = Settings()
        self.settings[HASH] = hash_megabytes
        self._one_thread = False
        # None: all threads use one table. Else each thread has its own, and stores results of at least so many plies of
        # remaining depth in a shared second table too. Read when the number of threads changes.
        self.second_table_depth = None if system_memory.CAN_SHARE else SECOND_TABLE_DEPTH
        self._helpers: Helpers | None = None
        self.table = TranspositionTable(hash_megabytes)
        self.eval_cache = EvalCache()
        # Its moves are played without a search while the option OwnBook is on.
        self.book: Book | None = None
        self._random = random.Random()
        self._search = ReferenceSearch(network, self.table, self.eval_cache)
        self._clock: Clock | None = None
        # Evaluates without changing the search's state, possibly while a search runs on another thread; made when first
        # needed.
        self._static_worker: Worker | None = None
        self._static_lock = threading.RLock()
        self.searching = False

    # Settings.

    def set_network(self, network: Network) -> None:
        """Evaluate with another net from now on; cached evaluations are forgotten."""
        self._let_go_of_others_helpers()
        self.network = network
        self._search.set_network(network)
        self._drop_static_worker()
        self.eval_cache.clear()
        if self._helpers is not None:
            self._helpers.set_network(network)

    def resize_table(self, megabytes: int) -> None:
        """Replace the transposition table by an empty one; ``megabytes`` is the size for all threads together.

        Raises MemoryError where the machine cannot give it; the old table then stays.
        """
        table = TranspositionTable(self._own_megabytes(megabytes))
        self._end_helpers()
        self.settings[HASH] = megabytes
        self._use_table(table)

    def table_megabytes(self) -> int:
        """The megabytes that all threads' tables have together: the option Hash rounded down to a power of two."""
        return rounded_megabytes(self.settings[HASH])

    @property
    def threads(self) -> int:
        """How many threads search: as many as are set, or one while ``use_one_thread`` says so."""
        return 1 if self._one_thread else self.settings[THREADS]

    def set_threads(self, threads: int) -> None:
        """Set the number of search threads, 1 to 256. The table loses its contents when that changes its memory.

        Threads beyond the first are processes; they are started by the first search that needs them, or by
        ``start_helpers``. Raises MemoryError where the machine cannot give their tables.
        """
        if not THREADS.least <= threads <= THREADS.most:
            raise ValueError(f"threads must be {THREADS.least} to {THREADS.most}, not {threads}")
        self._change_threads(threads, self._one_thread)

    def use_one_thread(self, alone: bool) -> None:
        """Search with one thread, whatever the option Threads says, until called with False.

        Raises MemoryError where the machine cannot give the tables. Where that was called with False, the option
        Threads becomes 1, so that setting it tries again.
        """
        try:
            self._change_threads(self.settings[THREADS], alone)
        except MemoryError:
            if not alone:
                self.settings[THREADS], self._one_thread = 1, False
            raise

    def _change_threads(self, threads: int, alone: bool) -> None:
        before = self.threads
        threads_before, alone_before = self.settings[THREADS], self._one_thread
        self.settings[THREADS], self._one_thread = threads, alone
        if self.threads == before:
            return
        self._end_helpers()
        megabytes = self._own_megabytes(self.settings[HASH])
        if megabytes != self.table.megabytes():
            try:
                self._use_table(TranspositionTable(megabytes))
            except MemoryError:
                self.settings[THREADS], self._one_thread = threads_before, alone_before
                raise

    def start_helpers(self) -> list[str]:
        """Start the helper processes that ``threads`` asks for and that do not run yet; returns warnings as sentences.

        When they cannot be started, the option Threads becomes 1.
        """
        if self.threads == 1 or self._helpers is not None:
            return []
        try:
            sizes = divide_hash(self.settings[HASH], self.threads, self.second_table_depth)
            self._helpers = Helpers(self.threads, self.network, self.table, sizes)
        except (OSError, MemoryError) as error:
            self.settings[THREADS] = 1
            self._use_table(TranspositionTable(self.settings[HASH]))
            return [f"helpers cannot be started ({error}); searching with one thread"]
        self._search.alone = False
        if not self._helpers.memory.is_mapped:
            self.table.share(self._helpers.memory.second_table(), sizes.second_depth)
        return self._helpers.warnings()

    def helper_processes(self) -> list[int]:
        """The helpers' process ids."""
        return self._helpers.process_ids() if self._helpers is not None else []

    def _own_megabytes(self, megabytes: int) -> int:
        """The size of the main thread's own table in megabytes when Hash is ``megabytes``."""
        return divide_hash(megabytes, self.threads, self.second_table_depth).own_megabytes

    def _use_table(self, table: TranspositionTable) -> None:
        self.table = table
        self._search.table = table
        self._drop_static_worker()  # it would keep the old table's memory in use

    def _drop_static_worker(self) -> None:
        """Have a new one made. Waits for an evaluation on another thread, which may just be making the old one."""
        with self._static_lock:
            self._static_worker = None

    def _end_helpers(self) -> None:
        helpers = self._helpers
        if helpers is not None:
            self._helpers = None  # first: a signal handler may close the engine a second time meanwhile
            self._search.alone = True
            self.table.share(None, 0)
            helpers.close()

    def _let_go_of_others_helpers(self) -> None:
        """Detach from helpers that belong to the parent of a fork: the parent still uses them and their memory."""
        if self._helpers is not None and not self._helpers.are_ours():
            self._end_helpers()

    def close(self) -> None:
        """End the helper processes and give their memory back; the engine may still be used with one thread."""
        self._end_helpers()

    def clear_table(self) -> None:
        """Forget what the tables hold, in all threads."""
        self._let_go_of_others_helpers()
        self.table.clear()
        if self._helpers is not None:
            self._helpers.clear()

    def new_game(self) -> None:
        """Forget everything learnt from earlier searches; helpers that were lost are replaced at the next search."""
        self.clear_table()
        self.forget_evaluations()
        if self._helpers is not None and self._helpers.has_lost_some:
            self._end_helpers()

    def forget_evaluations(self) -> None:
        """Forget cached evaluations. Protocols do so at each new position, since the counters show cache hits."""
        self.eval_cache.clear()

    # Evaluation.

    def evaluate(self, position: Position, history: Sequence[Position] = (), while_searching: bool = False) -> int:
        """The search's evaluation in centipawns for the side to move: 0 for draws, else scaled by the fifty-move clock.

        ``while_searching`` says that a search may run on another thread. The evaluation then changes nothing that the
        search uses, and no counter.
        """
        past = keys_and_clocks(history)
        if while_searching or self.searching:
            return self._evaluate_separately(position, past)
        self._search.prepare(position, past)
        return int(self._search.evaluate(self._search.stack[0]))

    def _evaluate_separately(self, position: Position, past: list[tuple[int, int]]) -> int:
        """The same evaluation, without a change to the search, its counters and its cache."""
        with self._static_lock:
            worker = self._static_worker
            if worker is None:
                worker = Worker(self.network, self.table, self.eval_cache)
                self._static_worker = worker
            worker.prepare(position, past)
            return int(worker.evaluate_root())

    def network_evaluation(self, position: Position) -> int:
        """The network's raw output in centipawns for the side to move."""
        accumulators = Accumulators()
        self.network.refresh_both(position, accumulators, 0)
        return int(self.network.evaluate(position, accumulators, 0))

    def counters(self) -> dict[str, int]:
        """The diagnostic counters, by name: those of the last search, and of the evaluations after it."""
        return self._search.counters.by_name()

    def reset_counters(self) -> None:
        """Set the diagnostic counters to zero."""
        self._search.counters.reset()

    # Searching.

    def new_clock(self, position: Position, limits: Limits) -> Clock:
        """A running clock for a search of ``position``.

        A protocol makes it before it starts the search's thread, so that the thread's start counts, and so that a
        ponderhit can reach it at any time.
        """
        return Clock(limits, int(position.move_number), self.settings[MOVE_OVERHEAD])

    def ponderhit(self) -> None:
        """The move pondered on was played: the running search's clock starts now."""
        clock = self._clock
        if clock is not None:
            clock.ponderhit()

    def search(
        self,
        position: Position,
        history: Sequence[Position] = (),
        limits: Limits | None = None,
        stop: StopSignal | None = None,
        on_info: Callable[[SearchInfo], None] | None = None,
        clock: Clock | None = None,
    ) -> SearchResult:
        """Find the best move.

        ``history`` holds the game's earlier positions, oldest first, for repetitions; ``stop`` is looked at every 2,048
        nodes; ``on_info`` is called from the searching thread with every report; ``clock`` is one that ``new_clock``
        made.
        """
        limits = limits or Limits()
        report = on_info or no_report
        moves = legal_moves(position)
        past = keys_and_clocks(history)
        unsearched = self._answer_unsearched(position, past, moves, limits, report)
        if unsearched is not None:
            return unsearched
        clock = clock if clock is not None else self.new_clock(position, limits)
        self._clock = clock
        team = self._ready_team(report)
        search = self._search
        search.prepare(position, past)
        search.stop = stop
        search.deadline = clock
        # No search reaches a limit beyond 64 bits.
        search.node_limit = min(limits.nodes, _MOST_NODES) if limits.nodes is not None else 0
        wanted = {move & IDENTITY for move in limits.search_moves}
        chosen = [move for move in moves if move & IDENTITY in wanted]
        root = ReferenceRoot(search, clock, chosen or moves, limits.depth_limit(), report, team)
        self.searching = True
        try:
            root.shallow_pass()
            if limits.analysis:
                root.report_shallow()
            if not search.cancelled:
                team.start_others(position, past, root.moves)
            root.iterate()
            team.stop_others()
            root.report_shallow()
            best = root.best
            score, pv = best.score, best.pv
            if not root.reported:
                # Stopped within the shallow pass, whose scores then mean nothing.
                score = self._report_static(position, past, best.move, report)
                pv = (best.move,)
        finally:
            self.searching = False
            nodes = team.nodes()
            team.stop_others()
            for text in team.warnings():
                report(SearchInfo(message=text))
            search.stop = None
            search.deadline = None
            self._clock = None
        return SearchResult(
            best_move=best.move,
            ponder_move=root.ponder_move,
            score=score,
            pv=pv,
            depth=root.depth if root.reported else 0,
            nodes=nodes,
            time=clock.searched(),
        )

    def _answer_unsearched(
        self,
        position: Position,
        past: list[tuple[int, int]],
        moves: list[int],
        limits: Limits,
        report: Callable[[SearchInfo], None],
    ) -> SearchResult | None:
        """Step 1 of the search: the result where there is no legal move, a book move, or one move only; else None.

        Analysis, and a choice of moves to search, use neither the book nor the only move.
        """
        if not moves:
            score = int(mated_at(0)) if position.checkers != 0 else 0
            report(SearchInfo(score=score))
            return SearchResult(score=score, source="none")
        if limits.search_moves or limits.analysis:
            return None
        book = self.book
        if book is not None and self.settings[OWN_BOOK] and limits.book:
            move = book.pick(position, self._random)
            if move != 0:
                return self._unsearched(position, past, move, "book", "book move", report)
        if len(moves) == 1:
            return self._unsearched(position, past, moves[0], "forced", "only move", report)
        return None

    def _ready_team(self, report: Callable[[SearchInfo], None]) -> Team:
        """Start a search on all threads: helpers run, counters are zero, entries of earlier searches have aged."""
        self._search.counters.reset()
        self._let_go_of_others_helpers()
        for text in self.start_helpers():
            report(SearchInfo(message=text))
        self.table.new_search()
        return Team(self._search) if self._helpers is None else LazySmpTeam(self._search, self._helpers)

    def _report_static(
        self, position: Position, past: list[tuple[int, int]], move: int, report: Callable[[SearchInfo], None]
    ) -> int:
        """Report a move that was not searched, with the position's static evaluation, which is returned."""
        score = self._evaluate_separately(position, past)
        report(SearchInfo(score=score, hashfull=self.table.hashfull(), pv=(move,)))
        return score

    def _unsearched(
        self,
        position: Position,
        past: list[tuple[int, int]],
        move: int,
        source: Literal["book", "forced"],
        message: str,
        report: Callable[[SearchInfo], None],
    ) -> SearchResult:
        """The result for a move that is played without a search, after its reports."""
        report(SearchInfo(message=message))
        score = self._report_static(position, past, move, report)
        return SearchResult(best_move=move, score=score, pv=(move,), source=source)
