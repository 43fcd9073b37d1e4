"""Static exchange evaluation: what a capture or promotion wins once both sides have captured back on its square.

Attackers come least valuable first, and either side may stop when going on would lose. Pins and legality are ignored;
a king may capture a defended piece, which then costs its side 10,000, so it never pays. A recapturing pawn on the last
rank becomes a queen on the square (its promotion is not counted as a gain).

``see`` makes no move and keeps no list: the exchange is a chain in which each side may stop, so its minimax value is
what fail-hard alpha-beta returns walking forward once, with a cut-off as soon as the window closes.
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
from pawnstar.chess.bits import BIT, lowest_bit
from pawnstar.chess.moves import (
    CAPTURED_SHIFT,
    EN_PASSANT,
    FROM_SHIFT,
    PIECE_SHIFT,
    PROMOTE_KNIGHT,
    PROMOTE_QUEEN,
    TYPE_SHIFT,
)
from pawnstar.chess.pieces import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE
from pawnstar.chess.position import Position

PAWN_VALUE: Final = 100
# Centipawns by kind of piece; index 0 is no piece.
PIECE_VALUE: Final = vec[i64]([0, 100, 300, 300, 500, 900, 10000, 0])


def see(position: Position, move: i64) -> i64:
    """The exchange value of a capture or promotion in centipawns, from the mover's side."""
    to = move & 63
    kind = (move >> TYPE_SHIFT) & 15
    standing = (move >> PIECE_SHIFT) & 7
    gain = PIECE_VALUE[(move >> CAPTURED_SHIFT) & 7]
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
    occupied = ((us | them) & ~BIT[(move >> FROM_SHIFT) & 63]) | BIT[to]
    if kind == EN_PASSANT:
        occupied &= ~BIT[((move >> FROM_SHIFT) & 56) | (to & 7)]

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
