"""Colours, kinds of piece and castling rights as small integers."""

from typing import Final

from mypy_extensions import i64

WHITE: Final = 0
BLACK: Final = 1

NONE: Final = 0
PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6

PIECE_LETTERS: Final = ".PNBRQK"

# Castling rights: the letter at index i is the right 1 << i.
CASTLING_LETTERS: Final = "KQkq"


def piece_letter(color: i64, piece: i64) -> str:
    """FEN's letter: upper case for White, lower case for Black, ``.`` for no piece."""
    letter = PIECE_LETTERS[int(piece)]
    return letter if color == WHITE else letter.lower()
