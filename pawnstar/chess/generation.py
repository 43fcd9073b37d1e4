"""Fully legal move generation, in the sibling engines' order.

The order decides ties in move ordering and so the node counts; it is part of the engine's behaviour. Legality is
settled while generating: the king's targets are tested for attack, pinned pieces keep to their line, and in check only
captures of the checker and interpositions are allowed. Moves are packed integers written into a flat list.
"""

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.attacks import (
    BETWEEN,
    BISHOP_RAYS,
    BLACK_PAWN_ATTACKS,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    LINE,
    ROOK_RAYS,
    WHITE_PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from pawnstar.chess.bits import (
    BIT,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    clear_lowest,
    lsb,
    more_than_one,
    north,
    north_east,
    north_west,
    south,
    south_east,
    south_west,
)
from pawnstar.chess.castling import KING_TARGET, MUST_BE_EMPTY, MUST_BE_SAFE, ROOK_MOVE, layout_of
from pawnstar.chess.moves import (
    CAPTURE,
    CAPTURED_SHIFT,
    CASTLE_KING_SIDE,
    DOUBLE_PUSH,
    EN_PASSANT,
    FROM_SHIFT,
    MAX_MOVES,
    PIECE_SHIFT,
    PROMOTE_BISHOP,
    PROMOTE_KNIGHT,
    PROMOTE_QUEEN,
    PROMOTE_ROOK,
    TYPE_SHIFT,
)
from pawnstar.chess.pieces import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE
from pawnstar.chess.position import Position


def generate(position: Position, moves: vec[i64], start: i64, all_moves: bool) -> i64:
    """Write the legal moves of ``position`` to ``moves[start:]`` and return the index behind the last.

    With ``all_moves`` false only captures and promotions (with or without a capture) are written, in the same order.
    There must be room for MAX_MOVES.
    """
    n = start
    side = position.side
    plane0 = position.plane0
    plane1 = position.plane1
    plane2 = position.plane2
    if side == WHITE:
        us = position.white
        them = position.black
    else:
        us = position.black
        them = position.white
    occupied = us | them
    empty = ~occupied
    checkers = position.checkers
    king = lsb(plane1 & plane2 & us)
    their_pawns = plane0 & ~plane1 & ~plane2 & them
    their_knights = plane1 & ~plane0 & ~plane2 & them
    their_diagonals = plane0 & (plane1 | plane2) & them
    their_straights = plane2 & ~plane1 & them

    # Step 1. King moves to squares that are not attacked; sliders see through the king.
    targets = KING_ATTACKS[king] & ~us
    if not all_moves:
        targets &= them
    if targets != 0:
        if side == WHITE:
            attacked = south_west(their_pawns) | south_east(their_pawns)
        else:
            attacked = north_west(their_pawns) | north_east(their_pawns)
        attacked |= KING_ATTACKS[lsb(plane1 & plane2 & them)]
        pieces = their_knights
        while pieces != 0:
            attacked |= KNIGHT_ATTACKS[lsb(pieces)]
            pieces = clear_lowest(pieces)
        targets &= ~attacked
        if targets != 0:
            without_king = occupied ^ BIT[king]
            safe: i64 = 0
            pieces = targets
            while pieces != 0:
                to = lsb(pieces)
                pieces = clear_lowest(pieces)
                if BISHOP_RAYS[to] & their_diagonals != 0:
                    if bishop_attacks(to, without_king) & their_diagonals != 0:
                        continue
                if ROOK_RAYS[to] & their_straights != 0:
                    if rook_attacks(to, without_king) & their_straights != 0:
                        continue
                safe |= BIT[to]
            base: i64 = king << FROM_SHIFT | KING << PIECE_SHIFT
            pieces = safe & them
            while pieces != 0:
                to = lsb(pieces)
                pieces = clear_lowest(pieces)
                captured = (plane0 >> to & 1) | (plane1 >> to & 1) << 1 | (plane2 >> to & 1) << 2
                moves[n] = base | to | captured << CAPTURED_SHIFT | CAPTURE << TYPE_SHIFT
                n += 1
            pieces = safe & empty
            while pieces != 0:
                moves[n] = base | lsb(pieces)
                n += 1
                pieces = clear_lowest(pieces)

    # Step 2. In double check only the king moves; in check the checker is captured or its way blocked.
    allowed_captures = them
    allowed_quiets = empty
    if checkers != 0:
        if more_than_one(checkers):
            return n
        allowed_captures = checkers
        allowed_quiets = BETWEEN[64 * king + lsb(checkers)]

    # Step 3. Pinned pieces: alone between the king and a slider that attacks along that line.
    pinned: i64 = 0
    pieces = (BISHOP_RAYS[king] & their_diagonals) | (ROOK_RAYS[king] & their_straights)
    while pieces != 0:
        blockers = BETWEEN[64 * king + lsb(pieces)] & occupied
        pieces = clear_lowest(pieces)
        if blockers & us != 0 and not more_than_one(blockers):
            pinned |= blockers

    # Step 4. Knights (a pinned one never moves), bishops, rooks, queens: captures, then quiet moves, piece by piece.
    line_base = 64 * king
    allowed = allowed_captures
    if all_moves:
        allowed |= allowed_quiets
    pieces = plane1 & ~plane0 & ~plane2 & us & ~pinned
    while pieces != 0:
        origin = lsb(pieces)
        pieces = clear_lowest(pieces)
        targets = KNIGHT_ATTACKS[origin] & allowed
        base = origin << FROM_SHIFT | KNIGHT << PIECE_SHIFT
        captures = targets & them
        while captures != 0:
            to = lsb(captures)
            captures = clear_lowest(captures)
            captured = (plane0 >> to & 1) | (plane1 >> to & 1) << 1 | (plane2 >> to & 1) << 2
            moves[n] = base | to | captured << CAPTURED_SHIFT | CAPTURE << TYPE_SHIFT
            n += 1
        targets &= empty
        while targets != 0:
            moves[n] = base | lsb(targets)
            n += 1
            targets = clear_lowest(targets)
    piece: i64 = BISHOP
    while piece <= QUEEN:
        if piece == BISHOP:
            pieces = plane0 & plane1 & us
        elif piece == ROOK:
            pieces = plane2 & ~plane0 & ~plane1 & us
        else:
            pieces = plane0 & plane2 & us
        while pieces != 0:
            origin = lsb(pieces)
            pieces = clear_lowest(pieces)
            targets = 0
            if piece != ROOK:
                targets = bishop_attacks(origin, occupied)
            if piece != BISHOP:
                targets |= rook_attacks(origin, occupied)
            targets &= allowed
            if pinned & BIT[origin] != 0:
                targets &= LINE[line_base + origin]
            base = origin << FROM_SHIFT | piece << PIECE_SHIFT
            captures = targets & them
            while captures != 0:
                to = lsb(captures)
                captures = clear_lowest(captures)
                captured = (plane0 >> to & 1) | (plane1 >> to & 1) << 1 | (plane2 >> to & 1) << 2
                moves[n] = base | to | captured << CAPTURED_SHIFT | CAPTURE << TYPE_SHIFT
                n += 1
            targets &= empty
            while targets != 0:
                moves[n] = base | lsb(targets)
                n += 1
                targets = clear_lowest(targets)
        piece += 1

    # Step 5. Castling, king's side first. The right is trusted; squares must be empty and not attacked. In layouts
    # other than the classical one a slider may stand behind the rook, to which castling would uncover the king.
    if all_moves and checkers == 0 and (position.rights >> (2 * side)) & 3 != 0:
        layout = layout_of(position.layout, side)
        index = 4 * layout + 2 * side
        wing: i64 = 0
        while wing < 2:
            if (position.rights >> (2 * side + wing)) & 1 != 0 and MUST_BE_EMPTY[index] & occupied == 0:
                pieces = MUST_BE_SAFE[index]
                while pieces != 0 and position.attackers(lsb(pieces), 1 - side, occupied) == 0:
                    pieces = clear_lowest(pieces)
                to = KING_TARGET[index]
                if pieces == 0 and layout != 0:
                    left = occupied ^ BIT[king] ^ BIT[to] ^ ROOK_MOVE[index]
                    pieces = rook_attacks(to, left) & their_straights
                if pieces == 0:
                    base = king << FROM_SHIFT | to | KING << PIECE_SHIFT
                    moves[n] = base | (CASTLE_KING_SIDE + wing) << TYPE_SHIFT
                    n += 1
            index += 1
            wing += 1

    # Step 6. Pawns: the target sets of all pawns at once, each move checked against its pawn's pin.
    pawns = plane0 & ~plane1 & ~plane2 & us
    if side == WHITE:
        west = north_west(pawns)
        east = north_east(pawns)
        push = north(pawns) & empty
        double_push = north(push & RANK_3) & empty & allowed_quiets
        last_rank: i64 = RANK_8
        step: i64 = 8
    else:
        west = south_west(pawns)
        east = south_east(pawns)
        push = south(pawns) & empty
        double_push = south(push & RANK_6) & empty & allowed_quiets
        last_rank = RANK_1
        step = -8
    west &= allowed_captures
    east &= allowed_captures
    push &= allowed_quiets
    west_step = step - 1
    east_step = step + 1

    # Step 6a. Promotions: captures west, captures east, pushes; in captures-only mode too.
    if (west | east | push) & last_rank != 0:
        direction: i64 = 0
        while direction < 3:
            if direction == 0:
                targets = west & last_rank
                delta = west_step
            elif direction == 1:
                targets = east & last_rank
                delta = east_step
            else:
                targets = push & last_rank
                delta = step
            while targets != 0:
                to = lsb(targets)
                targets = clear_lowest(targets)
                origin = to - delta
                if pinned & BIT[origin] != 0 and LINE[line_base + origin] & BIT[to] == 0:
                    continue
                captured = (plane0 >> to & 1) | (plane1 >> to & 1) << 1 | (plane2 >> to & 1) << 2
                base = origin << FROM_SHIFT | to | PAWN << PIECE_SHIFT | captured << CAPTURED_SHIFT
                moves[n] = base | PROMOTE_QUEEN << TYPE_SHIFT
                moves[n + 1] = base | PROMOTE_ROOK << TYPE_SHIFT
                moves[n + 2] = base | PROMOTE_BISHOP << TYPE_SHIFT
                moves[n + 3] = base | PROMOTE_KNIGHT << TYPE_SHIFT
                n += 4
            direction += 1
        west &= ~last_rank
        east &= ~last_rank
        push &= ~last_rank

    # Step 6b. Captures west, then east.
    while west != 0:
        to = lsb(west)
        west = clear_lowest(west)
        origin = to - west_step
        if pinned & BIT[origin] != 0 and LINE[line_base + origin] & BIT[to] == 0:
            continue
        captured = (plane0 >> to & 1) | (plane1 >> to & 1) << 1 | (plane2 >> to & 1) << 2
        moves[n] = origin << FROM_SHIFT | to | PAWN << PIECE_SHIFT | captured << CAPTURED_SHIFT | CAPTURE << TYPE_SHIFT
        n += 1
    while east != 0:
        to = lsb(east)
        east = clear_lowest(east)
        origin = to - east_step
        if pinned & BIT[origin] != 0 and LINE[line_base + origin] & BIT[to] == 0:
            continue
        captured = (plane0 >> to & 1) | (plane1 >> to & 1) << 1 | (plane2 >> to & 1) << 2
        moves[n] = origin << FROM_SHIFT | to | PAWN << PIECE_SHIFT | captured << CAPTURED_SHIFT | CAPTURE << TYPE_SHIFT
        n += 1

    # Step 6c. Single and double pushes.
    if all_moves:
        while push != 0:
            to = lsb(push)
            push = clear_lowest(push)
            origin = to - step
            if pinned & BIT[origin] != 0 and LINE[line_base + origin] & BIT[to] == 0:
                continue
            moves[n] = origin << FROM_SHIFT | to | PAWN << PIECE_SHIFT
            n += 1
        while double_push != 0:
            to = lsb(double_push)
            double_push = clear_lowest(double_push)
            origin = to - step - step
            if pinned & BIT[origin] != 0 and LINE[line_base + origin] & BIT[to] == 0:
                continue
            moves[n] = origin << FROM_SHIFT | to | PAWN << PIECE_SHIFT | DOUBLE_PUSH << TYPE_SHIFT
            n += 1

    # Step 6d. En passant. The captured pawn must be an allowed target; where the king stands on the capturing pawn's
    # rank, both pawns leave that rank at once, and no rook or queen may stand behind them. No bishop or queen can stand
    # behind the captured pawn in a game, but it can in a FEN, and then the capture would expose the king.
    to = position.en_passant
    if to != 0:
        if side == WHITE:
            pieces = BLACK_PAWN_ATTACKS[to] & pawns
            captured_bit = BIT[to - 8]
        else:
            pieces = WHITE_PAWN_ATTACKS[to] & pawns
            captured_bit = BIT[to + 8]
        if pieces != 0 and captured_bit & allowed_captures != 0:
            while pieces != 0:
                origin = lsb(pieces)
                pieces = clear_lowest(pieces)
                if pinned & BIT[origin] != 0 and LINE[line_base + origin] & BIT[to] == 0:
                    continue
                if king >> 3 == origin >> 3:
                    rank = LINE[64 * king + (king ^ 1)]
                    left = occupied ^ BIT[origin] ^ captured_bit
                    if rook_attacks(king, left) & rank & their_straights != 0:
                        continue
                elif BISHOP_RAYS[king] & captured_bit != 0:
                    left = (occupied ^ BIT[origin] ^ captured_bit) | BIT[to]
                    if bishop_attacks(king, left) & their_diagonals != 0:
                        continue
                moves[n] = (
                    origin << FROM_SHIFT | to | PAWN << PIECE_SHIFT | PAWN << CAPTURED_SHIFT | EN_PASSANT << TYPE_SHIFT
                )
                n += 1
    return n


def legal_moves(position: Position) -> list[int]:
    """All legal moves as a Python list, in generation order; for code that is not hot."""
    moves = vec[i64]([i64(0)] * MAX_MOVES)
    count = generate(position, moves, 0, True)
    return [int(moves[i64(index)]) for index in range(int(count))]
