"""``stamp-net`` and ``net-info``."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pawnstar.commands import net_info, stamp_net
from pawnstar.evaluation.nnue.net_file import MIRRORED_SHAPE, PLAIN_SHAPE, Shape, read_net, write_net


@pytest.mark.parametrize(("shape", "name"), [(PLAIN_SHAPE, "plain"), (MIRRORED_SHAPE, "mirrored")])
@pytest.mark.parametrize("padding", [0, 63])
def test_stamped_payload_is_a_net(tmp_path: Path, shape: Shape, name: str, padding: int) -> None:
    raw, net = tmp_path / "raw", tmp_path / "net"
    payload = bytes(range(256)) * (shape.payload_size // 256 + 1)
    raw.write_bytes(payload[: shape.payload_size] + bytes(padding))
    result = CliRunner().invoke(stamp_net.command, [str(raw), str(net)])
    assert result.exit_code == 0, result.output
    assert name in result.output
    found, content = read_net(net.read_bytes(), "x")
    assert found == shape
    assert content == payload[: shape.payload_size]
    info = CliRunner().invoke(net_info.command, [str(net)])
    assert info.exit_code == 0
    assert "accepted: " in info.output
    assert "differs" not in info.output


@pytest.mark.parametrize("size", [0, PLAIN_SHAPE.payload_size - 1, PLAIN_SHAPE.payload_size + 64])
def test_payload_of_another_size_is_refused(tmp_path: Path, size: int) -> None:
    raw, net = tmp_path / "raw", tmp_path / "net"
    raw.write_bytes(bytes(size))
    result = CliRunner().invoke(stamp_net.command, [str(raw), str(net)])
    assert result.exit_code == 2
    assert f"{size:,} bytes" in result.output
    assert not net.exists()


def test_nothing_is_overwritten_unless_forced(tmp_path: Path) -> None:
    raw, net = tmp_path / "raw", tmp_path / "net"
    raw.write_bytes(bytes(PLAIN_SHAPE.payload_size))
    net.write_bytes(b"dear to someone")
    result = CliRunner().invoke(stamp_net.command, [str(raw), str(net)])
    assert result.exit_code == 2
    assert "--force" in result.output
    assert net.read_bytes() == b"dear to someone"
    assert CliRunner().invoke(stamp_net.command, ["--force", str(raw), str(net)]).exit_code == 0
    assert read_net(net.read_bytes(), "x")[0] == PLAIN_SHAPE


def test_net_is_not_stamped_twice(tmp_path: Path) -> None:
    net = tmp_path / "net"
    net.write_bytes(write_net(bytes(PLAIN_SHAPE.payload_size), PLAIN_SHAPE))
    result = CliRunner().invoke(stamp_net.command, [str(net), str(tmp_path / "twice")])
    assert result.exit_code == 2
    assert "already" in result.output


def test_unreadable_and_unwritable_files_are_named(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    raw.write_bytes(bytes(PLAIN_SHAPE.payload_size))
    result = CliRunner().invoke(stamp_net.command, [str(raw), str(tmp_path / "absent" / "net")])
    assert result.exit_code == 2
    assert "cannot write" in result.output
    for tool, arguments in ((stamp_net.command, ["y"]), (net_info.command, [])):
        result = CliRunner().invoke(tool, [str(tmp_path / "missing"), *arguments])
        assert result.exit_code == 2
        assert "does not exist" in result.output


def test_net_info_shows_every_difference(tmp_path: Path) -> None:
    net = tmp_path / "net"
    data = bytearray(write_net(bytes(PLAIN_SHAPE.payload_size), PLAIN_SHAPE))
    data[20] = 254  # QA, and so the header's checksum
    data[1000] ^= 1  # the payload's checksum
    net.write_bytes(data)
    result = CliRunner().invoke(net_info.command, [str(net)])
    assert result.exit_code == 1
    differing = [line.split("  ")[0] for line in result.output.splitlines() if line.endswith("<- differs")]
    assert differing == ["header checksum", "QA", "payload checksum"]
    assert f"NNUE: net '{net}' refused: header checksum is " in result.output


def test_net_info_of_something_else(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"PSN1" + bytes(100))
    result = CliRunner().invoke(net_info.command, [str(other)])
    assert result.exit_code == 1
    assert f"NNUE: net '{other}' refused: magic is PSN1, this engine expects RNNUE1" in result.output
    other.write_bytes(b"")
    result = CliRunner().invoke(net_info.command, [str(other)])
    assert result.exit_code == 1
    assert "file size is 0, this engine expects at least 64" in result.output
