"""Tables of the leaf evaluator, looked up by rows of seven bits and by cells of the row board."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.drop7.rules.words import run_through

EDGE_FACTOR: Final = 1.65
CRACKED_FACTOR: Final = 0.72
DEAREST: Final = 49
"""More discs than any window can lack."""


def _readiness() -> vec[float]:
    table = vec[float]([0.0] * (DEAREST + 1))
    value = 1.0
    for steps in range(1, DEAREST + 1):
        table[steps] = value
        value *= 0.5
    return table


def _deficits() -> vec[i64]:
    table = vec[i64]([i64(0)] * 128)
    row: i64 = 0
    while row < 128:
        column: i64 = 0
        total: i64 = 0
        packed: i64 = 0
        while column < 7:
            if not (row >> column) & 1:
                total += 1
            column += 1
            packed |= total << (8 * column)
        table[row] = packed
        row += 1
    return table


def _run_table() -> vec[i64]:
    table = vec[i64]([i64(0)] * 1024)
    row: i64 = 0
    while row < 128:
        column: i64 = 0
        while column < 7:
            if (row >> column) & 1:
                length, start, _ = run_through(row, column)
                bits: i64 = 0
                i: i64 = start
                cell: i64 = 1
                while i < start + length:
                    bits |= cell << i
                    i += 1
                table[8 * row + column] = bits
            column += 1
        row += 1
    return table


def _window_table() -> vec[i64]:
    table = vec[i64]([i64(0)] * 8192)
    row: i64 = 0
    one: i64 = 0
    while row < 128:
        column: i64 = 0
        while column < 7:
            value: i64 = 1
            while value < 8:
                length, start, end = run_through(row, column)
                if 0 < length < value:
                    first: i64 = max(0, end - value + 1)
                    last: i64 = min(start, 7 - value)
                    starts: i64 = 0
                    one = 1
                    while first <= last:
                        starts |= one << first
                        first += 1
                    table[(8 * row + column) * 8 + value] = starts
                value += 1
            column += 1
        row += 1
    return table


def _risks() -> vec[float]:
    table = vec[float]([0.0] * 128)
    for row in range(7):
        for column in range(7):
            risk = float((row + 1) * (row + 1)) * (EDGE_FACTOR if column in (0, 6) else 1.0)
            table[8 * row + column] = risk
            table[64 + 8 * row + column] = risk * CRACKED_FACTOR
    return table


READINESS: Final = _readiness()
"""Readiness by missing steps: 0 for 0 (nothing to do means no chance), then 1, 1/2, 1/4 and so on."""

DEFICITS: Final = _deficits()
"""By row: byte ``c`` holds the number of clear bits below bit ``c``, for ``c`` from 0 to 7."""

RUNS: Final = _run_table()
"""By 8 * row + column: the bits of the run through the column."""

WINDOWS: Final = _window_table()
"""By (8 * row + column) * 8 + value: the starts of the windows of ``value`` cells that contain the run through
the column. Zero when the run is not shorter than the value."""

RISKS: Final = _risks()
"""Risk of a cover by its cell of the row board; 64 further on when it is cracked."""
