"""The UCI options: names, kinds, ranges, and reading values."""

from dataclasses import dataclass
from typing import Final

HASH_DEFAULT: Final = 64
HASH_MAX: Final = 4096
THREADS_MAX: Final = 256
OVERHEAD_MAX: Final = 5000

# Fitting in 64 bits is part of being a whole number.
_LEAST: Final = -(2**63)
_MOST: Final = 2**63 - 1


def whole_integer(text: str) -> int | None:
    """The number that a word is: an optional sign, then only digits, fitting in 64 bits; else None."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits or not digits.isascii() or not digits.isdigit() or len(digits) > 4096:
        return None
    value = int(text)
    return value if _LEAST <= value <= _MOST else None


@dataclass
class Options:
    """The current values. ``hash`` is in megabytes, ``move_overhead`` in milliseconds."""

    threads: int
    hash: int = HASH_DEFAULT
    move_overhead: int = 30
    own_book: bool = True

    def lines(self) -> list[str]:
        """The ``option`` lines in their order; Threads, Move Overhead and OwnBook show their current values."""
        return [
            f"option name Hash type spin default {HASH_DEFAULT} min 1 max {HASH_MAX}",
            f"option name Threads type spin default {self.threads} min 1 max {THREADS_MAX}",
            "option name Ponder type check default false",
            "option name EvalFile type string default <empty>",
            "option name Clear Hash type button",
            f"option name Move Overhead type spin default {self.move_overhead} min 0 max {OVERHEAD_MAX}",
            f"option name OwnBook type check default {'true' if self.own_book else 'false'}",
        ]


def parse_setoption(words: list[str]) -> tuple[str, str | None]:
    """Name and value of a ``setoption`` line's words: joined by single blanks, split at ``name`` and ``value``."""
    name: list[str] = []
    value: list[str] = []
    target: list[str] | None = None
    has_value = False
    for word in words:
        if target is None:
            if word == "name":
                target = name
        elif target is name and word == "value":
            target = value
            has_value = True
        else:
            target.append(word)
    return " ".join(name), " ".join(value) if has_value else None
