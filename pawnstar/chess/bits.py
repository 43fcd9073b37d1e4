"""64-bit words in signed normal form.

A bitboard, a hash key and a magic multiplier are 64-bit words. mypyc has no unsigned 64-bit type, so a word is the
signed integer with the same bits, from -2**63 to 2**63 - 1: its *normal form*. Every word that is stored, compared
or returned is in normal form, in both modes.

AND, OR, XOR and NOT keep the normal form. Left shifts, additions, multiplications and negations may leave it in plain
Python, where integers are unbounded, and wrap by themselves in compiled code; they go through the helpers here, which
compile to nothing and are replaced by wrapping ones (``plain_bits.py``) in plain Python. A right shift is arithmetic: a
logical one needs a mask behind it.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

# True in the extension module, False in the plain source; setup.py tells the compiler (--always-true=COMPILED), which
# then leaves the other branch out. The test itself stays in the compiled code, so the helpers below do without it: they
# are written in the form that compiles to an instruction or two, and replaced at the module's end where it is plain.
COMPILED: Final = not __file__.endswith(".py")

NOT_FILE_A: Final = -0x0101010101010102  # 0xFEFEFEFEFEFEFEFE
NOT_FILE_H: Final = 0x7F7F7F7F7F7F7F7F
RANK_1: Final = 0xFF
RANK_3: Final = 0xFF0000
RANK_6: Final = 0xFF0000000000
RANK_8: Final = -0x100000000000000  # 0xFF00000000000000
LIGHT_SQUARES: Final = 0x55AA55AA55AA55AA


def wrap(x: i64) -> i64:
    """The normal form of ``x`` modulo 2**64."""
    return x


def signed(x: int) -> i64:
    """The normal form of an unbounded integer: ``signed(2**64 - 1) == -1``. For constants and conversions."""
    x &= 0xFFFFFFFFFFFFFFFF
    return x - 0x10000000000000000 if x >= 0x8000000000000000 else x


def unsigned(x: i64) -> int:
    """The unsigned reading of a word, 0 to 2**64 - 1."""
    value = int(x)
    return value + 0x10000000000000000 if value < 0 else value


def popcount(b: i64) -> i64:
    """The number of bits set. gcc turns the loop into one instruction where the processor has it."""
    n: i64 = 0
    while b != 0:
        b &= b - 1
        n += 1
    return n


def lsb(b: i64) -> i64:
    """The index of the lowest bit set; ``b`` must not be 0."""
    return popcount((b & -b) - 1)


def lowest_bit(b: i64) -> i64:
    """``b`` with all but its lowest bit cleared."""
    return b & -b


def clear_lowest(b: i64) -> i64:
    """``b`` without its lowest bit."""
    return b & (b - 1)


def more_than_one(b: i64) -> bool:
    """Whether at least two bits are set."""
    return (b & (b - 1)) != 0


if not COMPILED:
    from pawnstar.chess import plain_bits

    globals().update(
        {
            name: getattr(plain_bits, name)
            for name in ("wrap", "popcount", "lsb", "lowest_bit", "clear_lowest", "more_than_one")
        }
    )


def north(b: i64) -> i64:
    """Each bit one rank up."""
    return wrap(b << 8)


def south(b: i64) -> i64:
    """Each bit one rank down."""
    return (b >> 8) & 0x00FFFFFFFFFFFFFF


def north_west(b: i64) -> i64:
    """Each bit one rank up and one file towards the a-file."""
    return wrap((b & NOT_FILE_A) << 7)


def north_east(b: i64) -> i64:
    """Each bit one rank up and one file towards the h-file."""
    return wrap((b & NOT_FILE_H) << 9)


def south_west(b: i64) -> i64:
    """Each bit one rank down and one file towards the a-file."""
    return ((b & NOT_FILE_A) >> 9) & 0x007FFFFFFFFFFFFF


def south_east(b: i64) -> i64:
    """Each bit one rank down and one file towards the h-file."""
    return ((b & NOT_FILE_H) >> 7) & 0x01FFFFFFFFFFFFFF


def truncated(numerator: i64, denominator: i64) -> i64:
    """The quotient rounded towards zero, as C divides; ``denominator`` must be positive. ``//`` rounds down."""
    if numerator >= 0:
        return numerator // denominator
    return -((-numerator) // denominator)


def _single_bits() -> vec[i64]:
    bits = vec[i64]([i64(0)] * 64)
    bit: i64 = 1
    i: i64 = 0
    while i < 64:
        bits[i] = bit
        bit = wrap(bit << 1)
        i += 1
    return bits


# BIT[square] is the word with that one bit. A table, because mypyc compiles ``1 << n`` as a 32-bit shift.
BIT: Final = _single_bits()


def bits_of(b: i64) -> list[int]:
    """The squares of a bitboard in ascending order, for code that is not hot."""
    found: list[int] = []
    while b != 0:
        found.append(int(lsb(b)))
        b = clear_lowest(b)
    return found
