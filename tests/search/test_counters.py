"""The diagnostic counters: one line each, shown by name."""

from pawnstar.search.counters import Counters


def test_counters_are_named_in_alphabetical_order() -> None:
    names = list(Counters().by_name())
    assert len(names) >= 47, "the siblings show so many"
    assert names == sorted(names)


def test_each_name_stands_for_its_own_counter_and_all_are_reset() -> None:
    counters = Counters()
    names = list(counters.by_name())
    for number, name in enumerate(names, 1):
        attribute = name.replace(" (", "_").replace(")", "").replace(" ", "_").lower()
        setattr(counters, attribute, number)
    assert counters.by_name() == {name: number for number, name in enumerate(names, 1)}
    counters.reset()
    assert not any(counters.by_name().values())


def test_two_searches_count_apart() -> None:
    one, other = Counters(), Counters()
    one.null_move += 1
    assert (one.by_name()["null move"], other.by_name()["null move"]) == (1, 0)
