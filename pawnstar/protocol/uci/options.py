"""The UCI options: names, kinds, ranges, and reading values."""

import re
from dataclasses import dataclass
from typing import Final

from pawnstar.protocol.input import BLANKS, split_words

HASH_DEFAULT: Final = 64
HASH_MAX: Final = 4096
THREADS_MAX: Final = 256
OVERHEAD_MAX: Final = 5000

# The ends of 64 bits. What lies beyond stands for them: as a limit it is as little reached.
_LEAST: Final = -(2**63)
_MOST: Final = 2**63 - 1
_MOST_DIGITS: Final = 19

_NAME: Final = re.compile(rf"(?:\A|{BLANKS})name(?={BLANKS}|\Z)")
_VALUE: Final = re.compile(rf"(?:\A|{BLANKS})value(?={BLANKS}|\Z)")


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


@dataclass
class Options:
    """The current values. ``hash`` is in megabytes, ``move_overhead`` in milliseconds."""

    threads: int
    hash: int = HASH_DEFAULT
    move_overhead: int = 30
    own_book: bool = True
    analyse_mode: bool = False

    def lines(self) -> list[str]:
        """The ``option`` lines: the siblings' in their order, behind them what only this engine has.

        Threads, Move Overhead and OwnBook show their current values.
        """
        return [
            f"option name Hash type spin default {HASH_DEFAULT} min 1 max {HASH_MAX}",
            f"option name Threads type spin default {self.threads} min 1 max {THREADS_MAX}",
            "option name Ponder type check default false",
            "option name EvalFile type string default <empty>",
            "option name Clear Hash type button",
            f"option name Move Overhead type spin default {self.move_overhead} min 0 max {OVERHEAD_MAX}",
            f"option name OwnBook type check default {'true' if self.own_book else 'false'}",
            "option name UCI_AnalyseMode type check default false",
        ]


def parse_setoption(text: str) -> tuple[str, str | None]:
    """Name and value from what follows ``setoption``; the value is None where the word ``value`` is missing.

    The words of the name are joined by single blanks. The value is as it was written, without the blanks around it: in
    the name of a file two blanks are not one.
    """
    name = _NAME.search(text)
    if name is None:
        return "", None
    text = text[name.end() :]
    value = _VALUE.search(text)
    if value is None:
        return " ".join(split_words(text)), None
    return " ".join(split_words(text[: value.start()])), text[value.end() :].strip(" \t\r\n\v\f")
