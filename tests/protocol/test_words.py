"""The words of a line, and words as numbers. How bytes are cut into lines is tested in ``test_fuzz.py``."""

import pytest

from pawnstar.protocol.words import split_words, whole_integer, whole_part


def test_only_ascii_blanks_separate_words() -> None:
    assert split_words(" a\tb\r\x0bc\xa0d\u2003e\x1cf \n") == ["a", "b", "c\xa0d\u2003e\x1cf"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("12", 12),
        ("+12", 12),
        ("-12", -12),
        ("007", 7),
        ("-0", 0),
        (str(2**63 - 1), 2**63 - 1),
        (str(-(2**63)), -(2**63)),
        # A number that 64 bits do not hold was "no whole number", and a search for so many nodes got five minutes.
        (str(2**63), 2**63 - 1),
        (str(2**64 - 1), 2**63 - 1),
        (str(-(2**63) - 1), -(2**63)),
        ("9" * 5000, 2**63 - 1),  # longer than Python converts, too
        ("-" + "9" * 5000, -(2**63)),
        ("0" * 5000 + "7", 7),
        ("-" + "0" * 5000, 0),
        ("", None),
        ("+", None),
        ("-", None),
        ("--1", None),
        ("1.0", None),
        ("1e3", None),
        ("12x", None),
        ("x12", None),
        ("0x10", None),
        ("1_000", None),  # what int() accepts and no engine does
        ("\u0663", None),  # a digit, not an ASCII one
        ("\u00b2", None),
        (" 1", None),
        ("1 ", None),
    ],
)
def test_whole_integer(text: str, value: int | None) -> None:
    assert whole_integer(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1500.5", 1500), ("0.9", 0), ("-7.5", -7), ("5.", 5), ("9" * 30 + ".0", 2**63 - 1)),
        *(("5", None), (".", None), ("", None), ("1.x", None), ("1.-5", None), ("1.5.5", None), ("1,5", None)),
    ],
)
def test_whole_part(text: str, value: int | None) -> None:
    assert whole_part(text) == value
