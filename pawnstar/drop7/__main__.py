"""``python -m pawnstar.drop7`` is ``drop7``."""

from pawnstar.drop7.cli import main

main(prog_name="drop7")
