"""The ``pawnstar`` command: without arguments a UCI engine on standard input, with a name one of its tools.

Not compiled: it is the entry point, and what it does is wait. The command-line library is imported only when there is
a command line, which keeps the engine's own start short.
"""

import sys


def main() -> int:
    """Run the UCI program, or the tool that the command line names; returns the exit status."""
    if len(sys.argv) > 1:
        from pawnstar.tools.commands import commands

        commands(prog_name="pawnstar")
        return 0
    from pawnstar.protocol.program import run

    return run()
