"""CRC-64/XZ: polynomial 0x42F0E1EBA9EA3693, reflected; initial value and final XOR are all ones.

A net's 12 MB are checked at every start, so words are taken eight bytes at a time when compiled, and many lanes side by
side in numpy when interpreted.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from pawnstar.chess.bits import COMPILED, signed, unsigned

if not COMPILED:
    import numpy as np
    from numpy.typing import NDArray

_POLYNOMIAL: Final = -0x3693A86A2878F0BE  # 0xC96C5795D7870F42
_MASK_56: Final = 0x00FFFFFFFFFFFFFF
_TABLES: Final = 8
_TABLE_SIZE: Final = 2048
# Compiled: bytes that are copied at a time, so that the copy stays in the first-level cache.
_CHUNK: Final = 16384


def _crc_tables() -> vec[i64]:
    """Eight tables of 256: entry 256 * k + b is the remainder of byte b followed by k zero bytes (slicing by 8)."""
    table = vec[i64]([i64(0)] * _TABLE_SIZE)
    b: i64 = 0
    while b < 256:
        crc = b
        bit: i64 = 0
        while bit < 8:
            if crc & 1 != 0:
                crc = ((crc >> 1) & 0x7FFFFFFFFFFFFFFF) ^ _POLYNOMIAL
            else:
                crc = (crc >> 1) & 0x7FFFFFFFFFFFFFFF
            bit += 1
        table[b] = crc
        b += 1
    while b < _TABLE_SIZE:
        before = table[b - 256]
        table[b] = ((before >> 8) & _MASK_56) ^ table[before & 255]
        b += 1
    return table


_CRC_TABLE: Final = _crc_tables()


def _crc_by_bytes(crc: i64, data: vec[u8]) -> i64:
    """Carry the remainder ``crc`` on over ``data``, a byte at a time: short pieces."""
    table = _CRC_TABLE
    i: i64 = 0
    n = len(data)
    while i < n:
        crc = ((crc >> 8) & _MASK_56) ^ table[(crc ^ i64(data[i])) & 255]
        i += 1
    return crc


def _crc_by_words(crc: i64, words: vec[i64]) -> i64:
    """Carry the remainder on over 8-byte words: eight independent look-ups for each, which the processor overlaps.

    After M. Kounavis and F. Berry, "A Systematic Approach to Building High Performance Software-based CRC Generators".
    """
    table = _CRC_TABLE
    if len(table) != _TABLE_SIZE:
        raise IndexError("CRC table")  # tells the C compiler that no index below can be out of range
    i: i64 = 0
    n = len(words)
    while i < n:
        x = crc ^ words[i]
        # Grouped by hand: a chain of seven XORs would be half of the way from one word to the next.
        crc = (
            (table[1792 + (x & 255)] ^ table[1536 + ((x >> 8) & 255)])
            ^ (table[1280 + ((x >> 16) & 255)] ^ table[1024 + ((x >> 24) & 255)])
        ) ^ (
            (table[768 + ((x >> 32) & 255)] ^ table[512 + ((x >> 40) & 255)])
            ^ (table[256 + ((x >> 48) & 255)] ^ table[(x >> 56) & 255])
        )
        i += 1
    return crc


if not COMPILED:
    _NUMPY_TABLE = np.array(list(_CRC_TABLE), dtype=np.int64).view(np.uint64).reshape(_TABLES, 256)
    # Pieces of the data whose remainders are computed side by side; a power of two.
    _LANES: Final = 4096

    def _apply(operator: NDArray[np.uint64], words: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Multiply each word by a 64 x 64 matrix over GF(2), given as the images of the 64 single bits."""
        result = np.zeros_like(words)
        for bit in range(64):
            result ^= operator[bit] * ((words >> np.uint64(bit)) & np.uint64(1))
        return result

    def _crc_by_lanes(crc: i64, data: memoryview) -> i64:
        """Carry the remainder on over ``data``, whose length is a multiple of 8 * _LANES bytes.

        The data is cut into equal lanes, whose remainders (of an initial 0) are computed side by side, one word of each
        lane at a time. Then neighbours are joined, pair by pair: the remainder of A followed by B is that of A followed
        by as many zeros as B has bytes, XOR that of B; following by zeros is linear, so it is a matrix.
        """
        words = np.frombuffer(data, dtype=np.uint64).reshape(_LANES, -1)
        steps = words.shape[1]
        columns = words.T.copy()
        columns[0, 0] ^= np.uint64(unsigned(crc))
        low_byte = np.uint64(255)
        lanes = np.zeros(_LANES, dtype=np.uint64)
        for step in range(steps):
            x = lanes ^ columns[step]
            lanes = _NUMPY_TABLE[7][x & low_byte]
            for k in range(1, 8):
                lanes ^= _NUMPY_TABLE[7 - k][(x >> np.uint64(8 * k)) & low_byte]

        # One zero byte, then one word (3 squarings), then a lane of words (square and multiply).
        bits = np.uint64(1) << np.arange(64, dtype=np.uint64)
        power = (bits >> np.uint64(8)) ^ _NUMPY_TABLE[0][bits & low_byte]
        for _ in range(3):
            power = _apply(power, power)
        advance = bits
        while steps:
            if steps & 1:
                advance = _apply(power, advance)
            power = _apply(power, power)
            steps >>= 1
        while len(lanes) > 1:
            lanes = _apply(advance, lanes[0::2]) ^ lanes[1::2]
            advance = _apply(advance, advance)
        return signed(int(lanes[0]))


def crc64(data: bytes | memoryview) -> int:
    """The CRC-64/XZ of ``data``, 0 to 2**64 - 1.

    >>> hex(crc64(b"123456789"))
    '0x995dc9bbdf1939fa'
    """
    view = memoryview(data).cast("B")
    size = len(view)
    crc: i64 = -1
    if COMPILED:
        done = 0
        while done + 8 <= size:
            end = min(done + _CHUNK, size - size % 8)
            crc = _crc_by_words(crc, vec[i64](view[done:end].cast("q")))
            done = end
    else:
        done = size - size % (8 * _LANES)
        if done:
            crc = _crc_by_lanes(crc, view[:done])
    return unsigned(~_crc_by_bytes(crc, vec[u8](view[done:])))
