"""The diagnostic counters of the evaluation, which a search extends by its own; and whether anything is counted."""

from typing import Final

from mypy_extensions import i64

# Whether counters are counted. PAWNSTAR_DEBUGX=0 makes setup.py tell the compiler --always-false=DEBUGX. A literal, so
# that the test compiles to nothing; but not True: mypy's binder takes Final names with equal literal values for one,
# True equals 1, and behind ``if DEBUGX:`` every constant 1 would become a bool.
DEBUGX: Final = 0xDB


class EvaluationCounters:
    """How often a position's worth was asked for, and how often the cache knew it."""

    eval_calls: i64 = 0
    eval_hash_hits: i64 = 0
