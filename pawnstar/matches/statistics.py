"""What a match says of two engines' strengths: Elo with error bars, and when to stop (SPRT).

Games come in pairs, one opening with colours swapped. The pair is what is counted, because its two games are not
independent: the five scores that a pair can have (0, 1/2, 1, 3/2, 2 points) make the *pentanomial* distribution, whose
variance is honestly smaller than that of single games where openings favour a side.

A few games prove little, and a match that one side wins throughout does not prove an infinite difference. So one more
pair counts before the first: one between equals who draw half of their games, spread over the five outcomes as 1, 4, 6,
4 and 1 sixteenths. The interval around the score so found is Wilson's, which stays inside 0 and 1 and is symmetric in
Elo. Its number of trials is that of won or lost trials that would vary as much as the pairs do. The likelihood of
superiority comes from the same test, so it is 97.5 % exactly where the interval begins at 0 Elo. All figures stay
finite whatever the games bring. After some dozens of pairs the prior pair hardly matters. The sequential test goes
without it.

Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927, for the interval;
A. Agresti and B. A. Coull, "Approximate is better than 'exact' for interval estimation of binomial proportions", 1998,
for adding observations; M. Van den Bergh, "The Generalized Sequential Probability Ratio Test" and "Comments on
Normalized Elo" (cantate.be/Fishtest); fishtest's LLRcalc.py, whose way of computing the likelihoods this follows;
A. Wald, "Sequential Tests of Statistical Hypotheses", 1945, for the bounds. Elo is the logistic one:
score = 1 / (1 + 10**(-elo/400)).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

# The scores of a pair, as a share of its two points.
PAIR_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
# What stands for a count of 0 in likelihoods, as in fishtest: the logarithm of 0 helps nobody.
_UNSEEN: Final = 1e-3
# The pair that counts before the first: equals who draw half of their games.
PRIOR: Final = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)
_LEAST_ERROR: Final = 1e-9
_MOST_ELO: Final = 1000.0  # beyond it a score is so near to 0 or 1 that no match could test it


def score_of_elo(elo: float) -> float:
    """The expected score, 0 to 1, of a player who is stronger by ``elo``."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_of_score(score: float) -> float:
    """The difference in Elo that an expected score means; infinite at 0 and 1."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return -400.0 * math.log10(1.0 / score - 1.0)


@dataclass(frozen=True)
class Estimate:
    """A difference in Elo with its 95 % interval, and the likelihood of superiority (0 to 1)."""

    elo: float
    low: float
    high: float
    los: float

    @property
    def margin(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2.0


def mean_and_variance(pairs: Sequence[float]) -> tuple[float, float]:
    """Of one pair's score (0 to 1), from the counts of the five outcomes. Raises ValueError without any pair."""
    if len(pairs) != len(PAIR_SCORES) or sum(pairs) <= 0:
        raise ValueError("five counts of pairs, not all 0, are needed")
    total = sum(pairs)
    mean = sum(count * score for count, score in zip(pairs, PAIR_SCORES, strict=True)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(pairs, PAIR_SCORES, strict=True)) / total
    return mean, variance


def estimate(pairs: Sequence[float], confidence: float = 0.95) -> Estimate:
    """The difference in Elo that pairs of games show, with the prior pair; finite for any counts.

    ``pairs`` counts the pairs that scored 0, 1/2, 1, 3/2 and 2 points for the first player. A game whose partner was
    not played is half a pair, of twice its points. Raises ValueError without any pair.
    """
    if sum(pairs) <= 0:
        raise ValueError("five counts of pairs, not all 0, are needed")
    counts = [count + share for count, share in zip(pairs, PRIOR, strict=True)]
    mean, variance = mean_and_variance(counts)
    trials = sum(counts) * mean * (1.0 - mean) / variance
    normal = NormalDist()
    z = normal.inv_cdf(0.5 + confidence / 2.0)
    spread = z * math.sqrt(mean * (1.0 - mean) / trials + (z / (2.0 * trials)) ** 2)
    centre, scale = mean + z * z / (2.0 * trials), 1.0 + z * z / trials
    low, high = (centre - spread) / scale, (centre + spread) / scale
    los = normal.cdf((mean - 0.5) * 2.0 * math.sqrt(trials))
    return Estimate(elo_of_score(mean), elo_of_score(low), elo_of_score(high), los)


def _most_likely(shares: Sequence[float], score: float) -> list[float]:
    """The distribution of pair scores that explains ``shares`` best among those whose mean is ``score``.

    It is p / (1 + x (a - score)) with the x at which its mean is right (Van den Bergh, proposition 1.1); the equation's
    left side falls from +infinity to -infinity between two poles, so halving the interval finds it.
    """
    low = -1.0 / (PAIR_SCORES[-1] - score)
    high = 1.0 / (score - PAIR_SCORES[0])
    for _ in range(200):
        x = (low + high) / 2.0
        if x in (low, high):
            break
        slope = sum(p * (a - score) / (1.0 + x * (a - score)) for p, a in zip(shares, PAIR_SCORES, strict=True))
        if slope > 0.0:
            low = x
        else:
            high = x
    x = (low + high) / 2.0
    return [p / (1.0 + x * (a - score)) for p, a in zip(shares, PAIR_SCORES, strict=True)]


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """How much better "stronger by ``elo1``" explains the pairs than "stronger by ``elo0``": the GSPRT's logarithm.

    0 without any pair.
    """
    if sum(pairs) == 0:
        return 0.0
    counts = [count if count > 0 else _UNSEEN for count in pairs]
    total = sum(counts)
    shares = [count / total for count in counts]
    under0 = _most_likely(shares, score_of_elo(elo0))
    under1 = _most_likely(shares, score_of_elo(elo1))
    return total * sum(p * math.log(p1 / p0) for p, p0, p1 in zip(shares, under0, under1, strict=True))


@dataclass(frozen=True)
class Sprt:
    """A sequential test of "stronger by ``elo0``" (H0) against "by ``elo1``" (H1), ``elo0`` < ``elo1``.

    ``alpha`` is the chance to accept H1 where H0 holds, ``beta`` the chance to accept H0 where H1 holds; below 0.5.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (abs(self.elo0) <= _MOST_ELO and abs(self.elo1) <= _MOST_ELO):
            most = f"{_MOST_ELO:g}"
            raise ValueError(
                f"SPRT: elo0 and elo1 must lie between -{most} and {most}, not {self.elo0:g} and {self.elo1:g}"
            )
        if self.elo0 >= self.elo1:
            raise ValueError(f"SPRT: elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (_LEAST_ERROR <= self.alpha < 0.5 and _LEAST_ERROR <= self.beta < 0.5):
            found = f"{self.alpha:g} and {self.beta:g}"
            raise ValueError(f"SPRT: alpha and beta must be at least {_LEAST_ERROR:g} and below 0.5, not {found}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which H0 and H1 are accepted: Wald's."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """The log likelihood ratio of the pairs so far."""
        return log_likelihood_ratio(pairs, self.elo0, self.elo1)

    def verdict(self, pairs: Sequence[int]) -> str:
        """``H0``, ``H1``, or an empty string while the test goes on."""
        low, high = self.bounds
        ratio = self.ratio(pairs)
        if ratio <= low:
            return "H0"
        return "H1" if ratio >= high else ""
