"""Elo, error bars and the sequential test, held against other ways to compute them."""

import math
import random

import pytest

from pawnstar.tools.match.statistics import (
    PAIR_SCORES,
    Sprt,
    elo_of_score,
    estimate,
    log_likelihood_ratio,
    mean_and_variance,
    score_of_elo,
)


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (100, 0.6400649998)])
def test_logistic_elo(elo: float, score: float) -> None:
    assert score_of_elo(elo) == pytest.approx(score)
    assert elo_of_score(score) == pytest.approx(elo, abs=1e-6)


def test_elo_of_certainty_is_infinite() -> None:
    assert elo_of_score(1) == math.inf
    assert elo_of_score(0) == -math.inf


def test_estimate_by_hand() -> None:
    """One hundred pairs: mean 0.525, variance by its definition, normal interval."""
    pairs = [5, 20, 40, 30, 5]
    mean, variance = mean_and_variance(pairs)
    assert mean == pytest.approx(0.525)
    scores = [score for score, count in zip(PAIR_SCORES, pairs, strict=True) for _ in range(count)]
    assert variance == pytest.approx(sum((s - 0.525) ** 2 for s in scores) / 100)
    found = estimate(pairs)
    assert found.elo == pytest.approx(17.387, abs=1e-3)
    width = 1.959964 * math.sqrt(variance / 100)
    assert found.low == pytest.approx(elo_of_score(0.525 - width), abs=1e-4)
    assert found.high == pytest.approx(elo_of_score(0.525 + width), abs=1e-4)
    assert found.margin == pytest.approx((found.high - found.low) / 2)
    assert 0.5 < found.los < 1


def test_interval_holds_the_truth_95_times_of_100() -> None:
    dice = random.Random(7)
    truth = elo_of_score(0.55)
    inside = 0
    for _ in range(1000):
        counts = [0] * 5
        for outcome in dice.choices(range(5), weights=[4, 16, 42, 32, 6], k=200):  # mean 0.55
            counts[outcome] += 1
        found = estimate(counts)
        inside += found.low <= truth <= found.high
    assert 925 <= inside <= 975


def test_mirrored_counts_give_mirrored_estimates() -> None:
    one, other = estimate([1, 8, 20, 15, 6]), estimate([6, 15, 20, 8, 1])
    assert one.elo == pytest.approx(-other.elo)
    assert one.low == pytest.approx(-other.high)
    assert one.los == pytest.approx(1 - other.los)


def test_no_spread() -> None:
    assert estimate([0, 0, 9, 0, 0]).los == 0.5
    assert estimate([0, 0, 0, 0, 3]).los == 1
    with pytest.raises(ValueError, match="not all 0"):
        estimate([0, 0, 0, 0, 0])


def _constrained_maximum(pairs: list[int], score: float) -> float:
    """The greatest log likelihood under a given mean, by climbing: an independent way to the same number."""
    # Start at the binomial with that mean, which is feasible and positive everywhere.
    p = [math.comb(4, k) * score**k * (1 - score) ** (4 - k) for k in range(5)]
    # Directions that change neither the sum nor the mean.
    directions = [(1, -2, 1, 0, 0), (0, 1, -2, 1, 0), (0, 0, 1, -2, 1)]

    def value(q: list[float]) -> float:
        if min(q) <= 0:
            return -math.inf
        return sum(count * math.log(x) for count, x in zip(pairs, q, strict=True) if count)

    step, best = 0.1, value(p)
    while step > 1e-9:
        moved = False
        for direction in directions:
            for sign in (1, -1):
                q = [x + sign * step * d for x, d in zip(p, direction, strict=True)]
                if value(q) > best:
                    p, best, moved = q, value(q), True
        if not moved:
            step /= 2
    return best


@pytest.mark.parametrize("pairs", [[5, 20, 40, 30, 5], [10, 60, 200, 90, 15], [3, 9, 10, 2, 1]])
def test_likelihood_ratio_is_that_of_the_constrained_maxima(pairs: list[int]) -> None:
    expected = _constrained_maximum(pairs, score_of_elo(5)) - _constrained_maximum(pairs, score_of_elo(0))
    assert log_likelihood_ratio(pairs, 0, 5) == pytest.approx(expected, abs=1e-4)


def test_likelihood_ratio_is_near_its_normal_approximation() -> None:
    """LLR = n (s1 - s0) (2 mean - s0 - s1) / (2 variance), for small differences."""
    pairs = [300, 2400, 5200, 2600, 340]
    mean, variance = mean_and_variance(pairs)
    s0, s1 = score_of_elo(0), score_of_elo(2)
    expected = sum(pairs) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert log_likelihood_ratio(pairs, 0, 2) == pytest.approx(expected, rel=0.01)


def test_sprt() -> None:
    sprt = Sprt(0, 5)
    low, high = sprt.bounds
    assert low == pytest.approx(-2.944439)
    assert high == pytest.approx(2.944439)
    assert sprt.ratio([0] * 5) == 0
    assert sprt.verdict([0] * 5) == ""
    assert sprt.verdict([0, 0, 1, 0, 0]) == ""
    assert sprt.verdict([10, 60, 300, 160, 40]) == "H1"
    assert sprt.verdict([40, 160, 300, 60, 10]) == "H0"


def test_sprt_is_right_as_often_as_it_promises() -> None:
    dice = random.Random(3)
    sprt = Sprt(0, 40, 0.1, 0.1)
    wrong = 0
    for _ in range(100):
        counts = [0] * 5
        while not sprt.verdict(counts):
            for outcome in dice.choices(range(5), weights=[6, 24, 40, 24, 6], k=10):
                counts[outcome] += 1
        wrong += sprt.verdict(counts) == "H1"
    assert wrong <= 20


@pytest.mark.parametrize("values", [(5, 0, 0.05, 0.05), (0, 0, 0.05, 0.05), (0, 5, 0, 0.05), (0, 5, 0.05, 0.5)])
def test_sprt_without_sense_is_refused(values: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="SPRT"):
        Sprt(*values)
