"""The network: weights, accumulators and their incremental update, the search's evaluation and the exact one.

768 inputs (colour, kind, square) in each of 8 banks chosen by the perspective's own king, 1,024 neurons shared by both
perspectives, squared clipped ReLU, one output over the side to move's half and the other's. QA 255, QB 64, scale 400.

A perspective reads the board through a *view*: its bank and the squares' flip (rank flip for Black; file flip too where
the net mirrors kings). An accumulator may be updated from its parent's only while the view is the same; comparing the
bank alone would be silently wrong for a mirroring net, where a king step d1-e1 keeps the bank and moves every row.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64

from pawnstar.chess.bits import BIT, COMPILED, clear_lowest, lsb, popcount, truncated
from pawnstar.chess.pieces import BLACK, WHITE
from pawnstar.chess.position import Position
from pawnstar.evaluation.nnue.kernels import (
    ARENA,
    FEATURES,
    HIDDEN,
    OUTPUT,
    QA,
    ROWS,
    SLOTS,
    WEIGHTS,
    activated_dot,
    add_four_rows,
    add_row,
    capture_row,
    copy_biases,
    exact_dot,
    load,
    move_row,
    move_two_rows,
    vector,
)
from pawnstar.evaluation.nnue.net_file import QB, SCALE, Shape, king_bucket_map, read_net
from pawnstar.system.system_memory import advise, items_to_boundary, release

EVALUATION_LIMIT: Final = 30000  # centipawns
FEWEST_PIECES: Final = 2  # the kings
HEAD_SHIFT: Final = 2  # of several output heads, each evaluates four numbers of pieces
_VIEW_BANK: Final = 0xFFFFFF  # low bits of a view: the number of the bank's first row
_FLIP_SHIFT: Final = 24  # above the bank: what squares are XORed with
_SCRATCH: Final = (SLOTS - 1) * HIDDEN


class Accumulators:
    """The hidden layer before activation of up to 66 positions, each once per perspective, as int16 in one array.

    A position's *slot* is its place in the array; the perspective of White comes first, then that of Black.
    """

    def __init__(self) -> None:
        self.arena: vec[i16] = vector(ARENA)
        self.first: i64 = items_to_boundary(self.arena) if COMPILED else 0

    def vector(self, slot: i64, color: i64) -> list[int]:
        """One perspective's 1,024 values, for tests and tools."""
        start = self.first + (2 * slot + color) * HIDDEN
        return [int(self.arena[start + i64(index)]) for index in range(HIDDEN)]


class Network:
    """A net ready to evaluate. Read-only once built, so that searches may share it."""

    def __init__(self, data: bytes, origin: str) -> None:
        """Read a net file's contents; raises ``NetRefused`` where any check fails, before anything is built."""
        shape, payload = read_net(data, origin)
        self.data: bytes = data  # as it came, for helper processes
        view = memoryview(payload)
        self.shape: Shape = shape
        self.origin: str = origin
        self.mirrored: bool = shape.mirrored
        # The king bucket of each square, seen from the perspective's own side.
        self.buckets: vec[i64] = vec[i64](list(king_bucket_map(shape)))
        heads: i64 = shape.output_buckets
        self.heads: i64 = heads

        self.weights: vec[i16] = vector(WEIGHTS)
        self.first_weight: i64 = 0
        if COMPILED:
            advise(self.weights, 2 * WEIGHTS)
            release(self.weights, 0, 2 * WEIGHTS)
            self.first_weight = items_to_boundary(self.weights)
        features = 2 * ROWS * HIDDEN
        load(self.weights, self.first_weight, view[:features])
        self.biases: vec[i16] = vector(HIDDEN)
        load(self.biases, 0, view[features : features + 2 * HIDDEN])

        # Output weights, exact and requantised to int8 range: by head, the side to move's half, then the other's.
        rest = view[features + 2 * HIDDEN :]
        size = 4 * HIDDEN * int(heads)
        output = rest[:size].cast("B").cast("h")
        largest = max(abs(weight) for weight in output)
        self.weight_scale: i64 = max(1, (largest + 126) // 127)
        self.output: vec[i16] = vector(OUTPUT)
        self.exact_output: vec[i16] = vector(OUTPUT)
        self.first_output: i64 = items_to_boundary(self.output) if COMPILED else 0
        load(self.exact_output, self.first_output, rest[:size])
        requantised = [requantised_weight(weight, int(self.weight_scale)) for weight in output]
        load(
            self.output,
            self.first_output,
            memoryview(b"".join([weight.to_bytes(2, "little", signed=True) for weight in requantised])),
        )
        self.output_bias: vec[i64] = vec[i64](list(rest[size:].cast("B").cast("h")))

    def __reduce__(self) -> tuple[type["Network"], tuple[bytes, str]]:
        """Copies and pickles are made from the file's contents, since compiled objects have no other way."""
        return Network, (self.data, self.origin)

    def view(self, position: Position, color: i64) -> i64:
        """A perspective's view: its bank's first row, and the flip of squares above it."""
        king = lsb(position.plane1 & position.plane2 & position.color(color))
        flip: i64 = 0
        if color != WHITE:
            flip = 56
            king ^= 56
        if self.mirrored and king & 4 != 0:
            flip ^= 7
        return self.buckets[king] * FEATURES | flip << _FLIP_SHIFT

    def refresh(self, position: Position, color: i64, accumulators: Accumulators, slot: i64) -> None:
        """Build one perspective's accumulator from scratch."""
        view = self.view(position, color)
        bank = view & _VIEW_BANK
        flip = view >> _FLIP_SHIFT
        weights = self.weights
        first = self.first_weight
        arena = accumulators.arena
        target = accumulators.first + (2 * slot + color) * HIDDEN
        copy_biases(arena, target, self.biases)
        pieces = position.white | position.black
        row1: i64 = 0
        row2: i64 = 0
        row3: i64 = 0
        waiting: i64 = 0
        while pieces != 0:
            square = lsb(pieces)
            pieces = clear_lowest(pieces)
            row = first + _row(position, square, color, bank, flip)
            if waiting == 3:
                add_four_rows(arena, target, weights, row1, row2, row3, row)
                waiting = 0
            elif waiting == 2:
                row3 = row
                waiting = 3
            elif waiting == 1:
                row2 = row
                waiting = 2
            else:
                row1 = row
                waiting = 1
        if waiting >= 1:
            add_row(arena, target, weights, row1)
        if waiting >= 2:
            add_row(arena, target, weights, row2)
        if waiting == 3:
            add_row(arena, target, weights, row3)

    def refresh_both(self, position: Position, accumulators: Accumulators, slot: i64) -> None:
        """Build both perspectives from scratch."""
        self.refresh(position, WHITE, accumulators, slot)
        self.refresh(position, BLACK, accumulators, slot)

    def update(self, before: Position, after: Position, accumulators: Accumulators, source: i64, target: i64) -> None:
        """Build ``after``'s accumulator in slot ``target`` from that of ``before``, one move away, in ``source``.

        The words in which the two positions differ show which pieces moved, so captures, en passant, castling and
        promotions need no code of their own.
        """
        changed = (
            (before.plane0 ^ after.plane0)
            | (before.plane1 ^ after.plane1)
            | (before.plane2 ^ after.plane2)
            | (before.white ^ after.white)
            | (before.black ^ after.black)
        )
        removed = changed & (before.white | before.black)
        added = changed & (after.white | after.black)
        self._update_side(before, after, WHITE, removed, added, accumulators, source, target)
        self._update_side(before, after, BLACK, removed, added, accumulators, source, target)

    def _update_side(
        self,
        before: Position,
        after: Position,
        color: i64,
        removed: i64,
        added: i64,
        accumulators: Accumulators,
        source_slot: i64,
        target_slot: i64,
    ) -> None:
        view = self.view(after, color)
        if view != self.view(before, color):
            self.refresh(after, color, accumulators, target_slot)
            return
        bank = view & _VIEW_BANK
        flip = view >> _FLIP_SHIFT
        weights = self.weights
        first = self.first_weight
        arena = accumulators.arena
        source = accumulators.first + (2 * source_slot + color) * HIDDEN
        target = accumulators.first + (2 * target_slot + color) * HIDDEN
        removed_count = popcount(removed)
        added_count = popcount(added)
        if added_count == 0 or removed_count == 0 or added_count > 2 or removed_count > 2:
            self.refresh(after, color, accumulators, target_slot)
            return
        added_row = first + _row(after, lsb(added), color, bank, flip)
        removed_row = first + _row(before, lsb(removed), color, bank, flip)
        if removed_count == 1 and added_count == 1:
            move_row(arena, target, source, weights, added_row, removed_row)
        elif added_count == 1:
            other = first + _row(before, lsb(clear_lowest(removed)), color, bank, flip)
            capture_row(arena, target, source, weights, added_row, removed_row, other)
        elif removed_count == 2:
            other = first + _row(before, lsb(clear_lowest(removed)), color, bank, flip)
            second = first + _row(after, lsb(clear_lowest(added)), color, bank, flip)
            move_two_rows(arena, target, source, weights, added_row, second, removed_row, other)
        else:
            self.refresh(after, color, accumulators, target_slot)

    def _output(self, total: i64, head: i64) -> i64:
        """From the dot product in units of QA * QA * QB to centipawns."""
        out = truncated(total, QA) + self.output_bias[head]
        out = truncated(out * SCALE, QA * QB)
        if out > EVALUATION_LIMIT:
            return EVALUATION_LIMIT
        if out < -EVALUATION_LIMIT:
            return -EVALUATION_LIMIT
        return out

    def head(self, position: Position) -> i64:
        """Which output head evaluates the position: by the number of pieces, where there are several."""
        if self.heads == 1:
            return 0
        head = (popcount(position.white | position.black) - FEWEST_PIECES) >> HEAD_SHIFT
        if head >= self.heads:
            return self.heads - 1  # more than 32 pieces, which only a FEN can set up
        return head

    def evaluate(self, position: Position, accumulators: Accumulators, slot: i64) -> i64:
        """The search's evaluation in centipawns for the side to move: activations of 7 bits, weights of 8."""
        head = self.head(position)
        arena = accumulators.arena
        scratch = accumulators.first + _SCRATCH
        own = accumulators.first + (2 * slot + position.side) * HIDDEN
        other = accumulators.first + (2 * slot + 1 - position.side) * HIDDEN
        output = self.output
        first = self.first_output + 2 * head * HIDDEN
        total = activated_dot(arena, own, scratch, output, first) + activated_dot(
            arena, other, scratch, output, first + HIDDEN
        )
        return self._output(total * self.weight_scale * 512, head)

    def evaluate_exact(self, position: Position, accumulators: Accumulators, slot: i64) -> i64:
        """The evaluation in exact arithmetic, in centipawns for the side to move; ``evaluate`` approximates it."""
        head = self.head(position)
        arena = accumulators.arena
        own = accumulators.first + (2 * slot + position.side) * HIDDEN
        other = accumulators.first + (2 * slot + 1 - position.side) * HIDDEN
        first = self.first_output + 2 * head * HIDDEN
        total = exact_dot(arena, own, self.exact_output, first) + exact_dot(
            arena, other, self.exact_output, first + HIDDEN
        )
        return self._output(total, head)

    def evaluations(self, positions: list[Position], accumulators: Accumulators, exact: bool) -> list[int]:
        """Evaluations of several positions: exact ones, or the search's.

        Each accumulator is made from the one before where little has changed, as in the positions of one game, else
        from scratch.
        """
        values: list[int] = []
        slot: i64 = 0
        before: Position | None = None
        for position in positions:
            if before is None:
                self.refresh_both(position, accumulators, slot)
            else:
                self.update(before, position, accumulators, slot, 1 - slot)
                slot = 1 - slot
            if exact:
                values.append(int(self.evaluate_exact(position, accumulators, slot)))
            else:
                values.append(int(self.evaluate(position, accumulators, slot)))
            before = position
        return values


def requantised_weight(weight: int, scale: int) -> int:
    """An output weight divided by the scale, halves away from zero, clamped to +-127."""
    size = min(127, (2 * abs(weight) + scale) // (2 * scale))
    return size if weight >= 0 else -size


def _row(position: Position, square: i64, color: i64, bank: i64, flip: i64) -> i64:
    """The first weight's index of the row for the piece on a square, as one perspective sees it."""
    piece = position.piece_at(square)
    bit = BIT[square]
    enemy: i64 = 0
    if (position.black & bit != 0) != (color != WHITE):
        enemy = FEATURES // 2
    return (bank + enemy + (piece - 1) * 64 + (square ^ flip)) * HIDDEN
