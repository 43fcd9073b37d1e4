"""The search that found the magic multipliers, repeated: the same seed, the same draws, the same 128 numbers.

A multiplier serves a square if it maps every occupancy of the square's mask to a slot so that no slot is asked for two
different attack sets. Candidates are sparse random words, which do well (after Tord Romstad's generator). The random
numbers are C++'s ``std::mt19937_64``, written out here, because the language's standard fixes them to the bit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click
import numpy as np
from tqdm import tqdm

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED: Final = 0xD1CE5EED5EED5EED
BISHOP: Final = ((-1, -1), (1, -1), (-1, 1), (1, 1))
ROOK: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))

# Blocks of random numbers drawn at a time, and numbers of occupancies with which candidates are tried before all.
_BLOCKS: Final = 32
_TRIALS: Final = (128, 1024)


class MersenneTwister64:
    """``std::mt19937_64``, a block of 312 draws at a time.

    T. Nishimura, "Tables of 64-bit Mersenne Twisters", 2000.
    """

    WORDS: Final = 312
    MIDDLE: Final = 156
    _TWIST = np.uint64(0xB5026F5AA96619E9)
    _UPPER = np.uint64(0xFFFFFFFF80000000)
    _LOWER = np.uint64(0x7FFFFFFF)

    def __init__(self, seed: int) -> None:
        words = [seed & 0xFFFFFFFFFFFFFFFF]
        for i in range(1, self.WORDS):
            before = words[-1]
            words.append((6364136223846793005 * (before ^ before >> 62) + i) & 0xFFFFFFFFFFFFFFFF)
        self._state = np.array(words, dtype=np.uint64)

    def _twisted(self, words: NDArray[np.uint64], following: NDArray[np.uint64]) -> NDArray[np.uint64]:
        joined = (words & self._UPPER) | (following & self._LOWER)
        return (joined >> np.uint64(1)) ^ ((joined & np.uint64(1)) * self._TWIST)

    def block(self) -> NDArray[np.uint64]:
        """The next 312 draws."""
        x, middle = self._state, self.MIDDLE
        # Word i takes in word i + 156 (mod 312): the old one in the first half, the new one in the second, whose very
        # last word takes in the new first word, too.
        x[:middle] = self._twisted(x[:middle], x[1 : middle + 1]) ^ x[middle:]
        x[middle:-1] = self._twisted(x[middle:-1], x[middle + 1 :]) ^ x[: middle - 1]
        x[-1:] = self._twisted(x[-1:], x[:1]) ^ x[middle - 1 : middle]
        y = x.copy()
        y ^= (y >> np.uint64(29)) & np.uint64(0x5555555555555555)
        y ^= (y << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
        y ^= (y << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
        y ^= y >> np.uint64(43)
        return y


def _ray(square: int, file_step: int, rank_step: int) -> list[int]:
    """The squares from ``square`` to the board's edge in one direction."""
    file, rank = square % 8 + file_step, square // 8 + rank_step
    squares = []
    while 0 <= file <= 7 and 0 <= rank <= 7:
        squares.append(file + 8 * rank)
        file += file_step
        rank += rank_step
    return squares


def occupancies(square: int, directions: tuple[tuple[int, int], ...]) -> tuple[int, NDArray[np.uint64]]:
    """The mask of a slider (its rays without their last squares) and all its subsets."""
    bits = sorted(target for step in directions for target in _ray(square, *step)[:-1])
    subsets = np.zeros(1, dtype=np.uint64)
    for bit in bits:
        subsets = np.concatenate((subsets, subsets | np.uint64(1 << bit)))
    return sum(1 << bit for bit in bits), subsets


def attacks(square: int, directions: tuple[tuple[int, int], ...], occupied: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The squares that a slider attacks, for each of many occupancies."""
    seen = np.zeros_like(occupied)
    for step in directions:
        open_rays = np.full_like(occupied, 0xFFFFFFFFFFFFFFFF)
        for target in _ray(square, *step):
            bit = np.uint64(1 << target)
            seen |= open_rays & bit
            open_rays[(occupied & bit) != 0] = 0
    return seen


def _separating(
    candidates: NDArray[np.uint64], shift: np.uint64, occupied: NDArray[np.uint64], attacked: NDArray[np.uint64]
) -> NDArray[np.bool_]:
    """Which candidates map no two attack sets to one slot: all users of a slot find their own set in it."""
    size = 1 << (64 - int(shift))
    slots = (occupied * candidates[:, np.newaxis]) >> shift
    slots += np.arange(0, size * len(candidates), size, dtype=np.uint64)[:, np.newaxis]
    table = np.empty(size * len(candidates), dtype=np.uint64)
    table[slots] = attacked
    separating: NDArray[np.bool_] = (table[slots] == attacked).all(axis=1)
    return separating


def magics(directions: tuple[tuple[int, int], ...]) -> Iterator[int]:
    """The multipliers of squares a1, b1, ..., h8 in turn, found with one generator."""
    generator = MersenneTwister64(SEED)
    bits_of_byte = np.array([byte.bit_count() for byte in range(256)])
    candidates = np.empty(0, dtype=np.uint64)
    for square in range(64):
        mask, occupied = occupancies(square, directions)
        attacked = attacks(square, directions, occupied)
        shift = np.uint64(64 - mask.bit_count())
        found = 0
        while found == 0:
            if len(candidates) == 0:
                # 312 draws are 104 candidates, so nothing is left over.
                draws = np.concatenate([generator.block() for _ in range(_BLOCKS)])
                candidates = draws[0::3] & draws[1::3] & draws[2::3]
            promising = np.flatnonzero(bits_of_byte[(candidates * np.uint64(mask)) >> np.uint64(56)] >= 6)
            for trial in _TRIALS:
                some = slice(None, None, max(1, len(occupied) // trial))
                promising = promising[_separating(candidates[promising], shift, occupied[some], attacked[some])]
            used = len(candidates)
            for i in promising:
                if _separating(candidates[i : i + 1], shift, occupied, attacked)[0]:
                    found = int(candidates[i])
                    used = int(i) + 1
                    break
            candidates = candidates[used:]
        yield found


def table(name: str, multipliers: list[int]) -> str:
    """The source text of a table, as ``pawnstar/chess/magics.py`` holds it."""
    return "\n".join([f"{name}: Final = (", *(f"    0x{magic:016X}," for magic in multipliers), ")"])


@click.command(
    "dump-magics", short_help="Find the magic multipliers again.", epilog="Example: pawnstar dump-magics --check"
)
@click.option("--check", is_flag=True, help="Print no table; the exit status is 1 if pawnstar/chess/magics.py differs.")
def command(check: bool) -> None:
    """Repeat the search for the 128 magic multipliers and print them as pawnstar/chess/magics.py holds them.

    The search is seeded: it finds the same numbers every time. It takes some ten seconds.
    """
    found: dict[str, list[int]] = {}
    with tqdm(total=128, unit=" squares", disable=None, leave=False) as progress:
        for name, directions in (("BISHOP_MAGICS", BISHOP), ("ROOK_MAGICS", ROOK)):
            found[name] = []
            for magic in magics(directions):
                found[name].append(magic)
                progress.update()
    if not check:
        click.echo("\n\n".join(table(name, multipliers) for name, multipliers in found.items()))
        return
    from pawnstar.chess.magics import BISHOP_MAGICS, ROOK_MAGICS

    differing = 0
    for name, held in (("BISHOP_MAGICS", BISHOP_MAGICS), ("ROOK_MAGICS", ROOK_MAGICS)):
        for square, (magic, expected) in enumerate(zip(held, found[name], strict=True)):
            if magic != expected:
                differing += 1
                click.echo(f"{name}[{square}] is 0x{magic:016X}, the search finds 0x{expected:016X}", err=True)
    if differing:
        sys.exit(1)
    click.echo("all 128 multipliers agree with the search", err=True)
