"""Scores: mates as distances, and what a root list keeps."""

import pytest

from pawnstar.search.info import SearchInfo
from pawnstar.search.scores import CANCELLED, is_mate, mate_in, mated_at, root_score


@pytest.mark.parametrize(
    ("score", "mate"),
    [
        (31899, 1),
        (31898, 1),
        (31897, 2),
        (31000, 450),
        (30999, None),
        (0, None),
        (-30999, None),
        (-31000, -450),
        (-31900, 0),
        (-31899, -1),
        (-31898, -1),
        (-31897, -2),
    ],
)
def test_mate_scores(score: int, mate: int | None) -> None:
    assert mate_in(score) == mate
    assert is_mate(score) == (mate is not None)
    info = SearchInfo(score=score)
    assert info.mate == mate
    assert info.cp == (score if mate is None else None)


def test_the_mated_side_prefers_to_be_mated_late() -> None:
    assert [mated_at(ply) for ply in (0, 1, 64)] == [-31900, -31899, -31836]
    assert mate_in(int(mated_at(4))) == -2
    assert mate_in(-int(mated_at(3))) == 2


def test_root_scores_are_twenty_three_bits() -> None:
    """As a root list of packed moves keeps them: the cancellation's sentinel does not survive, every score does."""
    for score in (0, 1, -1, 31999, -31999, 2**22 - 1, -(2**22)):
        assert root_score(score) == score
    assert root_score(CANCELLED) == (CANCELLED + 2**22) % 2**23 - 2**22 != CANCELLED
    assert root_score(2**22) == -(2**22)
