"""Random sources: the streams of real games and the stratified draws of the search.

Every number is reproducible from a 32-bit seed; nothing here reads a clock or the operating system.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from pawnstar.drop7.rules.words import COLUMN, MASK32, mix32

POLICY_SEED: Final = 0xD7075EED
"""Default seed of the search's samples."""

NEXT_DISC: Final = 0x4E455854
"""Domain of the next discs of a real game."""

REVEAL: Final = 0x5245564C
"""Domain of revealed covers, real and sampled."""

SAMPLED_DISC: Final = 0x44495343
"""Domain of the next disc of a sample."""

SAMPLE_STEP: Final = 0x9E3779B9
EVENT_STEP: Final = 0x85EBCA6B
UNIT: Final = 4294967296.0
FNV_START: Final = 0x811C9DC5
FNV_PRIME: Final = 0x01000193


def disc_of(bits: i64) -> i64:
    """Disc 1 to 7 from a 32-bit draw."""
    return 1 + ((bits * 7) >> 32)


def headless_disc_bits(seed: i64, moves_played: i64) -> i64:
    """The 32-bit draw behind the disc that a game with ``seed`` hands out after ``moves_played`` moves."""
    return mix32((seed ^ ((moves_played + 1) * SAMPLE_STEP) ^ NEXT_DISC) & MASK32)


def headless_disc(seed: i64, moves_played: i64) -> i64:
    """The disc, 1 to 7, that a game with ``seed`` hands out after ``moves_played`` moves.

    >>> [int(headless_disc(1, move)) for move in range(12)]
    [5, 4, 5, 1, 4, 1, 4, 1, 4, 6, 3, 4]
    """
    return disc_of(headless_disc_bits(seed, moves_played))


def headless_reveal_seed(seed: i64, moves_played: i64) -> i64:
    """Seed of the ``Mulberry32`` that reveals covers in the move made after ``moves_played`` moves."""
    return mix32((seed ^ ((moves_played + 1) * EVENT_STEP) ^ REVEAL) & MASK32)


class Source:
    """Where the values of revealed covers come from. The base class is the real games' generator, Mulberry32.

    >>> source = Source(1)
    >>> [int(source.draw()) for _ in range(12)]
    [5, 1, 4, 7, 7, 2, 5, 6, 3, 7, 4, 4]
    """

    def __init__(self, seed: i64) -> None:
        """Start from a 32-bit seed."""
        self.state: i64 = seed
        self.draws: i64 = 0

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles name the fields: compiled classes have no instance dictionary."""
        return source_at, (int(self.state), int(self.draws))

    def reseed(self, seed: i64) -> None:
        """Start again from a 32-bit seed."""
        self.state = seed
        self.draws = 0

    def bits(self) -> i64:
        """The next 32-bit draw."""
        s: i64 = (self.state + 0x6D2B79F5) & MASK32
        self.state = s
        v: i64 = ((s ^ (s >> 15)) * (s | 1)) & MASK32
        v ^= (v + (((v ^ (v >> 7)) * (v | 61)) & MASK32)) & MASK32
        return v ^ (v >> 14)

    def draw(self) -> i64:
        """The next disc, 1 to 7."""
        self.draws += 1
        return disc_of(self.bits())


def source_at(state: int, draws: int) -> Source:
    """A source that has come so far."""
    source = Source(state)
    source.draws = draws
    return source


def stratified_unit(seed: i64, sample: i64, samples: i64, domain: i64, event: i64) -> float:
    """A number in [0, 1) for one sample of a node: each sample hits a stratum of its own."""
    q: i64 = mix32((seed ^ domain ^ ((event + 1) * EVENT_STEP)) & MASK32)
    stratum: i64 = (sample + q % samples) % samples
    jitter: float = float(mix32((q ^ ((sample + 1) * SAMPLE_STEP)) & MASK32)) / UNIT
    return (float(stratum) + jitter) / float(samples)


def stratified_disc(seed: i64, sample: i64, samples: i64, domain: i64, event: i64) -> i64:
    """The disc, 1 to 7, of one sample of a node."""
    return 1 + i64(int(stratified_unit(seed, sample, samples, domain, event) * 7.0))


class Strata(Source):
    """The reveals of one sample: one event of the stratified stream per draw."""

    def __init__(self, samples: i64) -> None:
        """Prepare for nodes with so many samples."""
        super().__init__(0)
        self.samples: i64 = samples
        self.sample: i64 = 0

    def __reduce__(self) -> tuple[object, ...]:
        """Refuse copies and pickles."""
        raise TypeError("a Strata object belongs to one search and is not copied: make another with Strata(samples)")

    def rewind(self, seed: i64, sample: i64) -> None:
        """Start the stream of one sample of the node with this scenario seed."""
        self.state = seed
        self.sample = sample
        self.draws = 0

    def draw(self) -> i64:
        """The next disc, 1 to 7."""
        event: i64 = self.draws
        self.draws = event + 1
        return stratified_disc(self.state, self.sample, self.samples, REVEAL, event)


def board_hash(pair0: i64, pair1: i64, pair2: i64, pair3: i64) -> i64:
    """FNV hash of the 49 cells, row by row from the top left: what the board adds to a scenario seed."""
    h: i64 = FNV_START
    shift: i64 = 24
    low: i64 = 0
    while shift >= 0:
        low = pair0 >> shift
        h = ((h ^ ((low & 15) + 1)) * FNV_PRIME) & MASK32
        h = ((h ^ (((low >> 32) & 15) + 1)) * FNV_PRIME) & MASK32
        low = pair1 >> shift
        h = ((h ^ ((low & 15) + 1)) * FNV_PRIME) & MASK32
        h = ((h ^ (((low >> 32) & 15) + 1)) * FNV_PRIME) & MASK32
        low = pair2 >> shift
        h = ((h ^ ((low & 15) + 1)) * FNV_PRIME) & MASK32
        h = ((h ^ (((low >> 32) & 15) + 1)) * FNV_PRIME) & MASK32
        low = (pair3 & COLUMN) >> shift
        h = ((h ^ ((low & 15) + 1)) * FNV_PRIME) & MASK32
        shift -= 4
    return h


def scenario_seed(board: i64, disc: i64, clock: i64, depth: i64, policy_seed: i64) -> i64:
    """Seed of all samples of a node, of all columns: ``board`` is its ``board_hash``, ``depth`` the remaining depth."""
    h: i64 = ((board ^ disc) * FNV_PRIME) & MASK32
    return mix32((h ^ clock ^ policy_seed ^ ((depth + 1) * EVENT_STEP)) & MASK32)
