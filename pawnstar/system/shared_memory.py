"""Memory that several processes map. It has no name in any file system and is gone with its last user, however the
processes end.

Named shared memory stays behind a process that is killed, and needs a file system for it (/dev/shm), which containers
have small, read-only, or not at all. A file in memory whose descriptor is handed down needs none. Windows has no such
file; its named mappings end with their last user.
"""

import errno
import mmap
import os
import sys
import tempfile
import weakref

from pawnstar.system import machine


def nameless_file(label: str) -> int:
    """The descriptor of an empty file in memory, or of a deleted one on disk where the system has no such files.

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


def require_available(size: int) -> None:
    """Raise MemoryError where the machine says that it has less than ``size`` bytes left."""
    available = machine.available_memory()
    if available is not None and size > available:
        raise MemoryError(f"no {size >> 20} MB of shared memory: {available >> 20} MB are left")


class SharedMemory:
    """``size`` bytes that several processes map, all zero at first. ``mapping`` reads and writes them.

    ``handle`` is what another process opens them by: on Windows the mapping's name, elsewhere the number of a file
    descriptor, which that process must have inherited or received. ``descriptor`` is -1 on Windows.
    """

    def __init__(self, label: str, size: int, handle: str = "", mapped: int = 0) -> None:
        """Make the bytes, or with a ``handle`` open those that another process has made.

        ``label`` is seen in lists of processes and mappings only. ``mapping`` covers the first ``mapped`` bytes, by
        default (and on Windows) all. This object closes a descriptor that it opens. Raises MemoryError.
        """
        self.size = size
        self.descriptor = -1
        if sys.platform == "win32":
            self.handle = handle or f"{label}-{os.getpid()}-{os.urandom(8).hex()}"
            self.mapping = mmap.mmap(-1, size, tagname=self.handle)
            return
        try:
            descriptor = int(handle) if handle else nameless_file(label)
            os.fstat(descriptor)  # raises OSError where there is no such descriptor, which then is not to be closed
            self.descriptor = descriptor
            # Memory that is dropped without ``close`` is given back as well.
            self._finalizer = weakref.finalize(self, os.close, descriptor)
            if not handle:
                os.ftruncate(descriptor, size)
            self.mapping = mmap.mmap(descriptor, mapped or size)
        except OSError as error:
            self.close()
            raise MemoryError(f"no {size >> 20} MB of shared memory: {error.strerror}") from error
        self.handle = str(self.descriptor)

    def descriptors(self) -> tuple[int, ...]:
        """What a process that is to open the memory must inherit."""
        return (self.descriptor,) if self.descriptor >= 0 else ()

    def reserve(self) -> None:
        """Take all of the memory from the system now.

        Without this call, a lack of memory would end a process by a signal (SIGBUS) when it writes. Raises MemoryError,
        after ``close``.
        """
        if self.descriptor < 0 or not hasattr(os, "posix_fallocate"):
            return
        try:
            os.posix_fallocate(self.descriptor, 0, self.size)
        except OSError as error:
            self.close()
            raise MemoryError(f"no {self.size >> 20} MB of shared memory: {error.strerror}") from error

    def close(self) -> None:
        """Close the descriptor; a second call does nothing.

        The bytes stay readable through ``mapping`` as long as that is referred to, and are freed with the last mapping.
        """
        if self.descriptor >= 0:
            self._finalizer()
            self.descriptor = -1
