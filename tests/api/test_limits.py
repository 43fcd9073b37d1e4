"""Limits of the API: what they accept, and what they refuse when they are made."""

from collections.abc import Callable, Iterable
from typing import Any

import chess
import numpy as np
import pytest

from pawnstar import Engine, Limits, Move, Network, Position

START = Position.initial()
# Searched to the end in no time, in plain Python too.
LITTLE = Position.from_fen("8/8/4k3/8/4P3/4K3/8/8 w - - 0 1")
WANTED = {"a2a3", "h2h3"}


@pytest.fixture(scope="module")
def network() -> Network:
    return Network.default()


@pytest.mark.parametrize(
    "make",
    [
        lambda: (text for text in ("a3", "h2h3")),
        lambda: iter([Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]),
        lambda: {"a3", "h3"},
        lambda: map(Move.from_uci, ["a2a3", "h2h3"]),
        lambda: dict.fromkeys(["a3", "h3"]).keys(),
        lambda: [move for move in chess.Board().legal_moves if move.uci() in WANTED],
    ],
)
def test_search_moves_of_any_iterable_restrict_all(network: Network, make: Callable[[], Iterable[Any]]) -> None:
    """A generator was consumed by the first look: ``analyse`` forgot the restriction, ``search`` from the second on."""
    limits = Limits(depth=3, search_moves=make())
    with Engine(hash=1, network=network) as engine:
        for _ in range(2):
            assert str(engine.play(START, limits)) in WANTED
        for _ in range(2):
            assert {str(info.pv[0]) for info in engine.analyse(START, limits)} <= WANTED
    assert isinstance(limits.search_moves, tuple)
    assert hash(limits) == hash(limits)


def test_history_of_any_iterable_is_read_once_and_kept(network: Network) -> None:
    """The same kind: a generator of earlier positions was consumed by the check of its types."""
    position, history = START, []
    for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        history.append(position)
        position = position.play(move)
    with Engine(hash=1, network=network) as engine:
        assert engine.evaluate(position, iter(history)) == 0
        nodes = engine.search(position, Limits(depth=3), iter(history)).nodes
        engine.new_game()
        assert engine.search(position, Limits(depth=3), history).nodes == nodes


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("e2e4", "several moves, in a list for example, not one str"),
        (b"e2e4", "not one bytes"),
        (Move.from_uci("e2e4"), "not one Move"),
        (chess.Move.from_uci("e2e4"), "not one Move"),
        (5, "search_moves must be moves, in a list for example, not int"),
        (None, "not NoneType"),
        (START, "not Position"),
        ([5], "search_moves holds Moves, chess.Moves or texts, not int"),
        ([None], "not NoneType"),
        ([b"e2e4"], "not bytes"),
        ([["e2e4"]], "not list"),
        ((move for move in [Move.from_uci("e2e4"), 3.0]), "not float"),
    ],
)
def test_search_moves_that_are_none_are_refused(moves: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Limits(search_moves=moves)


NUMBERS = ("depth", "nodes", "movetime", "time_left", "increment", "moves_to_go", "mate")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [1.0, 0.5, float("nan"), float("inf"), True, False, "1", b"1", [1], 1j, np.bool_(1)])
def test_what_is_no_whole_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^{name} must be an int, not {type(value).__name__}$"):
        Limits(**{name: value})


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [-1, -(2**63), -(2**64), -(10**30)])
def test_negative_numbers_are_refused(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be at least [01], not -"):
        Limits(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["increment", "moves_to_go"])
def test_none_is_no_number_where_there_is_a_default(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} must be an int, not NoneType"):
        Limits(**{name: None})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30])
def test_numbers_beyond_64_bits_are_limits_that_nobody_reaches(network: Network, name: str, value: int) -> None:
    """``Limits(nodes=2**63)``: "int too large to convert to i64", from ``search``."""
    others = {"depth": 3} if name != "depth" else {"nodes": 1}
    limits = Limits(**others, **{name: value})  # type: ignore[arg-type]
    with Engine(hash=1, network=network) as engine:
        assert engine.search(LITTLE, limits).best_move in LITTLE.legal_moves
        assert engine.analyse(LITTLE, limits).wait().best_move in LITTLE.legal_moves


def test_numpys_integers_are_ints() -> None:
    limits = Limits(depth=np.int64(3), increment=np.int16(5))  # type: ignore[arg-type]
    assert (limits.depth, limits.increment) == (3, 5)
    assert type(limits.depth) is int


@pytest.mark.parametrize("option", ["hash", "threads", "move_overhead"])
@pytest.mark.parametrize("value", [2**63, -(2**63), 10**30])
def test_engine_options_beyond_64_bits_are_refused(option: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"{option} must be from"):
        Engine(**{option: value})  # type: ignore[arg-type]
