"""How large a search may be, and the error that refuses one."""

from __future__ import annotations

from typing import Final

MOST_SAMPLES: Final = 100_000
"""Most sampled futures of a column; the memory of a search grows with them."""

DEEPEST: Final = 100
"""Most discs that a search looks ahead. No search ever ends at a tenth of it, and every ply takes stack."""


class PlanError(ValueError):
    """A decision that is refused; the text is what the commands print."""

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles, also those of packages that carry errors between processes, name the text."""
        return PlanError, self.args


def check_size(depth: int, samples: int) -> None:
    """Refuse searches that cannot be begun.

    Raises:
        PlanError: depth or samples are below 1 or beyond all use.
    """
    if depth < 1 or samples < 1:
        raise PlanError("depth and chance samples must both be at least 1")
    if depth > DEEPEST:
        raise PlanError(f"depth must be at most {DEEPEST}")
    if samples > MOST_SAMPLES:
        raise PlanError(f"chance samples must be at most {MOST_SAMPLES}")
