"""The session that all protocols stand on, without any protocol: no text goes in or out."""

import threading
from collections.abc import Iterator

import pytest

from pawnstar.chess.fen import START_FEN, write_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.engine.bench import Stopped
from pawnstar.engine.engine import Engine
from pawnstar.protocol.session import Session
from pawnstar.search.info import SearchInfo
from pawnstar.search.limits import Limits
from pawnstar.search.worker import StopSignal


class Told:
    """A protocol that keeps what it is told."""

    def __init__(self) -> None:
        self.reports: list[SearchInfo] = []
        self.answers: list[tuple[int, int]] = []
        self.faults: list[Exception] = []
        self.stops = 0

    def report(self, info: SearchInfo) -> None:
        self.reports.append(info)
        if info.message == "break":
            raise ValueError("broken")

    def answer(self, best: int, ponder: int) -> None:
        self.answers.append((best, ponder))

    def failed(self, error: Exception) -> None:
        self.faults.append(error)

    def stopped(self) -> None:
        self.stops += 1


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def session(engine: Engine, told: Told) -> Iterator[Session]:
    one = Session(engine, told, background=True)
    yield one
    one.close()


def test_a_search_reports_answers_and_is_played(session: Session, told: Told) -> None:
    session.search(Limits(depth=4))
    session.wait()
    assert session.is_idle()
    lines = [info for info in told.reports if info.pv]  # on a slow machine there are reports of single moves, too
    assert lines[-1].depth == 4
    ((best, ponder),) = told.answers
    assert lines[-1].pv[:2] == (best, ponder)
    assert session.game.answer == best
    assert len(session.game.history) == 1
    assert told.faults == []


def test_the_answer_of_an_infinite_search_waits_for_the_stop(session: Session, told: Told) -> None:
    session.set_up("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    session.search(Limits(analysis=True), infinite=True)
    session._worker.join(0.2) if session._worker else None
    assert told.answers == []
    session.stop()
    assert told.answers == [(0, 0)], "stalemate"


def test_the_answer_of_a_ponder_search_waits_for_the_hit(session: Session, told: Told) -> None:
    session.search(Limits(depth=3, ponder=True))
    assert not session.is_idle()
    assert told.answers == []
    session.ponderhit()
    session.wait()
    assert len(told.answers) == 1
    session.ponderhit()
    assert len(told.answers) == 1, "nothing is pondered on any more"


def test_a_fault_costs_no_answer(session: Session, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(limits: Limits, clock: object) -> None:
        session._report(SearchInfo(depth=1, pv=(legal_moves(session.game.position)[5],)))
        session._report(SearchInfo(message="break"))

    monkeypatch.setattr(session, "_search", broken)
    move = legal_moves(session.game.position)[5]
    session.search(Limits(depth=3))
    session.wait()
    assert [str(fault) for fault in told.faults] == ["broken"]
    assert told.answers == [(move, 0)], "the move last reported"
    assert session.game.answer == move


def test_a_count_runs_beside_and_is_stopped(session: Session, told: Told) -> None:
    begun = threading.Event()

    def count(stop: StopSignal) -> None:
        begun.set()
        while not stop.is_set():
            pass
        raise Stopped

    session.count(count, "count")
    assert begun.wait(10)
    assert session.is_counting()
    assert session.evaluate() != 0, "evaluated beside it"
    session.stop()
    assert not session.is_counting()
    assert (told.stops, told.answers) == (1, [])


def test_a_count_in_the_foreground_is_waited_for(engine: Engine, told: Told) -> None:
    def count(stop: StopSignal) -> None:
        raise RuntimeError("broken")

    session = Session(engine, told)
    session.count(count, "count")
    assert session.is_idle()
    assert [str(fault) for fault in told.faults] == ["broken"]


def test_what_a_new_game_forgets(session: Session, told: Told) -> None:
    session.game.play_text("e2e4")
    session.search(Limits(depth=4))
    session.new_game()
    assert len(told.answers) == 1, "the running search has answered first"
    assert write_fen(session.game.position) == START_FEN
    assert (session.game.history, session.game.answer) == ([], 0)
    assert session.engine.table.hashfull() == 0
    assert session.engine.table.generation == 0


def test_a_setting_that_a_search_stands_on_ends_it_first(session: Session, told: Told) -> None:
    session.search(Limits(), infinite=True)
    session.resize_table(2)
    assert len(told.answers) == 1
    assert session.engine.table_megabytes() == session.engine.table.megabytes() == 2


def test_memory_that_others_need_is_not_asked_for(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pawnstar.system.machine.available_memory", lambda: 100 << 20)
    table = session.engine.table
    with pytest.raises(MemoryError, match=r"^100 MB are available$"):
        session.resize_table(64)
    assert session.engine.table is table
    session.resize_table(32)
    assert session.engine.table_megabytes() == 32
