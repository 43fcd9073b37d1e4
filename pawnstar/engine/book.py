"""The opening book: lines of play from the start position, and the moves that they hold for a position.

One line of play per line of text, moves in coordinate notation separated by blanks. A token that starts with a digit is
skipped; one that starts with ``#`` ends the line; a trailing ``?`` marks a move as questionable: it is replayed and
listed, but never chosen. A move is chosen uniformly among all occurrences, so what many lines play is played often.
"""

import random
from collections import Counter
from collections.abc import Iterable

from pawnstar.chess.coordinate import parse_coordinate
from pawnstar.chess.fen import start_position
from pawnstar.chess.position import Position, make_move


class BookError(ValueError):
    """A book that cannot be used; the message names the line and the move."""


class Book:
    """A book's moves by the key of the position; a move occurs as often as lines play it."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Replay all lines; raises ``BookError`` at the first move that is not legal."""
        self.lines = tuple(lines)
        self._moves: dict[int, list[int]] = {}
        self._questionable: dict[int, list[int]] = {}
        for number, line in enumerate(self.lines, 1):
            self._read(number, line)

    def _read(self, number: int, line: str) -> None:
        position = start_position()
        for token in line.split():
            if token.startswith("#"):
                return
            if token[0].isdigit():
                continue
            text = token.removesuffix("?")
            move = parse_coordinate(position, text)
            if move == 0:
                raise BookError(f"Error found in book line {number} move {text}.")
            target = self._moves if text == token else self._questionable
            target.setdefault(int(position.key), []).append(move)
            child = Position()
            make_move(position, child, move)
            position = child

    def __reduce__(self) -> tuple[type["Book"], tuple[tuple[str, ...]]]:
        """Copies and pickles are made from the lines, since compiled objects have no other way."""
        return Book, (self.lines,)

    def __len__(self) -> int:
        """The number of positions with a playable move."""
        return len(self._moves)

    def choices(self, position: Position) -> list[tuple[int, int]]:
        """Playable moves and how often each occurs, in the order first read."""
        return list(Counter(self._moves.get(int(position.key), ())).items())

    def questionable(self, position: Position) -> list[tuple[int, int]]:
        """Questionable moves, which are never played, and how often each occurs."""
        return list(Counter(self._questionable.get(int(position.key), ())).items())

    def pick(self, position: Position, generator: random.Random) -> int:
        """A playable move, uniformly among all occurrences; 0 where the book has none."""
        moves = self._moves.get(int(position.key))
        return generator.choice(moves) if moves else 0
