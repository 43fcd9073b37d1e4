"""RNNUE1, the container that network files come in: 64 bytes saying what the net is, then its weights.

A net of another architecture, or a damaged one, would play without complaint and badly. So the header names every
figure that the weights depend on and carries checksums of the king-bucket map, of the weights and of itself; a file is
refused, by the name of the field that differs, unless all of them agree with this engine. Nothing is handed out before
every check has passed, so a refused file leaves the net in play untouched.

Little-endian:

====== ==== =======================================================================
offset size content
====== ==== =======================================================================
0      8    ``RNNUE1`` and two zero bytes
8      2    features per king bucket
10     2    king buckets
12     2    hidden neurons per perspective
14     2    output buckets (heads)
16     2    architecture flags; bit 0: horizontal king mirroring
18     2    activation; 1 is SCReLU
20     2    QA, the scale of feature weights and biases
22     2    QB, the scale of output weights
24     4    evaluation scale
28     4    reserved, 0
32     8    CRC-64/XZ of the king-bucket map, one byte for each of its 64 entries
40     8    size of the payload
48     8    CRC-64/XZ of the payload
56     8    CRC-64/XZ of bytes 0 to 55
====== ==== =======================================================================

The payload is 16-bit integers, little-endian: the feature weights row by row (all neurons of row 0, then of row 1, and
so on), the hidden biases, the output weights head by head (of each head those for the side to move, then those for the
other side), one output bias for each head. The order of several heads is this project's choice. Trainers pad a payload
to a multiple of 64 bytes; up to 63 bytes after the last bias are part of the payload's size and checksum, and unread.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from pawnstar.evaluation.nnue.crc64 import crc64
from pawnstar.evaluation.nnue.kernels import FEATURES, HEADS, HIDDEN, KING_BUCKETS, QA

HEADER_SIZE: Final = 64
# A payload may be longer than its weights by less than this.
PADDING: Final = 64
MAGIC: Final = b"RNNUE1\0\0"
# The siblings' older container, refused by name.
OLD_MAGIC: Final = b"PSN1"

ACTIVATION_SCRELU: Final = 1
FLAG_MIRRORED: Final = 1
QB: Final = 64  # the scale of output weights
SCALE: Final = 400  # centipawns of an output of 1

_FIELDS: Final = struct.Struct("<8s8HIIQQQQ")


class NetRefused(ValueError):
    """A net file that this engine does not load; the message names the field, its value and the expected one."""


@dataclass(frozen=True)
class Shape:
    """The architecture of a net: what its header says and the network's loops are laid out for."""

    features: int
    king_buckets: int
    hidden: int
    output_buckets: int
    mirrored: bool

    @property
    def rows(self) -> int:
        """Rows of feature weights: one for each feature of each king bucket."""
        return self.features * self.king_buckets

    @property
    def payload_size(self) -> int:
        """Bytes of weights and biases, padding not counted."""
        return 2 * (self.rows * self.hidden + self.hidden + self.output_buckets * (2 * self.hidden + 1))

    @property
    def flags(self) -> int:
        """The architecture flags of the header."""
        return FLAG_MIRRORED if self.mirrored else 0


# King buckets by file pair and half of the board, one output.
PLAIN_SHAPE: Final = Shape(FEATURES, KING_BUCKETS, HIDDEN, 1, False)
# A perspective whose own king stands on files e to h is mirrored; king buckets by file and half; head number
# (pieces on the board - 2) // 4 of 8.
MIRRORED_SHAPE: Final = Shape(FEATURES, KING_BUCKETS, HIDDEN, HEADS, True)


class FieldCheck(NamedTuple):
    """One comparison of a net file with this engine: values as text, ready to print."""

    field: str
    found: str
    expected: str
    ok: bool


def king_bucket_map(shape: Shape) -> bytes:
    """The king bucket of each square, a1 to h8, as its perspective sees its own king.

    Plain: the file pair (a-b 0, c-d 1, e-f 2, g-h 3), plus 4 from the fifth rank on. Mirrored: the distance of the file
    from the nearer edge (a and h 0, ..., d and e 3), plus 4 from the fifth rank on.
    """
    if shape.mirrored:
        return bytes([4 * (square // 32) + min(square % 8, 7 - square % 8) for square in range(64)])
    return bytes([4 * (square // 32) + square % 8 // 2 for square in range(64)])


def _shape_of(output_buckets: int, flags: int) -> Shape:
    """The shape that a header is held to: the one it names, or the plain one where it names neither."""
    if output_buckets == MIRRORED_SHAPE.output_buckets and flags == MIRRORED_SHAPE.flags:
        return MIRRORED_SHAPE
    return PLAIN_SHAPE


def _number(field: str, found: int, expected: int) -> FieldCheck:
    return FieldCheck(field, str(found), str(expected), found == expected)


def _checksum(field: str, found: int, expected: int) -> FieldCheck:
    return FieldCheck(field, f"{found:016x}", f"{expected:016x}", found == expected)


def _checks(view: memoryview) -> Iterator[FieldCheck]:
    """Every check in its order. After the size and the magic, each is made whether or not those before it passed."""
    if len(view) < HEADER_SIZE:
        yield FieldCheck("file size", str(len(view)), f"at least {HEADER_SIZE}", False)
        return
    magic = bytes(view[:8])
    if magic != MAGIC:
        yield FieldCheck("magic", "PSN1" if magic.startswith(OLD_MAGIC) else "not RNNUE1", "RNNUE1", False)
        return
    fields = _FIELDS.unpack(view[:HEADER_SIZE])
    shape = _shape_of(fields[4], fields[5])
    yield FieldCheck("magic", "RNNUE1", "RNNUE1", True)
    yield _checksum("header checksum", fields[14], crc64(view[: HEADER_SIZE - 8]))
    yield _number("features per bucket", fields[1], shape.features)
    yield _number("king bucket count", fields[2], shape.king_buckets)
    yield _number("hidden size", fields[3], shape.hidden)
    yield _number("output bucket count", fields[4], shape.output_buckets)
    yield _number("architecture flags", fields[5], shape.flags)
    yield _number("activation", fields[6], ACTIVATION_SCRELU)
    yield _number("QA", fields[7], QA)
    yield _number("QB", fields[8], QB)
    yield _number("eval scale", fields[9], SCALE)
    yield _number("reserved", fields[10], 0)
    yield _checksum("king bucket map checksum", fields[11], crc64(king_bucket_map(shape)))
    # The payload: what the header declares against what the file holds, then against what this shape needs.
    left = len(view) - HEADER_SIZE
    size = fields[12]
    if size != left:
        yield _number("payload size", size, left)
    else:
        last = shape.payload_size + PADDING - 1
        yield FieldCheck(
            "payload size", str(size), f"{shape.payload_size} to {last}", shape.payload_size <= size <= last
        )
    yield _checksum("payload checksum", fields[13], crc64(view[HEADER_SIZE:]))


def describe_net(data: bytes | memoryview) -> list[FieldCheck]:
    """What the header and payload of a net file are, what this engine expects, and whether they agree, in check order.

    A file that is too short or no RNNUE1 at all gives one entry. ``read_net`` accepts a file whose entries are all ok.
    """
    return list(_checks(memoryview(data).cast("B")))


def read_net(data: bytes | memoryview, origin: str) -> tuple[Shape, memoryview]:
    """The shape of a net and its payload, without padding, as a view into ``data``.

    ``origin`` is what the message calls the file. Raises NetRefused at the first check that fails.
    """
    view = memoryview(data).cast("B")
    for check in _checks(view):
        if not check.ok:
            raise NetRefused(
                f"NNUE: net '{origin}' refused: {check.field} is {check.found}, this engine expects {check.expected}"
            )
    fields = _FIELDS.unpack(view[:HEADER_SIZE])
    shape = _shape_of(fields[4], fields[5])
    return shape, view[HEADER_SIZE : HEADER_SIZE + shape.payload_size]


def write_net(payload: bytes | memoryview, shape: Shape) -> bytes:
    """The container of a payload, padding of up to 63 bytes kept. Raises ValueError for any other size."""
    view = memoryview(payload).cast("B")
    if not shape.payload_size <= len(view) < shape.payload_size + PADDING:
        raise ValueError(
            f"a payload of this shape has {shape.payload_size} bytes and less than {PADDING} bytes of padding,"
            f" not {len(view)} bytes"
        )
    header = _FIELDS.pack(
        MAGIC,
        shape.features,
        shape.king_buckets,
        shape.hidden,
        shape.output_buckets,
        shape.flags,
        ACTIVATION_SCRELU,
        QA,
        QB,
        SCALE,
        0,
        crc64(king_bucket_map(shape)),
        len(view),
        crc64(view),
        0,
    )[: HEADER_SIZE - 8]
    return b"".join((header, crc64(header).to_bytes(8, "little"), view))
