"""Scores: ints with a point of view."""

import json
import math

import chess.engine
import numpy as np
import pytest

from pawnstar import Engine, Limits, Network, Position, Score, SearchInfo, SearchResult

START = Position.initial()


def test_score_behaves_as_an_int() -> None:
    score = Score(31, "black")
    assert score == 31
    assert hash(score) == hash(31)
    assert {31: "found"}[score] == "found"
    assert (score + 1, -score, score // 2, abs(Score(-5))) == (32, -31, 15, 5)
    assert type(-score) is int
    assert [f"{score}", f"{score:+d}", f"{score:5}", str(score), "%d" % score] == ["31", "+31", "   31", "31", "31"]  # noqa: UP031
    assert json.dumps({"score": score}) == '{"score": 31}'
    assert sorted([Score(3), Score(-2), Score(1)]) == [-2, 1, 3]
    assert repr(score) == "Score(31, 'black')"
    assert eval(repr(score)) == score


def test_score_never_changes() -> None:
    score = Score(31, "black")
    with pytest.raises(AttributeError, match="never changes"):
        score.turn = "white"
    with pytest.raises(AttributeError, match="never changes"):
        del score.turn
    assert score.turn == "black"


def test_numpys_integers_make_scores() -> None:
    """``Score(network.evaluate_many(positions)[0])`` was refused: numpy's int32 is no int."""
    score = Score(np.int32(-12), "black")  # type: ignore[arg-type]
    assert (score, type(score.white()), score.white()) == (-12, Score, 12)


@pytest.mark.parametrize("value", [1.0, "1", None, True])
def test_score_of_something_else(value: object) -> None:
    with pytest.raises(TypeError, match="a score must be an int"):
        Score(value)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="turn must be"):
        Score(1, "w")  # type: ignore[arg-type]


@pytest.mark.parametrize("turn", ["white", "black"])
@pytest.mark.parametrize("value", [0, 1, -250, 31897, -31898, 31899, -31900, 31000, 30999])
def test_points_of_view_are_python_chess(value: int, turn: str) -> None:
    score = Score(value, turn)  # type: ignore[arg-type]
    mate = score.mate()
    relative: chess.engine.Score = chess.engine.Cp(value) if mate is None else chess.engine.Mate(mate)
    theirs = chess.engine.PovScore(relative, turn == "white")
    for ours, other in ((score.white(), theirs.white()), (score.black(), theirs.black())):
        assert ours.cp() == other.score()
        if value != -31900:  # python-chess knows who has mated, an int of 0 moves does not
            assert ours.mate() == other.mate()
    assert score.white().black().white() == score.white()
    assert score.white().turn == "white"


def test_order_is_python_chess() -> None:
    """Mated, being mated soon, later, losing, drawn, winning, mating later, soon."""
    scores = [Score(value) for value in (-31900, -31898, -31890, -900, 0, 31, 31890, 31897, 31899)]
    assert scores == sorted(scores)

    def theirs(score: Score) -> chess.engine.Score:
        mate = score.mate()
        return chess.engine.Cp(int(score)) if mate is None else chess.engine.Mate(mate)

    assert [theirs(score) for score in scores] == sorted(theirs(score) for score in scores)


def test_expectation_is_the_logistic_convention() -> None:
    for value in range(-31000, 31001, 500):
        score = Score(value)
        if score.is_mate():
            continue
        assert score.expectation() == pytest.approx(1 / (1 + math.exp(-value / 400)))
        win, draw, loss = score.wdl()
        assert win + draw + loss == pytest.approx(1)
        assert win + draw / 2 == pytest.approx(score.expectation())
        assert min(win, draw, loss) >= 0
        assert Score(-value).wdl() == pytest.approx((loss, draw, win))
    assert Score(31897).wdl() == (1, 0, 0)
    assert Score(-31898).wdl() == (0, 0, 1)
    assert Score(10**12).expectation() == 1, "no overflow, whatever the int"
    assert Score(-(10**12)).expectation() == 0


def test_reports_have_scores_of_the_side_to_move() -> None:
    infos: list[SearchInfo] = []
    black = Position.from_fen("4k3/8/8/8/8/8/P7/R3K3 b - - 0 1")
    with Engine(hash=1, network=Network.default()) as engine:
        result = engine.search(black, Limits(depth=3), on_info=infos.append)
        assert result.score < -300 < 300 < result.score.white()
        assert result.score.turn == "black"
        assert {info.score.turn for info in infos} == {"black"}
        assert engine.evaluate(black).white() > 300
        assert engine.evaluate(START).turn == "white"
    assert SearchInfo(score=31).score.white() == 31  # type: ignore[arg-type]
    assert SearchResult(None, score=31).score.white() == 31  # type: ignore[arg-type]
