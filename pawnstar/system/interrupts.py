"""Interrupts: the status that they end with, and how compiled code lets them and other threads in.

Not compiled, and that is its purpose: Python runs signal handlers and hands its lock to another thread only between the
instructions of interpreted code. Compiled code never comes to such a place by itself. Calling any interpreted function
is one, so loops that may run for long call this one every millisecond or so. Where nothing waits it costs some 30 ns.
"""

from typing import Final

# The exit status after a Ctrl-C, which shells give to programs that die of one.
INTERRUPTED: Final = 130


def let_others_in() -> None:
    """Run the handlers of signals that came, in the main thread, and let another thread work that asks to.

    Raises what a handler raises: KeyboardInterrupt after a Ctrl-C.
    """
