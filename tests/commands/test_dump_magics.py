"""The search for the magic multipliers finds those that the engine uses. All 128 take some 10 seconds."""

from itertools import islice

import pytest
from click.testing import CliRunner

from pawnstar.chess import magics as held
from pawnstar.chess.attacks import bishop_attacks, rook_attacks
from pawnstar.chess.bits import signed, unsigned
from pawnstar.commands import dump_magics
from pawnstar.commands.dump_magics import BISHOP, ROOK, MersenneTwister64, attacks, command, magics, occupancies

BISHOP_SOURCE = [f"    0x{magic:016X}," for magic in held.BISHOP_MAGICS]
ROOK_SOURCE = [f"    0x{magic:016X}," for magic in held.ROOK_MAGICS]


def test_generator_is_the_standards_mersenne_twister() -> None:
    """The C++ standard (rand.predef) fixes the 10,000th draw of a default-seeded std::mt19937_64."""
    generator = MersenneTwister64(5489)
    drawn = [int(draw) for _ in range(33) for draw in generator.block()]
    assert drawn[0] == 14514284786278117030
    assert drawn[9999] == 9981545732273789042


def test_first_multipliers_are_found_again() -> None:
    assert list(islice(magics(BISHOP), 12)) == list(held.BISHOP_MAGICS[:12])
    assert list(islice(magics(ROOK), 3)) == list(held.ROOK_MAGICS[:3])


@pytest.mark.parametrize("square", [0, 7, 27, 36, 56, 63, 9, 50])
def test_tool_and_engine_agree_on_attacks(square: int) -> None:
    for directions, reference in ((BISHOP, bishop_attacks), (ROOK, rook_attacks)):
        mask, occupied = occupancies(square, directions)
        assert len(set(occupied.tolist())) == 2 ** mask.bit_count()
        seen = attacks(square, directions, occupied)
        for subset, attacked in list(zip(occupied.tolist(), seen.tolist(), strict=True))[::7]:
            assert unsigned(reference(square, signed(subset))) == attacked


def test_check_finds_a_wrong_multiplier(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {BISHOP: list(held.BISHOP_MAGICS), ROOK: list(held.ROOK_MAGICS)}
    monkeypatch.setattr(dump_magics, "magics", lambda directions: iter(found[directions]))
    assert CliRunner().invoke(command, ["--check"]).exit_code == 0
    printed = CliRunner().invoke(command, []).stdout
    assert printed.splitlines() == [
        "BISHOP_MAGICS: Final = (",
        *BISHOP_SOURCE,
        ")",
        "",
        "ROOK_MAGICS: Final = (",
        *ROOK_SOURCE,
        ")",
    ]
    found[ROOK][5] ^= 4
    result = CliRunner().invoke(command, ["--check"])
    assert result.exit_code == 1
    assert "ROOK_MAGICS[5] is 0x" in result.stderr
    assert result.stdout == ""


@pytest.mark.slow
def test_all_multipliers_are_found_again() -> None:
    assert list(magics(BISHOP)) == list(held.BISHOP_MAGICS)
    assert list(magics(ROOK)) == list(held.ROOK_MAGICS)
