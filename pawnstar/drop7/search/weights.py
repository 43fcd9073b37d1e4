"""Files of leaf weights: one ``NAME VALUE`` a line, comments from ``#``."""

from __future__ import annotations

from math import isfinite
from re import compile as pattern
from typing import Final

from pawnstar.drop7.search.leaf import TERM_NAMES

NUMBER: Final = pattern(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|infinity|nan)")


class WeightsError(ValueError):
    """What is wrong with a weight file, with path and line."""

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles, also those of packages that carry errors between processes, name the text."""
        return WeightsError, self.args


def parse_weights(text: str, path: str) -> list[float]:
    """The eighteen weights in the order of ``leaf.TERM_NAMES``; ``path`` is for messages only.

    Raises:
        WeightsError: a line is malformed, a term unknown, repeated or missing, or a value is not a finite number.
    """
    found: dict[str, float] = {}
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.split("#")[0].split()
        if not fields:
            continue
        place = f"{path}:{number}: "
        if len(fields) != 2:
            raise WeightsError(f"{place}expected one leaf name and one value")
        name, value_text = fields
        if name not in TERM_NAMES:
            raise WeightsError(f"{place}unknown leaf term {name}")
        if name in found:
            raise WeightsError(f"{place}duplicate leaf term {name}")
        if not NUMBER.fullmatch(value_text.lower()):
            raise WeightsError(f"{place}invalid value for {name}")
        value = float(value_text)
        if not isfinite(value):
            raise WeightsError(f"{place}non-finite value for {name}")
        found[name] = value
    for name in TERM_NAMES:
        if name not in found:
            raise WeightsError(f"{path}: missing leaf term {name}")
    return [found[name] for name in TERM_NAMES]
