"""Calls of the operating system about memory: large pages, page boundaries, mapping shared memory over arrays.

Tables that are read at random (transposition table, evaluation cache, weights) miss the processor's page cache at
almost every access when they lie on 4 KB pages; on 2 MB pages they do not, which makes the whole search 10 to 15 %
faster. Linux gives such pages on request (madvise). Elsewhere, and where the request fails, only speed is lost.

A part of an array can be mapped anew (mmap with MAP_FIXED) onto a file in memory which other processes map as well.
Compiled code then reads and writes shared memory as fast as its own.

Not compiled: it speaks to the C library through ctypes.
"""

import ctypes
import mmap
import sys
from typing import Final

LARGE_PAGE: Final = 2 << 20
PAGE: Final = 16384 if sys.platform == "darwin" else 4096
_LINE: Final = 64  # bytes of a cache line
_MADV_DONTNEED: Final = 4  # give the pages back; private ones read as zeros afterwards
_MADV_HUGEPAGE: Final = 14  # use large pages from now on
_MADV_COLLAPSE: Final = 25  # gather the pages that exist into large ones now (Linux 6.1)
_MAP_FIXED: Final = 0x10  # on Linux and macOS alike
_MAP_FAILED: Final = ctypes.c_void_p(-1).value

# Whether arrays can be mapped onto shared memory here.
CAN_SHARE: Final = sys.platform != "win32"


class _Buffer(ctypes.Structure):
    """CPython's ``Py_buffer``."""

    _fields_ = (
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    )


def _address(vector: object) -> int:
    """The address of a ``vec``'s first item, 0 where it has no buffer."""
    buffer = _Buffer()
    if ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(vector), ctypes.byref(buffer), 0) != 0:
        return 0
    address = int(buffer.buf or 0)
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return address


def bytes_to_boundary(vector: object, boundary: int) -> int:
    """How many bytes of a ``vec`` lie before its first boundary of so many bytes."""
    return -_address(vector) % boundary


def items_to_boundary(vector: object) -> int:
    """How many 16-bit items of a ``vec`` lie before its first cache line."""
    return bytes_to_boundary(vector, _LINE) // 2


def _madvise(vector: object, start: int, end: int, advice: int, page: int = PAGE) -> None:
    """Advise the system about the whole pages between two byte offsets of a ``vec``.

    Errors are ignored, since the advice changes nothing but the speed.
    """
    address = _address(vector)
    if sys.platform != "linux" or address == 0:
        return
    first = (address + start + page - 1) // page * page
    last = (address + end) // page * page
    if first < last:
        library = ctypes.CDLL(None)
        library.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        library.madvise(first, last - first, advice)


def advise(vector: object, size: int) -> None:
    """Ask for large pages under the first ``size`` bytes of a ``vec``, which are yet to be written."""
    if size >= LARGE_PAGE:
        _madvise(vector, 0, size, _MADV_HUGEPAGE)


def release(vector: object, start: int, end: int) -> None:
    """Give the pages between two byte offsets of a ``vec`` of zeros back to the system."""
    _madvise(vector, start, end, _MADV_DONTNEED, LARGE_PAGE)


def clear(vector: object, start: int, size: int) -> None:
    """Set bytes of a ``vec`` to zero; Python's other threads run meanwhile."""
    ctypes.memset(_address(vector) + start, 0, size)


def _map(address: int, size: int, flags: int, descriptor: int, offset: int) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = (
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_longlong,
    )
    if library.mmap(address, size, 3, flags | _MAP_FIXED, descriptor, offset) == _MAP_FAILED:
        raise OSError(ctypes.get_errno(), "cannot map memory")


def map_shared(vector: object, start: int, size: int, descriptor: int, offset: int) -> None:
    """Map a file over ``size`` bytes of a ``vec``: its byte ``start`` becomes the file's byte ``offset``.

    All processes that map the file share these bytes. Both offsets lie on page boundaries. Call ``unmap_shared`` before
    the array is freed. Raises OSError.
    """
    _map(_address(vector) + start, size, mmap.MAP_SHARED, descriptor, offset)
    if size >= LARGE_PAGE:
        _madvise(vector, start, start + size, _MADV_HUGEPAGE)
        _madvise(vector, start, start + size, _MADV_COLLAPSE)


def unmap_shared(vector: object, start: int, size: int) -> None:
    """Undo ``map_shared``: the bytes are private and zero again, so the allocator may free or reuse them."""
    _map(_address(vector) + start, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
