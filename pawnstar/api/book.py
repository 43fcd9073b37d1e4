"""The opening book, as its user reads it."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pawnstar import resources
from pawnstar.api.boards import PositionLike, resolve
from pawnstar.api.moves import Move, unpacked
from pawnstar.engine.book import Book as EngineBook


class Book:
    """An opening book: lines of play from the initial position, and the moves that they hold for a position.

    A line is moves in coordinate notation, separated by blanks. A word that starts with a digit is skipped (move
    numbers), one that starts with ``#`` ends the line, and a trailing ``?`` marks a move that is listed but never
    picked. Raises ``BookError``, a ValueError that names line and move, where a move is illegal. A book never changes:
    threads may share one, and copying gives itself.

    >>> import pawnstar
    >>> book = pawnstar.Book(["e2e4 e7e5 g1f3", "e2e4 c7c5", "d2d4 d7d5", "f2f3?"])
    >>> book.moves(pawnstar.Position.initial())
    {Move.from_uci('e2e4'): 2, Move.from_uci('d2d4'): 1}
    """

    def __init__(self, lines: Iterable[str]) -> None:
        if isinstance(lines, str):
            raise TypeError("a book is made of lines, not of one str; see Book.from_file")
        texts = tuple(lines)
        for line in texts:
            if not isinstance(line, str):
                raise TypeError(f"a book's lines are str, not {type(line).__name__}")
        self._book = EngineBook(texts)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Book:
        """Read a book from a text file. Raises OSError where it cannot be read, ``BookError`` where it is faulty.

        >>> import pawnstar
        >>> pawnstar.Book.from_file("no such file")
        Traceback (most recent call last):
        ...
        FileNotFoundError: [Errno 2] No such file or directory: 'no such file'
        """
        return cls(Path(path).read_text(encoding="utf-8-sig", errors="replace").splitlines())

    @classmethod
    def default(cls) -> Book:
        """The book that comes with Pawnstar.

        >>> import pawnstar
        >>> len(pawnstar.Book.default()) > 100  # doctest: +SKIP
        True
        """
        return cls.from_file(resources.embedded(resources.BOOK))

    def __len__(self) -> int:
        """The number of positions with a move to pick."""
        return len(self._book)

    def __bool__(self) -> bool:
        """True: a book without moves is one too."""
        return True

    def moves(self, position: PositionLike) -> dict[Move, int]:
        """The moves that the book holds for a position, and how often each occurs; empty where it holds none.

        >>> import pawnstar
        >>> pawnstar.Book(["e2e4"]).moves(pawnstar.Position.initial().play("d4"))
        {}
        """
        rules = resolve(position)[0]._rules
        return {unpacked(move): count for move, count in self._book.choices(rules)}

    def questionable(self, position: PositionLike) -> dict[Move, int]:
        """The moves marked with ``?``, which are never picked, and how often each occurs.

        >>> import pawnstar
        >>> pawnstar.Book(["e2e4", "f2f3?"]).questionable(pawnstar.Position.initial())
        {Move.from_uci('f2f3'): 1}
        """
        rules = resolve(position)[0]._rules
        return {unpacked(move): count for move, count in self._book.questionable(rules)}

    def pick(self, position: PositionLike, generator: random.Random | None = None) -> Move | None:
        """A move for the position, uniformly among all occurrences, or None; a seeded generator makes it repeatable.

        >>> import pawnstar
        >>> pawnstar.Book(["e2e4"]).pick(pawnstar.Position.initial())
        Move.from_uci('e2e4')
        """
        move = self._book.pick(resolve(position)[0]._rules, generator or random.Random())
        return unpacked(move) if move else None

    def __copy__(self) -> Book:
        return self

    def __deepcopy__(self, memo: object) -> Book:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its lines."""
        return Book, (self._book.lines,)

    def __repr__(self) -> str:
        return f"<Book of {len(self)} positions>"
