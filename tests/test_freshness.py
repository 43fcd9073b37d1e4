"""The guards against running something else than one thinks: stale modules, sources that hide an installation."""

import multiprocessing.process
import os
import shutil
import subprocess
import sys
import warnings
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from modes import package_folder
from programs import environment

from pawnstar import freshness
from pawnstar.freshness import (
    HiddenInstallationWarning,
    StaleBuildWarning,
    stale_sources,
    warn_if_hiding,
    warn_if_stale,
)

pytestmark = pytest.mark.processes

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


class Machine:
    """A source tree, and beside it the folder that a compiled package is installed into."""

    def __init__(self, root: Path) -> None:
        self.tree, self.site = root / "tree", root / "site-packages"
        for folder in (self.tree, self.site):
            shutil.copytree(
                package_folder(),
                folder / "pawnstar",
                ignore=shutil.ignore_patterns("*.so", "*.pyd", "data", "__pycache__"),
            )
        # What makes it a compiled package for the interpreter is a file that only the engine would load.
        self.compiled = self.site / "pawnstar" / "chess" / f"bits{SUFFIX}"
        self.compiled.touch()
        (self.tree / "setup.py").touch()

    def run(self, *arguments: str, first: str = "", cwd: Path | None = None, **changes: str) -> tuple[str, str]:
        """Where Python finds the package, and what it says on standard error."""
        code = f"import sys; sys.path.append({str(self.site)!r}); import pawnstar; print(pawnstar.__file__)"
        kept = {
            name: value
            for name, value in environment(**changes).items()
            if name not in ("PYTHONSAFEPATH", "PYTHONPATH")
        }
        if first:
            kept["PYTHONPATH"] = first
        done = subprocess.run(
            [sys.executable, "-S", *arguments, "-c", code],
            cwd=cwd or self.tree,
            env={name: value for name, value in kept.items() if not name.startswith("COVERAGE")},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip(), done.stderr


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_sources_that_hide_an_installation_are_told(machine: Machine) -> None:
    """In the clone, after installing, `python -c "import pawnstar"` got the plain sources without a word."""
    path, said = machine.run()
    assert path == str(machine.tree / "pawnstar" / "__init__.py")
    assert said.count("HiddenInstallationWarning") == said.count("warnings.warn") + 1 == 1
    assert (
        f"the sources in {machine.tree / 'pawnstar'} hide the compiled package in {machine.site / 'pawnstar'}" in said
    )
    for way_out in ("'pawnstar'", "'python -P'", "another folder", "PYTHONPATH=."):
        assert way_out in said


def test_the_installation_itself_is_silent(machine: Machine, tmp_path: Path) -> None:
    assert machine.run("-P") == (str(machine.site / "pawnstar" / "__init__.py"), "")
    assert machine.run(cwd=tmp_path) == (str(machine.site / "pawnstar" / "__init__.py"), "")


@pytest.mark.parametrize("spelling", [".", "../tree/", "{tree}", "/nowhere{sep}{tree}"])
def test_sources_that_are_meant_are_silent(machine: Machine, spelling: str) -> None:
    """CONTRIBUTING says PYTHONPATH=. for work on the sources."""
    first = spelling.format(tree=machine.tree, sep=os.pathsep)
    assert machine.run(first=first) == (str(machine.tree / "pawnstar" / "__init__.py"), "")


def test_sources_that_hide_nothing_compiled_are_silent(machine: Machine) -> None:
    machine.compiled.unlink()
    assert machine.run()[1] == ""
    shutil.rmtree(machine.site)
    assert machine.run()[1] == ""


def test_sources_compiled_in_place_are_silent(machine: Machine) -> None:
    shutil.copy(machine.compiled, machine.tree / "pawnstar" / "chess")
    assert machine.run()[1] == ""


def test_workers_do_not_repeat_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once is loud enough: multiprocessing's children import the package again."""
    (tree / f"pawnstar/chess/bits{SUFFIX}").unlink()
    site = tree / "site"
    (site / "pawnstar" / "chess").mkdir(parents=True)
    (site / "pawnstar" / "chess" / f"bits{SUFFIX}").touch()
    monkeypatch.setattr(freshness, "_PACKAGE", str(tree / "pawnstar"))
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    with pytest.warns(HiddenInstallationWarning):
        warn_if_hiding()
    monkeypatch.setattr(multiprocessing.process, "parent_process", lambda: "the owner")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_hiding()
