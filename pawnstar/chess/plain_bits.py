"""The helpers of ``bits.py`` for unbounded integers; they replace the compiled forms where the package is interpreted.

Not compiled. Every function takes words in signed normal form and returns one, except ``wrap``, which makes one.
"""

_WORD = 0xFFFFFFFFFFFFFFFF
_SIGN = 0x8000000000000000


def wrap(x: int) -> int:
    """The normal form of ``x`` modulo 2**64."""
    return ((x + _SIGN) & _WORD) - _SIGN


def popcount(b: int) -> int:
    """The number of bits set."""
    return (b & _WORD).bit_count()


def lsb(b: int) -> int:
    """The index of the lowest bit set; ``b`` must not be 0."""
    return (b & -b).bit_length() - 1


def lowest_bit(b: int) -> int:
    """``b`` with all but its lowest bit cleared."""
    return (((b & -b) + _SIGN) & _WORD) - _SIGN


def clear_lowest(b: int) -> int:
    """``b`` without its lowest bit."""
    return (((b & (b - 1)) + _SIGN) & _WORD) - _SIGN


def more_than_one(b: int) -> bool:
    """Whether at least two bits are set."""
    return b & (b - 1) & _WORD != 0
