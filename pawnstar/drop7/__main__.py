"""``python -m pawnstar.drop7`` is ``drop7``."""

import sys

from pawnstar.drop7.cli import main

if __name__ == "__main__":
    sys.exit(main())
