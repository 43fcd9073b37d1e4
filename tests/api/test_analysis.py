"""Analyses: what they look at, what they report, and how they are steered. How they end: test_closing.py."""

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pawnstar import Analysis, Book, Engine, Limits, Network, Position, SearchInfo, SearchResult

START = Position.initial()
# Searched to the end in no time, in plain Python too.
LITTLE = Position.from_fen("8/8/4k3/8/4P3/4K3/8/8 w - - 0 1")
ONLY_MOVE_INTO_MATE = "k7/8/1K6/5R2/8/8/8/8 b - - 0 1"


@pytest.fixture(scope="module")
def network() -> Network:
    return Network.default()


@pytest.fixture
def engine(network: Network) -> Iterator[Engine]:
    with Engine(hash=1, network=network) as engine:
        yield engine


# Analysis analyses.


def test_only_move_is_searched_and_a_mate_behind_it_told(engine: Engine) -> None:
    """The only move was answered with a static score, and the mate in one behind it was not seen."""
    infos = list(engine.analyse(ONLY_MOVE_INTO_MATE, Limits(depth=6)))
    assert infos[-1].score.mate() == -1
    assert [str(move) for move in infos[-1].pv] == ["a8b8", "f5f8"]
    result = engine.analyse(ONLY_MOVE_INTO_MATE, Limits(depth=6)).wait()
    assert (result.source, result.score.mate()) == ("search", -1)
    restricted = engine.analyse(ONLY_MOVE_INTO_MATE, Limits(depth=6, search_moves=["Kb8"])).wait()
    assert (restricted.source, restricted.score.mate()) == ("search", -1)
    assert engine.search(ONLY_MOVE_INTO_MATE, Limits(depth=6)).source == "forced", "play keeps the shortcut"


def test_book_is_never_asked(network: Network) -> None:
    with Engine(hash=1, network=network, book=Book(["a2a3"])) as engine:
        result = engine.analyse(START, Limits(depth=3)).wait()
        assert (result.source, result.depth) == ("search", 3)
        assert engine.search(START, Limits(depth=3)).source == "book"


def test_reports_come_while_the_search_runs(engine: Engine) -> None:
    with engine.analyse(START) as analysis:
        for _ in range(3):
            assert next(analysis).has_score
            assert analysis.is_running


def test_shallow_pass_is_reported_when_it_is_done(engine: Engine) -> None:
    assert next(engine.analyse(LITTLE, Limits(depth=4))).depth == 3


def test_reports_without_a_score_only_when_asked_for(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of a loop's reports could be one of no score, and ``info.pv[0]`` an IndexError."""
    from pawnstar.search.info import SearchInfo as Inner
    from pawnstar.search.info import SearchResult as InnerResult

    class Remarks:
        """An engine that reports all there is, whatever it is asked."""

        def __init__(self, inner: object) -> None:
            self.inner = inner

        def search(self, *arguments: object) -> InnerResult:
            report = arguments[4]
            assert callable(report)
            for info in (Inner(message="remark"), Inner(depth=9, currmove=796, currmove_number=1), Inner(depth=9)):
                report(info)
            return InnerResult(796, 0, 0, (796,), 9, 1, 1)

        def close(self) -> None:
            pass

    with Engine(hash=1, network=network) as engine:
        monkeypatch.setattr(engine, "_inner", Remarks(engine._inner))
        assert [info.depth for info in engine.analyse(START)] == [9]
        assert [info.message for info in engine.analyse(START, all_reports=True)] == ["remark", "", ""]
        heard: list[SearchInfo] = []
        engine.search(START, Limits(depth=9), on_info=heard.append)
        assert len(heard) == 3


def test_finished_games_are_told_too(engine: Engine) -> None:
    mated = engine.analyse("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1")
    assert [info.score.mate() for info in mated] == [0]
    assert mated.wait().best_move is None


# Steering.


def test_analysis_works_by_itself(engine: Engine) -> None:
    analysis = engine.analyse(LITTLE, Limits(depth=6))
    assert isinstance(analysis, Analysis)
    result = analysis.wait()
    assert result.depth == 6
    assert not analysis.is_running
    assert analysis.wait() == result, "as often as you like"
    assert [info.depth for info in analysis][-1] == 6


def test_stop_keeps_what_was_found(engine: Engine) -> None:
    analysis = engine.analyse(START)
    first = next(analysis)
    analysis.stop()
    result = analysis.wait()
    infos = [first, *analysis]
    assert result.pv == infos[-1].pv
    assert result.score == infos[-1].score


def test_wait_gives_up_in_time(engine: Engine) -> None:
    with engine.analyse(START) as analysis:
        with pytest.raises(TimeoutError, match="not ended within"):
            analysis.wait(0.05)
        assert analysis.is_running
        with pytest.raises(TimeoutError):
            analysis.wait(0)


def test_yield_from_has_the_result(engine: Engine) -> None:
    def depths() -> Iterator[SearchInfo]:
        result: SearchResult = yield from engine.analyse(LITTLE, Limits(depth=4))
        assert result.best_move is not None
        results.append(result)

    results: list[SearchResult] = []
    assert [info.depth for info in depths()][-1] == 4
    assert results[0].depth == 4


def test_context_manager_and_closing_end_it(engine: Engine) -> None:
    with engine.analyse(START) as analysis:
        next(analysis)
    assert not analysis.is_running
    assert list(analysis) == []
    with contextlib.closing(engine.analyse(START)) as analysis:
        next(analysis)
    assert not analysis.is_running
    analysis.close()
    assert "ended" in repr(analysis)
    engine.new_game()


def test_what_the_search_raises_reaches_who_waits(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def search(self, *arguments: object) -> object:
            raise MemoryError("no table")

    inner = engine._inner
    monkeypatch.setattr(engine, "_inner", Broken())
    analysis = engine.analyse(START)
    with pytest.raises(MemoryError, match="no table"):
        next(analysis)
    with pytest.raises(MemoryError, match="no table"):
        analysis.wait()
    monkeypatch.setattr(engine, "_inner", inner)
    assert engine.search(LITTLE, Limits(depth=1)).best_move is not None


# Pondering.


def test_ponderhit_starts_the_clock(engine: Engine) -> None:
    pondering = engine.ponder(START, Limits(movetime=50))
    time.sleep(0.2)
    assert pondering.is_running, "no clock runs yet"
    pondering.ponderhit()
    assert pondering.wait(60).best_move in START.legal_moves


def test_ponder_miss(engine: Engine) -> None:
    with engine.ponder(START, Limits(movetime=50)) as pondering:
        next(pondering)
    assert engine.search(LITTLE, Limits(depth=3)).best_move is not None
    with engine.analyse(START) as analysis, pytest.raises(RuntimeError, match="does not ponder"):
        analysis.ponderhit()


# async for.


def test_async_for_lets_other_tasks_run(engine: Engine) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.001)

    async def main() -> None:
        ticker = asyncio.create_task(tick())
        async for _ in engine.analyse(START):
            if ticks >= 3:
                break
        ticker.cancel()

    asyncio.run(asyncio.wait_for(main(), 120))
    assert ticks >= 3


def test_async_for_reads_to_the_end(engine: Engine) -> None:
    async def main() -> list[int]:
        return [info.depth async for info in engine.analyse(LITTLE, Limits(depth=6))]

    assert asyncio.run(main())[-1] == 6


def test_async_for_that_is_left(engine: Engine) -> None:
    async def main() -> None:
        async for _ in engine.analyse(START):
            break
        async with engine.analyse(START) as analysis:
            async for _ in analysis:
                break
        assert not analysis.is_running
        assert [info async for info in analysis] == []
        engine.new_game()

    asyncio.run(main())


def test_async_for_in_a_task_that_is_cancelled(engine: Engine) -> None:
    async def listen(started: asyncio.Event) -> None:
        async with engine.analyse(START) as analysis:
            async for _ in analysis:
                started.set()

    async def main() -> None:
        started = asyncio.Event()
        task = asyncio.create_task(listen(started))
        await started.wait()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()
        engine.new_game()

    asyncio.run(main())


def test_async_for_of_two_engines_at_once(network: Network) -> None:
    async def depths(engine: Engine) -> list[int]:
        return [info.depth async for info in engine.analyse(LITTLE, Limits(depth=4))]

    async def main() -> list[list[int]]:
        return await asyncio.gather(*(depths(engine) for engine in engines))

    with Engine(hash=1, network=network) as one, Engine(hash=1, network=network) as other:
        engines = (one, other)
        first, second = asyncio.run(main())
    assert first == second


def test_async_error_of_the_search(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def search(self, *arguments: object) -> object:
            raise MemoryError("no table")

        def close(self) -> None:
            pass

    async def main() -> None:
        async for _ in engine.analyse(START):
            pass

    monkeypatch.setattr(engine, "_inner", Broken())
    with pytest.raises(MemoryError, match="no table"):
        asyncio.run(main())


# Options changed later.


def test_configure_changes_what_is_given(network: Network, tmp_path: Path) -> None:
    path = tmp_path / "book"
    path.write_text("a2a3\n")
    with Engine(hash=1, network=network) as engine:
        engine.configure()
        assert (engine.hash, engine.threads, engine.move_overhead) == (1, 1, 30)
        assert (engine.book, engine.own_book) == (None, False)
        engine.configure(hash=2, move_overhead=7)
        assert (engine.hash, engine.move_overhead, engine.network) == (2, 7, network)
        engine.configure(book=path)
        assert engine.own_book
        assert engine.search(START, Limits(depth=3)).source == "book"
        engine.configure(own_book=False)
        assert engine.book is not None
        assert engine.search(START, Limits(depth=1)).source == "search"
        engine.configure(own_book=True)
        assert str(engine.play(START, Limits(depth=3))) == "a2a3"
        engine.configure(book=None)
        assert engine.book is None
        assert engine.search(START, Limits(depth=1)).source == "search"
        other = Network(network._network.data, "another")
        engine.configure(network=other)
        assert engine.network is other
        engine.configure(eval_file=None)
        assert engine.network.origin == "embedded"
        engine.configure(threads=2)
        assert engine.threads == 2
        assert engine.search(LITTLE, Limits(depth=3)).best_move is not None
        engine.configure(threads=1)
        if os.name != "nt":
            assert engine._inner.helper_processes() == []
        nodes = engine.search(LITTLE, Limits(depth=4)).nodes
    with Engine(hash=2, network=network) as engine:
        assert engine.search(LITTLE, Limits(depth=4)).nodes == nodes


def test_configure_changes_nothing_where_it_fails(network: Network) -> None:
    with Engine(hash=1, network=network) as engine:
        for options, error in (
            ({"hash": 2, "threads": 0}, ValueError),
            ({"hash": 2, "threads": "2"}, TypeError),
            ({"hash": 2, "eval_file": "no such net"}, FileNotFoundError),
            ({"hash": 2, "book": "no such book"}, FileNotFoundError),
            ({"hash": 2, "network": "net"}, TypeError),
            ({"hash": 2, "own_book": 1}, TypeError),
            ({"hash": 2, "network": network, "eval_file": "net"}, ValueError),
            ({"hash": None}, TypeError),
            ({"depth": 3}, TypeError),
        ):
            with pytest.raises(error):
                engine.configure(**options)
            assert (engine.hash, engine.threads, engine.book, engine.network) == (1, 1, None, network)
        with engine.analyse(START), pytest.raises(RuntimeError, match="a search is running"):
            engine.configure(hash=2)
        assert engine.hash == 1
    with pytest.raises(RuntimeError, match="closed"):
        engine.configure(hash=2)


# Several readers of one analysis.


def test_two_tasks_read_one_analysis_to_its_end(engine: Engine) -> None:
    """The last letter woke one reader; the other waited for ever."""
    depths: list[int] = []

    async def read(analysis: Analysis) -> None:
        async for info in analysis:
            depths.append(info.depth)

    async def main() -> None:
        analysis = engine.analyse(LITTLE, Limits(depth=6))
        await asyncio.wait_for(asyncio.gather(read(analysis), read(analysis)), 60)

    asyncio.run(main())
    assert depths[-1] == 6
    assert depths == sorted(depths)


def test_leaving_async_with_frees_a_task_that_reads(engine: Engine) -> None:
    """The end of ``async with`` took the last letter, and the task that read on waited for ever."""

    async def read(analysis: Analysis) -> None:
        async for _ in analysis:
            pass

    async def main() -> None:
        async with engine.analyse(START) as analysis:
            task = asyncio.create_task(read(analysis))
            await asyncio.sleep(0.05)
            assert not task.done()
        await asyncio.wait_for(task, 60)
        assert not analysis.is_running

    asyncio.run(main())


def test_analysis_that_starts_keeps_others_out(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the analysis's thread started it looked as if it had ended, and another search got the engine."""
    begin = threading.Thread.start
    refused: list[str] = []

    def start(thread: threading.Thread) -> None:
        if thread.name == "pawnstar-analysis":

            def intrude() -> None:
                try:
                    engine.search(LITTLE, Limits(depth=1))
                except RuntimeError as error:
                    refused.append(str(error))

            other = threading.Thread(target=intrude)
            begin(other)
            other.join()
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    assert engine.analyse(LITTLE, Limits(depth=4)).wait().depth == 4
    assert refused == ["a search is running; stop() ends it"]


def test_search_that_its_event_has_told_to_stop_is_waited_for(engine: Engine) -> None:
    """Only ``stop()`` counted as telling: who set the event and searched at once was refused now and then."""
    event, runs = threading.Event(), threading.Event()

    def receive(info: SearchInfo) -> None:
        runs.set()
        event.wait(60)
        time.sleep(0.05)  # so that it still runs when the next search comes

    thread = threading.Thread(target=lambda: engine.search(START, stop=event, on_info=receive))
    thread.start()
    assert runs.wait(60)
    event.set()
    assert engine.search(LITTLE, Limits(depth=1)).best_move is not None
    thread.join()
