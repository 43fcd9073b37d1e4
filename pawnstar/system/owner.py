"""Worker processes end with the process that started them, however that one ends.

A closed pipe is no reliable sign of that: any other process that was forked meanwhile holds it open, and a worker in
the middle of its work does not look at its pipe. So a thread of every worker waits for its owner's process to end.
Linux's signal at the parent's death would come too early: it is sent when the *thread* that started the worker ends.

Not compiled: it waits.
"""

import contextlib
import multiprocessing
import os
import select
import sys
import threading
import time
from multiprocessing.connection import wait
from typing import Final

LOOK_SECONDS: Final = 0.2
"""Seconds between two checks of the owner, where the system offers no way to wait for its end."""


def end_with_owner(owner: int) -> None:
    """End this process as soon as the one that started it, whose process id is ``owner``, has ended."""
    threading.Thread(target=_watch, args=(owner,), name="owner", daemon=True).start()


def _watch(owner: int) -> None:
    if sys.platform == "win32":
        # Nothing is forked there: a helper's pipe closes when its owner ends. Workers of multiprocessing have a handle.
        parent = multiprocessing.parent_process()
        if parent is None:
            return
        wait([parent.sentinel])
    else:
        with contextlib.suppress(OSError, AttributeError):
            # From Linux 5.3 on; readable when all threads of the process have ended.
            descriptor = os.pidfd_open(owner)
            if os.getppid() == owner:  # else the id may by now be another process's
                ends = select.poll()
                ends.register(descriptor, select.POLLIN)
                ends.poll()
        while os.getppid() == owner:
            time.sleep(LOOK_SECONDS)
    os._exit(0)
