"""The program's start: which net and which book it plays with, and what it says where one cannot be used."""

import os
import sys
from pathlib import Path

import pytest
from nets import SHIPPED, Net
from programs import installed, piped, run

from pawnstar import resources
from pawnstar.chess.fen import start_position
from pawnstar.engine.engine import Engine

pytestmark = pytest.mark.processes


def start_evaluation(net: Net) -> str:
    """The answer to ``nnue`` with a net; the nets differ in it."""
    return f"nnue {Engine(net.network, hash_megabytes=1).network_evaluation(start_position())}"


@pytest.mark.parametrize("wanted", ["missing.bin", ".", "x" * 5000, "a/b\tc.bin"])
def test_a_missing_net_is_told_and_the_shipped_one_plays(tmp_path: Path, shipped: Net, wanted: str) -> None:
    """A name that is too long ended in a traceback."""
    result = run(given="nnue\nquit\n", cwd=tmp_path, PAWNSTAR_EVALFILE=wanted)
    told = f"NNUE: net '{wanted.replace(chr(9), '?')}' not found; using the shipped net"
    assert result.returncode == 0
    assert result.stderr.splitlines() == [told]
    assert f"info string {told}" in result.stdout.splitlines()
    assert result.stdout.splitlines()[-1] == start_evaluation(shipped)


def test_net_in_the_working_directory_comes_first(parity: Net, tmp_path: Path) -> None:
    tmp_path.joinpath("nnue").mkdir()
    tmp_path.joinpath("nnue", "pawnstar-p1.bin").write_bytes(parity.path.read_bytes())
    result = run(given="nnue\nquit\n", cwd=tmp_path)
    assert result.stdout.splitlines()[-1] == "nnue 19"
    assert "info string NNUE: loaded net 'nnue/pawnstar-p1.bin'" in result.stdout.splitlines()
    assert result.stderr == ""


def test_program_needs_no_file_beside_it(tmp_path: Path, shipped: Net) -> None:
    """Guards against a package without its data: in an empty folder the shipped net is there."""
    result = run(given="nnue\nquit\n", cwd=tmp_path)
    assert result.returncode == 0
    assert result.stdout.splitlines()[-1] == start_evaluation(shipped)
    # A source tree has its net in the root, which is the parent of the package's folder.
    origin = "embedded" if installed() else str(SHIPPED)
    assert f"info string NNUE: loaded net '{origin}'" in result.stdout.splitlines()
    assert result.stderr == ""


def test_the_book_of_the_working_directory_comes_first(tmp_path: Path) -> None:
    (tmp_path / "pawnstar.book").write_text("a2a3 a7a6\n")
    lines, _, _ = piped("bookmoves\nquit\n", tmp_path)
    assert lines[-2:] == ["MOVE   COUNT", "a2a3       1"]


def test_a_faulty_book_is_reported_and_not_used(tmp_path: Path) -> None:
    (tmp_path / "pawnstar.book").write_text("a2a3 a7a6\na2a5\n")
    lines, errors, status = piped("bookmoves\nisready\nquit\n", tmp_path)
    told = ["Error found in book line 2 move a2a5.", "book 'pawnstar.book' is not used; playing without a book"]
    assert [f"info string {line}" for line in told] == lines[4:6]
    assert errors == told
    assert lines[-1] == "readyok"
    assert status == 0


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"# nothing\n", "book 'pawnstar.book' holds no moves; playing without a book"),
        (b"\xff\x00\xfe", "Error found in book line 1 move "),
    ],
)
def test_a_book_without_use_is_told_on_both_streams(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "pawnstar.book").write_bytes(content)
    lines, errors, status = piped("bookmoves\nquit\n", tmp_path)
    assert status == 0
    assert lines[4].startswith(f"info string {told}")
    assert errors[0].startswith(told)
    assert errors[-1].endswith("playing without a book")
    assert all(line.isprintable() for line in lines + errors)
    assert lines[-1] == "ready"


def test_an_unreadable_book_is_told(tmp_path: Path) -> None:
    (tmp_path / "pawnstar.book").write_text("a2a3\n")
    (tmp_path / "pawnstar.book").chmod(0)
    if os.access(tmp_path / "pawnstar.book", os.R_OK):
        pytest.skip("this user may read everything")
    _, errors, _ = piped("quit\n", tmp_path)
    assert errors == ["book 'pawnstar.book' cannot be read (Permission denied); playing without a book"]


def make_endless(path: Path) -> None:
    """A file of no content and of a size that no machine has memory for."""
    path.parent.mkdir(exist_ok=True)
    path.touch()
    os.truncate(path, 1 << 42)


@pytest.mark.skipif(sys.platform != "linux", reason="needs sparse files")
def test_endless_files_are_not_read(tmp_path: Path) -> None:
    """A traceback of ``MemoryError`` at the start; a gigabyte that is no net was read whole."""
    make_endless(tmp_path / "nnue" / "pawnstar-p1.bin")
    lines, errors, status = piped("isready\n", tmp_path)
    assert errors == [
        "FATAL: cannot open net file 'nnue/pawnstar-p1.bin' (not a regular file of at most 256 MB).",
    ]
    assert (lines[-1], status) == (f"info string {errors[0]}", 1)
    make_endless(tmp_path / "pawnstar.book")
    lines, errors, status = piped("isready\n", tmp_path, PAWNSTAR_EVALFILE=str(resources.embedded(resources.NET)))
    assert errors == [
        "book 'pawnstar.book' cannot be read (not a regular file of at most 256 MB); playing without a book"
    ]
    assert (lines[-1], status) == ("readyok", 0)


def test_a_byte_order_mark_before_a_book(tmp_path: Path) -> None:
    """Some editors write one; the first move was illegal, and the whole book unused."""
    (tmp_path / "pawnstar.book").write_bytes(b"\xef\xbb\xbfa2a3 a7a6\r\n")
    lines, errors, status = piped("bookmoves\nquit\n", tmp_path)
    assert lines[-2:] == ["MOVE   COUNT", "a2a3       1"]
    assert (errors, status) == ([], 0)
