"""The memory that threads share: how a Hash is divided, and what the control block and the net's place hold."""

import os

import pytest

from pawnstar.engine.thread_memory import EVERY_DEPTH, MAX_THREADS, SHARED_DEPTH, TableSizes, ThreadMemory, divide_hash


@pytest.mark.parametrize("threads", [2, 3, 8, 256])
@pytest.mark.parametrize("megabytes", [1, 16, 64, 4096])
def test_division_stays_within_the_hash_granted(megabytes: int, threads: int) -> None:
    assert divide_hash(megabytes, threads, EVERY_DEPTH) == TableSizes(megabytes << 16, 0)
    sizes = divide_hash(megabytes, threads, SHARED_DEPTH)
    shared = sizes.shared_cells * 16
    assert shared & (shared - 1) == 0
    assert sizes.private_megabytes & (sizes.private_megabytes - 1) == 0
    if megabytes >= 4 * threads:
        assert shared + (threads * sizes.private_megabytes << 20) <= megabytes << 20


@pytest.mark.parametrize("private_megabytes", [0, 1])
def test_whoever_opens_the_memory_sees_what_was_written(private_megabytes: int) -> None:
    sizes = TableSizes(1 << 16, private_megabytes)
    memory = ThreadMemory(sizes)
    other = ThreadMemory(sizes, str(os.dup(int(memory.handle))) if os.name != "nt" else memory.handle)
    memory.write_net(b"a longer net")
    memory.write_net(b"a net")
    assert other.read_net() == b"a net"
    memory.set_active_search(7)
    assert other.active_search() == 7
    assert not memory.is_ready(1)
    for thread in (1, 2, MAX_THREADS - 1):
        other.set_ready(thread)
        other.publish(thread, 7, 10**12 + thread, 1000)
    assert [memory.is_ready(thread) for thread in (1, 2, 3, MAX_THREADS - 1)] == [True, True, False, True]
    assert [memory.published(thread, 7) for thread in (1, 2, 3)] == [(10**12 + 1, 1000), (10**12 + 2, 1000), (0, 0)]
    assert memory.published(MAX_THREADS - 1, 7) == (10**12 + MAX_THREADS - 1, 1000)
    assert memory.published(1, 8) == (0, 0), "another search"
    assert (memory.active_search(), memory.read_net()) == (7, b"a net"), "the last line does not reach the net"
    other.close()
    memory.close()
