"""The RNNUE1 container: what is accepted, and how each fault is named."""

import random
import struct
from pathlib import Path

import pytest
from bitwise_crc import crc64_bitwise

from pawnstar.evaluation.nnue.crc64 import crc64
from pawnstar.evaluation.nnue.net_file import (
    MIRRORED_SHAPE,
    PLAIN_SHAPE,
    NetRefused,
    Shape,
    describe_net,
    king_bucket_map,
    read_net,
    write_net,
)

ROOT = Path(__file__).resolve().parents[2]


# --- Shapes ---


def test_sizes() -> None:
    assert PLAIN_SHAPE.payload_size == 12_589_058
    assert MIRRORED_SHAPE.payload_size == 12_589_058 + 7 * (2 * 2048 + 2)
    assert PLAIN_SHAPE.rows == MIRRORED_SHAPE.rows == 6144


def test_king_bucket_maps() -> None:
    plain, mirrored = king_bucket_map(PLAIN_SHAPE), king_bucket_map(MIRRORED_SHAPE)
    assert len(plain) == len(mirrored) == 64
    assert list(plain[:32]) == [0, 0, 1, 1, 2, 2, 3, 3] * 4
    assert list(plain[32:]) == [4, 4, 5, 5, 6, 6, 7, 7] * 4
    assert list(mirrored[:32]) == [0, 1, 2, 3, 3, 2, 1, 0] * 4
    assert list(mirrored[32:]) == [4, 5, 6, 7, 7, 6, 5, 4] * 4


def test_shapes_are_immutable_values() -> None:
    assert Shape(768, 8, 1024, 1, False) == PLAIN_SHAPE != MIRRORED_SHAPE
    with pytest.raises(AttributeError):
        PLAIN_SHAPE.hidden = 512  # type: ignore[misc]


# --- What is accepted ---

PAYLOAD = random.Random(1).randbytes(4096) * (MIRRORED_SHAPE.payload_size // 4096 + 1)
SHAPES = pytest.mark.parametrize("shape", [PLAIN_SHAPE, MIRRORED_SHAPE], ids=["plain", "mirrored"])


@pytest.fixture(scope="module")
def nets() -> dict[Shape, bytes]:
    return {shape: write_net(PAYLOAD[: shape.payload_size], shape) for shape in (PLAIN_SHAPE, MIRRORED_SHAPE)}


@SHAPES
@pytest.mark.parametrize("padding", [0, 1, 62, 63])
def test_payload_comes_back_without_its_padding(shape: Shape, padding: int) -> None:
    data = write_net(PAYLOAD[: shape.payload_size + padding], shape)
    assert len(data) == 64 + shape.payload_size + padding
    found, payload = read_net(data, "x")
    assert found == shape
    assert payload == PAYLOAD[: shape.payload_size]
    assert all(check.ok for check in describe_net(data))


@pytest.mark.parametrize("padding", range(64))
def test_all_paddings(padding: int) -> None:
    """As above for each padding, the checksum of the payload aside: the range of sizes alone."""
    size = PLAIN_SHAPE.payload_size + padding
    checks = {check.field: check for check in describe_net(bytes(faulty(bytes(64 + size), PLAIN_SHAPE, size)))}
    assert checks["payload size"].ok


@SHAPES
@pytest.mark.parametrize("padding", [-1, 64, 1000])
def test_writer_refuses_another_size(shape: Shape, padding: int) -> None:
    with pytest.raises(ValueError, match=f"not {shape.payload_size + padding} bytes"):
        write_net(PAYLOAD[: shape.payload_size + padding], shape)


def test_payload_is_not_copied(nets: dict[Shape, bytes]) -> None:
    payload = read_net(nets[PLAIN_SHAPE], "x")[1]
    assert isinstance(payload, memoryview)
    assert payload.obj is nets[PLAIN_SHAPE]


def test_other_buffers_are_read_too(nets: dict[Shape, bytes]) -> None:
    assert read_net(memoryview(nets[PLAIN_SHAPE]), "x")[1] == PAYLOAD[: PLAIN_SHAPE.payload_size]


@pytest.mark.skipif(not (ROOT / "nnue" / "pawnstar-p1.bin").exists(), reason="outside the source tree")
def test_shipped_net_is_accepted() -> None:
    data = (ROOT / "nnue" / "pawnstar-p1.bin").read_bytes()
    shape, payload = read_net(data, "x")
    assert shape == PLAIN_SHAPE
    assert write_net(payload, shape) == data


def test_header_bytes(nets: dict[Shape, bytes]) -> None:
    """Each field at its place."""
    data = nets[MIRRORED_SHAPE]
    expected = b"RNNUE1\0\0" + struct.pack("<8HII", 768, 8, 1024, 8, 1, 1, 255, 64, 400, 0)
    expected += struct.pack("<QQ", crc64_bitwise(king_bucket_map(MIRRORED_SHAPE)), MIRRORED_SHAPE.payload_size)
    expected += struct.pack("<Q", crc64(data[64:]))
    assert data[:64] == expected + struct.pack("<Q", crc64_bitwise(expected))


# --- Faults ---


def faulty(data: bytes, shape: Shape, size: int) -> bytearray:
    """``data`` under a sound header that declares ``size`` bytes of payload (and a checksum of 0)."""
    changed = bytearray(data)
    fields = struct.pack("<8HII", 768, 8, 1024, shape.output_buckets, int(shape.mirrored), 1, 255, 64, 400, 0)
    changed[:48] = b"RNNUE1\0\0" + fields + struct.pack("<QQ", crc64(king_bucket_map(shape)), size)
    return signed_again(changed)


def signed_again(data: bytearray) -> bytearray:
    """The header's own checksum made right, so that the fault behind it is what is found."""
    data[56:64] = struct.pack("<Q", crc64_bitwise(bytes(data[:56])))
    return data


def refusal(data: bytes | bytearray) -> str:
    with pytest.raises(NetRefused) as caught:
        read_net(bytes(data), "some/net.bin")
    message = str(caught.value)
    start = "NNUE: net 'some/net.bin' refused: "
    assert message.startswith(start)
    return message.removeprefix(start)


@pytest.mark.parametrize("size", [0, 1, 40, 63])
def test_short_file(nets: dict[Shape, bytes], size: int) -> None:
    assert refusal(nets[PLAIN_SHAPE][:size]) == f"file size is {size}, this engine expects at least 64"


@pytest.mark.parametrize("index", range(8))
def test_wrong_magic(nets: dict[Shape, bytes], index: int) -> None:
    data = bytearray(nets[PLAIN_SHAPE])
    data[index] ^= 0x20
    assert refusal(signed_again(data)) == "magic is not RNNUE1, this engine expects RNNUE1"


def test_older_container_is_refused_by_name() -> None:
    data = b"PSN1" + struct.pack("<4H3h", 1, 768, 8, 1024, 255, 64, 400) + bytes(14) + bytes(PLAIN_SHAPE.payload_size)
    assert refusal(data) == "magic is PSN1, this engine expects RNNUE1"


@pytest.mark.parametrize("bit", range(8 * 8, 64 * 8, 7))
def test_any_flipped_bit_of_the_header_is_noticed_first(nets: dict[Shape, bytes], bit: int) -> None:
    data = bytearray(nets[PLAIN_SHAPE])
    data[bit // 8] ^= 1 << bit % 8
    (stored,) = struct.unpack("<Q", data[56:64])
    computed = crc64_bitwise(bytes(data[:56]))
    assert refusal(data) == f"header checksum is {stored:016x}, this engine expects {computed:016x}"


@SHAPES
@pytest.mark.parametrize(
    ("offset", "size", "field", "expected"),
    [
        (8, 2, "features per bucket", 768),
        (10, 2, "king bucket count", 8),
        (12, 2, "hidden size", 1024),
        (18, 2, "activation", 1),
        (20, 2, "QA", 255),
        (22, 2, "QB", 64),
        (24, 4, "eval scale", 400),
        (28, 4, "reserved", 0),
    ],
)
@pytest.mark.parametrize("change", [1, -1])
def test_header_field(
    nets: dict[Shape, bytes], shape: Shape, offset: int, size: int, field: str, expected: int, change: int
) -> None:
    data = bytearray(nets[shape])
    assert int.from_bytes(data[offset : offset + size], "little") == expected
    value = (expected + change) % 256**size
    data[offset : offset + size] = value.to_bytes(size, "little")
    assert refusal(signed_again(data)) == f"{field} is {value}, this engine expects {expected}"


@pytest.mark.parametrize(
    ("outputs", "flags", "message"),
    [
        (2, 0, "output bucket count is 2, this engine expects 1"),
        (8, 0, "output bucket count is 8, this engine expects 1"),
        (0, 1, "output bucket count is 0, this engine expects 1"),
        (1, 1, "architecture flags is 1, this engine expects 0"),
        (1, 2, "architecture flags is 2, this engine expects 0"),
        (8, 3, "output bucket count is 8, this engine expects 1"),
    ],
)
def test_shape_that_is_neither(nets: dict[Shape, bytes], outputs: int, flags: int, message: str) -> None:
    data = bytearray(nets[PLAIN_SHAPE])
    data[14:18] = struct.pack("<HH", outputs, flags)
    assert refusal(signed_again(data)) == message


@SHAPES
def test_king_buckets_that_mean_other_squares(nets: dict[Shape, bytes], shape: Shape) -> None:
    """The right number of buckets, the map of the other shape: it would load, and read the wrong rows."""
    other = PLAIN_SHAPE if shape is MIRRORED_SHAPE else MIRRORED_SHAPE
    data = bytearray(nets[shape])
    data[32:40] = struct.pack("<Q", crc64(king_bucket_map(other)))
    found, expected = crc64_bitwise(king_bucket_map(other)), crc64_bitwise(king_bucket_map(shape))
    assert refusal(signed_again(data)) == (
        f"king bucket map checksum is {found:016x}, this engine expects {expected:016x}"
    )


@SHAPES
@pytest.mark.parametrize("change", [-2, -1, 1, 64])
def test_truncated_or_extended_file(nets: dict[Shape, bytes], shape: Shape, change: int) -> None:
    size = shape.payload_size
    data = nets[shape] + bytes(change) if change > 0 else nets[shape][:change]
    assert refusal(data) == f"payload size is {size}, this engine expects {size + change}"


@pytest.mark.parametrize("size", [0, 1, PLAIN_SHAPE.payload_size - 1, PLAIN_SHAPE.payload_size + 64, 2 * 10**7])
def test_declared_size_that_is_no_nets(size: int) -> None:
    """The file holds what its header declares, and that is too little or too much padding."""
    data = faulty(bytes(64 + size), PLAIN_SHAPE, size)
    assert refusal(data) == f"payload size is {size}, this engine expects 12589058 to 12589121"


def test_payload_of_one_shape_under_the_header_of_the_other() -> None:
    size = MIRRORED_SHAPE.payload_size
    data = faulty(bytes(64 + size), PLAIN_SHAPE, size)
    assert refusal(data) == f"payload size is {size}, this engine expects 12589058 to 12589121"


@SHAPES
@pytest.mark.parametrize("place", ["first", "middle", "last", "padding"])
def test_flipped_bit_of_the_payload(shape: Shape, place: str) -> None:
    data = bytearray(write_net(PAYLOAD[: shape.payload_size + 14], shape))
    index = {"first": 64, "middle": 6_000_001, "last": 64 + shape.payload_size - 1, "padding": len(data) - 1}[place]
    (stored,) = struct.unpack("<Q", data[48:56])
    data[index] ^= 0x10
    assert refusal(data) == f"payload checksum is {stored:016x}, this engine expects {crc64(bytes(data[64:])):016x}"


def test_checks_come_in_order(nets: dict[Shape, bytes]) -> None:
    """With everything wrong, faults are named from the front of the header to the payload as each is mended."""
    sound = nets[PLAIN_SHAPE]
    data = bytearray(sound[:-1])
    data[8:48] = bytes(byte ^ 1 for byte in data[8:48])
    data[16:18] = sound[16:18]
    data[48] ^= 1
    fields = [
        ((8, 10), "features per bucket"),
        ((10, 12), "king bucket count"),
        ((12, 14), "hidden size"),
        ((14, 16), "output bucket count"),
        ((18, 20), "activation"),
        ((20, 22), "QA"),
        ((22, 24), "QB"),
        ((24, 28), "eval scale"),
        ((28, 32), "reserved"),
        ((32, 40), "king bucket map checksum"),
        ((40, 48), "payload size"),
    ]
    assert refusal(data).startswith("header checksum is ")
    for (start, end), field in fields:
        assert refusal(signed_again(data)).startswith(f"{field} is ")
        data[start:end] = sound[start:end]
    assert refusal(signed_again(data)).startswith("payload size is 12589058, this engine expects 12589057")
    data += sound[-1:]
    assert refusal(data).startswith("payload checksum is ")
    data[48] ^= 1
    assert read_net(bytes(signed_again(data)), "x")[0] == PLAIN_SHAPE


def test_description_names_every_field(nets: dict[Shape, bytes]) -> None:
    assert [(check.field, check.found) for check in describe_net(nets[MIRRORED_SHAPE])[2:12]] == [
        ("features per bucket", "768"),
        ("king bucket count", "8"),
        ("hidden size", "1024"),
        ("output bucket count", "8"),
        ("architecture flags", "1"),
        ("activation", "1"),
        ("QA", "255"),
        ("QB", "64"),
        ("eval scale", "400"),
        ("reserved", "0"),
    ]


def test_description_goes_on_after_a_fault(nets: dict[Shape, bytes]) -> None:
    data = bytearray(nets[PLAIN_SHAPE])
    data[20] = 7
    data[-1] ^= 1
    wrong = [check for check in describe_net(bytes(data)) if not check.ok]
    assert [check.field for check in wrong] == ["header checksum", "QA", "payload checksum"]
    assert tuple(wrong[1]) == ("QA", "7", "255", False)
    assert len(describe_net(b"")) == len(describe_net(b"PSN1" + bytes(200))) == 1
