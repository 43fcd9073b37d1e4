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
from pawnstar.chess.pieces import WHITE
from pawnstar.chess.position import Position
from pawnstar.engine.huge_pages import advise
from pawnstar.engine.kernels import (
    HIDDEN,
    WEIGHTS,
    activated_dot,
    add_four_rows,
    add_row,
    capture_row,
    copy,
    exact_dot,
    move_row,
    move_two_rows,
    vector,
    vector_from,
)
from pawnstar.engine.net_file import Shape, king_bucket_map, read_net

QA: Final = 255
QB: Final = 64
SCALE: Final = 400
EVALUATION_LIMIT: Final = 30000
_VIEW_BANK: Final = 0xFFFFFF  # low bits of a view: the first item of the bank's weights, divided by HIDDEN


class Accumulator:
    """The hidden layer of one position before activation, once per perspective (vectors of 1,024 int16)."""

    def __init__(self) -> None:
        self.white: vec[i16] = vector(HIDDEN)
        self.black: vec[i16] = vector(HIDDEN)


class Network:
    """A net ready to evaluate. Read-only once built, so that searches may share it."""

    def __init__(self, data: bytes, origin: str) -> None:
        """Read a net file's contents; raises ``NetRefused`` where any check fails, before anything is built."""
        shape, payload = read_net(data, origin)
        view = memoryview(payload)
        self.shape: Shape = shape
        self.origin: str = origin
        self.weights: vec[i16] = vector_from(view[: 2 * WEIGHTS])
        if COMPILED:
            advise(self.weights, 2 * WEIGHTS)
        rest = view[2 * WEIGHTS :]
        self.biases: vec[i16] = vector_from(rest[: 2 * HIDDEN])
        rest = rest[2 * HIDDEN :]
        heads: i64 = shape.output_buckets
        self.heads: i64 = heads
        self.mirrored: bool = shape.mirrored
        # The map as it is: bank of each king square, seen from the perspective's own side.
        self.buckets: vec[i64] = vec[i64](list(king_bucket_map(shape)))
        # Output weights, exact and requantised to int8 range, by head: own half, other half.
        self.exact_own: list[vec[i16]] = []
        self.exact_other: list[vec[i16]] = []
        self.own: list[vec[i16]] = []
        self.other: list[vec[i16]] = []
        self.output_bias: vec[i64] = vec[i64]([i64(0)] * heads)
        largest: i64 = 0
        output = rest[: 4 * HIDDEN * int(heads)].cast("B").cast("h")
        for weight in output:
            size: i64 = abs(weight)
            if size > largest:
                largest = size
        scale: i64 = (largest + 126) // 127
        self.weight_scale: i64 = scale if scale > 1 else 1
        head: i64 = 0
        while head < heads:
            start = int(head) * 2 * HIDDEN
            own = rest[2 * start : 2 * (start + HIDDEN)]
            other = rest[2 * (start + HIDDEN) : 2 * (start + 2 * HIDDEN)]
            self.exact_own.append(vector_from(own))
            self.exact_other.append(vector_from(other))
            self.own.append(self._requantised(own))
            self.other.append(self._requantised(other))
            head += 1
        biases = rest[4 * HIDDEN * int(heads) :].cast("B").cast("h")
        head = 0
        while head < heads:
            self.output_bias[head] = biases[int(head)]
            head += 1

    def _requantised(self, data: memoryview) -> vec[i16]:
        """Output weights divided by the scale, halves away from zero, clamped to +-127."""
        scale = self.weight_scale
        items: list[int] = []
        for item in data.cast("B").cast("h"):
            weight: i64 = item
            if weight >= 0:
                weight = (2 * weight + scale) // (2 * scale)
                if weight > 127:
                    weight = 127
            else:
                weight = -((-2 * weight + scale) // (2 * scale))
                if weight < -127:
                    weight = -127
            items.append(int(weight))
        return vector_from(memoryview(b"".join([item.to_bytes(2, "little", signed=True) for item in items])))

    def view(self, position: Position, color: i64) -> i64:
        """A perspective's view: its bank's first row, and the flip of squares above bit 24."""
        king = lsb(position.plane1 & position.plane2 & position.color(color))
        flip: i64 = 0
        if color != WHITE:
            flip = 56
            king ^= 56
        if self.mirrored and king & 4 != 0:
            flip ^= 7
        return self.buckets[king] * 768 | flip << 24

    def refresh(self, position: Position, color: i64, target: vec[i16]) -> None:
        """Build one perspective's accumulator from scratch."""
        view = self.view(position, color)
        bank = view & _VIEW_BANK
        flip = view >> 24
        weights = self.weights
        copy(target, self.biases)
        pieces = position.white | position.black
        row1: i64 = 0
        row2: i64 = 0
        row3: i64 = 0
        waiting: i64 = 0
        while pieces != 0:
            square = lsb(pieces)
            pieces = clear_lowest(pieces)
            row = _row(position, square, color, bank, flip)
            if waiting == 3:
                add_four_rows(target, weights, row1, row2, row3, row)
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
            add_row(target, weights, row1)
        if waiting >= 2:
            add_row(target, weights, row2)
        if waiting == 3:
            add_row(target, weights, row3)

    def refresh_both(self, position: Position, target: Accumulator) -> None:
        """Build both perspectives from scratch."""
        self.refresh(position, 0, target.white)
        self.refresh(position, 1, target.black)

    def update(self, before: Position, after: Position, source: Accumulator, target: Accumulator) -> None:
        """Build ``after``'s accumulator from that of ``before``, a position one move away.

        What moved is read off the two positions' words, so that captures, en passant, castling and promotions need no
        care of their own.
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
        self._update_side(before, after, 0, removed, added, source.white, target.white)
        self._update_side(before, after, 1, removed, added, source.black, target.black)

    def _update_side(
        self,
        before: Position,
        after: Position,
        color: i64,
        removed: i64,
        added: i64,
        source: vec[i16],
        target: vec[i16],
    ) -> None:
        view = self.view(after, color)
        if view != self.view(before, color):
            self.refresh(after, color, target)
            return
        bank = view & _VIEW_BANK
        flip = view >> 24
        weights = self.weights
        removed_count = popcount(removed)
        added_count = popcount(added)
        if added_count == 0 or removed_count == 0 or added_count > 2 or removed_count > 2:
            self.refresh(after, color, target)
            return
        added_row = _row(after, lsb(added), color, bank, flip)
        removed_row = _row(before, lsb(removed), color, bank, flip)
        if removed_count == 1 and added_count == 1:
            move_row(target, source, weights, added_row, removed_row)
        elif added_count == 1:
            other = _row(before, lsb(clear_lowest(removed)), color, bank, flip)
            capture_row(target, source, weights, added_row, removed_row, other)
        elif removed_count == 2:
            other = _row(before, lsb(clear_lowest(removed)), color, bank, flip)
            second = _row(after, lsb(clear_lowest(added)), color, bank, flip)
            move_two_rows(target, source, weights, added_row, second, removed_row, other)
        else:
            self.refresh(after, color, target)

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
        head = (popcount(position.white | position.black) - 2) // 4
        # A FEN may hold more pieces than a game can.
        return head if head < self.heads else self.heads - 1

    def evaluate(self, position: Position, accumulator: Accumulator) -> i64:
        """The search's evaluation in centipawns for the side to move: activations of 7 bits, weights of 8."""
        head = self.head(position)
        own = self.own[head]
        other = self.other[head]
        if position.side == WHITE:
            total = activated_dot(accumulator.white, own) + activated_dot(accumulator.black, other)
        else:
            total = activated_dot(accumulator.black, own) + activated_dot(accumulator.white, other)
        return self._output(total * self.weight_scale * 512, head)

    def evaluate_exact(self, position: Position, accumulator: Accumulator) -> i64:
        """The exact evaluation in centipawns for the side to move, the reference of the one above."""
        head = self.head(position)
        own = self.exact_own[head]
        other = self.exact_other[head]
        if position.side == WHITE:
            total = exact_dot(accumulator.white, own) + exact_dot(accumulator.black, other)
        else:
            total = exact_dot(accumulator.black, own) + exact_dot(accumulator.white, other)
        return self._output(total, head)


def _row(position: Position, square: i64, color: i64, bank: i64, flip: i64) -> i64:
    """The first weight's index of the row for the piece on a square, as one perspective sees it."""
    piece = position.piece_at(square)
    bit = BIT[square]
    enemy: i64 = 0
    if (position.black & bit != 0) != (color != WHITE):
        enemy = 384
    return (bank + enemy + (piece - 1) * 64 + (square ^ flip)) * HIDDEN
