"""The parity nets are what the siblings' goldens were made with."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from golden_files import golden_table
from reference_network import ReferenceNetwork

from pawnstar.commands import files, write_synthetic_net
from pawnstar.commands.write_synthetic_net import command, draws, square_value, synthetic_payload, uniform
from pawnstar.evaluation.nnue.net_file import MIRRORED_SHAPE, PLAIN_SHAPE, read_net

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# In these two the side that has just moved stands in check: the start position stood in for them.
REFUSED_BY_THE_READER = {
    "3QQQQQ/3QQQQ1/8/8/8/8/1k6/7K w - - 0 1",
    "3qqqqq/3qqqq1/8/8/8/8/1K6/7k b - - 0 1",
}


@pytest.fixture(scope="module")
def payloads() -> dict[str, bytes]:
    return {
        "plain": synthetic_payload(),
        "requant": synthetic_payload(requant=True),
        "mirrored": synthetic_payload(MIRRORED_SHAPE),
    }


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("plain", "0784032b321af4f82c2bcb0d5a7d653d8b3bfcabbde20950e67a5338be47cee0"),  # the specification's
        ("requant", "b8998636cb353c5371840fb748942a65126a1943ab3057026eac9610ec30eeb7"),
        ("mirrored", "fd321ff2249bccd064d1be8596d0ff89d04f52f5687ec80d13a5c6a96533db04"),
    ],
)
def test_payload_never_changes(payloads: dict[str, bytes], name: str, digest: str) -> None:
    assert hashlib.sha256(payloads[name]).hexdigest() == digest


@pytest.mark.parametrize(("name", "file", "scale"), [("plain", "evals.tsv", 1), ("requant", "evals_requant.tsv", 3)])
def test_evaluations_are_the_goldens(payloads: dict[str, bytes], name: str, file: str, scale: int) -> None:
    network = ReferenceNetwork.of(payloads[name], heads=1, mirrored=False)
    assert network.output_scale() == scale
    rows = golden_table("evals", file)
    assert len(rows) == 200
    for fen, _, int8, exact, _ in rows:
        played = START if fen in REFUSED_BY_THE_READER else fen
        assert network.evaluate(played) == (int(int8), int(exact)), fen


def test_mirrored_net_has_the_plain_features_and_heads_of_its_own(payloads: dict[str, bytes]) -> None:
    plain = ReferenceNetwork.of(payloads["plain"], heads=1, mirrored=False)
    mirrored = ReferenceNetwork.of(payloads["mirrored"], heads=8, mirrored=True)
    assert np.array_equal(plain.features, mirrored.features)
    assert np.array_equal(plain.biases, mirrored.biases)
    assert np.array_equal(plain.heads[0, :, 36:], mirrored.heads[0, :, 36:])
    assert mirrored.heads[:, 0, 0].tolist() == [24, 26, 28, 30, 32, 34, 36, 38]
    assert mirrored.output_scale() == 1
    assert len({head.tobytes() for head in mirrored.heads}) == 8
    # The exact evaluation of the start position is that of the bias, 734 - 400 * 7, or one more for the truncation.
    assert mirrored.evaluate(START)[1] == pytest.approx((734 - 2800) * 400 / 16320, abs=1)


def test_mirrored_net_sees_a_board_and_its_mirror_image_alike(payloads: dict[str, bytes]) -> None:
    """Each perspective is mirrored by its own king, so the reflection of a position reads the same rows."""
    network = ReferenceNetwork.of(payloads["mirrored"], heads=8, mirrored=True)
    for fen, *_ in golden_table("evals", "evals.tsv"):
        if fen in REFUSED_BY_THE_READER:
            continue
        board, side = fen.split()[:2]
        reflected = "/".join(row[::-1] for row in board.split("/"))
        assert network.evaluate(f"{board} {side}") == network.evaluate(f"{reflected} {side}")


def test_draws_are_splitmix64_in_counter_mode() -> None:
    """Word by word, in unbounded integers; and the published output of splitmix64 for the seed 1234567."""

    def draw(stream: int, k: int) -> int:
        mask = 2**64 - 1
        z = (stream + (k + 1) * 0x9E3779B97F4A7C15) & mask
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        return z ^ z >> 31

    assert draws(1234567, 0, 3).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert draws(20260702, 1000, 50).tolist() == [draw(20260702, k) for k in range(1000, 1050)]
    expected = [-6 + ((draw(20260702, k) >> 32) * 13 >> 32) for k in range(200)]
    assert uniform(20260702, 0, 200, -6, 6).tolist() == expected
    assert set(expected) == set(range(-6, 7))


@pytest.mark.parametrize(
    ("piece", "square", "value"),
    [
        (1, (3, 3), 111),
        (1, (3, 4), 118),
        (1, (3, 5), 125),
        (1, (0, 6), 145),
        (2, (3, 3), 343),
        (3, (0, 0), 315),
        (4, (0, 6), 520),
        (4, (3, 0), 509),
        (5, (4, 4), 962),
        (6, (6, 0), 24),
        (6, (4, 3), -42),
        (6, (4, 6), -50),
    ],
)
def test_square_values(piece: int, square: tuple[int, int], value: int) -> None:
    assert square_value(piece, *square) == value


def test_requantised_variant_exists_for_the_plain_shape_only() -> None:
    with pytest.raises(ValueError, match="plain shape only"):
        synthetic_payload(MIRRORED_SHAPE, requant=True)


@pytest.mark.parametrize(
    ("options", "name"), [([], "plain"), (["--requant"], "requant"), (["--shape", "mirrored"], "mirrored")]
)
def test_command_writes_a_net(payloads: dict[str, bytes], tmp_path: Path, options: list[str], name: str) -> None:
    out = tmp_path / "net.bin"
    result = CliRunner().invoke(command, [str(out), *options])
    assert result.exit_code == 0, result.output
    shape, payload = read_net(out.read_bytes(), str(out))
    assert shape == (MIRRORED_SHAPE if name == "mirrored" else PLAIN_SHAPE)
    assert payload == payloads[name]


def test_command_refuses_what_it_cannot_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    none: Callable[..., bytes] = lambda *_: bytes(PLAIN_SHAPE.payload_size)  # noqa: E731
    monkeypatch.setattr(write_synthetic_net, "synthetic_payload", none)
    result = CliRunner().invoke(command, [str(tmp_path / "x"), "--shape", "mirrored", "--requant"])
    assert result.exit_code == 2
    assert "--shape plain only" in result.output
    result = CliRunner().invoke(command, [str(tmp_path / "absent" / "x")])
    assert result.exit_code == 2
    assert "cannot write" in result.output


def test_nothing_is_overwritten_without_asking(
    payloads: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was overwritten without a word; where nobody can answer there is ``--force``."""
    monkeypatch.setattr(write_synthetic_net, "synthetic_payload", lambda *_: payloads["plain"])
    out = tmp_path / "net.bin"
    out.write_bytes(b"dear to someone")
    result = CliRunner().invoke(command, [str(out)])
    assert (result.exit_code, result.output) == (2, f"Error: '{out}' exists; --force overwrites it\n")
    for answer, status in (("n\n", 2), ("\n", 2), ("", 2), ("y\n", 0)):  # without an answer: Ctrl-D, which is no Ctrl-C
        assert out.read_bytes() == b"dear to someone"
        with monkeypatch.context() as patch:
            patch.setattr(files, "somebody_can_answer", lambda: True)
            result = CliRunner().invoke(command, [str(out)], input=answer)
        assert result.exit_code == status
        assert result.output.endswith(f"\nError: '{out}' stays as it was\n") == (status == 2)
    assert read_net(out.read_bytes(), "x")[1] == payloads["plain"]
    out.write_bytes(b"once more")
    assert CliRunner().invoke(command, [str(out), "--force"]).exit_code == 0
    assert read_net(out.read_bytes(), "x")[1] == payloads["plain"]
    assert [path.name for path in tmp_path.iterdir()] == ["net.bin"]


def test_a_link_stays_one_and_rights_stay(
    payloads: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_synthetic_net, "synthetic_payload", lambda *_: payloads["plain"])
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"")
    target.chmod(0o640)
    link.symlink_to(target)
    assert CliRunner().invoke(command, [str(link), "--force"]).exit_code == 0
    assert link.is_symlink()
    assert target.stat().st_size > 1000
    assert target.stat().st_mode & 0o777 == 0o640
