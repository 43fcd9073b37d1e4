"""The helpers for 64-bit words in signed normal form, on the edges where plain integers and machine words part."""

import random
from collections.abc import Callable

import pytest
from modes import plain_twin

from pawnstar.chess import bits

LOWEST = -(2**63)
HIGHEST = 2**63 - 1


def normal(x: int) -> int:
    """The oracle's normal form: unbounded arithmetic modulo 2**64, read as signed."""
    x %= 2**64
    return x - 2**64 if x >= 2**63 else x


def word(x: int) -> int:
    """The unsigned reading."""
    return x % 2**64


def squares(x: int) -> list[int]:
    return [square for square in range(64) if word(x) >> square & 1]


def moved(x: int, files: int, ranks: int) -> int:
    """Every square of a bitboard moved on a board with edges."""
    result = 0
    for square in squares(x):
        file = square % 8 + files
        rank = square // 8 + ranks
        if 0 <= file < 8 and 0 <= rank < 8:
            result |= 1 << (8 * rank + file)
    return normal(result)


SINGLE_BITS = [normal(1 << square) for square in range(64)]
_dice = random.Random(64)
WORDS = [
    0,
    1,
    -1,
    LOWEST,
    HIGHEST,
    LOWEST + 1,
    HIGHEST - 1,
    -2,
    *SINGLE_BITS,
    *[normal(~bit) for bit in SINGLE_BITS],
    *[normal(_dice.getrandbits(64)) for _ in range(200)],
    *[normal(_dice.getrandbits(64) & _dice.getrandbits(64) & _dice.getrandbits(64)) for _ in range(200)],
]
NOT_ZERO = [x for x in WORDS if x != 0]

ORACLES: list[tuple[str, list[int], Callable[[int], int | bool | list[int]]]] = [
    ("wrap", WORDS, lambda x: x),
    ("signed", WORDS, lambda x: x),
    ("unsigned", WORDS, word),
    ("popcount", WORDS, lambda x: len(squares(x))),
    ("lsb", NOT_ZERO, lambda x: squares(x)[0]),
    ("lowest_bit", WORDS, lambda x: normal(1 << squares(x)[0]) if x else 0),
    ("clear_lowest", WORDS, lambda x: normal(sum(1 << square for square in squares(x)[1:]))),
    ("more_than_one", WORDS, lambda x: len(squares(x)) > 1),
    ("bits_of", WORDS, squares),
    ("north", WORDS, lambda x: moved(x, 0, 1)),
    ("south", WORDS, lambda x: moved(x, 0, -1)),
    ("north_west", WORDS, lambda x: moved(x, -1, 1)),
    ("north_east", WORDS, lambda x: moved(x, 1, 1)),
    ("south_west", WORDS, lambda x: moved(x, -1, -1)),
    ("south_east", WORDS, lambda x: moved(x, 1, -1)),
]
NAMES = [name for name, _, _ in ORACLES]


@pytest.mark.parametrize(("name", "words", "oracle"), ORACLES, ids=NAMES)
def test_helper_equals_unbounded_arithmetic(
    name: str, words: list[int], oracle: Callable[[int], int | bool | list[int]]
) -> None:
    helper = getattr(bits, name)
    for x in words:
        assert helper(x) == oracle(x), f"{name}({x})"


@pytest.mark.parametrize(("name", "words", "oracle"), ORACLES, ids=NAMES)
def test_plain_helper_equals_the_one_under_test(
    name: str, words: list[int], oracle: Callable[[int], int | bool | list[int]]
) -> None:
    """Both modes in one run: the plain source beside the extension gives the same results, of the same type."""
    twin = plain_twin("pawnstar.chess.bits")
    assert twin is not bits
    assert twin.COMPILED is False
    plain = getattr(twin, name)
    helper = getattr(bits, name)
    for x in words:
        assert plain(x) == helper(x) == oracle(x), f"{name}({x})"
        assert type(plain(x)) is type(helper(x)), f"{name}({x})"


def test_every_helper_is_tested() -> None:
    """A helper added to bits.py without an oracle here would be compared in neither mode."""
    public = {
        name
        for name, value in vars(plain_twin("pawnstar.chess.bits")).items()
        if getattr(value, "__module__", None) in ("pawnstar.chess.bits", "pawnstar.chess.plain_bits")
        and callable(value)
        and name[0] != "_"
    }
    assert public - {"truncated"} == set(NAMES)


@pytest.mark.parametrize("x", [2**63, 2**64 - 1, 2**64, -(2**63) - 1, 2**100 + 5, -(2**100)])
def test_signed_takes_any_integer(x: int) -> None:
    assert bits.signed(x) == normal(x)
    assert plain_twin("pawnstar.chess.bits").signed(x) == normal(x)


def test_plain_wrap_brings_escaped_words_back() -> None:
    """What compiled arithmetic wraps by itself, plain Python wraps here: sums, products and shifts of words."""
    wrap = plain_twin("pawnstar.chess.bits").wrap
    for x in WORDS:
        for escaped in (x << 7, x << 9, x * 0x2545F4914F6CDD1D, x + HIGHEST, x - HIGHEST, -x):
            assert wrap(escaped) == normal(escaped)


def test_bit_table_holds_the_single_bits() -> None:
    assert [bits.BIT[square] for square in range(64)] == SINGLE_BITS


def test_constants_are_in_normal_form() -> None:
    """A constant written unsigned would raise in compiled code and compare unequal in plain Python."""
    assert squares(bits.NOT_FILE_A) == [square for square in range(64) if square % 8 != 0]
    assert squares(bits.NOT_FILE_H) == [square for square in range(64) if square % 8 != 7]
    assert squares(bits.RANK_1) == list(range(8))
    assert squares(bits.RANK_3) == list(range(16, 24))
    assert squares(bits.RANK_6) == list(range(40, 48))
    assert squares(bits.RANK_8) == list(range(56, 64))
    assert squares(bits.LIGHT_SQUARES) == [s for s in range(64) if (s % 8 + s // 8) % 2 == 1]
    for name, value in vars(bits).items():
        if isinstance(value, int) and name.isupper():
            assert LOWEST <= value <= HIGHEST, name


@pytest.mark.parametrize("twin", ["under test", "plain"])
def test_truncated_division_rounds_towards_zero(twin: str) -> None:
    """``//`` rounds down; a score of -1 divided by 2 must be 0, as in C."""
    truncated = bits.truncated if twin == "under test" else plain_twin("pawnstar.chess.bits").truncated
    numerators = [0, 1, -1, 254, 255, 256, -254, -255, -256, HIGHEST, -HIGHEST, 32000, -32000, *range(-50, 50)]
    for numerator in numerators:
        for denominator in (1, 2, 3, 7, 80, 255, 16320, HIGHEST):
            exact = abs(numerator) // denominator
            assert truncated(numerator, denominator) == (exact if numerator >= 0 else -exact)
