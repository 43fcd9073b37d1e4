"""Elo, error bars and the sequential test, held against other ways to compute them."""

import math
import random

import pytest

from pawnstar.matches.statistics import (
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
    """One hundred pairs and the prior one: mean and variance by their definitions, then Wilson's interval."""
    pairs = [5, 20, 40, 30, 5]
    mean, variance = mean_and_variance(pairs)
    assert mean == pytest.approx(0.525)
    scores = [score for score, count in zip(PAIR_SCORES, pairs, strict=True) for _ in range(count)]
    assert variance == pytest.approx(sum((s - 0.525) ** 2 for s in scores) / 100)
    found = estimate(pairs)
    mean = 53 / 101
    assert found.elo == pytest.approx(elo_of_score(mean))
    # One pair's variance around the mean that the prior has moved: of the hundred, and of the prior (two games of
    # variance 1/8, at half of their weight each: 1/16).
    total = (sum((s - mean) ** 2 for s in scores) + 1 / 16 + (0.5 - mean) ** 2) / 101
    z = 1.959964
    # The ends of the interval are the scores from which the mean is z deviations away, where the variance of such a
    # score m is the one that was seen, scaled as m (1 - m).
    for end in (found.low, found.high):
        m = score_of_elo(end)
        deviation = math.sqrt(total * m * (1 - m) / (mean * (1 - mean)) / 101)
        assert abs(m - mean) == pytest.approx(z * deviation, rel=1e-5)
    assert found.margin == pytest.approx((found.high - found.low) / 2)
    assert found.los == pytest.approx(
        0.5 * (1 + math.erf((mean - 0.5) / math.sqrt(total / 4 / (mean * (1 - mean)) / 101) / math.sqrt(2)))
    )


def test_many_pairs_make_the_prior_and_the_interval_those_of_the_textbook() -> None:
    """The mean's normal interval, without any prior: what the estimate comes to as the pairs become many."""
    pairs = [500, 2000, 4000, 3000, 500]
    mean, variance = mean_and_variance(pairs)
    width = 1.959964 * math.sqrt(variance / sum(pairs))
    found = estimate(pairs)
    assert found.elo == pytest.approx(elo_of_score(mean), abs=0.01)
    assert found.low == pytest.approx(elo_of_score(mean - width), abs=0.02)
    assert found.high == pytest.approx(elo_of_score(mean + width), abs=0.02)


@pytest.mark.parametrize("share", [1, 0.5, 3, 20, 10_000])
@pytest.mark.parametrize("place", range(5))
def test_bounds_are_never_infinite(place: int, share: float) -> None:
    """A match won throughout told "Elo +inf", with bounds of -inf or inf: no few games prove that."""
    counts = [0.0] * 5
    counts[place] = share
    found = estimate(counts)
    assert all(math.isfinite(value) for value in (found.elo, found.low, found.high))
    assert found.low < found.elo < found.high
    assert found.high - found.elo == pytest.approx(found.elo - found.low)  # symmetric in Elo: +- says all
    assert 0 <= found.los <= 1
    assert (found.los > 0.975) == (found.low > 0)


def test_interval_of_few_games_holds_the_truth() -> None:
    """Six pairs, one side much stronger: nine times of ten, as six pairs tell too little of the spread for 95 %."""
    dice = random.Random(5)
    weights = [1, 4, 15, 40, 40]
    truth = elo_of_score(sum(w * s for w, s in zip(weights, PAIR_SCORES, strict=True)) / 100)
    inside = 0
    for _ in range(1000):
        counts = [0] * 5
        for outcome in dice.choices(range(5), weights=weights, k=6):
            counts[outcome] += 1
        found = estimate(counts)
        inside += found.low <= truth <= found.high
    assert inside >= 890


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
    assert estimate([0, 0, 9, 0, 0]).elo == pytest.approx(0)
    # Six games won of six: a sign test gives 63/64.
    assert estimate([0, 0, 0, 0, 3]).los == pytest.approx(63 / 64, abs=0.01)
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


@pytest.mark.parametrize("pairs", [[0, 0, 0, 0, 1], [9, 0, 0, 0, 0], [0, 0, 9, 0, 0], [1, 2, 3, 2, 1]])
@pytest.mark.parametrize("bounds", [(-1000, 1000), (0, 1000), (999, 1000)])
def test_widest_bounds_have_a_ratio(pairs: list[int], bounds: tuple[float, float]) -> None:
    """At some thousand Elo the score of H1 was 1, and the first pair ended the match with a division by zero."""
    assert math.isfinite(Sprt(*bounds).ratio(pairs))


@pytest.mark.parametrize(
    "values",
    [
        (5, 0, 0.05, 0.05),
        (0, 0, 0.05, 0.05),
        (0, 5, 0, 0.05),
        (0, 5, 0.05, 0.5),
        (-9999, 9999, 0.05, 0.05),
        (0, 7000, 0.05, 0.05),
        (0, math.inf, 0.05, 0.05),
        (math.nan, 5, 0.05, 0.05),
        (0, 5, math.nan, 0.05),
        (0, 5, 1e-320, 0.05),
    ],
)
def test_sprt_without_sense_is_refused(values: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="SPRT"):
        Sprt(*values)
