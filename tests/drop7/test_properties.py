"""What must hold for any position, against slow implementations that share nothing with the packed board."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pawnstar.drop7 import COMPILED, Leaf, PrivateTable, Rules, Searcher, Source, State, analyze, wave_score
from pawnstar.drop7.rules.board import column_of, height, parse_board
from pawnstar.drop7.rules.rng import Source as Mulberry
from pawnstar.drop7.rules.state import mirror_of
from pawnstar.drop7.rules.words import to_columns, to_rows, without_holes
from pawnstar.drop7.search.leaf import either

from .search.slow_leaf import additions

MANY = 400 if COMPILED else 60
SOME = 60 if COMPILED else 8


@st.composite
def stacks(draw: st.DrawFn, codes: str = "123456789", tallest: int = 7) -> str:
    """A board without gaps, as text."""
    columns = [draw(st.text(codes, max_size=tallest)) for _ in range(7)]
    return "".join(columns[cell % 7].rjust(7, "0")[cell // 7] for cell in range(49))


boards = st.text("0123456789", min_size=49, max_size=49)
discs = st.integers(1, 7)
clocks = st.integers(1, 5)
seeds = st.integers(0, 2**32 - 1)


def rows_of(text: str) -> list[list[int]]:
    return [[int(code) for code in text[7 * row : 7 * row + 7]] for row in range(7)]


def text_of(rows: list[list[int]]) -> str:
    return "".join(str(code) for row in rows for code in row)


def slow_run(line: list[int], at: int) -> int:
    """Length of the run of non-empty cells through a cell."""
    start = end = at
    while start > 0 and line[start - 1]:
        start -= 1
    while end < 6 and line[end + 1]:
        end += 1
    return end - start + 1


def slow_fall(rows: list[list[int]]) -> None:
    for column in range(7):
        codes = [rows[row][column] for row in range(7) if rows[row][column]]
        codes = [0] * (7 - len(codes)) + codes
        for row in range(7):
            rows[row][column] = codes[row]


def slow_wave(rows: list[list[int]], source: Mulberry) -> int:
    """One wave on lists; returns how many discs popped."""
    popping = set()
    for row in range(7):
        for column in range(7):
            code = rows[row][column]
            line = [rows[other][column] for other in range(7)]
            if 1 <= code <= 7 and code in (slow_run(rows[row], column), slow_run(line, row)):
                popping.add((row, column))
    if not popping:
        return 0
    for row in range(7):
        for column in range(7):
            around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            hits = sum(cell in popping for cell in around)
            if (rows[row][column] == 9 and hits) or (rows[row][column] == 8 and hits > 1):
                rows[row][column] = int(source.draw())
            elif rows[row][column] == 8 and hits:
                rows[row][column] = 9
    for row, column in popping:
        rows[row][column] = 0
    slow_fall(rows)
    return len(popping)


def slow_move(text: str, disc: int, clock: int, column: int, source: Mulberry) -> tuple[str, int, bool, int]:
    """Board, points, over, and the new clock after a legal move."""
    rows = rows_of(text)
    rows[max(row for row in range(7) if rows[row][column] == 0)][column] = disc
    depth = 1
    points = 0

    def cascade() -> None:
        nonlocal depth, points
        while popped := slow_wave(rows, source):
            points += popped * wave_score(depth)
            depth += 1
        if not any(map(any, rows)):
            points += 70_000

    cascade()
    clock -= 1
    if clock == 0:
        if any(rows[0]):
            return text_of(rows), points, True, 0
        del rows[0]
        rows.append([8] * 7)
        points += 17_000
        clock = 5
        cascade()
    return text_of(rows), points, all(rows[0]), clock


@settings(max_examples=MANY, deadline=None)
@given(boards)
def test_text_round_trip(text: str) -> None:
    board = parse_board(text)
    assert board.text() == text
    again = parse_board("0" * 49)
    again.set_columns(board.columns())
    assert again.same_as(board)
    assert board.heights() == [sum(text[7 * row + column] != "0" for row in range(7)) for column in range(7)]


@settings(max_examples=MANY, deadline=None)
@given(boards)
def test_mirror_and_canonical_form(text: str) -> None:
    mirrored = "".join(text[7 * row : 7 * row + 7][::-1] for row in range(7))
    board = parse_board(text)
    assert mirror_of(board).text() == mirrored
    assert mirror_of(mirror_of(board)).text() == text
    canonical, flag = State(board, 3).canonical()
    assert canonical.board.text() == min(text, mirrored)
    assert flag == (mirrored < text)
    assert State(mirror_of(board), 3).canonical()[0].board.text() == min(text, mirrored)


@settings(max_examples=MANY, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=7, max_size=7))
def test_gravity_keeps_the_order(cells: list[tuple[int, bool]]) -> None:
    column = sum(code << (4 * row) for row, (code, _) in enumerate(cells))
    holes = sum(1 << (4 * row) for row, (_, hole) in enumerate(cells) if hole)
    left = [code for code, hole in cells if not hole]
    assert without_holes(column, holes) == sum(code << (4 * row) for row, code in enumerate(left))


@settings(max_examples=MANY, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6))))
def test_row_boards_and_columns_are_transposed(cells: set[tuple[int, int]]) -> None:
    pairs = [0, 0, 0, 0]
    rows = 0
    nibbles = 0
    for row, column in cells:
        pairs[column // 2] |= 1 << (4 * row + 32 * (column % 2))
        rows |= 1 << (8 * row + column)
        nibbles |= 1 << (4 * row + column % 4 + 32 * (column // 4))
    assert to_rows(*pairs) == rows
    assert to_columns(rows) == nibbles


@settings(max_examples=MANY, deadline=None)
@given(stacks(tallest=6))
def test_a_rise_moves_everything_up_over_solid_covers(text: str) -> None:
    board = parse_board(text)
    rules = Rules()
    rules.set_board(board.pair0, board.pair1, board.pair2, board.pair3)
    rules.rise()
    assert rules.board().text() == text[7:] + "8" * 7


@settings(max_examples=MANY, deadline=None)
@given(stacks(), discs, clocks, st.integers(0, 6), seeds)
def test_moves_agree_with_the_slow_rules(text: str, disc: int, clock: int, column: int, seed: int) -> None:
    source, slow_source = Source(seed), Source(seed)
    move = Rules().play(State.parse(text, disc, clock), column, source)
    if text[column] != "0":
        assert move is None
        return
    assert move is not None
    board, points, over, new_clock = slow_move(text, disc, clock, column, slow_source)
    after = move.after
    assert (after.board.text(), move.delta, after.over, after.clock) == (board, points, over, new_clock)
    if not over:
        source.state = slow_source.state  # both drew the same reveals
        assert after.next_disc == 1 + (int(slow_source.bits()) * 7 >> 32)


@settings(max_examples=MANY, deadline=None)
@given(stacks())
def test_heights_of_columns(text: str) -> None:
    board = parse_board(text)
    for column in range(7):
        packed = column_of(board.pair0, board.pair1, board.pair2, board.pair3, column)
        assert height(packed) == sum(text[7 * row + column] != "0" for row in range(7))
    assert not board.has_floating_discs()


@settings(max_examples=MANY, deadline=None)
@given(stacks())
def test_additions_agree_with_the_slow_leaf(text: str) -> None:
    leaf = Leaf()
    leaf.evaluate(State(parse_board(text), 1, 5))
    for cell, code in enumerate(text):
        if code in "1234567":
            at = 8 * (6 - cell // 7) + cell % 7
            horizontal, vertical = additions(text, cell)
            assert leaf.addition[at] == either(horizontal, vertical)
            if code in "12":
                assert (leaf.horizontal_addition[at], leaf.vertical_addition[at]) == (horizontal, vertical)


@settings(max_examples=SOME, deadline=None)
@given(stacks(tallest=6), discs, clocks, st.integers(0, 9), st.integers(1, 3))
def test_no_table_changes_a_value(text: str, disc: int, clock: int, bits: int, gate: int) -> None:
    state = State.parse(text, disc, clock)
    depth, samples = (3, 2) if COMPILED else (2, 1)
    wanted = Searcher(samples)
    cached = Searcher(samples, table=PrivateTable(1 << bits, gate))
    first = [(entry.column, entry.value) for entry in wanted.column_values(state, depth)]
    assert [(entry.column, entry.value) for entry in cached.column_values(state, depth)] == first
    assert wanted.choose_action(state, depth) == cached.choose_action(state, depth)


@settings(max_examples=SOME, deadline=None)
@given(stacks(tallest=6), discs, clocks, st.integers(0, 2))
def test_no_scheduler_changes_a_value(text: str, disc: int, clock: int, split: int) -> None:
    state = State.parse(text, disc, clock)
    depth, samples = (3, 2) if COMPILED else (2, 1)
    wanted = [(entry.column, entry.value) for entry in Searcher(samples).column_values(state, depth)]
    for scheduler in ("frontier", "root"):
        decision = analyze(state, depth, samples, cache=64, scheduler=scheduler, split=min(split, depth - 1))
        assert [(entry.column, entry.value) for entry in decision.columns] == wanted


@settings(max_examples=SOME, deadline=None)
@given(stacks(tallest=6), discs, clocks)
def test_mirror_images_have_mirrored_values(text: str, disc: int, clock: int) -> None:
    mirrored = "".join(text[7 * row : 7 * row + 7][::-1] for row in range(7))
    searcher = Searcher(3 if COMPILED else 1)
    first = {entry.column: entry.value for entry in searcher.column_values(State.parse(text, disc, clock), 2)}
    second = {entry.column: entry.value for entry in searcher.column_values(State.parse(mirrored, disc, clock), 2)}
    if text != mirrored:
        assert first == {6 - column: value for column, value in second.items()}


@pytest.mark.parametrize("text", ["", "0" * 48, "0" * 50, "0" * 48 + "a", "0" * 48 + "\u0661"])
def test_other_texts_are_no_boards(text: str) -> None:
    with pytest.raises(ValueError, match="invalid board"):
        parse_board(text)


@settings(max_examples=MANY, deadline=None)
@given(stacks(tallest=6), discs, clocks, st.integers(0, 6), seeds, seeds)
def test_resumed_moves_equal_whole_ones(text: str, disc: int, clock: int, column: int, first: int, second: int) -> None:
    board = parse_board(text)
    source = Source(first)
    resumed, whole = Rules(), Rules()
    resumed.drop(board.pair0, board.pair1, board.pair2, board.pair3, disc, clock, column, source)
    if source.draws == 0:
        return
    resumed.resume(Source(second))
    whole.drop(board.pair0, board.pair1, board.pair2, board.pair3, disc, clock, column, Source(second))
    assert resumed.board().same_as(whole.board())
    assert (resumed.delta, resumed.clock, resumed.waves) == (whole.delta, whole.clock, whole.waves)
    assert (resumed.over, resumed.cleared, resumed.advanced) == (whole.over, whole.cleared, whole.advanced)
