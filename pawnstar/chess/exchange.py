"""Static exchange evaluation: what a capture or promotion wins once both sides have captured back on its square.

Attackers come least valuable first, and either side may stop when going on would lose. Pins and legality are ignored;
a king may capture a defended piece, which then costs its side 10,000, so it never pays. A recapturing pawn on the last
rank becomes a queen on the square (its promotion is not counted as a gain).

``see`` makes no move and keeps no list: the exchange is a chain in which each side may stop, so its minimax value is
what fail-hard alpha-beta returns walking forward once, with a cut-off as soon as the window closes.
``see_reference`` makes the move and recurses over the definition; the tests hold one to the other.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.attacks import (
    BISHOP_RAYS,
    BLACK_PAWN_ATTACKS,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    ROOK_RAYS,
    WHITE_PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from pawnstar.chess.bits import BIT, lowest_bit, lsb
from pawnstar.chess.moves import EN_PASSANT, PROMOTE_KNIGHT, PROMOTE_QUEEN
from pawnstar.chess.pieces import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE
from pawnstar.chess.position import Position, make_move

PAWN_VALUE: Final = 100
# Centipawns by kind of piece; index 0 is no piece.
PIECE_VALUE: Final = vec[i64]([0, 100, 300, 300, 500, 900, 10000, 0])


def see(position: Position, move: i64) -> i64:
    """The exchange value of a capture or promotion in centipawns, from the mover's side."""
    to = move & 63
    kind = (move >> 18) & 15
    standing = (move >> 12) & 7
    gain = PIECE_VALUE[(move >> 15) & 7]
    if kind >= PROMOTE_KNIGHT and kind <= PROMOTE_QUEEN:
        standing = kind
        gain += PIECE_VALUE[kind] - PAWN_VALUE
    plane0 = position.plane0
    plane1 = position.plane1
    plane2 = position.plane2
    if position.side == WHITE:
        us = position.white
        them = position.black
    else:
        us = position.black
        them = position.white
    # Whatever leaves the board is masked out by the occupancy; the target square stays occupied.
    occupied = ((us | them) & ~BIT[(move >> 6) & 63]) | BIT[to]
    if kind == EN_PASSANT:
        occupied &= ~BIT[((move >> 6) & 56) | (to & 7)]

    pawns = plane0 & ~plane1 & ~plane2
    attackers = (
        (BLACK_PAWN_ATTACKS[to] & pawns & position.white)
        | (WHITE_PAWN_ATTACKS[to] & pawns & position.black)
        | (KNIGHT_ATTACKS[to] & plane1 & ~plane0 & ~plane2)
        | (KING_ATTACKS[to] & plane1 & plane2)
    )
    diagonals = plane0 & (plane1 | plane2) & BISHOP_RAYS[to]
    straights = plane2 & ~plane1 & ROOK_RAYS[to]
    if diagonals != 0:
        attackers |= bishop_attacks(to, occupied) & diagonals
    if straights != 0:
        attackers |= rook_attacks(to, occupied) & straights
    attackers &= occupied

    # The enemy maximises. ``balance`` is what it has won so far, ``low`` and ``high`` what the sides can already keep.
    balance: i64 = 0
    low: i64 = 0
    high: i64 = 1000000
    enemy_turn = True
    while True:
        if enemy_turn:
            if balance > low:
                low = balance
            if low >= high:
                return gain - high
            mine = attackers & them
            if mine == 0:
                return gain - low
            balance += PIECE_VALUE[standing]
        else:
            if balance < high:
                high = balance
            if high <= low:
                return gain - low
            mine = attackers & us
            if mine == 0:
                return gain - high
            balance -= PIECE_VALUE[standing]
        candidates = mine & pawns
        if candidates != 0:
            standing = PAWN
            if to >= 56 or to <= 7:
                standing = QUEEN
            occupied ^= lowest_bit(candidates)
            if diagonals != 0:
                attackers |= bishop_attacks(to, occupied) & diagonals
        else:
            candidates = mine & plane1 & ~plane2
            if candidates != 0:
                # Knights before bishops.
                knights = candidates & ~plane0
                if knights != 0:
                    standing = KNIGHT
                    occupied ^= lowest_bit(knights)
                else:
                    standing = BISHOP
                    occupied ^= lowest_bit(candidates)
                    attackers |= bishop_attacks(to, occupied) & diagonals
            else:
                candidates = mine & plane2 & ~plane0 & ~plane1
                if candidates != 0:
                    standing = ROOK
                    occupied ^= lowest_bit(candidates)
                    attackers |= rook_attacks(to, occupied) & straights
                else:
                    candidates = mine & plane0 & plane2
                    if candidates != 0:
                        standing = QUEEN
                        occupied ^= lowest_bit(candidates)
                        if diagonals != 0:
                            attackers |= bishop_attacks(to, occupied) & diagonals
                        if straights != 0:
                            attackers |= rook_attacks(to, occupied) & straights
                    else:
                        # A slider may stand behind the king. That matters where the other king attacks the square too:
                        # it cannot capture what is defended.
                        standing = KING
                        occupied ^= mine
                        if diagonals != 0:
                            attackers |= bishop_attacks(to, occupied) & diagonals
                        if straights != 0:
                            attackers |= rook_attacks(to, occupied) & straights
        attackers &= occupied
        enemy_turn = not enemy_turn


def see_gives_check(position: Position, move: i64) -> bool:
    """Whether a capture or promotion gives check, found without making it: direct, discovered or by promotion."""
    to = move & 63
    origin = (move >> 6) & 63
    kind = (move >> 18) & 15
    side = position.side
    piece = (move >> 12) & 7
    if kind >= PROMOTE_KNIGHT and kind <= PROMOTE_QUEEN:
        piece = kind
    occupied = ((position.white | position.black) & ~BIT[origin]) | BIT[to]
    if kind == EN_PASSANT:
        occupied &= ~BIT[(origin & 56) | (to & 7)]
    king = position.king_square(1 - side)
    # The piece that moved.
    if piece == PAWN:
        reached = WHITE_PAWN_ATTACKS[to] if side == WHITE else BLACK_PAWN_ATTACKS[to]
    elif piece == KNIGHT:
        reached = KNIGHT_ATTACKS[to]
    else:
        reached = 0
        if piece == BISHOP or piece == QUEEN:
            reached |= bishop_attacks(to, occupied)
        if piece == ROOK or piece == QUEEN:
            reached |= rook_attacks(to, occupied)
    if reached & BIT[king] != 0:
        return True
    # Whatever stood behind it, or behind a pawn taken en passant.
    return position.attackers(king, side, occupied) & occupied & ~BIT[to] & position.color(side) != 0


def _swap_reference(position: Position, square: i64, side: i64, standing: i64, occupied: i64) -> i64:
    """What ``side`` wins by capturing the piece of kind ``standing`` on ``square``, by the definition."""
    attackers = position.attackers(square, side, occupied) & occupied & ~BIT[square]
    for piece in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING):
        candidates = attackers & position.kind(piece)
        if candidates != 0:
            origin = lsb(candidates)
            next_standing: i64 = piece
            if piece == PAWN and (square < 8 or square >= 56):
                next_standing = QUEEN
            won = PIECE_VALUE[standing] - _swap_reference(
                position, square, 1 - side, next_standing, occupied & ~BIT[origin]
            )
            return won if won > 0 else 0
    return 0


def see_reference(position: Position, move: i64) -> i64:
    """The exchange value of a capture or promotion, by making the move and playing the exchange out."""
    child = Position()
    make_move(position, child, move)
    to = move & 63
    gain = PIECE_VALUE[(move >> 15) & 7]
    kind = (move >> 18) & 15
    if kind >= PROMOTE_KNIGHT and kind <= PROMOTE_QUEEN:
        gain += PIECE_VALUE[kind] - PAWN_VALUE
    return gain - _swap_reference(child, to, child.side, child.piece_at(to), child.occupied())


def gives_check_reference(position: Position, move: i64) -> bool:
    """Whether a move gives check, by making it."""
    child = Position()
    make_move(position, child, move)
    return child.checkers != 0
