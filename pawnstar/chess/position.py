"""The position, and making moves by copying.

A position is a handful of words in a native object. Kinds of piece are kept as three *bit planes*, the binary digits
of the piece's number (pawn 001, knight 010, bishop 011, rook 100, queen 101, king 110), beside one bitboard a colour.
So moving a piece is a few XORs without a branch, a square's piece is read off in three shifts, the sets that search
and generation want are one or two ANDs away, and copying a position copies fourteen words. There is no unmake: the
search keeps a stack of preallocated positions and makes each move into the next one.
"""

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
from pawnstar.chess.bits import BIT, clear_lowest, lsb
from pawnstar.chess.castling import HOME_RANKS, RIGHTS_KEPT, ROOK_HOME, ROOK_MOVE, ROOK_TARGET, layout_of
from pawnstar.chess.moves import (
    CAPTURED_SHIFT,
    CASTLE_KING_SIDE,
    DOUBLE_PUSH,
    EN_PASSANT,
    FROM_SHIFT,
    PIECE_SHIFT,
    PROMOTE_KNIGHT,
    PROMOTE_QUEEN,
    TYPE_SHIFT,
)
from pawnstar.chess.pieces import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE
from pawnstar.chess.zobrist import BLACK_TO_MOVE_KEY, CASTLING_KEY, EN_PASSANT_KEY, PIECE_KEY


class Position:
    """One position. All fields are integers; see the module's text for the planes.

    ``clock`` counts plies since the last capture or pawn move, modulo 256; ``move_number`` is the full-move number
    less one, which a FEN shows modulo 256 (a FEN that says 0 makes it -1); ``en_passant`` is the square passed over, 0
    for none; ``null_move`` is 1 after a pass. ``rights`` are castling rights, and ``layout`` says from where king and
    rooks castle (see castling.py): White's layout plus 64 times Black's, 0 in classical chess.
    """

    def __init__(self) -> None:
        self.plane0: i64 = 0
        self.plane1: i64 = 0
        self.plane2: i64 = 0
        self.white: i64 = 0
        self.black: i64 = 0
        self.checkers: i64 = 0
        self.key: i64 = 0
        self.en_passant: i64 = 0
        self.clock: i64 = 0
        self.move_number: i64 = 0
        self.rights: i64 = 0
        self.layout: i64 = 0
        self.null_move: i64 = 0
        self.side: i64 = WHITE

    def copy_from(self, other: "Position") -> None:
        """Become a copy of ``other``."""
        self.plane0 = other.plane0
        self.plane1 = other.plane1
        self.plane2 = other.plane2
        self.white = other.white
        self.black = other.black
        self.checkers = other.checkers
        self.key = other.key
        self.en_passant = other.en_passant
        self.clock = other.clock
        self.move_number = other.move_number
        self.rights = other.rights
        self.layout = other.layout
        self.null_move = other.null_move
        self.side = other.side

    def copy(self) -> "Position":
        """A new position equal to this one."""
        twin = Position()
        twin.copy_from(self)
        return twin

    def occupied(self) -> i64:
        """All pieces."""
        return self.white | self.black

    def color(self, color: i64) -> i64:
        """All pieces of a colour."""
        if color == WHITE:
            return self.white
        return self.black

    def kind(self, piece: i64) -> i64:
        """All pieces of one kind, of both colours."""
        if piece == PAWN:
            return self.plane0 & ~self.plane1 & ~self.plane2
        if piece == KNIGHT:
            return self.plane1 & ~self.plane0 & ~self.plane2
        if piece == BISHOP:
            return self.plane0 & self.plane1
        if piece == ROOK:
            return self.plane2 & ~self.plane0 & ~self.plane1
        if piece == QUEEN:
            return self.plane0 & self.plane2
        if piece == KING:
            return self.plane1 & self.plane2
        return ~(self.white | self.black)

    def piece_at(self, square: i64) -> i64:
        """The kind of piece on a square, 0 for none."""
        return ((self.plane0 >> square) & 1) | ((self.plane1 >> square) & 1) << 1 | ((self.plane2 >> square) & 1) << 2

    def king_square(self, color: i64) -> i64:
        """The square of a colour's king."""
        return lsb(self.plane1 & self.plane2 & self.color(color))

    def put(self, square: i64, color: i64, piece: i64) -> None:
        """Place a piece on an empty square while a position is set up. Key and checkers are not kept: see fen.py."""
        bit = BIT[square]
        self.plane0 |= bit & -(piece & 1)
        self.plane1 |= bit & -((piece >> 1) & 1)
        self.plane2 |= bit & -(piece >> 2)
        if color == WHITE:
            self.white |= bit
        else:
            self.black |= bit

    def attackers(self, square: i64, color: i64, occupied: i64) -> i64:
        """The pieces of ``color`` that attack ``square``, sliders seeing through whatever is not in ``occupied``."""
        plane0 = self.plane0
        plane1 = self.plane1
        plane2 = self.plane2
        if color == WHITE:
            theirs = self.white
            found = BLACK_PAWN_ATTACKS[square] & plane0 & ~plane1 & ~plane2
        else:
            theirs = self.black
            found = WHITE_PAWN_ATTACKS[square] & plane0 & ~plane1 & ~plane2
        found |= KNIGHT_ATTACKS[square] & plane1 & ~plane0 & ~plane2
        found |= KING_ATTACKS[square] & plane1 & plane2
        found &= theirs
        diagonal = plane0 & (plane1 | plane2) & theirs
        if BISHOP_RAYS[square] & diagonal != 0:
            found |= bishop_attacks(square, occupied) & diagonal
        straight = plane2 & ~plane1 & theirs
        if ROOK_RAYS[square] & straight != 0:
            found |= rook_attacks(square, occupied) & straight
        return found

    def compute_key(self) -> i64:
        """The Zobrist key from scratch."""
        key = CASTLING_KEY[self.rights] ^ EN_PASSANT_KEY[self.en_passant]
        if self.side != WHITE:
            key ^= BLACK_TO_MOVE_KEY
        left = self.white | self.black
        while left != 0:
            square = lsb(left)
            color: i64 = 0
            if self.black & BIT[square] != 0:
                color = 1
            key ^= PIECE_KEY[512 * color + 64 * self.piece_at(square) + square]
            left = clear_lowest(left)
        return key

    def compute_checkers(self) -> i64:
        """The pieces that give check to the side to move, from scratch."""
        return self.attackers(self.king_square(self.side), 1 - self.side, self.white | self.black)


def make_move(source: Position, target: Position, move: i64) -> None:
    """Make a legal move of ``source`` into ``target``, which may hold anything before and must be another object."""
    to = move & 63
    origin = (move >> FROM_SHIFT) & 63
    piece = (move >> PIECE_SHIFT) & 7
    captured = (move >> CAPTURED_SHIFT) & 7
    kind = (move >> TYPE_SHIFT) & 15
    side = source.side
    to_bit = BIT[to]
    origin_bit = BIT[origin]
    both = to_bit ^ origin_bit
    plane0 = source.plane0
    plane1 = source.plane1
    plane2 = source.plane2
    if side == WHITE:
        us = source.white
        them = source.black
        ours: i64 = 0
        theirs: i64 = 512
    else:
        us = source.black
        them = source.white
        ours = 512
        theirs = 0

    # Step 1. Rights, en passant and the side to move leave the key.
    key = source.key ^ EN_PASSANT_KEY[source.en_passant] ^ BLACK_TO_MOVE_KEY
    rights = source.rights
    kept = rights
    if rights != 0 and (to_bit | origin_bit) & HOME_RANKS != 0:
        layout = source.layout
        if side == WHITE:
            kept &= RIGHTS_KEPT[128 * (layout & 63) + origin] & RIGHTS_KEPT[128 * ((layout >> 6) & 63) + 64 + to]
        else:
            kept &= RIGHTS_KEPT[128 * ((layout >> 6) & 63) + 64 + origin] & RIGHTS_KEPT[128 * (layout & 63) + to]
        if kept != rights:
            key ^= CASTLING_KEY[rights] ^ CASTLING_KEY[kept]
    en_passant: i64 = 0
    clock = source.clock + 1

    # Step 2. A captured piece goes.
    if captured != 0:
        clock = 0
        captured_square = to
        if kind == EN_PASSANT:
            captured_square = (origin & 56) | (to & 7)
        captured_bit = BIT[captured_square]
        them ^= captured_bit
        plane0 ^= captured_bit & -(captured & 1)
        plane1 ^= captured_bit & -((captured >> 1) & 1)
        plane2 ^= captured_bit & -(captured >> 2)
        key ^= PIECE_KEY[theirs + 64 * captured + captured_square]

    # Step 3. The piece moves. Every change is an exclusive or, so castling works too where the king stays on its square
    # or changes places with the rook: what step 3 takes from a square, step 4 gives back.
    us ^= both
    plane0 ^= both & -(piece & 1)
    plane1 ^= both & -((piece >> 1) & 1)
    plane2 ^= both & -(piece >> 2)
    key ^= PIECE_KEY[ours + 64 * piece + origin] ^ PIECE_KEY[ours + 64 * piece + to]

    # Step 4. What pawns and castling do besides.
    if piece == PAWN:
        clock = 0
        if kind == DOUBLE_PUSH:
            en_passant = (origin + to) >> 1
            key ^= EN_PASSANT_KEY[en_passant]
        elif kind >= PROMOTE_KNIGHT and kind <= PROMOTE_QUEEN:
            plane0 ^= to_bit & -(1 ^ (kind & 1))
            plane1 ^= to_bit & -((kind >> 1) & 1)
            plane2 ^= to_bit & -(kind >> 2)
            key ^= PIECE_KEY[ours + 64 + to] ^ PIECE_KEY[ours + 64 * kind + to]
    elif kind >= CASTLE_KING_SIDE:
        index = 4 * layout_of(source.layout, side) + 2 * side + kind - CASTLE_KING_SIDE
        us ^= ROOK_MOVE[index]
        plane2 ^= ROOK_MOVE[index]
        key ^= PIECE_KEY[ours + 256 + ROOK_HOME[index]] ^ PIECE_KEY[ours + 256 + ROOK_TARGET[index]]

    # Step 5. Who gives check now.
    king = lsb(plane1 & plane2 & them)
    if side == WHITE:
        checkers = BLACK_PAWN_ATTACKS[king] & plane0 & ~plane1 & ~plane2
    else:
        checkers = WHITE_PAWN_ATTACKS[king] & plane0 & ~plane1 & ~plane2
    checkers = (checkers | (KNIGHT_ATTACKS[king] & plane1 & ~plane0 & ~plane2)) & us
    diagonal = plane0 & (plane1 | plane2) & us
    if BISHOP_RAYS[king] & diagonal != 0:
        checkers |= bishop_attacks(king, us | them) & diagonal
    straight = plane2 & ~plane1 & us
    if ROOK_RAYS[king] & straight != 0:
        checkers |= rook_attacks(king, us | them) & straight

    target.plane0 = plane0
    target.plane1 = plane1
    target.plane2 = plane2
    if side == WHITE:
        target.white = us
        target.black = them
    else:
        target.black = us
        target.white = them
    target.checkers = checkers
    target.key = key
    target.en_passant = en_passant
    target.clock = clock & 255
    target.move_number = source.move_number + side
    target.rights = kept
    target.layout = source.layout
    target.null_move = 0
    target.side = 1 - side


def gives_check(position: Position, move: i64) -> bool:
    """Whether a legal move gives check, found without making it: direct, discovered, by promotion or by castling."""
    to = move & 63
    origin = (move >> FROM_SHIFT) & 63
    piece = (move >> PIECE_SHIFT) & 7
    kind = (move >> TYPE_SHIFT) & 15
    side = position.side
    if kind >= PROMOTE_KNIGHT and kind <= PROMOTE_QUEEN:
        piece = kind
    moved = BIT[to]
    occupied = ((position.white | position.black) & ~BIT[origin]) | moved
    if kind == EN_PASSANT:
        occupied &= ~BIT[(origin & 56) | (to & 7)]
    elif kind >= CASTLE_KING_SIDE:
        index = 4 * layout_of(position.layout, side) + 2 * side + kind - CASTLE_KING_SIDE
        occupied = position.white ^ position.black ^ BIT[origin] ^ BIT[to] ^ ROOK_MOVE[index]
        piece = ROOK
        to = ROOK_TARGET[index]
        moved |= BIT[to]
    king = position.king_square(1 - side)
    # The piece that moved; of castling, the rook.
    reached: i64 = 0
    if piece == PAWN:
        if side == WHITE:
            reached = WHITE_PAWN_ATTACKS[to]
        else:
            reached = BLACK_PAWN_ATTACKS[to]
    elif piece == KNIGHT:
        reached = KNIGHT_ATTACKS[to]
    if piece == BISHOP or piece == QUEEN:
        reached |= bishop_attacks(to, occupied)
    if piece == ROOK or piece == QUEEN:
        reached |= rook_attacks(to, occupied)
    if reached & BIT[king] != 0:
        return True
    # Whatever stood behind it, or behind a pawn taken en passant.
    return position.attackers(king, side, occupied) & occupied & ~moved & position.color(side) != 0


def make_null_move(source: Position, target: Position) -> None:
    """Pass. Clock, move number and checkers stay as they are."""
    target.copy_from(source)
    target.null_move = 1
    target.side = 1 - source.side
    target.key = source.key ^ EN_PASSANT_KEY[source.en_passant] ^ BLACK_TO_MOVE_KEY
    target.en_passant = 0
