"""The additions of a cell in both directions by their definition. The engine keeps them for ones and twos only."""

from __future__ import annotations


def readiness(missing: int) -> float:
    """The addition when so many discs are missing."""
    return 0.5 ** (missing - 1) if missing > 0 else 0.0


def additions(text: str, cell: int) -> tuple[float, float]:
    """How ready a numbered cell is to pop by discs that land in its row, and on its column."""
    rows = [[int(code) for code in text[7 * row : 7 * row + 7]] for row in range(7)]
    heights = [sum(rows[row][column] != 0 for row in range(7)) for column in range(7)]
    row, column = divmod(cell, 7)
    code = rows[row][column]
    level = 7 - row
    run = {column}
    for way in (-1, 1):
        other = column + way
        while 0 <= other < 7 and rows[row][other]:
            run.add(other)
            other += way
    costs: list[int] = []
    for first in range(8 - code):
        window = range(first, first + code)
        beside = [other for other in (first - 1, first + code) if 0 <= other < 7]
        # A longer run would be no pop, so nothing may stand beside the window.
        if len(run) < code and run <= set(window) and all(heights[other] < level for other in beside):
            costs.append(sum(max(0, level - heights[other]) for other in window))
    cheapest = min((cost for cost in costs if cost > 0), default=0)
    return readiness(cheapest), readiness(code - heights[column])
