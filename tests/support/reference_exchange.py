"""The static exchange evaluation written down a second time, by its definition, and checks found by making the move."""

from pawnstar.chess.bits import BIT, lsb
from pawnstar.chess.exchange import PAWN_VALUE, PIECE_VALUE
from pawnstar.chess.moves import captured_piece, promoted_piece, to_square
from pawnstar.chess.pieces import BISHOP, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK
from pawnstar.chess.position import Position, make_move


def _swap(position: Position, square: int, side: int, standing: int, occupied: int) -> int:
    """What ``side`` wins by capturing the piece of kind ``standing`` on ``square``."""
    attackers = position.attackers(square, side, occupied) & occupied & ~BIT[square]
    for piece in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING):
        candidates = attackers & position.kind(piece)
        if candidates != 0:
            next_standing = QUEEN if piece == PAWN and (square < 8 or square >= 56) else piece
            left = occupied & ~BIT[lsb(candidates)]
            return max(0, int(PIECE_VALUE[standing]) - _swap(position, square, 1 - side, next_standing, int(left)))
    return 0


def see_reference(position: Position, move: int) -> int:
    """The exchange value of a capture or promotion, by making the move and playing the exchange out."""
    child = Position()
    make_move(position, child, move)
    square = int(to_square(move))
    gain = int(PIECE_VALUE[captured_piece(move)])
    promoted = promoted_piece(move)
    if promoted != NONE:
        gain += int(PIECE_VALUE[promoted]) - PAWN_VALUE
    return gain - _swap(child, square, int(child.side), int(child.piece_at(square)), int(child.occupied()))


def gives_check_reference(position: Position, move: int) -> bool:
    """Whether a move gives check, by making it."""
    child = Position()
    make_move(position, child, move)
    return child.checkers != 0
