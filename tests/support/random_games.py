"""Random games for property tests, played by python-chess, and translations between its board and ours."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import chess
from golden_files import golden_lines
from hypothesis import strategies as st

from pawnstar.chess.bits import unsigned
from pawnstar.chess.coordinate import move_text
from pawnstar.chess.fen import position_from_fen, write_fen
from pawnstar.chess.position import Position

_SPECIAL_ROOTS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    # Castling with rooks and bishops aimed at the squares crossed.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    # En passant: pins along the rank, the diagonal and the file, and a pawn that gives check.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/2K5 b - d3 0 1",
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "1k1r4/2ppppp1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/3R2K1 b - - 0 1",
    # Promotions on all files, with and without captures.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/PPPPPPPP/2k5/8/8/5K2/pppppppp/8 w - - 0 1",
    # Many pieces of one kind, so that names need files, ranks or both.
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "4k3/8/N1N1N1N1/8/N1N1N1N1/8/8/4K2R w K - 0 1",
    "k7/8/1R3R2/8/8/1R3R2/8/6K1 w - - 96 250",
    # A clock and a move number about to wrap (both are kept modulo 256).
    "4k3/8/8/3n4/8/8/4N3/4K3 b - - 250 255",
]


def _normal(fen: str) -> str:
    """As our reader reads it, so that both libraries start from the same position."""
    return write_fen(position_from_fen(fen))


ROOTS = [_normal(fen) for fen in _SPECIAL_ROOTS] + [
    _normal(line.split(";")[0].strip()) for line in golden_lines("facts", "perft.epd")
]


@dataclass
class Game:
    """A root and the random moves played from it, at most until the game's end; ``board`` stands behind the last."""

    root: str
    moves: list[chess.Move] = field(default_factory=list)
    board: chess.Board = field(default_factory=chess.Board)


def _weight(board: chess.Board, move: chess.Move) -> int:
    """Rare kinds of move are played more often than their number would have it."""
    if board.is_en_passant(move) or board.is_castling(move):
        return 60
    if move.promotion is not None:
        return 12
    if board.piece_type_at(move.from_square) == chess.PAWN:
        return 3
    return 1


def play(root: str, seed: int, plies: int, weight: Callable[[chess.Board, chess.Move], int] = _weight) -> Game:
    """A random game, moves chosen by weight; the same arguments give the same game."""
    dice = random.Random(seed)
    game = Game(root, [], chess.Board(root))
    for _ in range(plies):
        moves = list(game.board.legal_moves)
        if not moves:
            break
        move = dice.choices(moves, [weight(game.board, candidate) for candidate in moves])[0]
        game.board.push(move)
        game.moves.append(move)
    return game


def games(plies: int) -> st.SearchStrategy[Game]:
    """Random games of at least half of, and at most ``plies`` plies from the roots above, fewer where one ends."""
    return st.builds(play, st.sampled_from(ROOTS), st.integers(0, 2**32 - 1), st.integers(plies // 2, plies))


@st.composite
def _odd_boards(draw: st.DrawFn) -> chess.Board:
    squares = draw(st.permutations(range(64)))
    pieces = draw(st.lists(st.sampled_from("PPPNBRQpppnbrq"), max_size=20))
    board = chess.Board.empty()
    for square, letter in zip(squares, ["K", "k", *pieces], strict=False):
        if letter in "Pp" and square // 8 in (0, 7):
            continue
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = draw(st.booleans())
    rank = 5 if board.turn else 2
    step = -8 if board.turn else 8
    board.castling_rights = chess.BB_CORNERS
    board.castling_rights = board.clean_castling_rights()
    pushed = [
        8 * rank + file
        for file in range(8)
        if board.piece_at(8 * rank + file) is None
        and board.piece_at(8 * rank + file + step) == chess.Piece(chess.PAWN, not board.turn)
    ]
    board.ep_square = draw(st.sampled_from([None, *pushed]))
    return board


def odd_boards() -> st.SearchStrategy[chess.Board]:
    """Pieces thrown on the board, as only a FEN can place them; the side that has just moved is not in check."""
    return _odd_boards().filter(lambda board: not board.was_into_check())


def position_of(board: chess.Board) -> Position:
    """Our position for a board of python-chess."""
    return position_from_fen(board.fen(en_passant="fen"))


def expected_fen(board: chess.Board) -> str:
    """The board's FEN as we write it: the en passant square after every double push, counters modulo 256."""
    fields = board.fen(en_passant="fen").split()
    fields[4] = str(board.halfmove_clock % 256)
    fields[5] = str((board.fullmove_number - 1) % 256 + 1)
    return " ".join(fields)


def mask_of(word: int) -> int:
    """A bitboard of ours as python-chess writes it: unsigned."""
    return unsigned(word)


def texts(moves: list[int]) -> list[str]:
    """The moves in coordinate notation."""
    return [move_text(move) for move in moves]
