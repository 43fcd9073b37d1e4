"""The rules: dropping a disc, waves of explosions, rises, awards.

``Rules`` is a workbench. One object plays any number of moves without allocating: the position is given as numbers,
and the result is read from the attributes. That is what lets a search make millions of moves; ``game.Game`` and
``State`` wrap it for people.
"""

from __future__ import annotations

from math import isqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from pawnstar.drop7.rules.board import Board, column_of, has_room, height, rise_blocked
from pawnstar.drop7.rules.rng import Source, disc_of
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.rules.words import (
    BOARD,
    COLUMN,
    EVERY_ROW,
    LOWEST,
    LOWEST_ROW,
    POPULATION,
    SOLID_ROW,
    bit_planes,
    to_columns,
    without_holes,
)

MOVES_PER_RISE: Final = 5
RISE_AWARD: Final = 17_000
CLEAR_AWARD: Final = 70_000

LONGEST_CHAIN: Final = 1023
"""Largest depth in the table of wave scores. A move pops at most 56 discs, so no chain comes near it."""

LOGGED_WAVES: Final = 64


def wave_score(depth: int) -> int:
    """Points for each disc popped in the wave at this chain depth (from 1): the integer part of 7 * depth ** 2.5.

    >>> [wave_score(depth) for depth in range(1, 7)]
    [7, 39, 109, 224, 391, 617]
    """
    return isqrt(49 * depth**5)


def _wave_scores() -> vec[i64]:
    scores = vec[i64]([i64(0)] * (LONGEST_CHAIN + 1))
    for depth in range(LONGEST_CHAIN + 1):
        scores[depth] = wave_score(depth)
    return scores


WAVE_SCORES: Final = _wave_scores()


class Move:
    """What a move did: its points, its waves as (depth, popped, revealed, points), and the position after it."""

    def __init__(
        self,
        column: int,
        disc: int,
        delta: int,
        waves: list[tuple[int, int, int, int]],
        cleared: bool,
        advanced: bool,
        after: State,
    ) -> None:
        self.column: int = column
        self.disc: int = disc
        self.delta: int = delta
        self.waves: list[tuple[int, int, int, int]] = waves
        self.cleared: bool = cleared
        self.advanced: bool = advanced
        self.after: State = after

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles name the fields: compiled classes have no instance dictionary."""
        return Move, (self.column, self.disc, self.delta, self.waves, self.cleared, self.advanced, self.after)


class Rules:
    """Plays moves on packed boards. See ``drop`` for what goes in and ``Rules``' attributes for what comes out.

    After ``drop``: ``pair0`` to ``pair3`` are the board, ``clock`` the moves until the next rise, ``delta`` the
    points of the move, ``over``, ``cleared`` (an empty board was reached) and ``advanced`` (the board rose) what
    happened, ``waves`` how many waves there were.
    """

    def __init__(self) -> None:
        """An idle workbench."""
        self.pair0: i64 = 0
        self.pair1: i64 = 0
        self.pair2: i64 = 0
        self.pair3: i64 = 0
        self.clock: i64 = 0
        self.delta: i64 = 0
        self.over: bool = False
        self.cleared: bool = False
        self.advanced: bool = False
        self.waves: i64 = 0
        # Of the latest wave.
        self.popping: i64 = 0
        self.popped: i64 = 0
        self.revealed: i64 = 0
        # The start of the first wave of the move that reveals something: see resume.
        self._revealing: bool = False
        self._depth: i64 = 0
        self._start0: i64 = 0
        self._start1: i64 = 0
        self._start2: i64 = 0
        self._start3: i64 = 0
        self._start_clock: i64 = 0
        self._start_delta: i64 = 0
        self._start_waves: i64 = 0
        self._start_cleared: bool = False
        self._start_advanced: bool = False
        # Depth, popped, revealed and points of each wave of the move, while recording.
        self.recording: bool = False
        self.log: vec[i64] = vec[i64]([i64(0)] * (4 * LOGGED_WAVES))

    def __reduce__(self) -> tuple[object, ...]:
        """Refuse copies and pickles."""
        raise TypeError("a Rules object is a workbench and is not copied: make another with Rules()")

    def play(self, state: State, column: int, source: Source) -> Move | None:
        """Play one move of a game; reveals and then, unless the game ends, the next disc are drawn from ``source``.

        Returns None when the game is over, or the column does not exist or is full.

        >>> move = Rules().play(State.start(4), 3, Source(1))
        >>> move.delta, move.after.board.heights()
        (0, [1, 1, 1, 2, 1, 1, 1])
        """
        if state.over or not 0 <= column <= 6:
            return None
        board = state.board
        self.recording = True
        legal = self.drop(
            board.pair0, board.pair1, board.pair2, board.pair3, state.next_disc, state.clock, column, source
        )
        self.recording = False
        if not legal:
            return None
        next_disc = state.next_disc if self.over else int(disc_of(source.bits()))
        return Move(
            column,
            state.next_disc,
            int(self.delta),
            self.logged_waves(),
            self.cleared,
            self.advanced,
            State(
                self.board(),
                next_disc,
                int(self.clock),
                state.level + (1 if self.advanced else 0),
                state.score + int(self.delta),
                state.moves_played + 1,
                self.over,
            ),
        )

    def board(self) -> Board:
        """A copy of the board on the workbench."""
        copy = Board()
        copy.pair0 = self.pair0
        copy.pair1 = self.pair1
        copy.pair2 = self.pair2
        copy.pair3 = self.pair3
        return copy

    def set_board(self, pair0: i64, pair1: i64, pair2: i64, pair3: i64) -> None:
        """Put a board on the workbench."""
        self.pair0 = pair0
        self.pair1 = pair1
        self.pair2 = pair2
        self.pair3 = pair3

    def add_disc(self, disc: i64, column: i64) -> None:
        """Let a disc fall into a column that has room; nothing pops yet."""
        word: i64 = column_of(self.pair0, self.pair1, self.pair2, self.pair3, column)
        placed: i64 = disc << (4 * height(word) + 32 * (column & 1))
        if column < 2:
            self.pair0 |= placed
        elif column < 4:
            self.pair1 |= placed
        elif column < 6:
            self.pair2 |= placed
        else:
            self.pair3 |= placed

    def rise(self) -> None:
        """Move every cell up one row over a new row of solid covers; the top row must be empty."""
        self.pair0 = (self.pair0 << 4) | SOLID_ROW
        self.pair1 = (self.pair1 << 4) | SOLID_ROW
        self.pair2 = (self.pair2 << 4) | SOLID_ROW
        self.pair3 = (self.pair3 << 4) | 8

    def wave(self, depth: i64, source: Source) -> bool:
        """One wave at this chain depth: pop, crack, reveal, fall, score. False, and no change, when nothing pops."""
        pair0: i64 = self.pair0
        pair1: i64 = self.pair1
        pair2: i64 = self.pair2
        pair3: i64 = self.pair3

        # 1. The four bits of every cell as row boards.
        ones: i64
        twos: i64
        fours: i64
        covers: i64
        ones, twos, fours, covers = bit_planes(pair0, pair1, pair2, pair3)
        numbered: i64 = (ones | twos | fours) & ~covers
        cells: i64 = numbered | covers

        # 2. Cells whose value is the height of their column. Columns have no gaps, so the row of height k says "at
        #    least k", and the binary digits of the height follow from these seven answers.
        at2: i64 = cells >> 8
        at4: i64 = cells >> 24
        at6: i64 = cells >> 40
        height1: i64 = (
            ((cells & ~at2) | ((cells >> 16) & ~at4) | ((cells >> 32) & ~at6) | (cells >> 48)) & LOWEST_ROW
        ) * EVERY_ROW
        height2: i64 = (((at2 & ~at4) | at6) & LOWEST_ROW) * EVERY_ROW
        height4: i64 = (at4 & LOWEST_ROW) * EVERY_ROW
        vertical: i64 = ~((ones ^ height1) | (twos ^ height2) | (fours ^ height4))

        # 3. The same for rows. starts: windows of so many cells, by their leftmost; within: cells inside such a window.
        starts: i64 = cells & (cells >> 1)
        within2: i64 = starts | (starts << 1)
        starts &= cells >> 2
        within3: i64 = starts | (starts << 1) | (starts << 2)
        starts &= cells >> 3
        pairs: i64 = starts | (starts << 1)
        within4: i64 = pairs | (pairs << 2)
        starts &= cells >> 4
        pairs = starts | (starts << 1)
        within5: i64 = pairs | (pairs << 2) | (starts << 4)
        starts &= cells >> 5
        pairs = starts | (starts << 1)
        within6: i64 = pairs | (pairs << 2) | (pairs << 4)
        starts &= cells >> 6
        within7: i64 = starts * 0x7F
        length1: i64 = (cells & ~within2) | (within3 & ~within4) | (within5 & ~within6) | within7
        length2: i64 = (within2 & ~within4) | within6
        horizontal: i64 = ~((ones ^ length1) | (twos ^ length2) | (fours ^ within4))

        popping: i64 = numbered & (vertical | horizontal)
        if popping == 0:
            return False

        # 4. Hits on covers: four shifts, added bit by bit without carries between cells.
        above: i64 = popping << 8
        below: i64 = popping >> 8
        left: i64 = popping >> 1
        right: i64 = popping << 1
        column_hit: i64 = above ^ below
        row_hit: i64 = left ^ right
        several: i64 = (above & below) | (left & right) | (column_hit & row_hit)
        any_hit: i64 = column_hit | row_hit | several
        solid: i64 = covers & ~ones
        revealed: i64 = ((covers & ones & any_hit) | (solid & several)) & BOARD
        cracked: i64 = solid & any_hit & ~several & BOARD

        # 5. Write the cracks (a solid 8 becomes a 9), then the revealed values, top left first.
        if cracked != 0:
            flags: i64 = to_columns(cracked)
            high: i64 = flags >> 32
            pair0 |= (flags & 0x1111111) | (((flags >> 1) & 0x1111111) << 32)
            pair1 |= ((flags >> 2) & 0x1111111) | (((flags >> 3) & 0x1111111) << 32)
            pair2 |= (high & 0x1111111) | (((high >> 1) & 0x1111111) << 32)
            pair3 |= (high >> 2) & 0x1111111
        reveals: i64 = 0
        if revealed != 0:
            if not self._revealing:
                self._keep_start(depth)
            row: i64 = 6
            while row >= 0:
                hidden: i64 = (revealed >> (8 * row)) & LOWEST_ROW
                while hidden != 0:
                    column: i64 = LOWEST[hidden]
                    hidden &= hidden - 1
                    reveals += 1
                    # Exclusive or of the cover that is there (8 or 9) and the value that replaces it.
                    change: i64 = source.draw() ^ (8 | ((ones >> (8 * row + column)) & 1))
                    change <<= 4 * row + 32 * (column & 1)
                    if column < 2:
                        pair0 ^= change
                    elif column < 4:
                        pair1 ^= change
                    elif column < 6:
                        pair2 ^= change
                    else:
                        pair3 ^= change
                row -= 1

        # 6. Gravity in the columns where something popped.
        flags = to_columns(popping)
        holes: i64 = flags & 0x1111111
        if holes != 0:
            pair0 = (pair0 & ~COLUMN) | without_holes(pair0 & COLUMN, holes)
        holes = (flags >> 1) & 0x1111111
        if holes != 0:
            pair0 = (pair0 & COLUMN) | (without_holes(pair0 >> 32, holes) << 32)
        holes = (flags >> 2) & 0x1111111
        if holes != 0:
            pair1 = (pair1 & ~COLUMN) | without_holes(pair1 & COLUMN, holes)
        holes = (flags >> 3) & 0x1111111
        if holes != 0:
            pair1 = (pair1 & COLUMN) | (without_holes(pair1 >> 32, holes) << 32)
        flags >>= 32
        holes = flags & 0x1111111
        if holes != 0:
            pair2 = (pair2 & ~COLUMN) | without_holes(pair2 & COLUMN, holes)
        holes = (flags >> 1) & 0x1111111
        if holes != 0:
            pair2 = (pair2 & COLUMN) | (without_holes(pair2 >> 32, holes) << 32)
        holes = (flags >> 2) & 0x1111111
        if holes != 0:
            pair3 = without_holes(pair3, holes)

        # 7. Score.
        popped: i64 = 0
        left = popping
        while left != 0:
            popped += POPULATION[left & LOWEST_ROW]
            left >>= 8
        points: i64 = popped * WAVE_SCORES[depth]
        self.pair0 = pair0
        self.pair1 = pair1
        self.pair2 = pair2
        self.pair3 = pair3
        self.popping = popping
        self.popped = popped
        self.revealed = reveals
        self.delta += points
        if self.recording:
            self._record(depth, popped, reveals, points)
        self.waves += 1
        return True

    def _record(self, depth: i64, popped: i64, reveals: i64, points: i64) -> None:
        log = self.log
        at: i64 = 4 * self.waves
        log[at] = depth
        log[at + 1] = popped
        log[at + 2] = reveals
        log[at + 3] = points

    def logged_waves(self) -> list[tuple[int, int, int, int]]:
        """Depth, popped discs, reveals and points of each wave of the latest move, when ``recording`` was set."""
        log = self.log
        return [
            (int(log[4 * i]), int(log[4 * i + 1]), int(log[4 * i + 2]), int(log[4 * i + 3])) for i in range(self.waves)
        ]

    def drop(
        self, pair0: i64, pair1: i64, pair2: i64, pair3: i64, disc: i64, clock: i64, column: i64, source: Source
    ) -> bool:
        """Play one move of a game that is not over.

        Args:
            pair0, pair1, pair2, pair3: the board, without floating discs.
            disc: the disc to drop, 1 to 7.
            clock: moves until the next rise, this one included.
            column: 0 to 6.
            source: where the values of revealed covers come from.

        Returns:
            False, and leaves the workbench as it was, when the column is full.
        """
        if (column_of(pair0, pair1, pair2, pair3, column) >> 24) != 0:
            return False
        self.pair0 = pair0
        self.pair1 = pair1
        self.pair2 = pair2
        self.pair3 = pair3
        self.clock = clock
        self.delta = 0
        self.waves = 0
        self.over = False
        self.cleared = False
        self.advanced = False
        self._revealing = False
        self.add_disc(disc, column)
        self._settle(1, source)
        return True

    def resume(self, source: Source) -> None:
        """Repeat the latest move, which revealed something, with other reveals.

        All that happens before the first reveal is the same, and is not played again.
        """
        self.pair0 = self._start0
        self.pair1 = self._start1
        self.pair2 = self._start2
        self.pair3 = self._start3
        self.clock = self._start_clock
        self.delta = self._start_delta
        self.waves = self._start_waves
        self.over = False
        self.cleared = self._start_cleared
        self.advanced = self._start_advanced
        self._settle(self._depth, source)

    def _keep_start(self, depth: i64) -> None:
        self._revealing = True
        self._depth = depth
        self._start0 = self.pair0
        self._start1 = self.pair1
        self._start2 = self.pair2
        self._start3 = self.pair3
        self._start_clock = self.clock
        self._start_delta = self.delta
        self._start_waves = self.waves
        self._start_cleared = self.cleared
        self._start_advanced = self.advanced

    def _settle(self, first_depth: i64, source: Source) -> None:
        """Play the waves from this chain depth on, the rise when it is due, and its waves; then look for the end."""
        depth: i64 = first_depth
        while self.wave(depth, source):
            depth += 1
        self._award_empty_board()
        if not self.advanced:
            self.clock -= 1
            if self.clock == 0:
                if rise_blocked(self.pair0, self.pair1, self.pair2, self.pair3):
                    # The rise is impossible: the game ends without an award, and the clock stays at 0.
                    self.over = True
                    return
                self.rise()
                self.clock = MOVES_PER_RISE
                self.delta += RISE_AWARD
                self.advanced = True
                while self.wave(depth, source):
                    depth += 1
                self._award_empty_board()
        if not has_room(self.pair0, self.pair1, self.pair2, self.pair3):
            self.over = True

    def _award_empty_board(self) -> None:
        if (self.pair0 | self.pair1 | self.pair2 | self.pair3) == 0:
            self.delta += CLEAR_AWARD
            self.cleared = True
