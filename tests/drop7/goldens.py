"""Reading the golden vectors."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pawnstar.drop7 import COMPILED, Decision, State
from pawnstar.drop7.formats import value_bits
from pawnstar.drop7.rules.board import parse_board
from pawnstar.drop7.search.weights import parse_weights

FOLDER = Path(__file__).parent.parent / "goldens" / "drop7"
INPUTS = FOLDER / "cli_inputs"
SIX_ROOTS = INPUTS / "opt-roots.txt"


def text(name: str) -> str:
    """A golden file, compressed or not."""
    packed = FOLDER / f"{name}.gz"
    if packed.exists():
        return gzip.decompress(packed.read_bytes()).decode()
    return (FOLDER / name).read_text()


def records(name: str, every: int = 1) -> Iterator[dict[str, Any]]:
    """Its records; plain Python takes one in ``every``."""
    for number, line in enumerate(text(name).splitlines()):
        if COMPILED or number % every == 0:
            yield json.loads(line)


def state_of(record: dict[str, Any]) -> State:
    """The position of a record."""
    return State(
        parse_board(record["board"]),
        record["next"],
        record["movesUntilRise"],
        record.get("level", 1),
        record.get("score", 0),
        record.get("movesPlayed", 0),
        record.get("over", False),
    )


def weights(path: Path) -> list[float]:
    """The weights of a file."""
    return parse_weights(path.read_text(), path.name)


def roots(path: Path) -> list[State]:
    """The positions of a file."""
    states = []
    for line in path.read_text().splitlines():
        if line.startswith("s "):
            _, board, disc, clock, level, over = line.split()
            states.append(State.parse(board, int(disc), int(clock), int(level), over == "1"))
    return states


def bits(decision: Decision) -> list[tuple[int, str]]:
    """Columns and their values' bits."""
    return [(entry.column, value_bits(entry.value)) for entry in decision.columns]
