"""Attack sets of every piece, squares between two squares, and lines through them.

Leapers are looked up by square. Sliders use magic bitboards: the occupancy that matters is multiplied by a constant
that gathers its bits into a slot number (Pradyumna Kannan's form), ``slot = ((occupied & mask) * magic) >> shift``.
The tables are module constants: compiled code reads those without counting references.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.chess.bits import BIT, clear_lowest, lsb, popcount, signed, wrap
from pawnstar.chess.magics import BISHOP_MAGICS, ROOK_MAGICS

# Directions as steps of file and rank; the first four are a bishop's, the last four a rook's.
_FILE_STEP: Final = vec[i64]([-1, 1, -1, 1, -1, 1, 0, 0])
_RANK_STEP: Final = vec[i64]([-1, -1, 1, 1, 0, 0, -1, 1])
_BISHOP_FIRST: Final = 0
_ROOK_FIRST: Final = 4


def ray(square: i64, direction: i64, occupied: i64) -> i64:
    """The squares seen from ``square`` in one direction, the first occupied one included."""
    seen: i64 = 0
    file = square & 7
    rank = square >> 3
    while True:
        file += _FILE_STEP[direction]
        rank += _RANK_STEP[direction]
        if file < 0 or file > 7 or rank < 0 or rank > 7:
            return seen
        bit = BIT[file + 8 * rank]
        seen |= bit
        if occupied & bit != 0:
            return seen


def slider_attacks_by_rays(square: i64, occupied: i64, first: i64) -> i64:
    """Attacks of a bishop (``first`` = 0) or rook (4), square by square: what the magic tables are filled from."""
    return (
        ray(square, first, occupied)
        | ray(square, first + 1, occupied)
        | ray(square, first + 2, occupied)
        | ray(square, first + 3, occupied)
    )


def relevant_occupancy(square: i64, first: i64) -> i64:
    """The squares whose occupancy matters to a slider: its rays without the last square of each."""
    mask: i64 = 0
    direction: i64 = first
    while direction < first + 4:
        file = square & 7
        rank = square >> 3
        while True:
            file += _FILE_STEP[direction]
            rank += _RANK_STEP[direction]
            next_file = file + _FILE_STEP[direction]
            next_rank = rank + _RANK_STEP[direction]
            if next_file < 0 or next_file > 7 or next_rank < 0 or next_rank > 7:
                break
            mask |= BIT[file + 8 * rank]
        direction += 1
    return mask


def _leaper(file_steps: list[int], rank_steps: list[int]) -> vec[i64]:
    table = vec[i64]([i64(0)] * 64)
    square: i64 = 0
    while square < 64:
        targets: i64 = 0
        for file_step, rank_step in zip(file_steps, rank_steps, strict=True):
            file = (square & 7) + i64(file_step)
            rank = (square >> 3) + i64(rank_step)
            if 0 <= file <= 7 and 0 <= rank <= 7:
                targets |= BIT[file + 8 * rank]
        table[square] = targets
        square += 1
    return table


KNIGHT_ATTACKS: Final = _leaper([-1, 1, -2, 2, -2, 2, -1, 1], [-2, -2, -1, -1, 1, 1, 2, 2])
KING_ATTACKS: Final = _leaper([-1, 0, 1, -1, 1, -1, 0, 1], [-1, -1, -1, 0, 0, 1, 1, 1])
# What a pawn on the square attacks.
WHITE_PAWN_ATTACKS: Final = _leaper([-1, 1], [1, 1])
BLACK_PAWN_ATTACKS: Final = _leaper([-1, 1], [-1, -1])


def _masks(first: i64) -> vec[i64]:
    table = vec[i64]([i64(0)] * 64)
    square: i64 = 0
    while square < 64:
        table[square] = relevant_occupancy(square, first)
        square += 1
    return table


def _empty_board(first: i64) -> vec[i64]:
    table = vec[i64]([i64(0)] * 64)
    square: i64 = 0
    while square < 64:
        table[square] = slider_attacks_by_rays(square, 0, first)
        square += 1
    return table


def _shifts(masks: vec[i64]) -> vec[i64]:
    table = vec[i64]([i64(0)] * 64)
    square: i64 = 0
    while square < 64:
        table[square] = 64 - popcount(masks[square])
        square += 1
    return table


def _slot_masks(masks: vec[i64]) -> vec[i64]:
    table = vec[i64]([i64(0)] * 64)
    square: i64 = 0
    while square < 64:
        table[square] = BIT[popcount(masks[square])] - 1
        square += 1
    return table


def _offsets(slots: vec[i64]) -> vec[i64]:
    table = vec[i64]([i64(0)] * 65)
    square: i64 = 0
    while square < 64:
        table[square + 1] = table[square] + slots[square] + 1
        square += 1
    return table


def _magics(source: tuple[int, ...]) -> vec[i64]:
    return vec[i64]([signed(magic) for magic in source])


BISHOP_MASK: Final = _masks(_BISHOP_FIRST)
BISHOP_MAGIC: Final = _magics(BISHOP_MAGICS)
BISHOP_SHIFT: Final = _shifts(BISHOP_MASK)
BISHOP_SLOTS: Final = _slot_masks(BISHOP_MASK)
BISHOP_OFFSET: Final = _offsets(BISHOP_SLOTS)
ROOK_MASK: Final = _masks(_ROOK_FIRST)
ROOK_MAGIC: Final = _magics(ROOK_MAGICS)
ROOK_SHIFT: Final = _shifts(ROOK_MASK)
ROOK_SLOTS: Final = _slot_masks(ROOK_MASK)
ROOK_OFFSET: Final = _offsets(ROOK_SLOTS)


def _attack_table(
    masks: vec[i64], magics: vec[i64], shifts: vec[i64], slots: vec[i64], offsets: vec[i64], first: i64
) -> vec[i64]:
    """Fill the table from every subset of every mask; a slot asked for two different sets would be a wrong magic."""
    table = vec[i64]([i64(0)] * int(offsets[64]))
    square: i64 = 0
    while square < 64:
        mask = masks[square]
        subset: i64 = 0
        while True:
            index = offsets[square] + ((subset * magics[square] >> shifts[square]) & slots[square])
            attacks = slider_attacks_by_rays(square, subset, first)
            if table[index] != 0 and table[index] != attacks:
                raise ValueError("a magic multiplier maps two different attack sets to one slot")
            table[index] = attacks
            # The next subset of the mask (the carry-rippler of Marcel van Kervinck).
            subset = wrap(subset - mask) & mask
            if subset == 0:
                break
        square += 1
    return table


_BISHOP_TABLE: Final = _attack_table(
    BISHOP_MASK, BISHOP_MAGIC, BISHOP_SHIFT, BISHOP_SLOTS, BISHOP_OFFSET, _BISHOP_FIRST
)
_ROOK_TABLE: Final = _attack_table(ROOK_MASK, ROOK_MAGIC, ROOK_SHIFT, ROOK_SLOTS, ROOK_OFFSET, _ROOK_FIRST)

# Attacks on an empty board: the squares from which a slider could ever reach this one.
BISHOP_RAYS: Final = _empty_board(_BISHOP_FIRST)
ROOK_RAYS: Final = _empty_board(_ROOK_FIRST)


def bishop_attacks(square: i64, occupied: i64) -> i64:
    """The squares that a bishop on ``square`` attacks, blockers of either colour included."""
    index = (((occupied & BISHOP_MASK[square]) * BISHOP_MAGIC[square]) >> BISHOP_SHIFT[square]) & BISHOP_SLOTS[square]
    return _BISHOP_TABLE[BISHOP_OFFSET[square] + index]


def rook_attacks(square: i64, occupied: i64) -> i64:
    """The squares that a rook on ``square`` attacks, blockers of either colour included."""
    index = (((occupied & ROOK_MASK[square]) * ROOK_MAGIC[square]) >> ROOK_SHIFT[square]) & ROOK_SLOTS[square]
    return _ROOK_TABLE[ROOK_OFFSET[square] + index]


def _between_and_lines() -> tuple[vec[i64], vec[i64]]:
    between = vec[i64]([i64(0)] * 4096)
    lines = vec[i64]([i64(0)] * 4096)
    square: i64 = 0
    while square < 64:
        direction: i64 = 0
        while direction < 8:
            # Opposite directions stand at mirrored places within their group of four.
            opposite = 3 - direction if direction < 4 else 4 + (direction - 4 ^ 1)
            line = ray(square, direction, 0) | ray(square, opposite, 0) | BIT[square]
            targets = ray(square, direction, 0)
            while targets != 0:
                target = lsb(targets)
                between[square * 64 + target] = ray(square, direction, BIT[target]) & ray(target, opposite, BIT[square])
                lines[square * 64 + target] = line
                targets = clear_lowest(targets)
            direction += 1
        square += 1
    return between, lines


_BETWEEN_AND_LINES: Final = _between_and_lines()
# BETWEEN[64 * a + b]: the squares strictly between a and b where they share a rank, file or diagonal, else 0.
BETWEEN: Final = _BETWEEN_AND_LINES[0]
# LINE[64 * a + b]: the whole line through a and b, both included, else 0.
LINE: Final = _BETWEEN_AND_LINES[1]
