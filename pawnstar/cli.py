"""The ``pawnstar`` command: without arguments a UCI engine on standard input, with a name one of its tools.

Not compiled: it is the entry point, and what it does is wait. The command-line library is imported only when there is
a command line, which keeps the engine's own start short.
"""

import sys


def main() -> int:
    """Run the UCI program, or the tool that the command line names; returns the exit status (see command_line.py)."""
    try:
        if len(sys.argv) > 1:
            from pawnstar import command_line
            from pawnstar.tools.commands import commands

            return command_line.run(commands, "pawnstar")
        from pawnstar.protocol import program

        return program.run()
    except KeyboardInterrupt:
        # During the imports.
        return 130
