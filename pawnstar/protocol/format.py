"""How reports, counters and boards are written as text."""

from pawnstar.chess.bits import unsigned
from pawnstar.chess.coordinate import move_text
from pawnstar.chess.fen import write_fen
from pawnstar.chess.pieces import NONE, piece_letter
from pawnstar.chess.position import Position
from pawnstar.chess.zobrist import BLACK_TO_MOVE_KEY, CASTLING_KEY, EN_PASSANT_KEY, PIECE_KEY
from pawnstar.engine.info import SearchInfo


def score_text(info: SearchInfo, width: int) -> str:
    """``cp N`` or ``mate N``; ``width`` pads centipawns to that and mates to half of it, 0 pads nothing."""
    mate = info.mate
    if mate is None:
        return f"cp {info.score:{width}}" if width else f"cp {info.score}"
    return f"mate {mate:{width // 2}}" if width else f"mate {mate}"


def info_line(info: SearchInfo) -> str:
    """One report as a UCI line; reports of depth 0 (no search behind them) are written without padding."""
    if info.message:
        return f"info string {info.message}"
    if info.currmove:
        return f"info depth {info.depth} currmove {move_text(info.currmove)} currmovenumber {info.currmove_number}"
    pv = " ".join(move_text(move) for move in info.pv)
    if info.depth == 0:
        if not pv:
            mate = "mate 0" if info.mate is not None else f"cp {info.score}"
            return f"info depth 0 score {mate}"
        return f"info depth 0 score {score_text(info, 0)} time 0 nodes 0 nps 0 hashfull {info.hashfull} pv {pv}"
    return (
        f"info depth {info.depth:2} seldepth {info.seldepth:2} score {score_text(info, 4)} time {info.time:5} "
        f"nodes {info.nodes:8} nps {info.nps:7} hashfull {info.hashfull:3} pv {pv}"
    )


def bestmove_line(best: int, ponder: int) -> str:
    """``bestmove m``, with ``ponder p`` where a reply is expected; ``(none)`` where there is no move."""
    if best == 0:
        return "bestmove (none)"
    if ponder == 0:
        return f"bestmove {move_text(best)}"
    return f"bestmove {move_text(best)} ponder {move_text(ponder)}"


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
    checkers = [
        f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in range(64) if int(position.checkers) >> square & 1
    ]
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
            name = f"{piece_letter(color, piece)} {'abcdefgh'[square % 8]}{square // 8 + 1}"
            lines.append(f"{name:<12} {unsigned(PIECE_KEY[512 * color + 64 * piece + square]):016x}")
    rights = int(position.rights)
    lines.append(f"{f'castling {rights}':<12} {unsigned(CASTLING_KEY[rights]):016x}")
    lines.append(f"{'en passant':<12} {unsigned(EN_PASSANT_KEY[position.en_passant]):016x}")
    lines.append(f"{'black':<12} {unsigned(BLACK_TO_MOVE_KEY if position.side else 0):016x}")
    lines.append(f"{'key':<12} {unsigned(position.key):016x}")
    return "\n".join(lines)
