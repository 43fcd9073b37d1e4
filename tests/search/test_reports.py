"""Reports and limits: a field is written once, in the engine, and the API's classes have it."""

import dataclasses
from typing import Any

import pytest

import pawnstar
from pawnstar.api.info import info_of, result_of
from pawnstar.api.limits import engine_limits
from pawnstar.api.moves import unpacked
from pawnstar.chess.fen import start_position
from pawnstar.chess.generation import legal_moves
from pawnstar.search.info import Report, SearchInfo, SearchResult, report_fields
from pawnstar.search.limits import LimitNumbers, Limits

MOVE = legal_moves(start_position())[3]
FULL = SearchInfo(
    depth=1,
    seldepth=2,
    score=3,
    time=4,
    nodes=5,
    nps=6,
    hashfull=7,
    pv=(MOVE,),
    currmove=MOVE,
    currmove_number=8,
    message="nine",
    multipv=10,
    bound="lower",
    tbhits=11,
)


def own_fields(made: type) -> set[str]:
    """The fields that a class declares itself."""
    return {name for name in made.__annotations__ if name in {field.name for field in dataclasses.fields(made)}}


def test_a_report_has_its_fields_in_one_place() -> None:
    assert own_fields(SearchInfo) == set()
    assert own_fields(pawnstar.SearchInfo) == {"score"}, "which knows whose it is; the rest is inherited"
    names = [field.name for field in dataclasses.fields(Report)]
    assert [field.name for field in dataclasses.fields(pawnstar.SearchInfo)] == names
    assert [field.name for field in dataclasses.fields(SearchInfo)] == names


def test_every_field_of_a_report_reaches_the_user() -> None:
    assert all(getattr(FULL, field.name) != field.default for field in dataclasses.fields(FULL)), "the test has all"
    info = info_of(FULL, "black")
    move = unpacked(MOVE)
    expected = {**report_fields(FULL), "score": pawnstar.Score(3, "black"), "pv": (move,), "currmove": move}
    assert {field.name: getattr(info, field.name) for field in dataclasses.fields(info)} == expected


def test_reports_are_of_one_exact_line_without_tablebases() -> None:
    assert (SearchInfo().multipv, SearchInfo().bound, SearchInfo().tbhits) == (1, "exact", 0)
    assert pawnstar.SearchInfo(9, 12, pawnstar.Score(25)).score == 25, "the order of the first fields stays"


def test_every_field_of_a_result_reaches_the_user() -> None:
    result = result_of(SearchResult(MOVE, 0, 3, (MOVE,), 4, 5, 6, "book"), "white")
    move = unpacked(MOVE)
    assert result == pawnstar.SearchResult(move, None, pawnstar.Score(3), (move,), 4, 5, 6, "book")
    names = [field.name for field in dataclasses.fields(SearchResult)]
    assert [field.name for field in dataclasses.fields(pawnstar.SearchResult)] == names


def test_a_limit_that_is_a_number_has_its_name_and_range_in_one_place() -> None:
    numbers = [field.name for field in dataclasses.fields(LimitNumbers)]
    assert own_fields(pawnstar.Limits) == {"search_moves"}
    assert own_fields(Limits) == {"search_moves", "ponder", "analysis", "book"}
    wanted: dict[str, Any] = {name: 10 + number for number, name in enumerate(numbers)}
    given = pawnstar.Limits(**wanted)
    inner = engine_limits(given, pawnstar.Position.initial())
    assert [getattr(inner, name) for name in numbers] == list(range(10, 10 + len(numbers)))


def test_a_number_below_its_least_is_refused() -> None:
    for field in dataclasses.fields(LimitNumbers):
        least = field.metadata["least"]
        assert getattr(pawnstar.Limits(**{field.name: least}), field.name) == least
        for value, error in ((least - 1, ValueError), ("1", TypeError)):
            wrong: dict[str, Any] = {field.name: value}
            with pytest.raises(error, match=rf"^{field.name} must be "):
                pawnstar.Limits(**wrong)
