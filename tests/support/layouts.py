"""Positions whose kings and rooks castle from squares of their own: Chess960, and each side with another layout."""

import random

import chess

from pawnstar.chess.castling import LAYOUTS
from pawnstar.chess.position import Position


def layout_on(board: chess.Board, color: chess.Color) -> int:
    """The number of a colour's layout. Of a right that is lost the rook's file does not matter: it is the outermost."""
    rank = chess.BB_RANK_1 if color else chess.BB_RANK_8
    rooks = [square & 7 for square in chess.scan_forward(board.clean_castling_rights() & rank)]
    if not rooks:
        return 0
    king = board.king(color)
    assert king is not None
    king &= 7
    queen_side = [file for file in rooks if file < king]
    king_side = [file for file in rooks if file > king]
    return LAYOUTS.index(((queen_side or [0])[0], king, (king_side or [7])[0]))


def position_with_layout(board: chess.Board, layouts: int | None = None) -> Position:
    """Our position for a Chess960 board of python-chess, which no FEN of ours tells.

    ``layouts`` is the position's word, where rights that are lost leave it open.
    """
    position = Position()
    for square, piece in board.piece_map().items():
        position.put(square, 0 if piece.color else 1, piece.piece_type)
    position.side = 0 if board.turn else 1
    if layouts is None:
        layouts = layout_on(board, chess.WHITE) + 64 * layout_on(board, chess.BLACK)
    position.layout = layouts
    for color, side in ((chess.WHITE, 0), (chess.BLACK, 1)):
        position.rights |= 1 << 2 * side if board.has_kingside_castling_rights(color) else 0
        position.rights |= 2 << 2 * side if board.has_queenside_castling_rights(color) else 0
    position.en_passant = board.ep_square or 0
    position.clock = board.halfmove_clock
    position.move_number = board.fullmove_number - 1
    position.key = position.compute_key()
    position.checkers = position.compute_checkers()
    return position


def start_board(white: int, black: int) -> chess.Board:
    """The start of a game in which each side has a Chess960 position of its own, by number."""
    board = chess.Board.from_chess960_pos(white)
    other = chess.Board.from_chess960_pos(black)
    for square in chess.SquareSet(chess.BB_RANK_8):
        board.set_piece_at(square, other.piece_at(square))
    board.castling_rights = board.rooks
    return board


def random_boards(seed: int, plies: int) -> list[chess.Board]:
    """The boards of a random game from a random start: half of them Chess960, half with two layouts."""
    dice = random.Random(seed)
    white = dice.randrange(960)
    board = start_board(white, white if seed % 2 else dice.randrange(960))
    boards = [board.copy()]
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(dice.choices(moves, [_weight(board, move) for move in moves])[0])
        boards.append(board.copy(stack=False))
    return boards


def _weight(board: chess.Board, move: chess.Move) -> float:
    """Kings and rooks wait for castling."""
    if board.is_castling(move):
        return 60
    return 0.1 if board.piece_type_at(move.from_square) in (chess.KING, chess.ROOK) else 1


def castling_boards(layout: int) -> list[tuple[chess.Board, int]]:
    """Boards on which White's king and rooks have a layout and few other pieces stand, and both sides' layouts.

    Castling is possible, or forbidden by an attack. On some a rook is missing, which would stand in the other's way.
    """
    dice = random.Random(layout)
    boards: list[tuple[chess.Board, int]] = []
    while len(boards) < 40:
        board = chess.Board.empty(chess960=True)
        other = dice.randrange(56)
        for color, rank, number in ((chess.WHITE, 0, layout), (chess.BLACK, 56, other)):
            queen_rook, king, king_rook = LAYOUTS[number]
            board.set_piece_at(rank + king, chess.Piece(chess.KING, color))
            wings = dice.choice([(queen_rook, king_rook), (queen_rook, king_rook), (queen_rook,), (king_rook,)])
            for file in wings:
                board.set_piece_at(rank + file, chess.Piece(chess.ROOK, color))
        board.castling_rights = board.rooks
        # Sliders on the back ranks are what castling may uncover a king to.
        for letter in dice.sample("QRRBNqrrbn", dice.randrange(4)):
            square = dice.choice([*range(8), *range(56, 64), *range(64)])
            if board.piece_at(square) is None:
                board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = dice.random() < 0.75
        if not board.was_into_check():
            boards.append((board, layout + 64 * other))
    return boards
