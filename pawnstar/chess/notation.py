"""Moves in standard algebraic notation (``Nf3``), written and read.

It is written strictly, as the PGN standard's export format asks: no more origin than is needed to tell the move from
the other legal ones, ``x`` for captures, ``=Q``, ``O-O``, ``+`` and ``#``. It is read forgivingly: what a text says
beyond the move itself (captures, checks, annotations, dashes, more origin than needed) is ignored, as long as exactly
one legal move remains.
"""

import re
from typing import Final

from pawnstar.chess.coordinate import move_text
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import (
    CASTLE_KING_SIDE,
    CASTLE_QUEEN_SIDE,
    IDENTITY,
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    captured_piece,
    from_square,
    is_castling,
    move_type,
    moving_piece,
    promoted_piece,
    to_square,
)
from pawnstar.chess.pieces import NONE, PAWN, PIECE_LETTERS
from pawnstar.chess.position import Position, make_move
from pawnstar.chess.squares import FILE_NAMES, RANK_NAMES, parse_square, square_name

# Piece, origin's file and rank, target, promotion with or without a sign or in brackets.
_MOVE: Final = re.compile(r"([PNBRQK]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:[=/-]?([NBRQnbrq])|\(=?([NBRQnbrq])\))?")
# With letters or zeros, in either case; the group is the queen's side's third.
_CASTLING: Final = re.compile(r"[Oo0]-?[Oo0](-?[Oo0])?")


def san(position: Position, move: int) -> str:
    """The standard algebraic notation of a legal move: ``Nbd7``, ``exd6``, ``e8=Q+``, ``O-O-O#``.

    Raises IllegalMoveError if the move is not legal in ``position``.
    """
    wanted = move & IDENTITY
    moves = legal_moves(position)
    if wanted not in moves:
        raise IllegalMoveError(f"{move_text(wanted)} is not legal in this position")
    child = Position()
    make_move(position, child, wanted)
    suffix = ""
    if child.checkers != 0:
        suffix = "+" if legal_moves(child) else "#"
    return _san_without_suffix(wanted, moves) + suffix


def _san_without_suffix(move: int, moves: list[int]) -> str:
    """Algebraic notation less ``+`` and ``#``; ``moves`` are the legal moves that ``move`` is told apart from."""
    origin = int(from_square(move))
    target = int(to_square(move))
    piece = int(moving_piece(move))
    if is_castling(move):
        return "O-O" if move_type(move) == CASTLE_KING_SIDE else "O-O-O"
    text = ""
    if piece == PAWN:
        if captured_piece(move) != NONE:
            text = FILE_NAMES[origin & 7]
    else:
        text = PIECE_LETTERS[piece] + _disambiguation(origin, target, piece, moves)
    if captured_piece(move) != NONE:
        text += "x"
    text += square_name(target)
    promoted = int(promoted_piece(move))
    if promoted != NONE:
        text += "=" + PIECE_LETTERS[promoted]
    return text


def _disambiguation(origin: int, target: int, piece: int, moves: list[int]) -> str:
    """The origin's file, else its rank, else both: the first that no other piece of the kind shares; or nothing."""
    rivals = False
    same_file = False
    same_rank = False
    for other in moves:
        start = int(from_square(other))
        if start == origin or int(to_square(other)) != target or int(moving_piece(other)) != piece:
            continue
        rivals = True
        if start & 7 == origin & 7:
            same_file = True
        if start >> 3 == origin >> 3:
            same_rank = True
    if not rivals:
        return ""
    if not same_file:
        return FILE_NAMES[origin & 7]
    if not same_rank:
        return RANK_NAMES[origin >> 3]
    return square_name(origin)


def parse_san(position: Position, text: str) -> int:
    """The legal move that ``text`` means, in algebraic notation of any common style, or in coordinate notation.

    Forgiven are annotations (``!?``, ``e.p.``), missing or needless ``x``, ``+``, ``#``, ``-`` and ``=``, castling with
    zeros or as the king's move, ``e8Q``, ``e8(Q)``, and origins given in part or in full where none is needed
    (``Ng1f3``, ``Ng1-f3``, ``g1f3``). Piece letters are upper case, because ``b`` is a file too.

    Raises InvalidMoveError where the text is not a move at all, IllegalMoveError where no legal move fits it,
    AmbiguousMoveError where more than one does: each is a ValueError.
    """
    body = _without_annotations(text.strip())
    moves = legal_moves(position)
    fitting: list[int] = []
    castling = _CASTLING.fullmatch(body)
    if castling is not None:
        wanted = CASTLE_KING_SIDE if castling.group(1) is None else CASTLE_QUEEN_SIDE
        for move in moves:
            if move_type(move) == wanted:
                fitting.append(move)
    else:
        match = _MOVE.fullmatch(body)
        if match is None:
            raise InvalidMoveError(f"{text!r} is not understood as a move")
        parts: list[str] = [part or "" for part in match.groups()]
        fitting = _fitting_moves(moves, parts[0], parts[1], parts[2], parse_square(parts[3]), parts[4] or parts[5])
        # In some layouts the king reaches its castling target by an ordinary move as well, which then is meant.
        fitting = [move for move in fitting if not is_castling(move)] or fitting
    if not fitting:
        raise IllegalMoveError(f"{text!r} is illegal in this position")
    if len(fitting) > 1:
        choice = ", ".join([_san_without_suffix(move, moves) for move in fitting])
        raise AmbiguousMoveError(f"{text!r} is ambiguous in this position: it may be {choice}")
    return fitting[0]


def _without_annotations(body: str) -> str:
    """``body`` without the checks, comments and ``e.p.`` at its end, however they are mixed."""
    while True:
        shorter = body.rstrip("+#!? \t")
        for ending in ("e.p.", "e.p", "ep"):
            if shorter.endswith(ending):
                shorter = shorter[: -len(ending)]
                break
        if shorter == body:
            return body
        body = shorter


def _fitting_moves(moves: list[int], piece: str, file: str, rank: str, target: int, promoted: str) -> list[int]:
    """The moves to ``target`` that agree with every part given; a part that is empty agrees with any move.

    Without a piece's letter a pawn moves, or, if the origin is given in full, whatever stands there.
    """
    wanted_piece = PIECE_LETTERS.index(piece or "P")
    wanted_promotion = PIECE_LETTERS.index(promoted.upper()) if promoted else NONE
    coordinates = piece == "" and file != "" and rank != ""
    fitting: list[int] = []
    for move in moves:
        origin = int(from_square(move))
        if int(to_square(move)) != target:
            continue
        if not coordinates and int(moving_piece(move)) != wanted_piece:
            continue
        if (file and FILE_NAMES[origin & 7] != file) or (rank and RANK_NAMES[origin >> 3] != rank):
            continue
        if promoted and int(promoted_piece(move)) != wanted_promotion:
            continue
        fitting.append(move)
    return fitting
