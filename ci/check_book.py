"""Checks the opening book: token syntax, legality of every move, duplicate lines and lines that begin another one.

The book holds one line of play per line, from the start position, in coordinate form and separated by single blanks:

    e2e4 e7e5 g1f3 b8c6 f1b5

A token that starts with a digit is skipped, `#` starts a comment that runs to the end of the line, and a trailing `?`
marks a move that is replayed but never chosen. Usage: `python ci/check_book.py pawnstar.book`.
"""

import argparse
import itertools
import re
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import chess

MOVE = re.compile(r"([a-h][1-8][a-h][1-8][nbrq]?)(\??)")
MAX_BYTES = 100_000


class Line(NamedTuple):
    """One line of play: where it stands in the file, its legal moves, which of them are marked, and from where."""

    number: int
    moves: tuple[str, ...]
    marks: tuple[bool, ...]
    positions: tuple[str, ...]


def parse_line(number: int, text: str, errors: list[str]) -> Line | None:
    """Replays one line of the file; reports what is wrong with it, and returns None when it holds no move."""
    play = text.split("#", 1)[0]
    if "#" in text:
        play = play.rstrip(" ")
    if not play:
        return None
    if play != " ".join(play.split()):
        errors.append(f"line {number}: tokens must be separated by single blanks, with none around the line")
    board = chess.Board()
    moves: list[str] = []
    marks: list[bool] = []
    positions: list[str] = []
    for token in play.split():
        if token[0].isdigit():
            continue
        match = MOVE.fullmatch(token)
        if match is None:
            errors.append(f"line {number}: '{token}' is not a move in coordinate form")
            break
        move = chess.Move.from_uci(match[1])
        if move not in board.legal_moves:
            errors.append(f"line {number}: '{token}' is illegal in {board.fen()}")
            break
        moves.append(match[1])
        marks.append(match[2] == "?")
        positions.append(board.epd())
        board.push(move)
    return Line(number, tuple(moves), tuple(marks), tuple(positions)) if moves else None


def check_overlaps(lines: list[Line], errors: list[str]) -> None:
    """Reports lines that repeat another line or are the beginning of another one."""
    # In sorted order a line stands directly before those it begins, so neighbours are all that need comparing.
    ordered = sorted(lines, key=lambda line: line.moves)
    for first, second in itertools.pairwise(ordered):
        if first.moves == second.moves:
            low, high = sorted((first.number, second.number))
            errors.append(f"line {high}: the same moves as line {low}")
        elif second.moves[: len(first.moves)] == first.moves:
            errors.append(f"line {first.number}: is the beginning of line {second.number}")


def check_marks(lines: list[Line], errors: list[str]) -> None:
    """Reports a move that one line marks as questionable and another, in the same position, does not."""
    known: dict[tuple[str, str], tuple[bool, int]] = {}
    for line in lines:
        for position, move, mark in zip(line.positions, line.moves, line.marks, strict=True):
            first, number = known.setdefault((position, move), (mark, line.number))
            if first != mark:
                errors.append(f"line {line.number}: the mark of '{move}' differs from the one in line {number}")


def check_book(path: Path) -> tuple[list[Line], list[str]]:
    """Reads the whole book; returns its lines of play and the errors, each with its line number."""
    errors: list[str] = []
    data = path.read_bytes()
    if len(data) > MAX_BYTES:
        errors.append(f"the book has {len(data)} bytes, more than {MAX_BYTES}")
    if not data.isascii():
        errors.append("the book is not plain ASCII")
    if b"\r" in data or b"\t" in data:
        errors.append("the book has a carriage return or a tab")
    lines: list[Line] = []
    for number, text in enumerate(data.decode("ascii", errors="replace").split("\n"), 1):
        line = parse_line(number, text, errors)
        if line is not None:
            lines.append(line)
    check_overlaps(lines, errors)
    check_marks(lines, errors)
    if not lines:
        errors.append("the book holds no line of play")
    return lines, errors


def main() -> int:
    """Prints the counts for each first move and the errors; the result is 1 when there are any."""
    parser = argparse.ArgumentParser(description="Check the opening book.")
    parser.add_argument("book", type=Path, help="the book, e.g. pawnstar.book")
    path: Path = parser.parse_args().book
    lines, errors = check_book(path)
    for move, count in Counter(line.moves[0] for line in lines).most_common():
        print(f"{move}: {count}")
    plies = [len(line.moves) for line in lines]
    if plies:
        print(f"{len(lines)} lines of {min(plies)} to {max(plies)} plies, {sum(plies) / len(plies):.1f} on average")
    print(f"{sum(sum(line.marks) for line in lines)} questionable moves")
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
