"""Histories and ordering, beyond what the comparison with the second search holds to the node."""

import random

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.coordinate import move_text
from pawnstar.chess.fen import position_from_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import IDENTITY, is_loud
from pawnstar.search.histories import (
    FIRST_KILLER,
    GOOD_CAPTURE,
    HISTORY_MAX,
    SECOND_KILLER,
    Histories,
    history_bonus,
    pick_best,
)
from pawnstar.search.scores import SCORE_SHIFT

MIDDLEGAME = "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1"


def test_picking_one_by_one_equals_a_stable_sort() -> None:
    """All moves with few different scores."""
    dice = random.Random(1)
    position = position_from_fen(MIDDLEGAME)
    histories = Histories(2)
    found = [int(move) for move in legal_moves(position)]
    for _ in range(40):
        histories.credit(position.side, 0, dice.choice(found), 100)
    moves = vec[i64]([i64(move) for move in found])
    loud = histories.score_moves(position, moves, 0, len(found), 0, 0)
    assert loud == sum(is_loud(move) for move in found)
    scores = {move & IDENTITY: move >> SCORE_SHIFT for move in moves}
    assert len(set(scores.values())) < len(found)
    picked = [int(pick_best(moves, at, len(found))) & IDENTITY for at in range(len(found))]
    assert picked == sorted(found, key=lambda move: -scores[move])


def test_killers_come_before_history_and_the_last_two_are_kept() -> None:
    position = position_from_fen(MIDDLEGAME)
    histories = Histories(3)
    quiets = [int(move) for move in legal_moves(position) if not is_loud(move)]
    assert histories.remember(1, 0, quiets[0])
    assert histories.remember(1, 0, quiets[1])
    assert not histories.remember(1, 0, quiets[1]), "the first killer already"
    for ply, expected in ((1, {quiets[1]: FIRST_KILLER, quiets[0]: SECOND_KILLER}), (2, {})):
        moves = vec[i64]([i64(move) for move in quiets])
        histories.score_moves(position, moves, 0, len(quiets), ply, quiets[5])
        scores = {move & IDENTITY: move >> SCORE_SHIFT for move in moves}
        assert {move: score for move, score in scores.items() if score != 0} == expected, ply


def test_credit_is_bounded_by_gravity_and_forgotten() -> None:
    position = position_from_fen(MIDDLEGAME)
    (move,) = (move for move in legal_moves(position) if move_text(move) == "d4c4")
    histories = Histories(1)
    for bonus in (400, -400):
        for _ in range(2000):
            histories.credit(position.side, 0, move, bonus)
        moves = vec[i64]([i64(move)])
        histories.score_moves(position, moves, 0, 1, 0, 0)
        assert HISTORY_MAX < abs(int(moves[0] >> SCORE_SHIFT)) <= 2 * HISTORY_MAX < GOOD_CAPTURE
        assert (moves[0] >> SCORE_SHIFT > 0) == (bonus > 0)
    histories.forget()
    moves = vec[i64]([i64(move)])
    histories.score_moves(position, moves, 0, 1, 0, 0)
    assert moves[0] >> SCORE_SHIFT == 0


def test_bonus_grows_with_the_depth() -> None:
    assert [history_bonus(depth) for depth in (-3, 0, 1, 2, 19, 20, 21)] == [1, 1, 1, 4, 361, 400, 400]
