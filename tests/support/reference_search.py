"""The search written down a second time, straight from the specification's sections 10 to 15, for comparison.

Slow and simple where the engine is fast: every move makes a new position, lists are sorted whole, evaluations are built
from scratch, exchanges are played out, tables are dictionaries, and histories are keyed by what they are about. Rules,
move order and the network are the engine's, which other tests hold to python-chess, the records and a reference of
their own.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from packed_moves import legal_captures
from reference_exchange import see_reference

from pawnstar.chess.coordinate import move_text
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.position import Position, make_move, make_null_move

CANCELLED = -12345678
INFINITY = 32000
CUT, ALL, PV = range(3)
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
_LIGHT = 0x55AA55AA55AA55AA
_WORD = (1 << 64) - 1


def tdiv(numerator: int, denominator: int) -> int:
    """Division towards zero."""
    quotient = abs(numerator) // denominator
    return quotient if numerator >= 0 else -quotient


def identity(move: int) -> int:
    """What makes two moves equal."""
    return move & 0x3FFFFF


def is_promotion(move: int) -> bool:
    return 2 <= (move >> 18) & 15 <= 5


def is_quiet(move: int) -> bool:
    return (move >> 15) & 7 == 0 and not is_promotion(move)


def from_to(move: int) -> int:
    return move & 0xFFF


def piece_to(move: int) -> tuple[int, int]:
    """A move's piece and target; of no move, (0, 0)."""
    return (move >> 12) & 7, move & 63


def bonus(depth: int) -> int:
    return min(max(depth, 1) ** 2, 400)


def count(word: int) -> int:
    return bin(word & _WORD).count("1")


def stored(score: int) -> int:
    """A score written into 23 bits and read again."""
    return ((score + (1 << 22)) & ((1 << 23) - 1)) - (1 << 22)


@dataclass
class Entry:
    """A cell of the table."""

    key: int
    move: int
    score: int
    depth: int
    kind: int
    age: int


@dataclass
class Found:
    """The outcome of a search: reports as (depth, seldepth, score, nodes, hashfull, moves), and the counters."""

    best: int = 0
    ponder: int = 0
    nodes: int = 0
    reports: list[tuple[int, int, int, int, int, tuple[str, ...]]] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)


class ReferenceSearch:
    """A searcher whose table and evaluation cache live on from search to search. ``network`` evaluates a board."""

    def __init__(self, network: Callable[[Position], int], megabytes: int) -> None:
        self.network = network
        self.cells = (megabytes << 20) // 16
        assert self.cells & (self.cells - 1) == 0
        self.evaluated: dict[tuple[int, int], int] = {}
        self.counters: Counter[str] = Counter()
        # Of the search in hand: earlier (key, clock) pairs, and what section 11 keeps.
        self.line: list[tuple[int, int]] = []
        self.history: Counter[tuple[int, int]] = Counter()
        self.continuation: Counter[tuple[tuple[int, int], tuple[int, int]]] = Counter()
        self.killers: dict[int, tuple[int, int]] = {}
        self.countermoves: dict[tuple[int, int], int] = {}
        self.nodes = 0
        self.node_limit = 0
        self.seldepth = 0
        self.cancelled = False
        self.new_game()

    def new_game(self) -> None:
        self.table: dict[int, Entry] = {}
        self.generation = 0
        self.set_up()

    def set_up(self) -> None:
        """A position was set up."""
        self.cache: dict[int, tuple[int, int]] = {}

    # Draws and evaluation: sections 9 and 10.

    def drawn_by_material(self, position: Position) -> bool:
        occupied = position.occupied()
        pieces = count(occupied)
        if pieces == 2:
            drawn = True
        elif pieces == 3:
            drawn = (position.kind(BISHOP) | position.kind(KNIGHT)) != 0
        elif pieces == 4:
            sides = [int(position.kind(BISHOP) & position.color(color)) for color in (0, 1)]
            drawn = all(sides) and (sides[0] & _LIGHT != 0) == (sides[1] & _LIGHT != 0)
        else:
            drawn = False
        if drawn:
            self.counters[f"draws by material ({pieces})"] += 1
        return drawn

    def drawn_by_fifty_moves(self, position: Position) -> bool:
        if position.clock < 100:
            return False
        return not (position.checkers != 0 and not legal_moves(position))

    def drawn_by_repetition(self, position: Position) -> bool:
        found = 0
        for index in range(len(self.line) - 4, -1, -2):
            key, clock = self.line[index]
            if key == position.key:
                found += 1
                if found == 2:
                    self.counters["draws by repetition SS"] += 1
                    return True
            if clock == 0:
                break
        return False

    def drawn(self, position: Position) -> bool:
        return (
            self.drawn_by_material(position)
            or self.drawn_by_fifty_moves(position)
            or self.drawn_by_repetition(position)
        )

    def evaluate(self, position: Position) -> int:
        self.counters["eval calls"] += 1
        if self.drawn(position):
            return 0
        key = int(position.key)
        index = key & ((1 << 20) - 1)
        known = self.cache.get(index)
        if known is not None and known[0] >> 16 == key >> 16:
            self.counters["eval hash hits"] += 1
            score = known[1]
        else:
            # What the network says of a board need not be worked out twice.
            board = (key, int(position.side))
            if board not in self.evaluated:
                self.evaluated[board] = self.network(position)
            score = self.evaluated[board]
            self.cache[index] = (key, score)
        return score if position.clock <= 20 else tdiv(score * (100 - int(position.clock)), 80)

    # Ordering: section 11.

    def order(self, position: Position, moves: list[int], ply: int, prev: int) -> list[tuple[int, int]]:
        """(score, move), best first."""

        def score(move: int) -> int:
            if not is_quiet(move):
                see = int(see_reference(position, move))
                return (1 << 20) + see if see >= 0 else see
            killers = self.killers.get(ply, (0, 0))
            if identity(move) == killers[0]:
                return (1 << 19) + 1
            if identity(move) == killers[1]:
                return 1 << 19
            if identity(move) == self.countermoves.get(piece_to(prev), 0):
                return (1 << 19) - 1
            history = self.history[position.side, from_to(move)]
            return min(history + self.continuation[piece_to(prev), piece_to(move)], (1 << 19) - 2)

        return sorted(((score(move), move) for move in moves), key=lambda pair: -pair[0])

    def credit(self, position: Position, prev: int, move: int, amount: int) -> None:
        place = (int(position.side), from_to(move))
        entry = self.history[place]
        self.history[place] = entry + amount - tdiv(entry * abs(amount), 16384)
        if is_quiet(move):
            follow = (piece_to(prev), piece_to(move))
            entry = self.continuation[follow]
            self.continuation[follow] = entry + amount - tdiv(entry * abs(amount), 16384)

    def remember_cutoff(self, ply: int, prev: int, move: int) -> None:
        if not is_quiet(move):
            return
        first, _ = self.killers.get(ply, (0, 0))
        if first != identity(move):
            self.counters["killer moves"] += 1
            self.killers[ply] = (identity(move), first)
        self.countermoves[piece_to(prev)] = identity(move)

    # The table: section 14.

    def probe(self, position: Position) -> Entry | None:
        entry = self.table.get(int(position.key) & (self.cells - 1))
        return entry if entry is not None and entry.key == position.key else None

    def store(self, position: Position, move: int, score: int, depth: int, kind: int) -> None:
        index = int(position.key) & (self.cells - 1)
        old = self.table.get(index)
        if old is None or old.age != self.generation or old.depth <= depth or kind == PV:
            self.table[index] = Entry(int(position.key), identity(move), stored(score), depth, kind, self.generation)

    def hashfull(self) -> int:
        return sum(index < 1000 for index in self.table)

    # Alpha-beta: section 12.

    def search(
        self, position: Position, depth: int, ply: int, alpha: int, beta: int, pv_out: list[int], prev: int
    ) -> int:
        tell = self.counters
        tell["alpha beta calls"] += 1
        self.seldepth = max(self.seldepth, ply)
        self.nodes += 1
        if self.nodes % 2048 == 0 and self.node_limit != 0 and self.nodes >= self.node_limit:
            self.cancelled = True
            return CANCELLED
        if self.drawn(position):
            return 0
        in_check = position.checkers != 0
        if in_check:
            tell["extensions check"] += 1
            depth += 1
        if ply == 64:
            tell["max ply reached"] += 1
            return self.evaluate(position)
        tt = self.probe(position)
        if tt is not None and tt.depth >= depth:
            if tt.kind == CUT:
                tell["table hit cut node"] += 1
                if tt.score >= beta:
                    tell["table hit cut node cutoffs"] += 1
                    return tt.score
            elif tt.kind == ALL:
                tell["table hit all node"] += 1
                if tt.score <= alpha:
                    tell["table hit all node cutoffs"] += 1
                    return tt.score
            else:
                tell["table hit pv node"] += 1
                depth += 1
        table_move = tt.move if tt is not None else 0
        if depth >= 4 and table_move == 0:
            tell["internal iterative reduction"] += 1
            depth -= 1
        if depth <= 0 and not in_check:
            return self.quiesce(position, depth, ply, alpha, beta)

        if beta <= alpha + 1 and not in_check:
            static = self.evaluate(position)
            if depth <= 7 and abs(beta) < 31836 and static - 80 * depth >= beta:
                tell["reverse futility prune"] += 1
                return static
            if position.null_move == 0 and count(position.color(position.side)) > 3 and static >= beta:
                tell["null move"] += 1
                child = Position()
                make_null_move(position, child)
                self.line.append((int(position.key), int(position.clock)))
                score = -self.search(child, depth - 4, ply + 1, -beta, -alpha, [], 0)
                self.line.pop()
                if self.cancelled:
                    return CANCELLED
                if score >= beta:
                    return beta
                tell["null move fails"] += 1
            if self.cancelled:
                return CANCELLED

        best = 0
        best_score = -32000
        raised = False
        quiets: list[int] = []
        if table_move != 0:
            tell["table move"] += 1
            best = table_move
            pv: list[int] = []
            score = self.search_move(position, depth, ply, alpha, beta, table_move, pv, 0)
            if self.cancelled:
                return CANCELLED
            if score >= beta:
                tell["table move beta cutoffs"] += 1
                self.store(position, table_move, score, depth, CUT)
                self.credit(position, prev, table_move, bonus(depth))
                self.remember_cutoff(ply, prev, table_move)
                return score
            best_score = score
            if score > alpha:
                tell["table move raised alpha"] += 1
                alpha = score
                raised = True
                pv_out[:] = [table_move, *pv]
                self.credit(position, prev, table_move, bonus(depth))
            if is_quiet(table_move):
                quiets.append(table_move)

        moves = legal_moves(position)
        if not moves:
            if in_check:
                tell["checkmates"] += 1
                return -31900 + ply
            tell["stalemates"] += 1
            return 0
        for index, (_, move) in enumerate(self.order(position, moves, ply, prev)):
            if table_move != 0 and identity(move) == table_move:
                continue
            narrow = beta == alpha + 1 and not in_check
            if narrow and depth <= 8 and is_quiet(move) and index >= 3 + depth * depth:
                tell["late move prune"] += 1
                continue
            reduced = depth
            if narrow and index > 3 and depth > 2:
                tell["late move reduction"] += 1
                reduced = depth - 1
                if depth > 3 and index > 6:
                    tell["late move reduction x2"] += 1
                    reduced -= 1
                    if index > 12:
                        tell["late move reduction x3"] += 1
                        reduced -= 1
            pv = []
            score = self.search_move(position, reduced, ply, alpha, beta, move, pv, index)
            if score > alpha and reduced < depth:
                tell["late move reduction fails"] += 1
                score = self.search_move(position, depth, ply, alpha, beta, move, pv, index)
            if self.cancelled:
                return CANCELLED
            if score >= beta:
                tell["beta cutoffs"] += 1
                self.store(position, move, score, depth, CUT)
                self.credit(position, prev, move, bonus(depth))
                for quiet in quiets:
                    self.credit(position, prev, quiet, -bonus(depth))
                self.remember_cutoff(ply, prev, move)
                return score
            if score > best_score:
                tell["best score changed"] += 1
                best_score = score
                best = move
                if score > alpha:
                    tell["pv changed"] += 1
                    alpha = score
                    raised = True
                    pv_out[:] = [identity(move), *pv]
                    self.credit(position, prev, move, bonus(depth))
            if is_quiet(move):
                quiets.append(move)
        if raised:
            tell["pv nodes"] += 1
            self.store(position, best, alpha, depth, PV)
            self.credit(position, prev, best, bonus(depth))
        else:
            tell["all nodes"] += 1
            self.store(position, best, best_score, depth, ALL)
        return best_score

    def search_move(
        self, position: Position, depth: int, ply: int, alpha: int, beta: int, move: int, pv: list[int], index: int
    ) -> int:
        tell = self.counters
        below = depth - 1
        if is_promotion(move):
            tell["extensions promotion"] += 1
            below += 1
        if (move >> 18) & 15 == 7:
            tell["extensions ep capture"] += 1
            below += 1
        child = Position()
        make_move(position, child, identity(move))
        self.line.append((int(position.key), int(position.clock)))
        if beta > alpha + 1 and index > 0 and position.checkers == 0 and child.checkers == 0:
            tell["pvs attempts"] += 1
            score = -self.search(child, below, ply + 1, -alpha - 1, -alpha, pv, move)
            if score > alpha:
                tell["pvs fails"] += 1
                if ply == 0:
                    tell["pvs fails root ply"] += 1
                score = -self.search(child, below, ply + 1, -beta, -alpha, pv, move)
        else:
            score = -self.search(child, below, ply + 1, -beta, -alpha, pv, move)
        self.line.pop()
        return score

    # Quiescence: section 13.

    def quiesce(self, position: Position, depth: int, ply: int, alpha: int, beta: int) -> int:
        tell = self.counters
        tell["quiescent calls"] += 1
        self.seldepth = max(self.seldepth, ply)
        if ply == 64:
            tell["quiescent max ply"] += 1
            return self.evaluate(position)
        if position.checkers != 0:
            tell["quiescent checks"] += 1
            return self.search(position, depth, ply, alpha, beta, [], 0)
        best = self.evaluate(position)
        if best >= beta:
            tell["quiescent eval beta cutoffs"] += 1
            return best
        if best > alpha:
            tell["quiescent eval raises alpha"] += 1
            alpha = best
        for order, move in self.order(position, legal_captures(position), ply, 0):
            if order < 0:
                tell["quiescent negative see"] += 1
                return best
            child = Position()
            make_move(position, child, move)
            self.line.append((int(position.key), int(position.clock)))
            score = -self.quiesce(child, depth - 1, ply + 1, -beta, -alpha)
            self.line.pop()
            if self.cancelled:
                return CANCELLED
            if score >= beta:
                tell["quiescent beta cutoffs"] += 1
                self.history[int(position.side), from_to(move)] += 1
                return score
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    tell["quiescent pv changed"] += 1
                    self.history[int(position.side), from_to(move)] += 1
        return best

    # The root: section 15.

    def go(
        self,
        position: Position,
        earlier: Sequence[Position] = (),
        depth: int | None = None,
        nodes: int = 0,
        search_moves: Sequence[int] = (),
    ) -> Found:
        """Search to a depth or a number of nodes; ``best`` is 0 where there is no move. No clock, no book."""
        found = Found()
        moves = legal_moves(position)
        if not moves:
            return found
        if len(moves) == 1 and not search_moves:
            found.best = identity(moves[0])
            return found
        if search_moves:
            wanted = [identity(move) for move in search_moves]
            moves = [move for move in moves if identity(move) in wanted] or moves
        self.counters.clear()
        self.generation = (self.generation + 1) & 255
        self.nodes = 0
        self.node_limit = nodes
        self.seldepth = 0
        self.cancelled = False
        self.line = [(int(before.key), int(before.clock)) for before in earlier]
        self.history = Counter()
        self.continuation = Counter()
        self.killers = {}
        self.countermoves = {}

        scored: list[tuple[int, int]] = []
        for index, move in enumerate(moves):
            score = self.search_move(position, 3, 0, -INFINITY, INFINITY, move, [], index)
            scored.append((stored(score), move))
        scored.sort(key=lambda pair: -pair[0])
        found.best = identity(scored[0][1])
        for iteration in range(4, 64):
            if depth is not None and iteration > depth:
                break
            scored.sort(key=lambda pair: -pair[0])
            alpha = -INFINITY
            for index, (_, move) in enumerate(scored):
                pv: list[int] = []
                score = self.search_move(position, iteration, 0, alpha, INFINITY, move, pv, index)
                scored[index] = (stored(score), move)
                if self.cancelled:
                    break
                if score > alpha:
                    alpha = score
                    found.best = identity(move)
                    found.ponder = pv[0] if pv else 0
                    line = tuple(move_text(step) for step in [found.best, *pv])
                    found.reports.append((iteration, self.seldepth, score, self.nodes, self.hashfull(), line))
            if self.cancelled or alpha > 31000 or alpha < -31000:
                break
        found.nodes = self.nodes
        found.counters = {name: number for name, number in self.counters.items() if number}
        return found
