"""``python -m pawnstar.drop7`` is ``drop7``."""

import sys

from pawnstar.cli import drop7

if __name__ == "__main__":
    sys.exit(drop7())
