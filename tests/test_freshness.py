"""The guard against compiled modules that shadow edited sources."""

import os
import warnings
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from pawnstar import freshness
from pawnstar.freshness import StaleBuildWarning, stale_sources, warn_if_stale

SUFFIX = EXTENSION_SUFFIXES[0]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A source tree compiled in place at time 2000 from sources of time 1000."""
    package = tmp_path / "pawnstar"
    (package / "chess").mkdir(parents=True)
    for name in ("setup.py", "pawnstar/plain.py", "pawnstar/chess/bits.py", "pawnstar/chess/moves.py"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1000, 1000))
    for name in (f"pawnstar__mypyc{SUFFIX}", f"pawnstar/chess/bits{SUFFIX}", f"pawnstar/chess/moves{SUFFIX}"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (2000, 2000))
    return tmp_path


def test_a_fresh_build_is_not_stale(tree: Path) -> None:
    assert stale_sources(str(tree / "pawnstar")) == []


def test_an_edited_source_is_named(tree: Path) -> None:
    os.utime(tree / "pawnstar/chess/moves.py", (3000, 3000))
    assert stale_sources(str(tree / "pawnstar")) == ["pawnstar/chess/moves.py"]


def test_a_source_that_is_never_compiled_does_not_count(tree: Path) -> None:
    os.utime(tree / "pawnstar/plain.py", (3000, 3000))
    assert stale_sources(str(tree / "pawnstar")) == []


def test_a_compiled_module_without_a_source_is_named(tree: Path) -> None:
    (tree / "pawnstar/chess/bits.py").unlink()
    assert stale_sources(str(tree / "pawnstar")) == ["pawnstar/chess/bits.py"]


def test_the_oldest_of_several_libraries_counts(tree: Path) -> None:
    """The Drop7 engine is compiled into a library of its own."""
    (tree / f"pawnstar_drop7__mypyc{SUFFIX}").touch()
    os.utime(tree / "pawnstar/chess/moves.py", (2500, 2500))
    assert stale_sources(str(tree / "pawnstar")) == ["pawnstar/chess/moves.py"]


def test_a_plain_tree_is_not_stale(tree: Path) -> None:
    (tree / f"pawnstar__mypyc{SUFFIX}").unlink()
    os.utime(tree / "pawnstar/chess/moves.py", (3000, 3000))
    assert stale_sources(str(tree / "pawnstar")) == []


def test_an_installed_package_is_not_judged(tree: Path) -> None:
    """Installers give files any date they like."""
    (tree / "setup.py").unlink()
    os.utime(tree / "pawnstar/chess/moves.py", (3000, 3000))
    assert stale_sources(str(tree / "pawnstar")) == []


def test_the_warning_names_the_source_and_both_ways_out(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "_PACKAGE", str(tree / "pawnstar"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_stale()
    os.utime(tree / "pawnstar/chess/moves.py", (3000, 3000))
    with pytest.warns(StaleBuildWarning, match=r"pawnstar/chess/moves\.py changed .*ci/mode compiled.*ci/mode plain"):
        warn_if_stale()
