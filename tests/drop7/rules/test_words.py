"""Bit work on packed boards, against the cells one by one."""

from __future__ import annotations

import random

import pytest

from pawnstar.drop7.rules.board import Board, board_of, mirrored, parse_board
from pawnstar.drop7.rules.game import center_column
from pawnstar.drop7.rules.state import COLUMN_ORDER, SEARCH_ORDER
from pawnstar.drop7.rules.words import bit_planes, plain_wrap64, wrap64


def boards() -> list[Board]:
    """Boards of any cells, floating discs included."""
    chance = random.Random(7)
    return [parse_board("".join(chance.choice("0123456789") for _ in range(49))) for _ in range(50)]


def test_bit_planes_are_the_bits_of_the_cells() -> None:
    for board in boards():
        planes = bit_planes(board.pair0, board.pair1, board.pair2, board.pair3)
        for row in range(7):
            for column in range(7):
                bits = [int(plane) >> (8 * (6 - row) + column) & 1 for plane in planes]
                assert sum(bit << number for number, bit in enumerate(bits)) == board.cell(row, column)
        assert all(int(plane) & ~0x007F7F7F7F7F7F7F == 0 for plane in planes)


def test_a_mirrored_board_has_its_columns_in_reverse_order() -> None:
    for board in boards():
        image = Board()
        image.pair0, image.pair1, image.pair2, image.pair3 = mirrored(
            board.pair0, board.pair1, board.pair2, board.pair3
        )
        assert image.columns() == board.columns()[::-1]


def test_the_center_column_keeps_to_the_search_order() -> None:
    assert [int(column) for column in SEARCH_ORDER] == list(COLUMN_ORDER)
    for full in range(127):
        board = board_of([0x8888888 if full >> column & 1 else 0x0888888 for column in range(7)])
        wanted = next(column for column in COLUMN_ORDER if not full >> column & 1)
        assert center_column(board.pair0, board.pair1, board.pair2, board.pair3) == wanted


@pytest.mark.parametrize("value", [0, 1, -1, 2**63 - 1, -(2**63)])
def test_what_fits_is_not_wrapped(value: int) -> None:
    assert wrap64(value) == plain_wrap64(value) == value


@pytest.mark.parametrize(
    ("value", "wrapped"), [(2**63, -(2**63)), (-(2**63) - 1, 2**63 - 1), (2**64, 0), (3 * 2**63 + 5, 5 - 2**63)]
)
def test_what_does_not_fit_wraps(value: int, wrapped: int) -> None:
    assert plain_wrap64(value) == wrapped
