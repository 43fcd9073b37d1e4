"""``Network.evaluate_many``: the same to the bit as a loop of ``evaluate``, and no slower."""

import random
import time

import pytest
from modes import COMPILED
from nets import Net

from pawnstar import Network, Position


def played(number: int, seed: int) -> list[Position]:
    """The positions of random games, one after the other."""
    dice = random.Random(seed)
    positions: list[Position] = []
    position = Position.initial()
    while len(positions) < number:
        moves = position.legal_moves
        position = position.play(dice.choice(moves)) if moves and dice.random() > 0.02 else Position.initial()
        positions.append(position)
    return positions


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("shape", ["plain", "mirrored"])
def test_values_are_those_of_evaluate(shape: str, exact: bool, parity: Net, mirrored: Net) -> None:
    """In whatever order they come: each is made from the one before where little has changed."""
    net = parity if shape == "plain" else mirrored
    network = Network(net.network.data, shape)
    positions = played(1100 if COMPILED else 120, 1)
    positions += positions[:3] * 2 + [positions[-1]] * 3
    mixed = positions[::-1] + random.Random(2).sample(positions, len(positions))
    for line in (positions, mixed):
        expected = [network.evaluate(position, exact=exact) for position in line]
        assert network.evaluate_many(iter(line), exact=exact).tolist() == expected


def test_it_is_no_slower_than_a_loop() -> None:
    """It was seven times slower than the compiled loop, having been made for plain Python."""
    network = Network.default()
    positions = played(500 if COMPILED else 100, 3)
    network.evaluate_many(positions)
    loop, many = [], []
    for _ in range(5):
        began = time.perf_counter()
        for position in positions:
            network.evaluate(position)
        loop.append(time.perf_counter() - began)
        began = time.perf_counter()
        network.evaluate_many(positions)
        many.append(time.perf_counter() - began)
    assert min(many) <= min(loop)


def test_one_fen_is_not_many_positions() -> None:
    with pytest.raises(TypeError, match="several positions, in a list for example, not one FEN"):
        Network.default().evaluate_many(Position.initial().fen)
    with pytest.raises(TypeError, match="several positions, in a list for example, not one Position"):
        Network.default().evaluate_many(Position.initial())  # type: ignore[arg-type]


@pytest.mark.parametrize("data", ["path", None, 5])
def test_net_of_something_else_than_bytes(data: object) -> None:
    """``Network(5)`` was read as five zero bytes, ``Network("path")`` failed somewhere inside."""
    with pytest.raises(TypeError, match="a net is made of bytes"):
        Network(data)  # type: ignore[arg-type]
