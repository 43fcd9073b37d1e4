"""The positions that the games of a match begin with: from a file, or a small set of well-known openings."""

from __future__ import annotations

import codecs
import io
import random
import re
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


def ended(board: chess.Board) -> tuple[str, str] | None:
    """The result and its reason where the rules end the game, also by a draw that the position allows to claim.

    A claim is made where the position stands on the board for the third time, or fifty moves have been made. A move
    that *would* repeat it is none: the engine to move may be winning and play another one.
    """
    outcome = board.outcome()
    if outcome is not None:
        return outcome.result(), outcome.termination.name.lower().replace("_", " ")
    if board.is_fifty_moves():
        return "1/2-1/2", "fifty moves"
    if board.is_repetition(3):
        return "1/2-1/2", "threefold repetition"
    return None


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


# A FEN, or an EPD: four fields, then either the two counters, or operations, or both.
_LINE: Final = re.compile(
    r"(?P<fields>\S+\s+\S+\s+\S+\s+[^\s;]+);?"
    r"(?:\s+(?P<halfmoves>\d{1,4})\s+(?P<move>\d{1,4})(?![^\s;]))?"
    r"(?P<rest>\s*(?:;.*|\s[A-Za-z#\"].*)?)",
)
_COUNTERS: Final = {"halfmoves": re.compile(r"\bhmvc\s+(\d{1,4})\s*;"), "move": re.compile(r"\bfmvn\s+(\d{1,4})\s*;")}
# What a Variant tag may say of ordinary chess ("From Position": lichess.org, for a game with a FEN).
_STANDARD: Final = {"", "?", "-", *(name.lower() for name in chess.Board.aliases if name != "Illegal")}


def _checked(board: chess.Board) -> chess.Board:
    """The board, if it is a legal position of ordinary chess. Raises ValueError."""
    status = board.status()
    if status:
        faults = ", ".join(fault.name or "" for fault in chess.Status if fault and fault in status)
        raise ValueError(f"not a legal position ({faults.lower().replace('_', ' ')})")
    return board


def _opening_of_line(text: str) -> Opening:
    """A FEN, or an EPD, whose operations hmvc and fmvn are heard."""
    match = _LINE.fullmatch(text.strip())
    if match is None:
        raise ValueError("a PGN tag; is it a .pgn file?" if text.startswith("[") else "neither FEN nor EPD")
    counters = []
    for name, default in (("halfmoves", "0"), ("move", "1")):
        operation = _COUNTERS[name].search(match["rest"])
        counters.append(match[name] or (operation[1] if operation else default))
    return Opening(_checked(chess.Board(" ".join([match["fields"], *counters]))).fen())


def _text(path: Path) -> str:
    """A text file's contents: UTF-8, UTF-16 where it says so, else Latin-1. Raises OpeningsError for other files."""
    data = path.read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", errors="replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    if "\0" in text:
        raise OpeningsError(f"{path}: not a text file; openings are FEN or EPD lines or PGN, not compressed")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_lines(path: Path) -> list[Opening]:
    openings: list[Opening] = []
    for number, line in enumerate(_text(path).splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                openings.append(_opening_of_line(line))
            except ValueError as error:
                raise OpeningsError(f"{path}, line {number}: {error}") from error
    return openings


class _MainLine(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Reads a game's main line: variations are not played, so what is wrong in them does not matter."""

    def begin_variation(self) -> chess.pgn.SkipType:  # type: ignore[override]  # what a visitor may return
        """Leave it out."""
        return chess.pgn.SKIP

    def end_variation(self) -> None:
        """Nothing was put on the stack."""

    def end_headers(self) -> chess.pgn.SkipType | None:
        """Leave games of other variants out, whose moves could not be read."""
        if self.game.headers.get("Variant", "").lower() not in _STANDARD:
            return chess.pgn.SKIP
        self.game.headers.pop("Variant", None)  # python-chess knows some of the names only
        return None

    def handle_error(self, error: Exception) -> None:
        """Remember it without logging it."""
        self.game.errors.append(error)


def _opening_of_game(game: chess.pgn.Game, plies: int | None) -> Opening:
    """The first plies of a game's main line. Raises ValueError."""
    variant = game.headers.get("Variant", "")
    if variant.lower() not in _STANDARD:
        raise ValueError(f"variant {variant}; only ordinary chess is played")
    fen = game.headers.get("FEN")
    start = _checked(chess.Board(fen) if fen is not None else chess.Board())
    if fen is not None and _LINE.fullmatch(fen.strip()) is None:
        raise ValueError(f"its FEN '{fen}' is none")
    if game.errors:
        raise ValueError(str(game.errors[0]))
    if fen is None and game.next() is None:
        raise ValueError("neither moves nor a FEN")
    moves = tuple(game.mainline_moves())[:plies]
    for ply, move in enumerate(moves):
        if not move:
            raise ValueError(f"a null move at ply {ply + 1}; --plies {ply} ends the opening before it")
    return Opening(start.fen(), moves)


# What a PGN file's text consists of, for ``_check_movetext``.
_PARTS: Final = re.compile(
    r"""
    (?P<comment> \{[^}]*\} | ;[^\n]* | ^%[^\n]* )
    | (?P<tag> ^\[[^\n]* )
    | (?P<empty> ^[ \t]*\n )
    | (?P<sign> [(){}] )
    | (?P<word> [^\s(){};]+ )
    """,
    re.MULTILINE | re.VERBOSE,
)
_RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
_REMARKS: Final = ("N", "D", "e.p.", "ep")  # words of ChessBase and others that are no moves: novelty, diagram


def _check_movetext(text: str) -> None:
    """Refuse what python-chess passes over without a word, so that another opening would be played than is meant.

    Of ``Sf3`` (a German knight) it reads ``f3``. Words that are no moves, tags behind moves, a game behind the result
    of another and moves behind an empty line are passed over, or join or divide games. Raises ValueError.
    """
    last, over, depth = "empty", False, 0
    for part in _PARTS.finditer(text):
        kind, word = str(part.lastgroup), part[0]
        fault = ""
        if kind == "comment":
            fault = "a comment is not closed" if re.search(r"\n\n\[\w", word) else ""
        elif kind == "tag":
            fault = "a tag right behind moves; an empty line is missing" if last == "word" else ""
        elif kind == "empty":
            fault = "a variation is not closed before it" if depth else ""
        elif kind == "sign":
            depth = max(depth + {"(": 1, ")": -1}.get(word, 0), 0)
            fault = "a comment is not closed" if word in "{}" else ""
        elif not depth:
            rest = chess.pgn.MOVETEXT_REGEX.sub("", word)
            strange = any(letter.isalpha() or "\u2654" <= letter <= "\u265f" for letter in rest)
            if strange and word not in _REMARKS and rest not in _REMARKS[2:]:
                fault = f"{word[:20]!r} is no move (pieces are K, Q, R, B, N)"
            elif over and last == "word" and word not in _RESULTS:
                fault = "moves right behind a result; an empty line is missing"
            elif last == "moves" and re.match(r"(?!1\.)\d+\.", word):
                fault = "moves behind an empty line, which ends a game"
            over = word in _RESULTS
        if fault:
            raise ValueError(f"line {text.count(chr(10), 0, part.start()) + 1}: {fault}")
        if kind in ("tag", "word"):
            last = kind
        elif kind == "empty" and last == "word":
            last = "empty" if over else "moves"


def random_opening(dice: random.Random, plies: int) -> Opening:
    """Random legal moves from the start position that do not end the game."""
    while True:
        board = chess.Board()
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(dice.choice(moves))
        if not board.is_game_over():
            return Opening(chess.STARTING_FEN, tuple(board.move_stack))


def _read_pgn(path: Path, plies: int | None) -> list[Opening]:
    openings: list[Opening] = []
    text = _text(path)
    file = io.StringIO(text)
    try:
        while (game := chess.pgn.read_game(file, Visitor=_MainLine)) is not None:
            openings.append(_opening_of_game(game, plies))
    except ValueError as error:
        raise OpeningsError(f"{path}, game {len(openings) + 1}: {error}") from error
    try:
        _check_movetext(text)
    except ValueError as error:
        raise OpeningsError(f"{path}, {error}") from error
    return openings


def read_openings(path: Path | None, plies: int | None = None, seed: int | None = None) -> Sequence[Opening]:
    """The openings of a file (``.pgn``: games, of which ``plies`` are played; else FEN or EPD lines), or the built-in.

    ``seed`` shuffles them. Raises OSError, or ``OpeningsError`` where a line or game is faulty, is no ordinary chess,
    is over already or drawn by a claim, or the file holds none.
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
        over = ended(opening.board())
        if over is not None:
            raise OpeningsError(f"{path}: opening {number}: the game is over before it begins ({over[1]})")
    if seed is not None:
        random.Random(seed).shuffle(openings)
    return openings
