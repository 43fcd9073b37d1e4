"""Evaluations: those the siblings recorded, and both network shapes against the long way round."""

import random

import pytest
from golden_files import golden_table
from nets import Net
from random_games import ROOTS, play
from rare_games import FEATURES, rare_games
from reference_network import ReferenceNetwork

from pawnstar.chess.bits import unsigned
from pawnstar.chess.fen import position_from_fen, read_fen, write_fen
from pawnstar.chess.position import Position
from pawnstar.engine.engine import Engine
from pawnstar.evaluation.cache import ENTRIES, NOT_CACHED, EvalCache
from pawnstar.evaluation.evaluator import scaled_evaluation
from pawnstar.evaluation.nnue.net_file import read_net
from pawnstar.evaluation.nnue.network import Accumulators

GOLDENS = {
    "parity": ("evals", "evals.tsv"),
    "requant": ("evals", "evals_requant.tsv"),
    "shipped": ("shipped_net", "evals.tsv"),
}


def exact_evaluation(engine: Engine, position: Position) -> int:
    """The output of the engine's network in exact arithmetic, in centipawns for the side to move."""
    return engine.network.evaluations([position], Accumulators(), exact=True)[0]


@pytest.fixture(params=["parity", "requant", "shipped"])
def recorded(request: pytest.FixtureRequest) -> tuple[Engine, list[list[str]]]:
    net: Net = request.getfixturevalue(request.param)
    return Engine(net.network, hash_megabytes=1), golden_table(*GOLDENS[request.param])


def test_recorded_keys_and_evaluations(recorded: tuple[Engine, list[list[str]]]) -> None:
    engine, rows = recorded
    assert len(rows) == 200
    for fen, key, int8, exact, full in rows:
        position = read_fen(fen).position  # a FEN that cannot be played is recorded as the start position
        assert f"{unsigned(position.key):016x}" == key, fen
        assert engine.network_evaluation(position) == int(int8), fen
        assert exact_evaluation(engine, position) == int(exact), fen
        assert engine.evaluate(position) == int(full), fen
        # Once more, from the cache: what is stored is unscaled.
        assert engine.evaluate(position) == int(full), fen
    counters = engine.counters()
    assert counters["eval calls"] == 400
    # Every second call that was no draw found the first one's score; a few FENs are the same position.
    assert 190 <= counters["eval hash hits"] <= 215


def test_recorded_evaluations_of_different_nets_differ() -> None:
    """Guards the guard: a test that read one golden for all three nets would pass with one net."""
    columns = [tuple(row[2] for row in golden_table(*parts)) for parts in GOLDENS.values()]
    assert len(set(columns)) == 3


@pytest.mark.parametrize("name", ["parity", "requant", "shipped", "mirrored"])
def test_evaluations_equal_the_reference(request: pytest.FixtureRequest, name: str) -> None:
    """Both shapes, on positions of random games from odd roots: every head, both wings for both kings."""
    net: Net = request.getfixturevalue(name)
    engine = Engine(net.network, hash_megabytes=1)
    shape, payload = read_net(net.path.read_bytes(), name)
    reference = ReferenceNetwork.of(payload, heads=shape.output_buckets, mirrored=shape.mirrored)
    assert reference.output_scale() == net.network.weight_scale
    heads = set()
    for seed, root in enumerate(ROOTS):
        fen = play(root, seed, 30).board.fen(en_passant="fen")
        position = position_from_fen(fen)
        heads.add(int(net.network.head(position)))
        found = (engine.network_evaluation(position), exact_evaluation(engine, position))
        assert found == reference.evaluate(write_fen(position)), fen
    assert heads == set(range(shape.output_buckets))


@pytest.mark.parametrize("name", ["parity", "mirrored"])
@pytest.mark.parametrize("feature", FEATURES)
def test_evaluations_of_rare_games_equal_the_reference(request: pytest.FixtureRequest, name: str, feature: str) -> None:
    net: Net = request.getfixturevalue(name)
    engine = Engine(net.network, hash_megabytes=1)
    shape, payload = read_net(net.path.read_bytes(), name)
    reference = ReferenceNetwork.of(payload, heads=shape.output_buckets, mirrored=shape.mirrored)
    for game in rare_games(feature):
        for fen in (game.root, game.board.fen(en_passant="fen")):
            position = position_from_fen(fen)
            found = (engine.network_evaluation(position), exact_evaluation(engine, position))
            assert found == reference.evaluate(write_fen(position)), fen


def test_second_shape_is_read_from_the_header(mirrored: Net, parity: Net) -> None:
    assert (mirrored.network.mirrored, mirrored.network.heads) == (True, 8)
    assert (parity.network.mirrored, parity.network.heads) == (False, 1)


def flipped(position: Position) -> Position:
    """The same position with colours exchanged."""
    board, side, rights, en_passant, *rest = write_fen(position).split()
    board = "/".join(reversed(board.swapcase().split("/")))
    rights = "".join(sorted(rights.swapcase())) if rights != "-" else "-"
    if en_passant != "-":
        en_passant = en_passant[0] + {"3": "6", "6": "3"}[en_passant[1]]
    return position_from_fen(" ".join([board, "b" if side == "w" else "w", rights, en_passant, *rest]))


@pytest.mark.parametrize("name", ["parity", "shipped", "mirrored"])
def test_evaluation_is_the_same_for_both_colours(request: pytest.FixtureRequest, name: str) -> None:
    net: Net = request.getfixturevalue(name)
    engine = Engine(net.network, hash_megabytes=1)
    for seed, root in enumerate(ROOTS[:60]):
        position = position_from_fen(play(root, seed, 20).board.fen(en_passant="fen"))
        other = flipped(position)
        assert engine.network_evaluation(position) == engine.network_evaluation(other), write_fen(position)
        assert exact_evaluation(engine, position) == exact_evaluation(engine, other), write_fen(position)


def test_mirrored_net_sees_a_board_and_its_mirror_image_alike(mirrored: Net) -> None:
    engine = Engine(mirrored.network, hash_megabytes=1)
    for seed, root in enumerate(ROOTS[:60]):
        board = play(root, seed, 20).board.fen().split()[0]
        mirror = "/".join(row[::-1] for row in board.split("/"))
        for side in "wb":
            reading = read_fen(f"{board} {side} - - 0 1")
            position = reading.position
            image = position_from_fen(f"{mirror} {side} - - 0 1") if not reading.messages() else position
            assert engine.network_evaluation(position) == engine.network_evaluation(image), board


@pytest.mark.parametrize(
    ("score", "clock", "scaled"),
    [
        (569, 0, 569),
        (569, 20, 569),
        (569, 21, 561),  # 561.9: cut off, not rounded
        (569, 50, 355),
        (-569, 50, -355),  # towards zero, not down
        (-1, 21, 0),
        (1, 99, 0),
        (79, 99, 0),
        (80, 99, 1),
        (30000, 100, 0),
        (-30000, 100, 0),
    ],
)
def test_fifty_move_scaling(score: int, clock: int, scaled: int) -> None:
    assert scaled_evaluation(score, clock) == scaled


def test_cache_keeps_key_and_score() -> None:
    cache = EvalCache()
    dice = random.Random(5)
    for score in [0, 1, -1, 30000, -30000, *(dice.randint(-30000, 30000) for _ in range(500))]:
        key = dice.getrandbits(64) - 2**63
        cache.store(key, score)
        assert cache.probe(key) == score
        for bit in range(16, 63):
            assert cache.probe(key ^ (1 << bit)) == NOT_CACHED, bit


def test_cache_keeps_one_entry_in_a_place() -> None:
    """By the key's low bits; the last comer stays."""
    cache = EvalCache()
    key, rival = 0x123400000005, 0x123400000005 + 16 * ENTRIES
    cache.store(key, 7)
    cache.store(key + 0x10000, 8)
    assert (cache.probe(key), cache.probe(key + 0x10000)) == (7, 8)
    cache.store(rival, -9)
    assert (cache.probe(key), cache.probe(rival)) == (NOT_CACHED, -9)
    cache.clear()
    assert cache.probe(rival) == NOT_CACHED


def test_cache_is_forgotten_with_the_net(parity: Net, requant: Net) -> None:
    """A cached evaluation of the old net must not be answered for the new one."""
    engine = Engine(parity.network, hash_megabytes=1)
    position = position_from_fen("r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1")
    old = engine.evaluate(position)
    engine.set_network(requant.network)
    assert engine.evaluate(position) == Engine(requant.network, hash_megabytes=1).evaluate(position) != old
    assert engine.counters()["eval hash hits"] == 0
    engine.new_game()
    engine.evaluate(position)
    assert engine.counters()["eval hash hits"] == 0
