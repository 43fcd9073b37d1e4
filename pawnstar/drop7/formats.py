"""How the commands and files of all Drop7 engines write numbers and text."""

from __future__ import annotations

import struct
from dataclasses import dataclass


def value_bits(value: float) -> str:
    """The 64 bits of a float as 16 hexadecimal digits.

    >>> value_bits(-4057.5)
    'c0afb30000000000'
    """
    return struct.pack(">d", value).hex()


def decimal(value: float) -> str:
    """17 digits after the point and a plain exponent.

    >>> decimal(-684.78750000000025), decimal(0.0)
    ('-6.84787500000000250e2', '0.00000000000000000e0')
    """
    mantissa, exponent = f"{value:.17e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def shortest(value: float) -> str:
    """The shortest decimal digits that identify the float, with an exponent.

    >>> shortest(-1848.5199166666666), shortest(-1947.58125)
    ('-1.8485199166666666e3', '-1.94758125e3')
    """
    for digits in range(17):
        text = f"{value:.{digits}e}"
        if float(text) == value:
            break
    mantissa, exponent = text.split("e")
    return f"{mantissa}e{int(exponent)}"


def json_string(text: str) -> str:
    """A JSON string. Only what must be escaped is; other characters pass through."""
    named = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(named.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def json_value(value: object) -> str:
    """JSON without spaces. Floats get nine decimals; texts that are already JSON are wrapped in ``Raw``."""
    if value is None:
        return "null"
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.9f}"
    if isinstance(value, str):
        return json_string(value)
    if isinstance(value, dict):
        return "{" + ",".join([f"{json_string(key)}:{json_value(item)}" for key, item in value.items()]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([json_value(item) for item in value]) + "]"
    raise TypeError(f"no JSON form for {type(value).__name__}")


@dataclass(frozen=True)
class Raw:
    """Text that goes into JSON as it is."""

    text: str


def parse_integer(text: str, least: int, most: int) -> int:
    """A decimal integer: digits with an optional ``+``, or ``-`` where negative numbers are allowed.

    Raises:
        ValueError: anything else, or out of range.
    """
    digits = text[1:] if text[:1] == "+" or (text[:1] == "-" and least < 0) else text
    if not digits or not all("0" <= letter <= "9" for letter in digits):
        raise ValueError(f"not an integer: {text!r}")
    value = int(text)
    if not least <= value <= most:
        raise ValueError(f"out of range: {text!r}")
    return value


def parse_i32(text: str) -> int:
    """A signed 32-bit integer, see ``parse_integer``."""
    return parse_integer(text, -(1 << 31), (1 << 31) - 1)


def parse_u64(text: str) -> int:
    """An unsigned 64-bit integer, see ``parse_integer``."""
    return parse_integer(text, 0, (1 << 64) - 1)
