"""Draws that need no search stack; the search's own are held to the rules in tests/search/test_draws.py."""

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.draws import drawn_without_history, fifty_move_draw, repeated_twice
from pawnstar.chess.fen import position_from_fen
from pawnstar.chess.moves import MAX_MOVES


@pytest.mark.parametrize(
    ("fen", "drawn"),
    [
        ("8/8/8/4k3/8/8/8/4KR2 w - - 99 80", False),
        ("8/8/8/4k3/8/8/8/4KR2 w - - 100 80", True),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80", False),  # mate
        ("R5k1/5pp1/8/8/8/8/8/4K3 b - - 100 80", True),  # check
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 80", True),  # stalemate
    ],
)
def test_fifty_moves_unless_it_is_mate(fen: str, drawn: bool) -> None:
    position = position_from_fen(fen)
    moves = vec[i64]([i64(0)] * (2 * MAX_MOVES))
    assert fifty_move_draw(position, moves, MAX_MOVES) == drawn
    assert drawn_without_history(position) == drawn
    assert not any(moves[:MAX_MOVES]), "what stands before is another ply's"


def test_two_kings_are_drawn() -> None:
    assert drawn_without_history(position_from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))
    assert not drawn_without_history(position_from_fen("4k3/8/8/8/8/8/8/4KR2 w - - 0 1"))


@pytest.mark.parametrize(
    ("keys", "clocks", "drawn"),
    [
        ([7, 1, 2, 3, 7, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6, 7], True),
        ([7, 1, 2, 3, 8, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6, 7], False),  # once only
        ([7, 1, 2, 3, 7, 4, 5, 6], [0, 1, 2, 3, 0, 1, 2, 3], False),  # a move between that cannot be undone
        ([8, 7, 2, 7, 8, 7, 5, 7], [0, 1, 2, 3, 4, 5, 6, 7], False),  # the other side to move
        ([8, 1, 2, 3, 8, 7, 7, 7], [0, 1, 2, 3, 4, 5, 6, 7], False),  # two plies back nothing can have come back
        ([], [], False),
    ],
)
def test_repetition(keys: list[int], clocks: list[int], drawn: bool) -> None:
    """The position to be played for comes after those listed; its key is 7."""
    found = repeated_twice(
        vec[i64]([i64(key) for key in keys]), vec[i64]([i64(clock) for clock in clocks]), 7, len(keys)
    )
    assert found == drawn
