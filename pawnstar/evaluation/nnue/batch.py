"""Many positions evaluated at once in numpy, with the engine's own bits.

The sums of 16-bit items wrap as the engine's do. The output layer is a product with float arrays, which are faster than
integer ones and exact here, in whatever order they add: activations and weights of at most 127 make sums of at most
1,024 * 127 * 127 < 2**24 in single precision, the exact layer's at most 1,024 * 255**2 * 2**15 < 2**53 in double.

Accumulators are built for a few positions at a time, so that they stay in the processor's cache: the k-th piece of each
position is added in one sweep.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pawnstar.chess.pieces import KING
from pawnstar.chess.position import Position
from pawnstar.evaluation.nnue.kernels import FEATURES, HIDDEN, QA, ROWS
from pawnstar.evaluation.nnue.net_file import QB, SCALE
from pawnstar.evaluation.nnue.network import EVALUATION_LIMIT, FEWEST_PIECES, HEAD_SHIFT, Network

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHUNK: Final = 48  # positions at a time: two accumulators of 2 KB each
_FLIPS: Final = np.array([0, 56])


def _trunc_divide(numerator: NDArray[np.int64], denominator: int) -> NDArray[np.int64]:
    """Division that rounds towards 0, as the engine's does."""
    quotient: NDArray[np.int64] = np.sign(numerator) * (np.abs(numerator) // denominator)
    return quotient


class BatchEvaluator:
    """A network's weights as numpy arrays, views of the engine's own where they need not be converted."""

    def __init__(self, network: Network) -> None:
        first, output = int(network.first_weight), int(network.first_output)
        heads = int(network.heads)
        # memoryview: compiled, the weights are a vec, which numpy reads through its buffer.
        weights: NDArray[np.int16] = np.asarray(memoryview(network.weights), dtype=np.int16)
        self.features = weights[first : first + ROWS * HIDDEN].reshape(ROWS, HIDDEN)
        self.biases: NDArray[np.int16] = np.array(list(network.biases), dtype=np.int16)
        size = 2 * heads * HIDDEN
        self.output = self._heads(network.output, output, size, heads, np.float32)
        self.exact_output = self._heads(network.exact_output, output, size, heads, np.float64)
        self.output_bias: NDArray[np.int64] = np.array(list(network.output_bias), dtype=np.int64)
        self.weight_scale = int(network.weight_scale)
        self.buckets: NDArray[np.int64] = np.array(list(network.buckets), dtype=np.int64)
        self.mirrored = bool(network.mirrored)
        self.heads = heads

    @staticmethod
    def _heads(weights: Any, first: int, size: int, heads: int, kind: type[Any]) -> NDArray[Any]:
        """Output weights of shape (own and other, hidden, heads)."""
        items = np.asarray(memoryview(weights))[first : first + size].reshape(heads, 2, HIDDEN)
        return np.ascontiguousarray(items.transpose(1, 2, 0), dtype=kind)

    def rows(self, positions: Sequence[Position]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The feature rows, numbers of pieces and sides to move of some positions.

        The shapes are (positions, 2, columns), White's view first, (positions,) and (positions,). There are as many
        columns as the fullest board has pieces; those behind a board's last piece are meaningless.
        """
        words = np.array([(p.plane0, p.plane1, p.plane2, p.white, p.black) for p in positions], dtype=np.int64)
        sides = np.array([p.side for p in positions], dtype=np.int64)
        # Byte r of a word is rank r, its lowest bit file a: so unpacked, bit number is square number.
        planes = np.unpackbits(words.view(np.uint8).reshape(len(words), 5, 8), axis=2, bitorder="little")
        kinds = planes[:, 0] + 2 * planes[:, 1] + 4 * planes[:, 2]
        index, squares = np.nonzero(kinds)
        pieces = kinds[index, squares].astype(np.int64)
        black = planes[index, 4, squares].astype(np.int64)
        counts = np.bincount(index, minlength=len(words))
        column = np.arange(len(index)) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = np.zeros((len(words), 2, max(1, int(np.max(counts)))), dtype=np.int64)
        kings = np.zeros((len(words), 2), dtype=np.int64)
        is_king = pieces == KING
        kings[index[is_king], black[is_king]] = squares[is_king]
        for color in (0, 1):
            own_king = kings[:, color] ^ _FLIPS[color]
            flips = np.full(len(words), _FLIPS[color])
            if self.mirrored:
                flips ^= np.where(own_king & 4, 7, 0)
            banks = self.buckets[own_king] * FEATURES
            enemy = black ^ color
            rows[index, color, column] = (
                banks[index] + FEATURES // 2 * enemy + 64 * (pieces - 1) + (squares ^ flips[index])
            )
        return rows, counts, sides

    def accumulators(self, rows: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int16]:
        """The hidden layers of a chunk, White's and Black's: int16 of shape (positions, 2, hidden).

        ``counts`` must be descending, so that the positions that have a k-th piece come first.
        """
        sums = np.empty((len(rows), 2, HIDDEN), dtype=np.int16)
        sums[:] = self.biases
        added = np.empty_like(sums)
        having = np.searchsorted(-counts, -np.arange(int(counts[0])), side="left")
        for piece, number in enumerate(having.tolist()):
            np.take(self.features, rows[:number, :, piece], axis=0, out=added[:number], mode="clip")
            np.add(sums[:number], added[:number], out=sums[:number])
        return sums

    def evaluate(self, positions: Sequence[Position], *, exact: bool = False) -> NDArray[np.int32]:
        """The network's output in centipawns for the side to move: int32 of shape (positions,)."""
        values = np.empty(len(positions), dtype=np.int32)
        # Larger blocks for what is cheap, in order of the number of pieces.
        for start in range(0, len(positions), 64 * _CHUNK):
            block = positions[start : start + 64 * _CHUNK]
            rows, counts, sides = self.rows(block)
            order = np.argsort(-counts, kind="stable")
            result = np.empty(len(block), dtype=np.int32)
            for first in range(0, len(block), _CHUNK):
                chosen = order[first : first + _CHUNK]
                result[chosen] = self._chunk(rows[chosen], counts[chosen], sides[chosen], exact)
            values[start : start + len(block)] = result
        return values

    def _chunk(
        self, rows: NDArray[np.int64], counts: NDArray[np.int64], sides: NDArray[np.int64], exact: bool
    ) -> NDArray[np.int32]:
        sums = self.accumulators(rows, counts)
        number = np.arange(len(rows))
        clamped = np.clip(sums, 0, QA, out=sums).view(np.uint16)
        squares = clamped * clamped  # at most 65,025
        if not exact:
            squares += np.uint16(256)
            squares >>= np.uint16(9)
        weights = self.exact_output if exact else self.output
        heads = np.minimum((counts - FEWEST_PIECES) >> HEAD_SHIFT, self.heads - 1)
        own = squares[number, sides].astype(weights.dtype) @ weights[0]
        other = squares[number, 1 - sides].astype(weights.dtype) @ weights[1]
        total = own[number, heads].astype(np.int64) + other[number, heads].astype(np.int64)
        if not exact:
            total *= self.weight_scale * 512
        out = _trunc_divide(total, QA) + self.output_bias[heads]
        out = _trunc_divide(out * SCALE, QA * QB)
        return np.clip(out, -EVALUATION_LIMIT, EVALUATION_LIMIT).astype(np.int32)
