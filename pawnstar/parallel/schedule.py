"""Which iterations each helper leaves out, so as not to repeat the main search in step.

The table is the sibling engines': helpers take turns at skipping single iterations, pairs, triples and quadruples.
"""

from typing import Final

# By thread number less one (modulo 20): how many iterations in a row a helper searches, and then skips; and at which
# depth it begins.
SKIP_SIZE: Final = (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4)
SKIP_PHASE: Final = (0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 7)


def skips(thread: int, depth: int) -> bool:
    """Whether a helper, thread 1, 2, …, leaves out the iteration of ``depth`` plies."""
    row = (thread - 1) % len(SKIP_SIZE)
    return (depth + SKIP_PHASE[row]) // SKIP_SIZE[row] % 2 == 1
