"""The bench as the engine gives it: results one by one, and what it leaves as it was."""

import threading
from contextlib import closing

import pytest
from modes import COMPILED

from pawnstar.chess.fen import start_position
from pawnstar.engine.bench import BENCH_FENS, Stopped, bench
from pawnstar.engine.book import Book
from pawnstar.engine.engine import Engine
from pawnstar.search.info import SearchInfo
from pawnstar.search.limits import Limits
from pawnstar.settings import THREADS

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FENS = BENCH_FENS if COMPILED else BENCH_FENS[:3]


def ignore(info: SearchInfo) -> None:
    pass


def test_results_come_one_by_one(engine: Engine) -> None:
    begun: list[tuple[int, str]] = []
    with closing(bench(engine, 3, threading.Event(), lambda *what: begun.append(what), ignore, FENS)) as results:
        for number, result in enumerate(results, 1):
            assert begun[-1] == (number, FENS[number - 1])
            assert result.depth == 3
            assert result.source == "search"
    assert begun == list(enumerate(FENS, 1))


def test_it_starts_from_nothing_without_book_and_threads(engine: Engine) -> None:
    """Whatever was learnt and set before, the nodes are the same, and the settings stay."""

    def nodes() -> list[int]:
        return [result.nodes for result in bench(engine, 4, threading.Event(), lambda *what: None, ignore, (START,))]

    first = nodes()
    engine.book = Book(["a2a3"])
    engine.set_threads(2)
    found = []
    for result in bench(engine, 4, threading.Event(), lambda *what: found.append(engine.threads), ignore, (START,)):
        found.append(result.nodes)
    assert found == [1, *first]
    assert (engine.threads, engine.settings[THREADS]) == (2, 2)
    assert engine.book is not None
    assert engine.helper_processes() == []
    engine.set_threads(1)


def test_stopped(engine: Engine) -> None:
    stop = threading.Event()
    results = bench(engine, 40, stop, lambda *what: stop.set(), ignore, FENS)
    engine.set_threads(2)
    with pytest.raises(Stopped):
        next(results)
    assert engine.threads == 2
    engine.set_threads(1)
    assert engine.search(start_position(), limits=Limits(depth=1)).depth == 3
