"""The schedule of skipped iterations."""

from pawnstar.parallel.schedule import skips


def test_skip_schedule() -> None:
    """The siblings' table, written out: which of the depths 4 to 11 each of the first helpers searches."""
    searched = {thread: [depth for depth in range(4, 12) if not skips(thread, depth)] for thread in range(1, 8)}
    assert searched == {
        1: [4, 6, 8, 10],
        2: [5, 7, 9, 11],
        3: [4, 5, 8, 9],
        4: [4, 7, 8, 11],
        5: [6, 7, 10, 11],
        6: [5, 6, 9, 10],
        7: [6, 7, 8],
    }
    assert [skips(21, depth) for depth in range(4, 40)] == [skips(1, depth) for depth in range(4, 40)]
