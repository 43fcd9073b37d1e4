"""The search held to one written down a second time from the specification: nodes, scores, moves and counters."""

from collections.abc import Sequence

import pytest
from modes import COMPILED
from nets import Net
from random_games import Game
from rare_games import FEATURES, rare_games
from reference_search import ReferenceSearch

from pawnstar.chess.coordinate import move_text, parse_coordinate
from pawnstar.chess.fen import position_from_fen, write_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import IDENTITY
from pawnstar.chess.position import Position, make_move
from pawnstar.engine.engine import Engine
from pawnstar.search.info import SearchInfo
from pawnstar.search.limits import Limits

MIDDLEGAME = "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1"
GAMES_OF_A_FEATURE = 2 if COMPILED else 1
# (depth, nodes, whether some moves only) of searches in a row; a node limit strikes at multiples of 2,048.
SEARCHES: list[tuple[int | None, int, bool]] = (
    [(4, 4096, False), (None, 2048, False), (5, 4096, False), (4, 2048, True)]
    if COMPILED
    else [(None, 2048, False), (4, 2048, True)]
)


class Pair:
    """An engine and the reference, searching the same games."""

    def __init__(self, net: Net) -> None:
        self.engine = Engine(net.network, hash_megabytes=1)
        self.reference = ReferenceSearch(self.engine.network_evaluation, megabytes=1)

    def new_game(self) -> None:
        self.engine.new_game()
        self.reference.new_game()

    def set_generation(self, generation: int) -> None:
        """As if so many searches had been made."""
        self.engine.table.generation = generation
        self.reference.generation = generation

    def search(
        self, line: list[Position], depth: int | None = None, nodes: int = 0, moves: Sequence[int] = ()
    ) -> dict[str, int]:
        """Search the line's last position with both, and compare everything; returns the counters."""
        reports: list[SearchInfo] = []
        limits = Limits(depth=depth, nodes=nodes or None, search_moves=tuple(moves))
        result = self.engine.search(line[-1], line[:-1], limits, on_info=reports.append)
        found = self.reference.go(line[-1], line[:-1], depth, nodes, moves)
        where = f"{write_fen(line[-1])} after {len(line) - 1} plies, depth {depth}, nodes {nodes}"
        assert result.best_move & IDENTITY == found.best, where
        assert result.ponder_move & IDENTITY == found.ponder, where
        if result.source != "search":
            return {}
        # At depth 3 and below the engine says more than the siblings; a slow machine also hears which move is searched.
        told = [
            (
                info.depth,
                info.seldepth,
                info.score,
                info.nodes,
                info.hashfull,
                tuple(move_text(move) for move in info.pv),
            )
            for info in reports
            if info.depth > 3 and info.pv
        ]
        assert told == found.reports, where
        assert {name: count for name, count in self.engine.counters().items() if count} == found.counters, where
        assert result.nodes == found.nodes, where
        return found.counters


@pytest.fixture
def pair(parity: Net) -> Pair:
    return Pair(parity)


def line_of(game: Game) -> list[Position]:
    """All positions of a game, the root first."""
    line = [position_from_fen(game.root)]
    for played in game.moves:
        line.append(Position())
        make_move(line[-2], line[-1], parse_coordinate(line[-2], played.uci()))
    return line


def games_of(feature: str) -> list[Game]:
    """A few games of the feature; not those that end with a draw by the clock or few moves: nothing to search there."""
    games = [
        game for game in rare_games(feature) if game.board.halfmove_clock < 98 and game.board.legal_moves.count() >= 10
    ]
    return games[:GAMES_OF_A_FEATURE]


@pytest.mark.parametrize("feature", FEATURES)
def test_searches_in_a_row_equal_the_reference(pair: Pair, feature: str) -> None:
    """Behind each search a move is played; table, ages and evaluation cache are kept, now and then cleared."""
    pair.set_generation(254)  # the age, a byte, wraps
    told: set[str] = set()
    for number, game in enumerate(games_of(feature)):
        line = line_of(game)
        if number % 2 == 1:
            pair.new_game()
        for depth, nodes, restricted in SEARCHES:
            moves = legal_moves(line[-1])
            if not moves:
                break
            told.update(pair.search(line, depth, nodes, moves[::3] if restricted else ()))
            line.append(Position())
            make_move(line[-2], line[-1], moves[len(moves) // 2])
    assert {"pvs attempts", "quiescent calls", "eval hash hits", "beta cutoffs"} <= told


@pytest.mark.parametrize("nodes", [1, 4095] if COMPILED else [1])
def test_search_cancelled_within_the_shallow_pass_goes_on_as_the_siblings_do(pair: Pair, nodes: int) -> None:
    """The shallow pass does not ask whether it is cancelled, so each move left is searched up to the next place that
    does. A node where no null move was tried, once was no such place, and counted more than the siblings' counters say;
    quiescence and, in plain Python, every 64th node were one too many.
    """
    counters = pair.search([position_from_fen(MIDDLEGAME)], None, nodes)
    limit = -(-nodes // 2048) * 2048
    assert counters["alpha beta calls"] > limit + 64
    assert pair.reference.cancelled


@pytest.mark.parametrize("depth", [4, 5, 6] if COMPILED else [4])
@pytest.mark.parametrize(
    "fen",
    [
        "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",  # mates
        "4k3/8/8/8/8/8/r6r/4K3 w - - 0 1",  # is mated
        "8/8/8/4k3/8/8/8/4KR2 w - - 97 80",  # the fifty-move rule is near
        "8/8/8/4k3/8/2b5/4KB2/8 w - - 0 1",  # drawn by material
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80",  # mates on the hundredth ply
    ],
)
def test_ends_of_games_equal_the_reference(pair: Pair, fen: str, depth: int) -> None:
    pair.search([position_from_fen(fen)], depth, 4096)
