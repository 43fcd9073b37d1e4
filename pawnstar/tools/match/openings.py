"""The positions that the games of a match begin with: from a file, or a small set of well-known openings."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess
import chess.pgn

# Balanced main lines, eight plies each, so that both engines are out of one book and into different games.
DEFAULT: Final = (
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6",
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6",
    "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6",
    "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4",
    "e4 e5 Nc3 Nf6 f4 d5 fxe5 Nxe4",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6",
    "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6",
    "e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6",
    "e4 c5 c3 Nf6 e5 Nd5 d4 cxd4",
    "e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7",
    "e4 e6 d4 d5 e5 c5 c3 Nc6",
    "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5",
    "e4 c6 d4 d5 e5 Bf5 Nf3 e6",
    "e4 d6 d4 Nf6 Nc3 g6 Nf3 Bg7",
    "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7",
    "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4",
    "d4 d5 c4 dxc4 Nf3 Nf6 e3 e6",
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O",
    "d4 Nf6 c4 e6 Nf3 b6 g3 Ba6",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6",
    "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5",
    "d4 f5 g3 Nf6 Bg2 e6 Nf3 Be7",
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5",
    "Nf3 d5 g3 Nf6 Bg2 c6 O-O Bf5",
    "c4 c5 Nf3 Nf6 Nc3 d5 cxd5 Nxd5",
)


@dataclass(frozen=True)
class Opening:
    """A start position and the moves that lead from it to where the engines take over."""

    fen: str
    moves: tuple[chess.Move, ...] = ()

    def board(self) -> chess.Board:
        """The board behind the moves, which its stack remembers."""
        board = chess.Board(self.fen)
        for move in self.moves:
            board.push(move)
        return board


class OpeningsError(ValueError):
    """An opening file that cannot be used; the message names the place."""


def default_openings() -> list[Opening]:
    """The built-in ones."""
    openings: list[Opening] = []
    for line in DEFAULT:
        board = chess.Board()
        for text in line.split():
            board.push_san(text)
        openings.append(Opening(chess.STARTING_FEN, tuple(board.move_stack)))
    return openings


def _opening_of_line(text: str) -> Opening:
    """A FEN, or the first four fields of an EPD."""
    fields = text.split()
    if len(fields) < 4:
        raise ValueError("neither FEN nor EPD")
    counters = fields[4:6]
    if len(counters) < 2 or not all(counter.isdigit() for counter in counters):
        counters = ["0", "1"]
    board = chess.Board(" ".join([*fields[:3], fields[3].rstrip(";"), *counters]))
    if not board.is_valid():
        raise ValueError(f"not a legal position ({board.status().name or 'invalid'})")
    return Opening(board.fen())


def _read_lines(path: Path) -> list[Opening]:
    openings: list[Opening] = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                openings.append(_opening_of_line(line))
            except ValueError as error:
                raise OpeningsError(f"{path}, line {number}: {error}") from error
    return openings


def _read_pgn(path: Path, plies: int | None) -> list[Opening]:
    openings: list[Opening] = []
    with path.open(encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if game.errors:
                raise OpeningsError(f"{path}, game {len(openings) + 1}: {game.errors[0]}")
            openings.append(Opening(game.board().fen(), tuple(game.mainline_moves())[:plies]))
    return openings


def read_openings(path: Path | None, plies: int | None = None, seed: int | None = None) -> Sequence[Opening]:
    """The openings of a file (``.pgn``: games, of which ``plies`` are played; else FEN or EPD lines), or the built-in.

    ``seed`` shuffles them. Raises OSError, or ``OpeningsError`` where a line or game is faulty, the game is over
    already, or the file holds none.
    """
    if path is None:
        openings = default_openings()
    elif path.suffix.lower() == ".pgn":
        openings = _read_pgn(path, plies)
    else:
        openings = _read_lines(path)
    if not openings:
        raise OpeningsError(f"{path}: no opening in it")
    for number, opening in enumerate(openings, 1):
        if opening.board().is_game_over():
            raise OpeningsError(f"{path}: opening {number}: the game is over before it begins")
    if seed is not None:
        random.Random(seed).shuffle(openings)
    return openings
