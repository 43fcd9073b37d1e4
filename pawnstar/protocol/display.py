"""Boards, keys and counters as text, the same in every protocol."""

from pawnstar.chess.bits import bits_of, unsigned
from pawnstar.chess.fen import write_fen
from pawnstar.chess.pieces import NONE, piece_letter
from pawnstar.chess.position import Position
from pawnstar.chess.squares import square_name
from pawnstar.chess.zobrist import BLACK_TO_MOVE_KEY, CASTLING_KEY, EN_PASSANT_KEY, PIECE_KEY


def counters_table(counters: dict[str, int]) -> str:
    """The counters that are not zero, framed as the siblings' ``dbg`` does."""
    lines = ["*" * 21 + " DEBUGX " + "*" * 21]
    lines += [f"{name:<40}{value:10}" for name, value in sorted(counters.items()) if value != 0]
    lines.append("*" * 50)
    return "\n".join(lines)


def board_text(position: Position) -> str:
    """The board as a diagram, White below, with FEN, key and checkers."""
    rule = "  +---+---+---+---+---+---+---+---+"
    lines = [rule]
    for rank in range(7, -1, -1):
        cells: list[str] = []
        for file in range(8):
            square = file + 8 * rank
            piece = position.piece_at(square)
            color = int(position.black) >> square & 1
            cells.append(piece_letter(color, piece) if piece != NONE else " ")
        lines += [f"{rank + 1} | " + " | ".join(cells) + " |", rule]
    lines.append("    a   b   c   d   e   f   g   h")
    checkers = [square_name(square) for square in bits_of(position.checkers)]
    lines += [
        "",
        f"Fen: {write_fen(position)}",
        f"Key: {unsigned(position.key):016x}",
        f"Checkers: {' '.join(checkers) or '-'}",
    ]
    return "\n".join(lines)


def zobrist_text(position: Position) -> str:
    """Every part of the position's key, one a line, and their exclusive or."""
    lines: list[str] = []
    for square in range(64):
        piece = int(position.piece_at(square))
        if piece != NONE:
            color = int(position.black) >> square & 1
            name = f"{piece_letter(color, piece)} {square_name(square)}"
            lines.append(f"{name:<12} {unsigned(PIECE_KEY[512 * color + 64 * piece + square]):016x}")
    rights = int(position.rights)
    lines.append(f"{f'castling {rights}':<12} {unsigned(CASTLING_KEY[rights]):016x}")
    lines.append(f"{'en passant':<12} {unsigned(EN_PASSANT_KEY[position.en_passant]):016x}")
    lines.append(f"{'black':<12} {unsigned(BLACK_TO_MOVE_KEY if position.side else 0):016x}")
    lines.append(f"{'key':<12} {unsigned(position.key):016x}")
    return "\n".join(lines)
