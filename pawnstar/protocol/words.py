"""Lines cut into words, and words read as numbers."""

import re
from typing import Final

# What separates words: ASCII white space only, so that any other character may stand in a path.
BLANKS: Final = r"[ \t\r\n\v\f]"
_BLANKS: Final = re.compile(rf"{BLANKS}+")

# The ends of 64 bits. What lies beyond stands for them: as a limit it is as little reached.
_LEAST: Final = -(2**63)
_MOST: Final = 2**63 - 1
_MOST_DIGITS: Final = 19


def split_words(line: str) -> list[str]:
    """The words of a line, without what separates them."""
    return [word for word in _BLANKS.split(line) if word]


def split_command(line: str) -> tuple[str, str]:
    """The first word of a line, empty where there is none, and what stands behind it, as it was written."""
    line = line.lstrip(" \t\r\n\v\f")
    command, *rest = _BLANKS.split(line, maxsplit=1)
    return command, rest[0] if rest else ""


def whole_integer(text: str) -> int | None:
    """The number that a word is: an optional sign, then only digits; None where it is none.

    A number beyond 64 bits is brought to their end: a limit nobody reaches, or the end of an option's range.
    """
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits or not digits.isascii() or not digits.isdigit():
        return None
    digits = digits.lstrip("0") or "0"
    # Python reads no numbers of more than some thousand digits.
    value = int(digits) if len(digits) <= _MOST_DIGITS else _MOST + 1
    return max(_LEAST, -value) if text[0] == "-" else min(_MOST, value)


def whole_part(text: str) -> int | None:
    """The whole part of a decimal fraction (``1500.5``, ``-0.5``), towards 0; None where the word is none."""
    whole, point, fraction = text.partition(".")
    if not point or not (fraction.isascii() and (fraction.isdigit() or not fraction)):
        return None
    return whole_integer(whole)
