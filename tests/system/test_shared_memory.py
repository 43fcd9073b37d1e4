"""Memory that several processes map."""

import gc
import os
import subprocess
import sys

import pytest

from pawnstar.system import machine, shared_memory
from pawnstar.system.shared_memory import SharedMemory

pytestmark = pytest.mark.processes

READER = """
import sys
from pawnstar.system.shared_memory import SharedMemory
memory = SharedMemory("test", 4096, sys.argv[1])
print(memory.mapping[:5].decode(), memory.size)
memory.mapping[5:8] = b"you"
"""


def descriptors() -> list[str]:
    """The descriptors that this process has open."""
    return sorted(os.listdir("/proc/self/fd")) if sys.platform == "linux" else []


def test_it_is_zero_at_first_and_another_process_reads_and_writes_it() -> None:
    memory = SharedMemory("test", 4096)
    assert memory.mapping[:] == bytes(4096)
    memory.mapping[:5] = b"hello"
    reader = subprocess.run(
        [sys.executable, "-c", READER, memory.handle],
        pass_fds=memory.descriptors(),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
        check=True,
    )
    assert reader.stdout.split() == ["hello", "4096"]
    assert memory.mapping[:8] == b"helloyou"
    memory.close()


@pytest.mark.skipif(os.name == "nt", reason="the mapping is whole there")
def test_a_part_of_it_can_be_mapped() -> None:
    memory = SharedMemory("test", 3 * 65536, mapped=65536)
    assert (memory.size, len(memory.mapping)) == (3 * 65536, 65536)
    assert os.fstat(memory.descriptor).st_size == 3 * 65536
    memory.close()


@pytest.mark.skipif(os.name == "nt", reason="there is no descriptor there")
@pytest.mark.parametrize("way", ["close", "drop"])
def test_its_descriptor_is_given_back(way: str) -> None:
    before = descriptors()
    memory = SharedMemory("test", 4096)
    descriptor = memory.descriptor
    mapping = memory.mapping
    if way == "close":
        memory.close()
        memory.close()
        assert memory.descriptors() == ()
    del memory
    gc.collect()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
    assert mapping[:4] == bytes(4), "what is mapped stays"
    mapping.close()
    assert descriptors() == before


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="needs posix_fallocate")
def test_a_reservation_that_the_system_refuses_is_an_error_and_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, offset: int, size: int) -> None:
        raise OSError(28, "No space left on device")

    memory = SharedMemory("test", 1 << 20)
    memory.reserve()
    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(MemoryError, match="no 1 MB of shared memory: No space left on device"):
        memory.reserve()
    assert memory.descriptors() == ()


@pytest.mark.skipif(os.name == "nt", reason="there is no descriptor there")
def test_a_descriptor_of_nothing_is_an_error() -> None:
    before = descriptors()
    with pytest.raises(MemoryError, match="Bad file descriptor"):
        SharedMemory("test", 4096, "999999")
    assert descriptors() == before


def test_what_the_machine_has_not_left_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "available_memory", lambda: 5 << 20)
    shared_memory.require_available(5 << 20)
    with pytest.raises(MemoryError, match="no 6 MB of shared memory: 5 MB are left"):
        shared_memory.require_available(6 << 20)
    monkeypatch.setattr(machine, "available_memory", lambda: None)
    shared_memory.require_available(1 << 60)
