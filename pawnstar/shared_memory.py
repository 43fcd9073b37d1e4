"""Memory without a name that several processes map: it is gone with its last user, however the processes end.

Named shared memory stays behind a process that is killed, and needs a file system for it (/dev/shm), which containers
have small, read-only, or not at all. A file in memory that is handed down needs none.
"""

import errno
import os
import tempfile

from pawnstar import machine


def nameless_file(label: str) -> int:
    """The descriptor of an empty file in memory, or where there is no such thing of a deleted one on disk.

    ``label`` is seen in /proc only. Raises OSError.
    """
    if hasattr(os, "memfd_create"):
        try:
            return os.memfd_create(label)
        except OSError as error:
            if error.errno not in (errno.ENOSYS, errno.EPERM):
                raise
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def nameless_memory(label: str, size: int) -> int:
    """The descriptor of ``size`` bytes of zeros, taken from the system already.

    A lack of memory is so an error here, and no signal (SIGBUS) to whoever writes first. Raises MemoryError.
    """
    available = machine.available_memory()
    if available is not None and size > available:
        raise MemoryError(f"no {size >> 20} MB of shared memory: {available >> 20} MB are left")
    try:
        descriptor = nameless_file(label)
        try:
            os.ftruncate(descriptor, size)
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(descriptor, 0, size)
        except OSError:
            os.close(descriptor)
            raise
    except OSError as error:
        raise MemoryError(f"no {size >> 20} MB of shared memory: {error.strerror}") from error
    return descriptor
