"""Files of positions to search: lines ``s BOARD NEXT CLOCK LEVEL OVER``; all other lines are ignored."""

from __future__ import annotations

from pawnstar.drop7.formats import parse_integer
from pawnstar.drop7.rules.board import parse_board
from pawnstar.drop7.rules.state import State


class RootsError(ValueError):
    """What is wrong with a file of positions, with path and line."""


I32 = 1 << 31


def parse_roots(text: str, path: str, limit: int | None = None) -> list[State]:
    """The positions of a file that are not over, at most ``limit`` of them.

    Raises:
        RootsError: a line is malformed or cannot be searched, or there is no such position.
    """
    roots: list[State] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("s "):
            continue
        place = f"{path}:{number}: "
        root = _parse_fields(line[2:].split(), place)
        if not root.over:
            refuse_unsearchable(root, place)
            roots.append(root)
        if len(roots) == limit:
            break
    if not roots:
        raise RootsError(f"{path} contains no non-terminal `s ` roots")
    return roots


def parse_bench_roots(text: str, path: str) -> list[State]:
    """The positions of a file, finished ones included.

    Raises:
        RootsError: a line is malformed or cannot be searched, or there is none.
    """
    roots: list[State] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("s "):
            continue
        place = f"{path}:{number}: "
        try:
            root = _parse_fields(line[2:].split(), place)
        except RootsError:
            raise RootsError(f"{place}malformed root record") from None
        if not root.over:
            refuse_unsearchable(root, place)
        roots.append(root)
    if not roots:
        raise RootsError(f"no roots in {path}")
    return roots


def refuse_unsearchable(root: State, place: str) -> None:
    """Raise RootsError for a position that the rules do not define."""
    reason = root.why_unsearchable()
    if reason:
        raise RootsError(f"{place}{reason}")


def _parse_fields(fields: list[str], place: str) -> State:
    if len(fields) != 5:
        raise RootsError(f"{place}malformed root")
    try:
        board = parse_board(fields[0])
    except ValueError:
        raise RootsError(f"{place}invalid board") from None
    numbers: list[int] = []
    names = ("next disc", "rise clock", "level", "terminal flag")
    ranges = ((0, 255), (-I32, I32 - 1), (-I32, I32 - 1), (0, 1))
    for text, name, (least, most) in zip(fields[1:], names, ranges, strict=True):
        try:
            numbers.append(parse_integer(text, least, most))
        except ValueError:
            raise RootsError(f"{place}invalid {name}") from None
    disc, clock, level, over = numbers
    if not (1 <= disc <= 7 and 0 <= clock <= 5 and level >= 1):
        raise RootsError(f"{place}root field out of range")
    return State(board, disc, clock, level, 0, 0, over == 1)
