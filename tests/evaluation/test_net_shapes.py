"""Both shapes of net in whole searches: one build loads either, both modes search the same tree, neither is slow."""

import time
from typing import Any

import pytest
from modes import plain_twin

from pawnstar.chess.fen import position_from_fen
from pawnstar.commands.write_synthetic_net import synthetic_payload
from pawnstar.engine.engine import Engine
from pawnstar.evaluation.nnue.net_file import MIRRORED_SHAPE, PLAIN_SHAPE, Shape, write_net
from pawnstar.evaluation.nnue.network import Accumulators, Network
from pawnstar.search.limits import Limits

SHAPES = pytest.mark.parametrize("shape", [PLAIN_SHAPE, MIRRORED_SHAPE], ids=["plain", "mirrored"])
# Kings that step over the middle of the board and castle both ways, few pieces and some; trees of a few thousand nodes.
FENS = [
    "8/2k5/3p4/p2P4/P1P5/8/3K4/8 w - - 0 1",
    "8/8/3k4/3p4/3P1K2/8/6P1/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
]
MIDDLEGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture(scope="module")
def nets() -> dict[Shape, bytes]:
    return {shape: write_net(synthetic_payload(shape), shape) for shape in (PLAIN_SHAPE, MIRRORED_SHAPE)}


def _searched(engine: Any, positions: list[Any], limits: Any) -> list[tuple[int, int, int]]:
    results = []
    for position in positions:
        result = engine.search(position, (), limits)
        results.append((result.best_move, result.score, result.nodes))
    return results


@SHAPES
def test_compiled_and_plain_search_the_same_tree(nets: dict[Shape, bytes], shape: Shape) -> None:
    """Through the plain twin, in one run: accumulators, heads and views decide every node of the search."""
    ours = _searched(Engine(Network(nets[shape], "x"), 1), [position_from_fen(fen) for fen in FENS], Limits(depth=3))
    engine, limits = plain_twin("pawnstar.engine.engine"), plain_twin("pawnstar.search.limits")
    fen, network = plain_twin("pawnstar.chess.fen"), plain_twin("pawnstar.evaluation.nnue.network")
    theirs = _searched(
        engine.Engine(network.Network(nets[shape], "x"), 1),
        [fen.position_from_fen(text) for text in FENS],
        limits.Limits(depth=3),
    )
    assert ours == theirs


def test_shapes_search_differently(nets: dict[Shape, bytes]) -> None:
    positions = [position_from_fen(fen) for fen in FENS]
    plain, mirrored = (
        _searched(Engine(Network(nets[shape], "x"), 1), positions, Limits(depth=3))
        for shape in (PLAIN_SHAPE, MIRRORED_SHAPE)
    )
    assert plain != mirrored


def test_net_is_exchanged_for_one_of_the_other_shape(nets: dict[Shape, bytes]) -> None:
    """As `setoption name EvalFile` does: nothing of the former net's accumulators or cached evaluations stays."""
    position = position_from_fen(FENS[0])
    engine = Engine(Network(nets[PLAIN_SHAPE], "x"), 1)
    for shape in (MIRRORED_SHAPE, PLAIN_SHAPE, MIRRORED_SHAPE):
        network = Network(nets[shape], "y")
        engine.set_network(network)
        engine.new_game()
        assert _searched(engine, [position], Limits(depth=3)) == _searched(
            Engine(network, 1), [position], Limits(depth=3)
        )


@SHAPES
def test_crowded_board_is_searched(nets: dict[Shape, bytes], shape: Shape) -> None:
    """More than 33 pieces, which a FEN can set up, asked the net of eight heads for a ninth."""
    crowd = position_from_fen("nnnnknnn/nnnnnnnn/nnnnnnnn/8/8/NNNNNNNN/NNNNNNNN/NNNNKNNN w - - 0 1")
    network = Network(nets[shape], "x")
    assert network.head(crowd) == shape.output_buckets - 1
    assert Engine(network, 1).search(crowd, (), Limits(nodes=2000)).best_move != 0


@pytest.mark.compiled_only
def test_loops_of_both_shapes_are_vectorised(nets: dict[Shape, bytes]) -> None:
    """A refresh and an evaluation of a full board: vectorised some 4 µs, item by item ten times that.

    The least of many runs in processor time; the bounds leave room for slow machines, not for scalar loops.
    """
    position = position_from_fen(MIDDLEGAME)
    accumulators = Accumulators()
    times: dict[Shape, float] = {}
    for shape, data in nets.items():
        network = Network(data, "x")
        least = 1.0
        for _ in range(30):
            began = time.process_time()
            for _ in range(100):
                network.refresh_both(position, accumulators, 0)
                network.evaluate(position, accumulators, 0)
            least = min(least, (time.process_time() - began) / 100)
        times[shape] = least
    assert max(times.values()) < 25e-6, times
    assert max(times.values()) < 1.5 * min(times.values()), times
