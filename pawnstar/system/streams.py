"""Standard streams that are closed, or cannot be written."""

import contextlib
import os
import sys
from typing import TextIO


def settle_streams() -> bool:
    """Put the null device where standard input or error was closed; False where there is no standard output.

    Else the next file that is opened (shared memory, a helper's pipe) would be taken for the missing stream.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            if descriptor == 1:
                return False
            # The lowest free number, which is this one. Helper processes inherit it.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    return True


def give_up(stream: TextIO) -> None:
    """Let what a stream still holds back go nowhere, or the interpreter's end fails at it once more."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def give_up_errors() -> None:
    """Give standard error up where it cannot be written: the interpreter's end would make 120 of any exit status."""
    if sys.stderr is not None:
        try:
            sys.stderr.flush()
        except (OSError, ValueError):
            give_up(sys.stderr)
