"""The memory that threads share: how a Hash is divided, and what the control block and the net's place hold."""

import os

import pytest

from pawnstar.parallel.thread_memory import SECOND_TABLE_DEPTH, TableSizes, ThreadMemory, divide_hash
from pawnstar.settings import THREADS


@pytest.mark.parametrize("threads", [2, 3, 8, 256])
@pytest.mark.parametrize("megabytes", [1, 16, 64, 4096])
def test_division_stays_within_the_hash_granted(megabytes: int, threads: int) -> None:
    assert divide_hash(megabytes, threads, None) == TableSizes(megabytes)
    sizes = divide_hash(megabytes, threads, SECOND_TABLE_DEPTH)
    second = sizes.second_cells * 16
    assert second & (second - 1) == 0
    assert sizes.own_megabytes & (sizes.own_megabytes - 1) == 0
    assert sizes.second_depth == SECOND_TABLE_DEPTH
    if megabytes >= 4 * threads:
        assert second + (threads * sizes.own_megabytes << 20) <= megabytes << 20


def test_one_thread_has_the_largest_power_of_two_in_a_hash() -> None:
    assert [divide_hash(megabytes, 1, SECOND_TABLE_DEPTH) for megabytes in (1, 5, 64, 100)] == [
        TableSizes(1),
        TableSizes(4),
        TableSizes(64),
        TableSizes(64),
    ]
    assert divide_hash(100, 2, None) == TableSizes(64)


@pytest.mark.parametrize("second_cells", [0, 1 << 16])
def test_whoever_opens_the_memory_sees_what_was_written(second_cells: int) -> None:
    sizes = TableSizes(1, second_cells, 3)
    memory = ThreadMemory(sizes)
    other = ThreadMemory(sizes, str(os.dup(int(memory.handle))) if os.name != "nt" else memory.handle)
    memory.write_net(b"a longer net")
    memory.write_net(b"a net")
    assert other.read_net() == b"a net"
    memory.set_active_search(7)
    assert other.active_search() == 7
    assert not memory.is_ready(1)
    for thread in (1, 2, THREADS.most - 1):
        other.set_ready(thread)
        other.publish(thread, 7, 10**12 + thread, 1000)
    assert [memory.is_ready(thread) for thread in (1, 2, 3, THREADS.most - 1)] == [True, True, False, True]
    assert [memory.published(thread, 7) for thread in (1, 2, 3)] == [(10**12 + 1, 1000), (10**12 + 2, 1000), (0, 0)]
    assert memory.published(THREADS.most - 1, 7) == (10**12 + THREADS.most - 1, 1000)
    assert memory.published(1, 8) == (0, 0), "another search"
    assert (memory.active_search(), memory.read_net()) == (7, b"a net"), "the last line does not reach the net"
    other.close()
    memory.close()
