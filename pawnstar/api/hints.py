"""Hints in error messages for names of python-chess or UCI that have other names here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PACKAGE: Final = {
    "Board": "Position never changes, Game has push and pop",
    "STARTING_FEN": "see Position.initial()",
    "Limit": "see Limits; its times are whole milliseconds",
    "SimpleEngine": "see Engine; it needs no process",
    "Cp": "see Score",
    "Mate": "see Score",
    "PovScore": "see Score",
}

_IMMUTABLE: Final = "a Position never changes: play(move) returns the next one, and a Game has push and pop"
POSITION: Final = {
    "push": _IMMUTABLE,
    "push_san": _IMMUTABLE,
    "push_uci": _IMMUTABLE,
    "pop": _IMMUTABLE,
    "move_stack": "a Position has no past; a Game has moves",
    "is_game_over": "outcome() is not None says so",
    "result": "outcome() tells it; it is None while the game goes on",
    "ep_square": "see en_passant",
    "castling_rights": "the third field of fen tells them",
    "copy": "a Position never changes, so no copy is needed",
    "from_board": "see from_chess",
    "set_fen": "see Position.from_fen",
    "lan": "see san and uci",
}
GAME: Final = {
    "push_san": "push takes moves in algebraic notation too",
    "push_uci": "push takes moves in coordinate notation too",
    "play": "see push",
    "peek": "see moves[-1]",
    "move_stack": "see moves",
    "fen": "see position.fen",
    "is_game_over": "outcome() is not None says so",
    "result": "outcome() tells it; it is None while the game goes on",
    "is_check": "see position.is_check()",
    "is_repetition": "see position.is_repetition(history)",
    "from_board": "see from_chess",
}
ENGINE: Final = {
    "analysis": "see analyse",
    "go": "see search, play and analyse",
    "best_move": "see play, or search(...).best_move",
    "quit": "see close",
    "options": "see configure, and the properties hash, threads, network, book, own_book, move_overhead",
    "evaluate_many": "see network.evaluate_many",
    "popen_uci": "Engine() needs no process; python-chess's SimpleEngine starts the command 'pawnstar'",
}
_RUNNING: Final = "an Analysis is running: iterate over its reports, or wait() for the result"
ANALYSIS: Final = dict.fromkeys(("score", "pv", "best_move", "depth", "nodes", "get", "info", "multipv"), _RUNNING)
SCORE: Final = {
    "score": "a Score is an int; cp() is None for mates",
    "pov": "see white() and black()",
    "relative": "a Score is the side's to move; see turn",
}
RESULT: Final = {
    "move": "see best_move",
    "bestmove": "see best_move",
    "ponder": "see ponder_move",
    "info": "the result has score, pv, depth, nodes and time itself",
}

# Arguments of Limits.
LIMITS: Final = {
    "time": "movetime, in milliseconds",
    "white_clock": "time_left, in milliseconds, of the side to move",
    "black_clock": "time_left, in milliseconds, of the side to move",
    "wtime": "time_left, of the side to move",
    "btime": "time_left, of the side to move",
    "white_inc": "increment, in milliseconds, of the side to move",
    "black_inc": "increment, in milliseconds, of the side to move",
    "winc": "increment, of the side to move",
    "binc": "increment, of the side to move",
    "remaining_moves": "moves_to_go",
    "movestogo": "moves_to_go",
    "root_moves": "search_moves",
    "searchmoves": "search_moves",
}


def missing(owner: object, name: str, hints: Mapping[str, str]) -> AttributeError:
    """The error to raise for an attribute that ``owner`` does not have."""
    text = f"{type(owner).__name__!r} object has no attribute {name!r}"
    if name in hints:
        text += f"; {hints[name]}"
    return AttributeError(text, name=name, obj=owner)
