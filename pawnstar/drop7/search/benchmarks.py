"""Loops that benchmarks time: compiled, so that the clock sees the engine and not the loop."""

from __future__ import annotations

import struct
from math import fabs
from typing import Final

from mypy_extensions import i64

from pawnstar.drop7.rules.board import column_of
from pawnstar.drop7.rules.rng import Source
from pawnstar.drop7.rules.rules import Rules
from pawnstar.drop7.rules.state import COLUMN_ORDER, State
from pawnstar.drop7.search.leaf import Leaf
from pawnstar.system.interrupts import let_others_in

MICRO_SEED: Final = 0x12345678
WORD64: Final = (1 << 64) - 1


def evaluate_all(leaf: Leaf, states: list[State], rounds: int) -> float:
    """Evaluate every position ``rounds`` times; returns the sum of the absolute values."""
    total: float = 0.0
    for _ in range(rounds):
        let_others_in()
        for state in states:
            total += fabs(leaf.evaluate(state))
    return total


def play_all(states: list[State], rounds: int) -> int:
    """Play every legal column of every position ``rounds`` times; returns how many moves that were."""
    rules = Rules()
    source = Source(MICRO_SEED)
    moves: i64 = 0
    for _ in range(rounds):
        let_others_in()
        for state in states:
            if state.over:
                continue
            board = state.board
            pair0: i64 = board.pair0
            pair1: i64 = board.pair1
            pair2: i64 = board.pair2
            pair3: i64 = board.pair3
            disc: i64 = state.next_disc
            clock: i64 = state.clock
            column: i64 = 0
            while column < 7:
                source.reseed(MICRO_SEED)
                if rules.drop(pair0, pair1, pair2, pair3, disc, clock, column, source):
                    moves += 1
                column += 1
    return int(moves)


def leaf_checksum(leaf: Leaf, states: list[State], iterations: int) -> int:
    """Wrapping 64-bit sum of the bits of all leaf values, every position ``iterations`` times."""
    total = 0
    for _ in range(iterations):
        let_others_in()
        for state in states:
            (bits,) = struct.unpack("<Q", struct.pack("<d", leaf.evaluate(state)))
            total += int(bits)
    return total & WORD64


def unpack_checksum(states: list[State], iterations: int) -> int:
    """Sum of the last cell, bottom right, of every position unpacked ``iterations`` times."""
    total: i64 = 0
    cells: i64 = 0
    for _ in range(iterations):
        let_others_in()
        for state in states:
            board = state.board
            for column in COLUMN_ORDER:
                cells = column_of(board.pair0, board.pair1, board.pair2, board.pair3, column)
            total += cells & 15
    return int(total)
