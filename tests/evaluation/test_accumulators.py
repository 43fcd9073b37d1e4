"""Accumulators: updated along games they equal those built from scratch, for both shapes of net."""

import random
from collections import Counter
from itertools import pairwise

import chess
import pytest
from layouts import castling_boards, position_with_layout
from modes import COMPILED
from nets import Net
from random_games import ROOTS, Game, play
from rare_games import FEATURES, rare_games
from reference_network import ReferenceNetwork

from pawnstar.chess.coordinate import parse_coordinate
from pawnstar.chess.fen import position_from_fen, write_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import is_castling
from pawnstar.chess.position import Position, make_move, make_null_move
from pawnstar.evaluation.cache import EvalCache
from pawnstar.evaluation.evaluator import scaled_evaluation
from pawnstar.evaluation.nnue.net_file import read_net
from pawnstar.evaluation.nnue.network import Accumulators, Network
from pawnstar.search.tables.transposition_table import TranspositionTable
from pawnstar.search.worker import Worker

SHAPES = pytest.mark.parametrize("name", ["parity", "mirrored"])
# Castling both ways, en passant, promotions with and without captures, kings walking across all files and ranks.
GAMES = [(root, 40) for root in ROOTS[:20]] + [
    ("8/8/8/3k4/8/3K4/8/8 w - - 0 1", 120),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 60),
    ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1", 60),
]


def halves(accumulators: Accumulators, slot: int) -> list[list[int]]:
    """The perspectives of White and of Black."""
    return [accumulators.vector(slot, color) for color in (0, 1)]


def kinds(board: chess.Board, move: chess.Move) -> list[str]:
    """What is special about a move, before it is made."""
    found = []
    if board.is_en_passant(move):
        found.append("en passant")
    elif board.is_capture(move):
        found.append("capture")
    if board.is_kingside_castling(move):
        found.append("O-O")
    if board.is_queenside_castling(move):
        found.append("O-O-O")
    if move.promotion is not None:
        found.append("capturing promotion" if board.is_capture(move) else "promotion")
    return found


def positions(game: Game) -> list[Position]:
    """All positions of a game, the root first."""
    found = [position_from_fen(game.root)]
    for move in game.moves:
        child = Position()
        make_move(found[-1], child, parse_coordinate(found[-1], move.uci()))
        found.append(child)
    return found


def check_updates(network: Network, game: Game) -> None:
    """After every move of a game the updated accumulators equal those from scratch."""
    line = positions(game)
    accumulators = Accumulators()
    current, updated, fresh = 0, 65, 7
    network.refresh_both(line[0], accumulators, current)
    for before, after in pairwise(line):
        network.update(before, after, accumulators, current, updated)
        network.refresh_both(after, accumulators, fresh)
        where = f"{write_fen(after)} from {write_fen(before)}"
        assert halves(accumulators, updated) == halves(accumulators, fresh), where
        current, updated = updated, current


@SHAPES
def test_updates_equal_refreshes_for_castling_from_every_layout(request: pytest.FixtureRequest, name: str) -> None:
    """Kings that stay on their square, or change places with the rook, too."""
    net: Net = request.getfixturevalue(name)
    accumulators = Accumulators()
    seen = 0
    for layout in range(0, 56, 1 if COMPILED else 9):
        for board, layouts in castling_boards(layout)[:12]:
            before = position_with_layout(board, layouts)
            for move in legal_moves(before):
                if is_castling(move):
                    after = Position()
                    make_move(before, after, move)
                    net.network.refresh_both(before, accumulators, 0)
                    net.network.update(before, after, accumulators, 0, 65)
                    net.network.refresh_both(after, accumulators, 7)
                    assert halves(accumulators, 65) == halves(accumulators, 7), f"{board.fen()} layouts {layouts}"
                    seen += 1
    assert seen > 20


@SHAPES
@pytest.mark.parametrize("feature", FEATURES)
def test_updates_equal_refreshes_in_rare_games(request: pytest.FixtureRequest, name: str, feature: str) -> None:
    net: Net = request.getfixturevalue(name)
    for game in rare_games(feature)[::2]:
        check_updates(net.network, game)


@SHAPES
def test_updates_equal_refreshes(request: pytest.FixtureRequest, name: str) -> None:
    net: Net = request.getfixturevalue(name)
    network = net.network
    seen: Counter[str] = Counter()
    for seed, (root, plies) in enumerate(GAMES):
        game = play(root, seed, plies)
        check_updates(network, game)
        line = positions(game)
        board = chess.Board(root)
        for before, after, move in zip(line, line[1:], game.moves, strict=False):
            seen.update(kinds(board, move))
            side = 0 if board.turn else 1
            if network.view(before, side) != network.view(after, side):
                # Within the same bank only a mirroring net changes its view.
                same_bank = network.view(before, side) & 0xFFFFFF == network.view(after, side) & 0xFFFFFF
                seen["mirrored" if same_bank else "bucket crossing"] += 1
            board.push(move)
    wanted = {"capture", "en passant", "O-O", "O-O-O", "promotion", "capturing promotion", "bucket crossing"}
    assert wanted <= set(seen), "these games no longer show every kind of update"
    assert min(seen[kind] for kind in wanted) >= 3
    assert ("mirrored" in seen) == network.mirrored


@SHAPES
def test_refresh_equals_the_reference(request: pytest.FixtureRequest, name: str) -> None:
    net: Net = request.getfixturevalue(name)
    shape, payload = read_net(net.path.read_bytes(), name)
    reference = ReferenceNetwork.of(payload, heads=shape.output_buckets, mirrored=shape.mirrored)
    for seed, root in enumerate(ROOTS[::4]):
        board = play(root, seed, 25).board
        pieces = [
            (0 if piece.color else 1, piece.piece_type - 1, square) for square, piece in board.piece_map().items()
        ]
        accumulators = Accumulators()
        net.network.refresh_both(position_from_fen(board.fen(en_passant="fen")), accumulators, 3)
        expected = [reference.accumulator(pieces, color).tolist() for color in (0, 1)]
        assert halves(accumulators, 3) == expected, board.fen()


def test_king_step_within_a_bank_of_the_mirrored_net(mirrored: Net) -> None:
    """d1-e1 keeps the bank and moves every row to the other wing: comparing banks alone would update wrongly."""
    network = mirrored.network
    before = position_from_fen("4k3/pppp4/8/8/8/8/5PPP/3K4 w - - 0 1")
    after = Position()
    make_move(before, after, parse_coordinate(before, "d1e1"))
    assert network.view(before, 0) & 0xFFFFFF == network.view(after, 0) & 0xFFFFFF
    accumulators = Accumulators()
    network.refresh_both(before, accumulators, 0)
    network.update(before, after, accumulators, 0, 1)
    network.refresh_both(after, accumulators, 2)
    assert halves(accumulators, 1) == halves(accumulators, 2)


def fresh_score(network: Network, position: Position) -> int:
    accumulators = Accumulators()
    network.refresh_both(position, accumulators, 0)
    return int(scaled_evaluation(network.evaluate(position, accumulators, 0), position.clock))


@SHAPES
def test_lazy_accumulators_along_lines_with_null_moves(request: pytest.FixtureRequest, name: str) -> None:
    """The search builds accumulators when an evaluation first needs one, from the nearest ancestor that has one.

    Lines of random moves and passes, evaluated at random plies only and cut back at random, as a search does; the
    caches are emptied, so that every evaluation walks the stack.
    """
    net: Net = request.getfixturevalue(name)
    dice = random.Random(3)
    cache = EvalCache()
    search = Worker(net.network, TranspositionTable(1), cache)
    evaluated = passes = 0
    for root in ROOTS[:8] + [rare_games(feature)[0].root for feature in FEATURES]:
        search.prepare(position_from_fen(root), [])
        ply = 0
        for _ in range(60):
            node, child = search.stack[ply], search.stack[ply + 1]
            moves = legal_moves(node)
            if not moves or ply >= 60 or dice.random() < 0.15:
                ply = dice.randrange(ply + 1)  # back up, and down another line
                continue
            if node.checkers == 0 and node.null_move == 0 and dice.random() < 0.2:
                make_null_move(node, child)
                passes += 1
            else:
                make_move(node, child, dice.choice(moves))
            search.enter_line(node)
            ply += 1
            if dice.random() < 0.3:
                cache.clear()
                before = search.counters.by_name()
                found = int(search.evaluate(child))
                after = search.counters.by_name()
                draws = [counter for counter in after if "draws" in counter and after[counter] != before[counter]]
                if not draws and child.clock < 100:
                    assert found == fresh_score(net.network, child), write_fen(child)
                    evaluated += 1
    assert evaluated > 60
    assert passes > 20
