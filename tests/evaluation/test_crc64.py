"""The checksum of net files, held to its definition."""

import random
import struct

import pytest
from bitwise_crc import crc64_bitwise
from hypothesis import given
from hypothesis import strategies as st
from modes import plain_twin

from pawnstar.evaluation.nnue.crc64 import crc64


def test_crc_check_value() -> None:
    assert crc64(b"123456789") == 0x995DC9BBDF1939FA == crc64_bitwise(b"123456789")
    assert crc64(b"") == 0


@pytest.mark.parametrize("length", [*range(26), 56, 63, 64, 65, 255, 256, 257, 1000])
def test_crc_of_short_data(length: int) -> None:
    data = random.Random(length).randbytes(length)
    for sample in (data, bytes(length), b"\xff" * length):
        assert crc64(sample) == crc64_bitwise(sample)
        assert crc64(memoryview(sample)) == crc64_bitwise(sample)


@given(st.binary(max_size=300), st.integers(0, 8))
def test_crc_of_any_data_at_any_alignment(data: bytes, offset: int) -> None:
    assert crc64(memoryview(data)[offset:]) == crc64_bitwise(data[offset:])


# Around the pieces in which it is computed: 16,384 bytes compiled; 4,096 lanes of words, 32,768 bytes a step, plain.
LONG = [16376, 16383, 16384, 16385, 16391, 16392, 32767, 32768, 32769, 32776, 65536, 98304 + 5, 7 * 32768 - 1, 200_003]


@pytest.mark.parametrize("length", LONG)
def test_crc_of_long_data(length: int) -> None:
    data = random.Random(length).randbytes(length)
    assert crc64(data) == crc64_bitwise(data)


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 64, *LONG, 12_589_058])
def test_crc_plain_equals_the_one_under_test(length: int) -> None:
    """Both modes in one run."""
    plain = plain_twin("pawnstar.evaluation.nnue.crc64")
    data = random.Random(length).randbytes(length)
    assert plain.crc64(data) == crc64(data)


def test_crc_of_items_is_that_of_their_bytes() -> None:
    data = struct.pack("<5h", 1, -2, 300, -32768, 32767)
    assert crc64(memoryview(data).cast("h")) == crc64(data)
