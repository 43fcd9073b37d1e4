"""A network evaluated the long way round, from the specification alone: nothing of the engine's is used.

Both shapes; every sum in 64 bits but the accumulators, which wrap at 16.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.signedinteger[Any]]

_FEATURE_WEIGHTS = 6144 * 1024
_PIECES = "pnbrqk"


def _truncated(numerator: int, denominator: int) -> int:
    quotient = abs(numerator) // denominator
    return quotient if numerator >= 0 else -quotient


def _pieces(fen: str) -> list[tuple[int, int, int]]:
    """(colour, piece 0 to 5, square) of everything on the board."""
    found = []
    for row, text in enumerate(fen.split(maxsplit=1)[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                colour = 0 if letter.isupper() else 1
                found.append((colour, _PIECES.index(letter.lower()), 8 * (7 - row) + file))
                file += 1
    return found


@dataclass(frozen=True)
class ReferenceNetwork:
    """The weights of a payload, cut into their parts."""

    mirrored: bool
    features: Ints  # 6144 rows of 1024
    biases: Ints  # 1024
    heads: Ints  # heads, side to move and other, 1024
    output_biases: Ints  # heads

    @staticmethod
    def of(payload: bytes | memoryview, heads: int, mirrored: bool) -> "ReferenceNetwork":
        items = np.frombuffer(payload, dtype="<i2")
        parts = np.split(items, np.cumsum([_FEATURE_WEIGHTS, 1024, heads * 2048, heads]))
        assert len(parts[4]) == 0
        return ReferenceNetwork(
            mirrored,
            parts[0].reshape(6144, 1024),
            parts[1],
            parts[2].reshape(heads, 2, 1024).astype(np.int64),
            parts[3],
        )

    def rows(self, pieces: Sequence[tuple[int, int, int]], perspective: int) -> list[int]:
        """The active rows of one perspective (0 White, 1 Black)."""
        flip = 56 if perspective == 1 else 0
        (king,) = (square ^ flip for colour, piece, square in pieces if piece == 5 and colour == perspective)
        file, upper = king % 8, 4 if king >= 32 else 0
        if self.mirrored:
            bucket = upper + min(file, 7 - file)
            if file >= 4:
                flip ^= 7
        else:
            bucket = upper + file // 2
        return [
            768 * bucket + (0 if colour == perspective else 384) + 64 * piece + (square ^ flip)
            for colour, piece, square in pieces
        ]

    def accumulator(self, pieces: Sequence[tuple[int, int, int]], perspective: int) -> Ints:
        """The 1024 sums of one perspective, wrapped to 16 bits."""
        # Annotated, because older numpy (the newest for Python 3.11) says only Any of a sum.
        sums: Ints = self.features[self.rows(pieces, perspective)].sum(axis=0, dtype=np.int64)
        return (self.biases.astype(np.int64) + sums).astype(np.int16)

    def evaluate(self, fen: str) -> tuple[int, int]:
        """The evaluation by 8-bit output weights and the exact one, in centipawns for the side to move."""
        pieces = _pieces(fen)
        side = 0 if fen.split()[1] == "w" else 1
        clamped = np.clip(
            np.stack([self.accumulator(pieces, side), self.accumulator(pieces, 1 - side)]).astype(np.int64), 0, 255
        )
        head = (len(pieces) - 2) // 4 if self.mirrored else 0
        weights = self.heads[head]

        scale = self.output_scale()
        # Rounded half away from zero.
        rounded = np.sign(weights) * ((2 * np.abs(weights) + scale) // (2 * scale))
        activations = (clamped * clamped + 256) >> 9
        dot = int((activations * np.clip(rounded, -127, 127)).sum())
        exact = int((clamped * clamped * weights).sum())
        return self._centipawns(dot * scale * 512, head), self._centipawns(exact, head)

    def output_scale(self) -> int:
        """What output weights are divided by so that they fit into 8 bits."""
        return max(1, (int(np.abs(self.heads).max()) + 126) // 127)

    def _centipawns(self, dot: int, head: int) -> int:
        value = _truncated((_truncated(dot, 255) + int(self.output_biases[head])) * 400, 255 * 64)
        return max(-30000, min(30000, value))
