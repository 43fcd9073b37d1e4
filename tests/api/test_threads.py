"""Fault: ``Network.evaluate`` kept one accumulator for all threads, which two calls wrote and read.

Some of millions of values were those of the other thread's position, silently. Every object that is documented as
shareable is asked from several threads here, switched as often as Python can.
"""

import sys
import threading
from collections.abc import Callable, Iterator

import pytest
from modes import COMPILED

from pawnstar import Book, Engine, Limits, Network, Position

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 b - - 0 1",
]
ENDINGS = ["8/8/4k3/8/4P3/4K3/8/8 w - - 0 1", "8/8/4k3/4p3/8/4K3/8/8 b - - 0 1"]
ROUNDS = 400 if COMPILED else 40


@pytest.fixture(scope="module")
def network() -> Network:
    return Network.default()


@pytest.fixture(autouse=True)
def frequent_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def agree(ask: Callable[[int], object], number: int, rounds: int = ROUNDS) -> None:
    """Ask for each thing from a thread of its own, again and again: the answers must be those of a single thread."""
    expected = [ask(index) for index in range(number)]
    wrong: list[tuple[int, object]] = []

    def work(index: int) -> None:
        for _ in range(rounds):
            found = ask(index)
            if found != expected[index]:
                wrong.append((index, found))

    threads = [threading.Thread(target=work, args=(index,)) for index in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize("exact", [False, True])
def test_network_evaluates_for_several_threads(network: Network, exact: bool) -> None:
    positions = [Position.from_fen(fen) for fen in FENS]
    agree(lambda index: network.evaluate(positions[index], exact=exact), len(FENS))


def test_network_evaluates_within_another_evaluation(network: Network) -> None:
    """Two calls wrote and read the accumulator: what came in between, as a signal handler may, changed the value."""
    positions = [Position.from_fen(fen) for fen in FENS]
    expected = [network.evaluate(position) for position in positions]
    inner = network._network

    class Between:
        """The engine's network, with something else evaluated before each call."""

        def __getattr__(self, name: str) -> object:
            network._network = inner
            network.evaluate(positions[0])
            network._network = self  # type: ignore[assignment]
            return getattr(inner, name)

    network._network = Between()  # type: ignore[assignment]
    try:
        assert [network.evaluate(position) for position in positions] == expected
    finally:
        network._network = inner


def test_evaluate_many_from_several_threads(network: Network) -> None:
    positions = [Position.from_fen(fen) for fen in FENS]
    agree(lambda index: network.evaluate_many(positions[index:] * 3).tolist(), len(FENS), ROUNDS // 8)


def test_engine_evaluates_for_several_threads(network: Network) -> None:
    positions = [Position.from_fen(fen) for fen in FENS]
    with Engine(hash=1, network=network) as engine:
        agree(lambda index: engine.evaluate(positions[index]), len(FENS))


def test_engine_evaluates_beside_its_search(network: Network) -> None:
    positions = [Position.from_fen(fen) for fen in FENS]
    with Engine(hash=1, network=network) as engine, engine.analyse(FENS[1]):
        agree(lambda index: engine.evaluate(positions[index]), 3, 10)


def test_position_answers_several_threads() -> None:
    positions = [Position.from_fen(fen) for fen in FENS]
    agree(
        lambda index: (
            Position.from_fen(FENS[index]).legal_moves,
            positions[index].legal_moves,
            [positions[index].san(move) for move in positions[index].legal_moves[:3]],
            [positions[index].see(move) for move in positions[index].legal_moves[:3]],
            positions[index].play(positions[index].legal_moves[0]).fen,
            positions[index].perft(1),
        ),
        len(FENS),
        20,
    )


def test_book_answers_several_threads() -> None:
    book = Book(["e2e4 e7e5", "e2e4 c7c5", "d2d4 d7d5", "f2f3?"])
    positions = [Position.initial(), Position.initial().play("e4"), Position.initial().play("d4")]
    agree(lambda index: (book.moves(positions[index]), book.questionable(positions[index])), 3, 100)


def test_two_engines_share_a_network(network: Network) -> None:
    def search(index: int) -> object:
        with Engine(hash=1, network=network) as engine:
            result = engine.search(ENDINGS[index], Limits(depth=4 if COMPILED else 3))
            return result.nodes, result.pv

    agree(search, 2, 1)
