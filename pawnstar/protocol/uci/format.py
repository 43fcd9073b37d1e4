"""How reports and answers are written as UCI lines."""

from pawnstar.chess.coordinate import move_text
from pawnstar.search.info import SearchInfo


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
