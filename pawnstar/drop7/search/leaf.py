"""The leaf evaluator ("fair"): eighteen terms of a board and their weighted sum, the same to the last bit everywhere.

Floating-point sums depend on their order, so each of the terms that is not a whole number is accumulated in one
fixed order: cell by cell, row by row from the top left. Whole-number terms are exact in any order and are counted on
row boards instead.

Words used here:

* A cell's *elevation* is its row counted from the bottom, 1 to 7.
* Its *addition* says how close the disc is to popping by discs being added: beside it (horizontal) or on top of it
  (vertical).
* Its *release* says how close it is to popping by other discs of its run popping first.
* All are readiness values: 1 is certain, each missing step halves it, 0 is hopeless. ``either`` combines two of them.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.drop7.rules.board import height
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.rules.words import (
    COLUMN,
    EVERY_ROW,
    LOWEST,
    LOWEST_ROW,
    POPULATION,
    bit_planes,
    thermometer,
)
from pawnstar.drop7.search.leaf_tables import DEAREST, DEFICITS, READINESS, RISKS, RUNS, WINDOWS

TERM_NAMES: Final[tuple[str, ...]] = (
    "open_columns",
    "height_load",
    "solid_cells",
    "cracked_cells",
    "numbered_cells",
    "high_low_numbers",
    "direct_potential",
    "latent_chain_potential",
    "cracked_exposure",
    "solid_exposure",
    "adjacent_ones",
    "triple_twos",
    "dead_low_numbers",
    "covered_height_risk",
    "low_number_height_risk",
    "danger_height_squared",
    "rise_pressure",
    "next_disc_vertical_options",
)
"""The terms, in the order in which they are summed."""

FROZEN_WEIGHTS: Final[tuple[float, ...]] = (
    180.0,
    -20.0,
    -620.0,
    -220.0,
    -18.0,
    -90.0,
    1600.0,
    700.0,
    100.0,
    40.0,
    -550.0,
    -750.0,
    -120.0,
    -95.0,
    -85.0,
    -1250.0,
    -35.0,
    220.0,
)
"""The default weights."""

TERMS: Final = 18
OVER_VALUE: Final = -2_500_000.0
"""Value of a finished game."""


def either(first: float, second: float) -> float:
    """Readiness of at least one of two independent ways."""
    return 1.0 - (1.0 - first) * (1.0 - second)


class Leaf:
    """The evaluator with one set of weights. An object holds its own scratch memory; use one per thread of work.

    >>> Leaf().evaluate(State.start(4))
    -4057.5
    """

    def __init__(self, weights: list[float] | None = None) -> None:
        """Use these weights, one for each of ``TERM_NAMES``, or the frozen ones.

        Raises:
            ValueError: there are not 18 weights.
        """
        chosen = list(FROZEN_WEIGHTS) if weights is None else weights
        if len(chosen) != TERMS:
            raise ValueError(f"{TERMS} weights are needed")
        self.weights: vec[float] = vec[float](chosen)
        self.terms: vec[float] = vec[float]([0.0] * TERMS)
        self.columns: vec[i64] = vec[i64]([i64(0)] * 7)
        # By cell of the row board. Only the entries of numbered cells mean anything: of additions by direction those of
        # ones and twos, of releases those flagged in released_rows and released_columns.
        self.horizontal_addition: vec[float] = vec[float]([0.0] * 64)
        self.vertical_addition: vec[float] = vec[float]([0.0] * 64)
        self.addition: vec[float] = vec[float]([0.0] * 64)
        self.horizontal_release: vec[float] = vec[float]([0.0] * 64)
        self.vertical_release: vec[float] = vec[float]([0.0] * 64)
        self.support: vec[float] = vec[float]([0.0] * 64)
        self.ranked: vec[float] = vec[float]([0.0] * 9)
        self.values: vec[i64] = vec[i64]([i64(0)] * 64)
        self.released_rows: i64 = 0
        self.released_columns: i64 = 0
        # What ``prepare`` leaves for ``finish``.
        self.base: float = 0.0
        self.heights: i64 = 0

    def __reduce__(self) -> tuple[object, ...]:
        """A copy has the same weights, and scratch memory of its own."""
        return Leaf, ([float(self.weights[i]) for i in range(TERMS)],)

    def evaluate(self, state: State) -> float:
        """Value of a position, higher is better. Floating discs are allowed.

        Raises:
            ValueError: the clock of a game that is not over is 0.
        """
        if state.over:
            return OVER_VALUE
        if state.clock == 0:
            raise ValueError("the rise clock must not be 0")
        board = state.board
        self.prepare(board.pair0, board.pair1, board.pair2, board.pair3, state.clock)
        return self.finish(state.next_disc)

    def explain(self, state: State) -> list[float]:
        """The eighteen terms of a position that is not over."""
        self.evaluate(state)
        return [float(self.terms[i]) for i in range(TERMS - 1)] + [float(self.options(state.next_disc))]

    def options(self, disc: i64) -> i64:
        """Columns of the prepared board where ``disc`` would pop by its own height."""
        wrong: i64 = self.heights ^ ((disc - 1) * EVERY_ROW)
        wrong = (wrong | (wrong >> 1) | (wrong >> 2)) & EVERY_ROW
        return 7 - (((wrong * EVERY_ROW) >> 48) & 15)

    def finish(self, disc: i64) -> float:
        """Value of the prepared board with this next disc. The last term is the only one that the disc decides."""
        return self.base + self.weights[TERMS - 1] * float(self.options(disc))

    def prepare(self, pair0: i64, pair1: i64, pair2: i64, pair3: i64, clock: i64) -> None:
        """Evaluate all that does not depend on the next disc, of a game that is not over; ``clock`` is not 0."""
        columns = self.columns
        horizontal_addition = self.horizontal_addition
        vertical_addition = self.vertical_addition
        addition = self.addition
        horizontal_release = self.horizontal_release
        support = self.support
        values = self.values
        ranked = self.ranked

        # 1. Row boards of the four bits of each cell, columns, heights.
        ones: i64
        twos: i64
        fours: i64
        covers: i64
        ones, twos, fours, covers = bit_planes(pair0, pair1, pair2, pair3)
        numbered: i64 = (ones | twos | fours) & ~covers
        cells: i64 = numbered | covers
        low: i64 = numbered & ~fours & (ones ^ twos)
        columns[0] = pair0 & COLUMN
        columns[1] = pair0 >> 32
        columns[2] = pair1 & COLUMN
        columns[3] = pair1 >> 32
        columns[4] = pair2 & COLUMN
        columns[5] = pair2 >> 32
        columns[6] = pair3
        height0: i64 = height(pair0 & COLUMN)
        height1: i64 = height(pair0 >> 32)
        height2: i64 = height(pair1 & COLUMN)
        height3: i64 = height(pair1 >> 32)
        height4: i64 = height(pair2 & COLUMN)
        height5: i64 = height(pair2 >> 32)
        height6: i64 = height(pair3)
        heights: i64 = (
            height0
            | (height1 << 8)
            | (height2 << 16)
            | (height3 << 24)
            | (height4 << 32)
            | (height5 << 40)
            | (height6 << 48)
        )
        self.heights = heights
        # Where every cell would be without gaps: bit (row, column) says that the column's height is above the row.
        standing: i64 = cells
        gaps: bool = ((cells & ~(cells << 8)) >> 8) != 0
        if gaps:
            standing = (
                thermometer(height0)
                | (thermometer(height1) << 1)
                | (thermometer(height2) << 2)
                | (thermometer(height3) << 3)
                | (thermometer(height4) << 4)
                | (thermometer(height5) << 5)
                | (thermometer(height6) << 6)
            )

        # 2. The top row, the heights and the clock.
        moves: float = float(clock)
        rise_pressure: float = float(height0 * height0 * height0) / moves
        rise_pressure += float(height1 * height1 * height1) / moves
        rise_pressure += float(height2 * height2 * height2) / moves
        rise_pressure += float(height3 * height3 * height3) / moves
        rise_pressure += float(height4 * height4 * height4) / moves
        rise_pressure += float(height5 * height5 * height5) / moves
        rise_pressure += float(height6 * height6 * height6) / moves

        # 3. Rows from the top: loads, risks, additions, and the releases along rows, for which a row's additions
        #    suffice. lacking: byte c is the number of discs that columns 0 to c - 1 lack to reach this elevation.
        lacking: i64 = ((0x0007070707070707 - heights) * 0x0101010101010100) & 0x7FFFFFFFFFFFFFFF
        load: i64 = 0
        solid_count: i64 = 0
        cracked_count: i64 = 0
        numbered_count: i64 = 0
        high_low: i64 = 0
        low_risk: i64 = 0
        tallest: i64 = 0
        covered_risk: float = 0.0
        direct: float = 0.0
        index: i64 = 0
        column: i64 = 0
        value: i64 = 0
        discs: i64 = 0
        run: i64 = 0
        helpers: i64 = 0
        hopeful: i64 = 0
        released_rows: i64 = 0
        base: i64 = 48
        while base >= 0:
            row: i64 = (cells >> base) & LOWEST_ROW
            level: i64 = (standing >> base) & LOWEST_ROW
            elevation: i64 = (base >> 3) + 1
            if level != 0 and tallest == 0:
                tallest = elevation
            if row != 0:
                load += POPULATION[row] * elevation * elevation
                left: i64 = (low >> base) & LOWEST_ROW
                if left != 0:
                    if elevation > 2:
                        low_risk += POPULATION[left] * (elevation - 2) * (elevation - 2)
                    if elevation >= 5:
                        high_low += POPULATION[left]
                left = (covers >> base) & LOWEST_ROW
                if left != 0:
                    cracked_row: i64 = left & (ones >> base)
                    cracked_count += POPULATION[cracked_row]
                    solid_count += POPULATION[left ^ cracked_row]
                    while left != 0:
                        column = LOWEST[left]
                        left &= left - 1
                        covered_risk += RISKS[(((cracked_row >> column) & 1) << 6) + base + column]
                left = (numbered >> base) & LOWEST_ROW
                if left != 0:
                    discs = left
                    numbered_count += POPULATION[discs]
                    hopeful_row: i64 = 0
                    while left != 0:
                        column = LOWEST[left]
                        bit: i64 = left & -left
                        left ^= bit
                        index = base + column
                        value = (columns[column] >> (base >> 1)) & 15
                        values[index] = value
                        vertical: float = 0.0
                        missing: i64 = value - ((heights >> (8 * column)) & 15)
                        if missing > 0:
                            vertical = READINESS[missing]
                        # Windows that hold the run, and neither touch nor split off a column that reaches this row.
                        horizontal: float = 0.0
                        starts: i64 = WINDOWS[((row << 3) + column) * 8 + value] & ~(level << 1) & ~(level >> value)
                        if starts != 0:
                            costs: i64 = (lacking >> (8 * value)) - lacking
                            cheapest: i64 = DEAREST + 1
                            while starts != 0:
                                cost: i64 = (costs >> (8 * LOWEST[starts])) & 255
                                starts &= starts - 1
                                if 0 < cost < cheapest:
                                    cheapest = cost
                            if cheapest <= DEAREST:
                                horizontal = READINESS[cheapest]
                        if value <= 2:
                            horizontal_addition[index] = horizontal
                            vertical_addition[index] = vertical
                        added: float = either(horizontal, vertical)
                        addition[index] = added
                        support[index] = added
                        if added > 0.0:
                            direct += added
                            hopeful_row |= bit
                    # Runs that are too long for some of their discs.
                    left = discs
                    while hopeful_row & left != 0:
                        run = RUNS[8 * row + LOWEST[left]]
                        helpers = hopeful_row & run
                        if helpers != 0:
                            released_rows |= (
                                release_run(
                                    values,
                                    addition,
                                    ranked,
                                    horizontal_release,
                                    base,
                                    1,
                                    left & run,
                                    helpers,
                                    POPULATION[run],
                                )
                                << base
                            )
                        left &= ~run
                    hopeful |= hopeful_row << base
            lacking -= DEFICITS[level]
            base -= 8

        # 4. Releases along columns, and those of both directions together.
        self.released_rows = released_rows
        self.released_columns = 0
        latent: float = 0.0
        if hopeful != 0:
            latent = self._complete_releases(hopeful, numbered, cells)

        # 5. Low numbers that are buried in both directions, adjacent ones, triple twos.
        dead: float = 0.0
        adjacent: float = 0.0
        triples: float = 0.0
        if low != 0:
            dead = self._buried(cells, ones, low, heights, gaps)
            ace: i64 = low & ones
            if ace & (ace >> 1) != 0 or ace & (ace >> 8) != 0:
                adjacent = self._adjacent_ones(ace)
            ace = low & twos
            if ace & (ace >> 1) & (ace >> 2) != 0 or ace & (ace >> 8) & (ace >> 16) != 0:
                triples = self._triple_twos(ace)

        # 6. Covers beside numbered cells.
        cracked_exposure: float = 0.0
        solid_exposure: float = 0.0
        exposed: i64 = covers & ((numbered << 1) | (numbered >> 1) | (numbered << 8) | (numbered >> 8))
        if exposed != 0:
            cracked_exposure, solid_exposure = self._exposures(exposed, numbered, ones)

        # 7. The weighted sum, in the order of the terms.
        danger: i64 = tallest - 4
        if danger < 0:
            danger = 0
        terms = self.terms
        terms[0] = float(7 - POPULATION[(cells >> 48) & LOWEST_ROW])
        terms[1] = float(load)
        terms[2] = float(solid_count)
        terms[3] = float(cracked_count)
        terms[4] = float(numbered_count)
        terms[5] = float(high_low)
        terms[6] = direct
        terms[7] = latent
        terms[8] = cracked_exposure
        terms[9] = solid_exposure
        terms[10] = adjacent
        terms[11] = triples
        terms[12] = dead
        terms[13] = covered_risk
        terms[14] = float(low_risk)
        terms[15] = float(danger * danger)
        terms[16] = rise_pressure
        weights = self.weights
        total: float = 0.0
        index = 0
        while index < TERMS - 1:
            total += weights[index] * terms[index]
            index += 1
        self.base = total

    def _complete_releases(self, hopeful: i64, numbered: i64, cells: i64) -> float:
        """Add the releases along columns, by cells with an addition (``hopeful``), to those along rows.

        Raises the supports of released cells, and returns the sum of their releases. Elsewhere the release is 0, and
        the support is the addition: its binary digits are few enough for exact arithmetic.
        """
        values = self.values
        addition = self.addition
        ranked = self.ranked
        support = self.support
        vertical_release = self.vertical_release
        released_rows: i64 = self.released_rows
        released_columns: i64 = 0
        left: i64 = 0
        column: i64 = 0
        while column < 7:
            helpers: i64 = column_row(hopeful, column)
            if helpers != 0:
                left = column_row(numbered, column)
                line: i64 = column_row(cells, column)
                while left != 0:
                    run: i64 = RUNS[8 * line + LOWEST[left]]
                    if helpers & run != 0:
                        discs: i64 = release_run(
                            values,
                            addition,
                            ranked,
                            vertical_release,
                            column,
                            8,
                            left & run,
                            helpers & run,
                            POPULATION[run],
                        )
                        released_columns |= row_column(discs) << column
                    left &= ~run
            column += 1
        self.released_columns = released_columns

        released: i64 = released_rows | released_columns
        horizontal_release = self.horizontal_release
        latent: float = 0.0
        base: i64 = 48
        while released != 0 and base >= 0:
            left = (released >> base) & LOWEST_ROW
            while left != 0:
                index: i64 = base + LOWEST[left]
                left &= left - 1
                by_row: float = 0.0
                by_column: float = 0.0
                if (released_rows >> index) & 1:
                    by_row = horizontal_release[index]
                if (released_columns >> index) & 1:
                    by_column = vertical_release[index]
                release: float = either(by_row, by_column)
                latent += release
                support[index] = either(addition[index], release)
            base -= 8
        return latent

    def _buried(self, cells: i64, ones: i64, low: i64, heights: i64, gaps: bool) -> float:
        """Ones and twos in rows and columns that are too long for both."""
        support = self.support
        dead: float = 0.0
        stack: i64 = 0
        base: i64 = 48
        while base >= 0:
            left: i64 = (low >> base) & LOWEST_ROW
            while left != 0:
                column: i64 = LOWEST[left]
                left &= left - 1
                index: i64 = base + column
                value: i64 = 2 - ((ones >> index) & 1)
                stack = (heights >> (8 * column)) & 15
                if gaps:
                    stack = POPULATION[RUNS[8 * column_row(cells, column) + (base >> 3)]]
                if stack > value and POPULATION[RUNS[8 * ((cells >> base) & LOWEST_ROW) + column]] > value:
                    dead += 1.0 - support[index]
            base -= 8
        return dead

    def _exposures(self, exposed: i64, numbered: i64, ones: i64) -> tuple[float, float]:
        """Of cracked and of solid covers: how ready the numbered cells beside them are to pop."""
        support = self.support
        cracked_exposure: float = 0.0
        solid_exposure: float = 0.0
        # Bit index of a cell in shifted: the cell below it. 7 more: the cell to the left, and so on.
        shifted: i64 = numbered << 8
        base: i64 = 48
        while base >= 0:
            left: i64 = (exposed >> base) & LOWEST_ROW
            while left != 0:
                index: i64 = base + LOWEST[left]
                left &= left - 1
                around: i64 = shifted >> index
                # The supports in descending order, with nothing for missing ones.
                first: float = 0.0
                second: float = 0.0
                third: float = 0.0
                fourth: float = 0.0
                if (around >> 16) & 1:
                    first = support[index + 8]
                if around & 1:
                    second = support[index - 8]
                if (around >> 7) & 1:
                    third = support[index - 1]
                if (around >> 9) & 1:
                    fourth = support[index + 1]
                swap: float = first
                if second > first:
                    first = second
                    second = swap
                if fourth > third:
                    swap = third
                    third = fourth
                    fourth = swap
                if third > first:
                    swap = first
                    first = third
                    third = swap
                if fourth > second:
                    swap = second
                    second = fourth
                    fourth = swap
                if third > second:
                    swap = second
                    second = third
                    third = swap
                if (ones >> index) & 1:
                    cracked_exposure += 1.0 - (1.0 - first) * (1.0 - second) * (1.0 - third) * (1.0 - fourth)
                else:
                    solid_exposure += first * 0.35 + second * 0.65
            base -= 8
        return cracked_exposure, solid_exposure

    def _way_out(self, index: i64, vertical: bool) -> float:
        """Readiness of a numbered cell in one direction, by addition or release."""
        release: float = 0.0
        if vertical:
            if (self.released_columns >> index) & 1:
                release = self.vertical_release[index]
            return either(self.vertical_addition[index], release)
        if (self.released_rows >> index) & 1:
            release = self.horizontal_release[index]
        return either(self.horizontal_addition[index], release)

    def _adjacent_ones(self, aces: i64) -> float:
        """Ones that block each other: side by side, the vertical way out counts; stacked, the horizontal."""
        total: float = 0.0
        base: i64 = 48
        while base >= 0:
            column: i64 = 0
            while column < 7:
                index: i64 = base + column
                if (aces >> index) & 1:
                    if (aces >> (index + 1)) & 1:
                        total += 1.0 - larger(self._way_out(index, True), self._way_out(index + 1, True))
                    if base > 0 and (aces >> (index - 8)) & 1:
                        total += 1.0 - larger(self._way_out(index, False), self._way_out(index - 8, False))
                column += 1
            base -= 8
        return total

    def _triple_twos(self, deuces: i64) -> float:
        """Three or more twos in a line: rows from the top, then columns from the left."""
        total: float = 0.0
        base: i64 = 48
        while base >= 0:
            total = self._twos_in_line(total, (deuces >> base) & LOWEST_ROW, base, 1, True)
            base -= 8
        column: i64 = 0
        while column < 7:
            total = self._twos_in_line(total, column_row(deuces, column), column, 8, False)
            column += 1
        return total

    def _twos_in_line(self, total: float, line: i64, base: i64, stride: i64, vertical: bool) -> float:
        left: i64 = line
        while left != 0:
            run: i64 = RUNS[8 * line + LOWEST[left]]
            left &= ~run
            count: i64 = POPULATION[run]
            if count >= 3:
                best: float = 0.0
                while run != 0:
                    best = larger(best, self._way_out(base + stride * LOWEST[run], vertical))
                    run &= run - 1
                total += float((count - 2) * (count - 2)) * (1.0 - best)
        return total


def release_run(
    values: vec[i64],
    addition: vec[float],
    ranked: vec[float],
    release: vec[float],
    base: i64,
    stride: i64,
    discs: i64,
    helpers: i64,
    length: i64,
) -> i64:
    """Releases of the discs of a run (cells ``base + stride * bit``) by its ``helpers``, those with an addition.

    Returns the discs whose release is not 0. A disc whose run is ``excess`` too long needs that many others to pop; the
    worst of the best of them decides.
    """
    least: i64 = length - POPULATION[helpers]
    gathered: bool = False
    released: i64 = 0
    left: i64 = discs
    while left != 0:
        bit: i64 = left & -left
        index: i64 = base + stride * LOWEST[left]
        left ^= bit
        value: i64 = values[index]
        if least <= value < length:
            if not gathered:
                # Sort the helpers' additions, the greatest first, with a zero behind the last.
                gathered = True
                count: i64 = 0
                others: i64 = helpers
                while others != 0:
                    added: float = addition[base + stride * LOWEST[others]]
                    others &= others - 1
                    at: i64 = count
                    while at > 0 and ranked[at - 1] < added:
                        ranked[at] = ranked[at - 1]
                        at -= 1
                    ranked[at] = added
                    count += 1
                ranked[count] = 0.0
            excess: i64 = length - value
            needed: float = ranked[excess - 1]
            if addition[index] >= needed:
                # The disc itself is among the best; it does not help itself.
                needed = ranked[excess]
            if needed > 0.0:
                release[index] = needed * READINESS[excess]
                released |= bit
    return released


def larger(first: float, second: float) -> float:
    """The larger of two numbers."""
    if second > first:
        return second
    return first


def column_row(board: i64, column: i64) -> i64:
    """One column of a row board as seven bits, the bottom cell lowest."""
    # Bits 8k of the shifted board; the product brings bit 8k to 48 + k, and nothing else to 48 to 54.
    return ((((board >> column) & EVERY_ROW) * 0x0001020408102040) >> 48) & LOWEST_ROW


def row_column(bits: i64) -> i64:
    """The inverse of ``column_row`` for column 0."""
    return (bits * 0x0000040810204081) & EVERY_ROW
