"""Copies, pickles and clones of everything public: a copy, or a refusal that says why, the same in both modes."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import pawnstar.drop7
from pawnstar.drop7 import (
    Board,
    ColumnValue,
    Counters,
    Game,
    Leaf,
    PlanError,
    PrivateTable,
    Rules,
    Searcher,
    Settings,
    Source,
    State,
    Table,
    UnsearchableState,
    WeightsError,
    WorkLimitReached,
    analyze,
)
from pawnstar.drop7.parallel.job import Execution, Job, TaskRunner, WorkerReport
from pawnstar.drop7.parallel.plan import TablePlan, plan_resources
from pawnstar.drop7.policies import Policy, RandomPolicy, SearchPolicy
from pawnstar.drop7.roots import RootsError
from pawnstar.drop7.rules.game import Frame, frames
from pawnstar.drop7.rules.rng import Strata
from pawnstar.drop7.search.frontier import Frontier
from pawnstar.drop7.search.leaf_cache import LeafCache


def later_state() -> State:
    """A position with a score sheet that is not the start's."""
    game = Game(3)
    for column in (3, 3, 2, 4, 1, 0):
        game.play(column)
    return game.state


def weights() -> list[float]:
    return [float(number) / 3 for number in range(18)]


SETTINGS = Settings(2, 3, "root", 4, 64, True, 6, 1, 8, 9, tuple(weights()), 5, -1.5)

COPIED: dict[str, Callable[[], Any]] = {
    "Board": lambda: later_state().board,
    "ColumnValue": lambda: ColumnValue(3, -1.25),
    "Counters": lambda: Counters(1, 2, 3, 4, 5),
    "Decision": lambda: analyze(later_state(), 1, 3),
    "Execution": lambda: Execution([1.5], [WorkerReport(0, 1, 0.5, Counters(1))], 0.25, 0.5),
    "Game": lambda: Game(7),
    "Job": lambda: Job([(1, 2, 3, 4, 5, 6, 7)], [], SETTINGS),
    "Leaf": lambda: Leaf(weights()),
    "Move": lambda: Game(7).play(3),
    "PlanError": lambda: PlanError("why"),
    "Policy": Policy,
    "RandomPolicy": lambda: RandomPolicy(5),
    "ResourcePlan": lambda: plan_resources(Settings(2, 3)),
    "RootsError": lambda: RootsError("why"),
    "Settings": lambda: SETTINGS,
    "Source": lambda: Source(11),
    "Frame": lambda: frames(State.start(4), 3, Source(1))[0],
    "State": later_state,
    "TablePlan": lambda: TablePlan(1, 2, 3),
    "UnsearchableState": lambda: UnsearchableState("why"),
    "WeightsError": lambda: WeightsError("why"),
    "WorkLimitReached": WorkLimitReached,
}

REFUSED: dict[str, Callable[[], Any]] = {
    "Frontier": lambda: Frontier(3, 5, -1.5, 100),
    "LeafCache": lambda: LeafCache(Leaf()),
    "PrivateTable": lambda: PrivateTable(8),
    "Rules": Rules,
    "SearchPolicy": lambda: SearchPolicy(1, 3),
    "Searcher": lambda: Searcher(3),
    "Strata": lambda: Strata(3),
    "Table": Table,
    "TaskRunner": lambda: TaskRunner(Job([], [], SETTINGS)),
}


def pickled(protocol: int) -> Callable[[Any], Any]:
    """A way over a pickle of this protocol."""
    return lambda thing: pickle.loads(pickle.dumps(thing, protocol))


WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {protocol}": pickled(protocol) for protocol in range(6)},
}


def fields(thing: object) -> object:
    """All that an object holds, down to the numbers. Compiled objects have no ``__dict__``."""
    if thing is None or isinstance(thing, (bool, int, float, str)):
        return thing
    if isinstance(thing, (list, tuple)):
        return [fields(item) for item in thing]
    if isinstance(thing, BaseException):
        return type(thing).__name__, thing.args
    if isinstance(thing, (Leaf, Rules)):
        # Scratch memory is not what they are.
        return [float(number) for number in thing.weights] if isinstance(thing, Leaf) else None
    if isinstance(thing, Policy):
        return type(thing).__name__, fields(getattr(thing, "source", None))
    found = {}
    for name, value in inspect.getmembers(thing):
        if not name.startswith("_") and not callable(value):
            found[name] = fields(value)
    return type(thing).__name__, found


def test_every_public_class_is_here() -> None:
    public = {name for name in pawnstar.drop7.__all__ if inspect.isclass(getattr(pawnstar.drop7, name))}
    assert public <= COPIED.keys() | REFUSED.keys()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", COPIED)
def test_a_copy_equals_the_original(name: str, way: str) -> None:
    """``pickle.dumps`` worked and ``loads`` failed: __init__() missing required argument."""
    original = COPIED[name]()
    again = WAYS[way](original)
    assert type(again) is type(original)
    assert again is not original
    assert fields(again) == fields(original)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_copied_says_why(name: str, way: str) -> None:
    """ "cannot pickle 'vec[i64]'" said it of compiled ones, and plain ones were copied."""
    with pytest.raises(TypeError, match="is not copied"):
        WAYS[way](REFUSED[name]())


@pytest.mark.parametrize("single_stream", [False, True])
@pytest.mark.parametrize("way", [*WAYS, "clone"])
def test_a_copied_game_has_the_same_future_and_one_of_its_own(way: str, single_stream: bool) -> None:
    game = Game(7, single_stream)
    for column in (3, 2, 4, 3):
        game.play(column)
    again = game.clone() if way == "clone" else WAYS[way](game)
    other = Game(7, single_stream)
    for column in (3, 2, 4, 3):
        other.play(column)
    wanted = [fields(other.play(column)) for column in (0, 1, 5, 6, 3, 3)]
    # In turns: what one draws is not drawn from the other.
    for column, move in zip((0, 1, 5, 6, 3, 3), wanted, strict=True):
        assert fields(game.play(column)) == move
        assert fields(again.play(column)) == move


def test_a_cloned_state_has_a_board_of_its_own() -> None:
    state = later_state()
    again = state.clone()
    assert again == state
    again.board.set_columns([0] * 7)
    assert again != state


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((0,), ValueError),
        ((8,), ValueError),
        ((4, -(1 << 31) - 1), ValueError),
        ((4, 1 << 31), ValueError),
        ((4, 1 << 70), ValueError),
        ((4, 5, 0), ValueError),
        ((4, 5, 1, -1), ValueError),
        ((4, 5, 1, 0, -1), ValueError),
        (("4",), TypeError),
        ((4.0,), TypeError),
        ((None,), TypeError),
        ((4, 5.0), TypeError),
        ((4, 5, "1"), TypeError),
        ((4, 5, 1, 0.5), TypeError),
        ((4, 5, 1, 0, None), TypeError),
        ((4, 5, 1, 0, 0, 1), TypeError),
    ],
)
def test_a_state_refuses_wrong_values(arguments: tuple[Any, ...], error: type[Exception]) -> None:
    """Only the disc was checked, and plain Python took what compiled code refused."""
    with pytest.raises(error):
        State(Board(), *arguments)


@pytest.mark.parametrize("board", [None, "0" * 49, [8] * 7])
def test_a_state_needs_a_board(board: Any) -> None:
    with pytest.raises(TypeError, match=r"[Bb]oard"):
        State(board, 4)


def test_frames_name_their_class() -> None:
    """``fields`` sees the fields: a test of the test."""
    frame = Frame("wave", Board(), 1, 2, 3)
    assert fields(frame) != fields(Frame("wave", Board(), 1, 2, 4))


def test_errors_can_be_carried_by_other_packages() -> None:
    """tblib, which a dask cluster brings, failed: compiled errors have no ``__dict__``."""
    pickling = pytest.importorskip("tblib.pickling_support")
    error = PlanError("why")
    function, *rest = pickling.pickle_exception(error)
    assert function is not None
    assert fields(copy.copy(error)) == fields(error)
    assert rest
