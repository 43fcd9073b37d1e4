"""``python -m pawnstar``. Not compiled: a compiled module cannot be run as a script."""

import sys

from pawnstar.cli import main

if __name__ == "__main__":
    sys.exit(main())
