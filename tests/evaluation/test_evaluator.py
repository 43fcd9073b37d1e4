"""The evaluator: accumulators that are built when they are needed, and found again by their position's key."""

from nets import Net

from pawnstar.chess.coordinate import parse_coordinate
from pawnstar.chess.fen import position_from_fen
from pawnstar.chess.position import Position, make_move, make_null_move
from pawnstar.evaluation.cache import EvalCache
from pawnstar.evaluation.evaluator import NnueEvaluator, Node, new_stack, scaled_evaluation
from pawnstar.evaluation.nnue.network import Accumulators, Network
from pawnstar.search.counters import Counters

FEN = "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1"


def fresh(network: Network, position: Position) -> int:
    """The network's output, from accumulators built from scratch."""
    accumulators = Accumulators()
    network.refresh_both(position, accumulators, 0)
    return int(network.evaluate(position, accumulators, 0))


def begun(net: Net) -> NnueEvaluator:
    """An evaluator at the root of a search."""
    stack = new_stack(5)
    stack[0].copy_from(position_from_fen(FEN))
    evaluator = NnueEvaluator(net.network, stack, EvalCache(), Counters())
    evaluator.begin()
    return evaluator


def play(stack: list[Node], ply: int, text: str) -> None:
    """Make a move at a ply, or a pass."""
    if text == "pass":
        make_null_move(stack[ply], stack[ply + 1])
    else:
        move = parse_coordinate(stack[ply], text)
        assert move != 0, text
        make_move(stack[ply], stack[ply + 1], move)


def test_the_same_move_after_a_pass_finds_its_own_accumulators(parity: Net) -> None:
    """A position is searched, then a pass instead of its move, then the position once more (a re-search): with the
    pass' slot noted under the position's key, the position was evaluated as the one before it, and bench 8 of the
    shipped net searched 4 nodes of 570,525 less.
    """
    evaluator = begun(parity)
    stack = evaluator.stack
    for line in (["d4d2"], ["pass"], ["d4d2"], ["d4d2", "pass"], ["d4d2", "g8h8"], ["d4d2", "pass", "d2d4"], ["d4d3"]):
        for ply, text in enumerate(line):
            play(stack, ply, text)
        assert evaluator.raw(stack[len(line)]) == fresh(parity.network, stack[len(line)]), line
    play(stack, 0, "pass")
    play(stack, 1, "g8h8")
    assert evaluator.raw(stack[2]) == fresh(parity.network, stack[2])


def test_another_root_voids_what_was_built(parity: Net) -> None:
    evaluator = begun(parity)
    play(evaluator.stack, 0, "d4d2")
    evaluator.raw(evaluator.stack[1])
    evaluator.accumulators = Accumulators()
    evaluator.begin()
    assert evaluator.raw(evaluator.stack[1]) == fresh(parity.network, evaluator.stack[1])


def test_cache_in_front_and_scaling_behind(parity: Net) -> None:
    evaluator = begun(parity)
    evaluator.stack[1].copy_from(position_from_fen(FEN.replace(" 0 1", " 60 60")))
    raw = fresh(parity.network, evaluator.stack[0])
    counters = evaluator.counters
    assert evaluator.evaluate_root() == raw
    assert (counters.eval_calls, counters.eval_hash_hits) == (0, 0), "no trace"
    assert evaluator.evaluate(evaluator.stack[0]) == raw
    assert (counters.eval_calls, counters.eval_hash_hits) == (1, 0)
    assert evaluator.evaluate(evaluator.stack[1]) == scaled_evaluation(raw, 60), "what is cached is unscaled"
    assert (counters.eval_calls, counters.eval_hash_hits) == (2, 1)
