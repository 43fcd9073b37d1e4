"""Drawing boards in the terminal."""

from __future__ import annotations

import sys

import click

from pawnstar.drop7.rules.board import Board
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.search.search import ColumnValue

COLORS = {1: "green", 2: "yellow", 3: "bright_red", 4: "magenta", 5: "cyan", 6: "bright_blue", 7: "bright_white"}
FULL_SIGNS = {0: "·", 8: "█", 9: "▒", -1: "│", -2: "└───────────────┘"}
"""Empty, solid cover, cracked cover; the frame's sides and its bottom."""

PLAIN_SIGNS = {0: ".", 8: "#", 9: "%", -1: "|", -2: "+---------------+"}
"""The same for terminals and files that have only ASCII."""


def signs() -> dict[int, str]:
    """What standard output can show."""
    try:
        "".join(FULL_SIGNS.values()).encode(sys.stdout.encoding or "ascii")
    except (UnicodeError, LookupError):
        return PLAIN_SIGNS
    return FULL_SIGNS


def disc(value: int, popping: bool = False) -> str:
    """One cell in colour."""
    if value in PLAIN_SIGNS:
        return click.style(signs()[value], fg="bright_black" if value == 0 else "white")
    return click.style(str(value), fg=COLORS[value], bold=True, reverse=popping)


def board_lines(board: Board, popping: int = 0) -> list[str]:
    """The rows within a frame, and the column numbers. Cells of the row board ``popping`` are shown reversed."""
    lines = []
    side, bottom = signs()[-1], signs()[-2]
    for row in range(7):
        cells = []
        for column in range(7):
            popped = bool((popping >> (8 * (6 - row) + column)) & 1)
            cells.append(disc(int(board.cell(row, column)), popped))
        lines.append(f"{side} {' '.join(cells)} {side}")
    lines.append(bottom)
    lines.append("  0 1 2 3 4 5 6")
    return lines


def heading(state: State) -> str:
    """Score sheet and next disc."""
    moves = "move" if state.clock == 1 else "moves"
    return (
        f"score {state.score:,}   level {state.level}   {state.clock} {moves} to the rise   "
        f"disc {state.moves_played + 1}: {disc(state.next_disc)}"
    )


def value_line(values: list[ColumnValue], best: int) -> str:
    """The value of every column, the best one bold."""
    parts = []
    for entry in sorted(values, key=lambda entry: entry.column):
        parts.append(click.style(f"{entry.column}: {entry.value:,.0f}", bold=entry.column == best))
    return "   ".join(parts)
