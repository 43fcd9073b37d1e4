"""Nets made by a formula instead of training: the same weights, to the bit, wherever they are made.

A test that plays with a trained net must change whenever a better net is shipped. The parity net never changes: the
golden transcripts of this engine and its siblings were made with it. It plays sensibly, too, because its first 36
neurons count material and the squares the pieces stand on; the others are noise, which exercises every kernel.

There is one for each shape:

* Plain: the siblings' own, of seed 20260701. ``requant=True`` gives its variant with output weights beyond 8 bits.
* Mirrored, this project's definition: the same formula on the mirrored shape's own terms. The feature weights, biases
  and neurons are those of the plain net (the square values are the same for a file and its mirror image, so the
  structured part is untouched by mirroring, and a row's noise belongs to its bank, piece and square after mirroring).
  Head h has the structured output weights, times (12 + h) and divided by 16, rounded down (24 for head 0, 38 for head
  7): heads differ, and more pieces count more. Its noise output weights are draws h * 988 to h * 988 + 987 of the two
  streams, so head 0 has the plain net's. Its output bias is 734 - 400 * h - trunc(d / 255), d being the exact dot
  product that the head gives the start position.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from pawnstar.commands.files import may_write, write_bytes
from pawnstar.evaluation.nnue.net_file import MIRRORED_SHAPE, PLAIN_SHAPE, Shape, write_net

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 20260701
_FEATURE_STREAM = SEED + 1
_BIAS_STREAM = SEED + 2
_OWN_OUTPUT_STREAM = SEED + 3
_OTHER_OUTPUT_STREAM = SEED + 4

# (divisor, copies) of each group of structured neurons, pawn to king.
_GROUPS = ((1, 4), (1, 4), (1, 4), (2, 8), (3, 12), (1, 4))
_STRUCTURED = sum(copies for _, copies in _GROUPS)
_STRUCTURED_BIAS = 128
_STRUCTURED_OUTPUT = 32
# Every _STRONG_STEP-th noise neuron has its feature weights multiplied.
_STRONG_STEP = 16
_STRONG_FACTOR = 5
_OUTPUT_BIAS = 734
_REQUANT_FACTOR = 9

_BACK_RANK = (4, 2, 3, 5, 6, 3, 2, 4)


def draws(stream: int, first: int, count: int) -> NDArray[np.uint64]:
    """Draws ``first`` to ``first + count - 1`` of a stream of splitmix64 in counter mode.

    After G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators".
    """
    k = np.arange(first + 1, first + count + 1, dtype=np.uint64)
    z = np.uint64(stream) + k * np.uint64(0x9E3779B97F4A7C15)
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return z


def uniform(stream: int, first: int, count: int, low: int, high: int) -> NDArray[np.int64]:
    """Integers from ``low`` to ``high``, one for each draw."""
    upper = draws(stream, first, count) >> np.uint64(32)
    return (upper * np.uint64(high - low + 1) >> np.uint64(32)).astype(np.int64) + low


def square_value(piece: int, file: int, rank: int) -> int:
    """What a piece (1 pawn, ..., 6 king) is worth to its side on a square seen from that side, in centipawns."""
    from_edge = min(file, 7 - file)
    from_end = min(rank, 7 - rank)
    if piece == 1:
        return 100 + (0, 0, 0, 5, 12, 25, 45, 45)[rank] + (6 if from_edge == 3 and 2 <= rank <= 4 else 0)
    if piece == 2:
        return 310 + 8 * (from_edge + from_end) - 15
    if piece == 3:
        return 325 + 5 * (from_edge + from_end) - 10
    if piece == 4:
        return 500 + 3 * from_edge + (20 if rank == 6 else 0)
    if piece == 5:
        return 950 + 2 * (from_edge + from_end)
    return 12 * (3 - from_edge) - (14 * rank if rank < 4 else 50)


def _structured_weights() -> NDArray[np.int64]:
    """The feature weights of the structured neurons in one king bank: 768 rows of 36."""
    weights = np.zeros((2, 6, 8, 8, _STRUCTURED), dtype=np.int64)  # own or enemy, piece, rank, file, neuron
    neuron = 0
    for piece, (divisor, copies) in enumerate(_GROUPS, 1):
        for copy in range(copies):
            for rank in range(8):
                for file in range(8):
                    # floor(value / (6.25 divisor) + (copy mod 4 + 0.5) / 4): copies differ in how they round.
                    numerator = 32 * square_value(piece, file, rank) + 25 * divisor * (2 * (copy % 4) + 1)
                    weight = numerator // (200 * divisor)
                    weights[0, piece - 1, rank, file, neuron] = weight
                    weights[1, piece - 1, 7 - rank, file, neuron] = -weight
            neuron += 1
    return weights.reshape(768, _STRUCTURED)


def _start_position_rows(shape: Shape) -> list[int]:
    """The rows active in the start position: the same for both sides, up to the mirroring of the king on e1."""
    flip = 7 if shape.mirrored else 0
    bank = 3 if shape.mirrored else 2
    rows = []
    for file in range(8):
        for square, colour, piece in (
            (file, 0, _BACK_RANK[file]),
            (8 + file, 0, 1),
            (48 + file, 1, 1),
            (56 + file, 1, _BACK_RANK[file]),
        ):
            rows.append(768 * bank + 384 * colour + 64 * (piece - 1) + (square ^ flip))
    return rows


def synthetic_payload(shape: Shape = PLAIN_SHAPE, requant: bool = False) -> bytes:
    """The payload of the parity net of a shape, without padding.

    ``requant`` gives the plain net's variant whose largest output weight is 289, so that it is requantised by 3 when
    it is loaded: output weights times 9, the structured ones one further from 0, and the structured feature weights
    divided by 9, rounded down. Raises ValueError for ``requant`` with another shape.
    """
    if requant and shape != PLAIN_SHAPE:
        raise ValueError("the requantised variant exists for the plain shape only")
    noise = shape.hidden - _STRUCTURED

    structured = _structured_weights()
    if requant:
        structured //= _REQUANT_FACTOR
    features = np.empty((shape.rows, shape.hidden), dtype=np.int16)
    features[:, :_STRUCTURED] = np.tile(structured, (shape.king_buckets, 1))
    features[:, _STRUCTURED:] = uniform(_FEATURE_STREAM, 0, shape.rows * noise, -6, 6).reshape(shape.rows, noise)
    features[:, _STRUCTURED::_STRONG_STEP] *= _STRONG_FACTOR

    biases = np.empty(shape.hidden, dtype=np.int16)
    biases[:_STRUCTURED] = _STRUCTURED_BIAS
    biases[_STRUCTURED:] = uniform(_BIAS_STREAM, 0, noise, -20, 120)

    start = biases.astype(np.int64) + features[_start_position_rows(shape)].sum(axis=0, dtype=np.int64)
    squared = np.clip(start, 0, 255) ** 2
    heads = np.empty((shape.output_buckets, 2, shape.hidden), dtype=np.int16)
    output_biases = np.empty(shape.output_buckets, dtype=np.int16)
    for head in range(shape.output_buckets):
        strength = _STRUCTURED_OUTPUT * (12 + head) // 16 if shape.mirrored else _STRUCTURED_OUTPUT
        own = uniform(_OWN_OUTPUT_STREAM, head * noise, noise, -3, 3)
        other = uniform(_OTHER_OUTPUT_STREAM, head * noise, noise, -3, 3)
        if requant:
            strength = _REQUANT_FACTOR * strength + 1
            own *= _REQUANT_FACTOR
            other *= _REQUANT_FACTOR
        heads[head, 0, :_STRUCTURED] = strength
        heads[head, 1, :_STRUCTURED] = -strength
        heads[head, 0, _STRUCTURED:] = own
        heads[head, 1, _STRUCTURED:] = other
        dot = int((squared * heads[head].astype(np.int64)).sum())
        quotient = dot // 255 if dot >= 0 else -(-dot // 255)
        output_biases[head] = _OUTPUT_BIAS - 400 * head - quotient

    parts = (features, biases, heads, output_biases)
    return b"".join(part.astype("<i2", copy=False).tobytes() for part in parts)


@click.command(
    "write-synthetic-net",
    short_help="Write the parity net, made by a formula.",
    epilog="Example: pawnstar write-synthetic-net parity.bin, then PAWNSTAR_EVALFILE=parity.bin pawnstar bench 8",
)
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--shape",
    type=click.Choice(["plain", "mirrored"]),
    default="plain",
    show_default=True,
    help="Architecture: plain king buckets, or horizontal king mirroring and 8 output heads.",
)
@click.option("--requant", is_flag=True, help="The plain net's variant whose output weights exceed 8 bits.")
@click.option("--force", is_flag=True, help="Overwrite OUT without asking if it exists.")
def command(out: Path, shape: str, requant: bool, force: bool) -> None:
    """Write the parity net to the file OUT, in the RNNUE1 container.

    Its weights come from a formula, so they are the same to the bit everywhere. Golden transcripts are made with it.
    """
    if requant and shape != "plain":
        raise click.UsageError("--requant exists for --shape plain only")
    may_write(out, force)
    chosen = MIRRORED_SHAPE if shape == "mirrored" else PLAIN_SHAPE
    data = write_net(synthetic_payload(chosen, requant), chosen)
    write_bytes(out, data)
    click.echo(f"wrote {len(data):,} bytes to '{out}'")
