"""Interrupts: the exit status after one, and how compiled code lets signal handlers and other threads run.

This module must stay uncompiled. Python runs signal handlers, and hands its lock to another thread, only between the
instructions of interpreted code. A compiled loop contains none, so loops that may run for long call the interpreted
function below every millisecond or so. The call costs some 30 ns where nothing waits.
"""

from typing import Final

# The exit status after a Ctrl-C, which shells give to programs that die of one.
INTERRUPTED: Final = 130


def let_others_in() -> None:
    """Let Python run the handlers of signals that came (in the main thread), and other threads that wait.

    Raises what a handler raises: KeyboardInterrupt after a Ctrl-C.
    """
