"""Fault: what is compiled was pickled without a word and could not be read back (or killed a pool's worker).

A ``Book`` dumped well and failed to load; the modes differed. Now every public class gives an equal copy, or refuses
with a TypeError that says why, in both modes alike.
"""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import chess
import pytest
from nets import Net

import pawnstar
from pawnstar import Analysis, Book, Engine, Game, Limits, Move, Network, Outcome, Position, Score


def _pickled(protocol: int) -> Callable[[Any], Any]:
    return lambda value: pickle.loads(pickle.dumps(value, protocol))


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {protocol}": _pickled(protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)},
}
MOVE = Move.from_uci("e7e8q")
VALUES = [
    MOVE,
    Position.initial().play("e4"),
    Limits(depth=3, search_moves=(move for move in (MOVE, "e2e4", chess.Move(12, 28)))),
    pawnstar.SearchInfo(depth=3, score=Score(31, "black"), pv=(MOVE,), currmove=MOVE),
    pawnstar.SearchResult(MOVE, score=Score(-31898, "black"), source="forced"),
    Score(31, "black"),
    Score(100).wdl(),
    Outcome("checkmate", "white"),
    Game(moves=["e4", "e5"]),
    Game("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ["O-O"]),
    pawnstar.BookError("line 3"),
    pawnstar.AmbiguousMoveError("Ne4"),
    pawnstar.IllegalMoveError("e2e5"),
    pawnstar.InvalidMoveError("what"),
    pawnstar.NetRefused("magic"),
]


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_are_copied(value: Any, way: str) -> None:
    twin = COPIES[way](value)
    assert type(twin) is type(value)
    if isinstance(value, Exception):
        assert (str(twin), twin.args) == (str(value), value.args)
    else:
        assert twin == value
    assert repr(twin) == repr(value)


@pytest.mark.parametrize("way", COPIES)
def test_score_keeps_its_point_of_view(way: str) -> None:
    assert COPIES[way](Score(31, "black")).turn == "black"


@pytest.mark.parametrize("way", COPIES)
def test_book_is_copied(way: str) -> None:
    book = Book(["e2e4 e7e5", "d2d4", "f2f3?"])
    twin = COPIES[way](book)
    start = Position.initial()
    assert (twin.moves(start), twin.questionable(start), len(twin)) == (
        book.moves(start),
        book.questionable(start),
        len(book),
    )


@pytest.mark.parametrize("way", ["copy", "deepcopy", "pickle 5"])
def test_network_is_copied(way: str) -> None:
    network = Network.default()
    twin = COPIES[way](network)
    position = Position.initial().play("e4")
    assert twin.origin == network.origin
    assert twin.evaluate(position) == network.evaluate(position)
    assert twin.evaluate(position, exact=True) == network.evaluate(position, exact=True)
    if way != "pickle 5":
        assert twin is network, "it never changes, and is large"


@pytest.mark.parametrize("way", COPIES)
def test_engine_and_analysis_refuse(way: str) -> None:
    with Engine(hash=1) as engine, engine.analyse(Position.initial()) as analysis:
        with pytest.raises(TypeError, match="an Engine cannot be copied or pickled: it holds"):
            COPIES[way](engine)
        with pytest.raises(TypeError, match="an Analysis cannot be copied or pickled: it is a running search"):
            COPIES[way](analysis)


@pytest.mark.parametrize("way", COPIES)
def test_copied_game_is_a_game_of_its_own(way: str) -> None:
    game = Game(moves=["e4"])
    twin = COPIES[way](game)
    twin.push("e5")
    assert (len(game), len(twin)) == (1, 2)


def test_every_public_class_is_tried_above() -> None:
    tried = {type(value) for value in VALUES} | {Book, Network, Engine, Analysis}
    protocols = {"BoardLike", "MoveLike", "StopSignal"}
    for name in vars(pawnstar)["__all__"]:
        value = getattr(pawnstar, name)
        if isinstance(value, type) and name not in protocols:
            assert value in tried, name


def test_everything_has_a_repr() -> None:
    with Engine(hash=1) as engine:
        analysis = engine.analyse(Position.initial(), Limits(depth=1))
        analysis.wait()
        values = [*VALUES, Book(["e2e4"]), Network.default(), engine, analysis]
    for value in values:
        assert " object at 0x" not in repr(value), type(value)
    assert repr(engine) == "<Engine 'embedded', hash 1 MB, 1 thread, closed>"
    for value in VALUES[:2]:
        assert eval(repr(value), {"Move": Move, "Position": Position}) == value
    games = [value for value in VALUES if isinstance(value, Game)]
    assert [eval(repr(game)) for game in games] == games


def test_process_pool_takes_books_and_networks() -> None:
    """A book sent to a process pool killed its worker: BrokenProcessPool."""
    book, network, start = Book(["e2e4"]), Network.default(), Position.initial()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        moves = pool.submit(Book.moves, book, start)
        value = pool.submit(Network.evaluate, network, start)
        twin = pool.submit(Game.copy, Game(start, ["e4"]))
        assert moves.result(timeout=120) == {Move.from_uci("e2e4"): 1}
        assert value.result(timeout=120) == network.evaluate(start)
        assert twin.result(timeout=120) == Game(start, ["e4"])


def test_the_engines_own_books_and_nets_are_copied_too(parity: Net) -> None:
    from pawnstar.chess.fen import start_position
    from pawnstar.engine.book import Book as InnerBook

    book, start = InnerBook(["e2e4", "d2d4?"]), start_position()
    for way in ("copy", "deepcopy", "pickle 5"):
        assert COPIES[way](book).choices(start) == book.choices(start)
    twin = COPIES["pickle 5"](parity.network)
    assert (twin.origin, twin.data) == (parity.network.origin, parity.network.data)
