"""What is built from sources that have no git beside them, and what stops a build."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from nets import ROOT

from pawnstar.version import MARK

pytestmark = pytest.mark.processes

DATA = ("nnue/pawnstar-p1.bin", "pawnstar.book")
# What a clone has, by the folders and files at its top; a test compares it with git's own list.
TOP = (
    *(".ci", ".github", "ci", "docs", "nnue", "pawnstar", "stubs", "tests"),
    *(".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "MANIFEST.in"),
    *("README.md", "SECURITY.md", "pawnstar.book", "pyproject.toml", "setup.py", "tox.ini"),
)
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", ".*_cache", ".hypothesis", "_build", ".coverage*")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of the source tree, without git's data and without anything built."""
    root = tmp_path / "unpacked"
    root.mkdir()
    for name in TOP:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, root / name, ignore=LEFT_OUT)
        else:
            shutil.copy(source, root / name)
    return root


def run(root: Path, *arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Python in a source tree, with nothing of it on the path and without git."""
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=root,
        env={**os.environ, "PATH": str(root), "PAWNSTAR_PURE": "1", **changes},
        capture_output=True,
        text=True,
        check=False,
    )


def files(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_a_source_archive_made_without_git_holds_everything(sources: Path) -> None:
    """The net and the book were packed only where git said so: a package built from another archive could not play."""
    expected = files(sources)
    done = run(sources, "-c", "from setuptools import build_meta; build_meta.build_sdist('dist')")
    assert done.returncode == 0, done.stderr
    (archive,) = (sources / "dist").iterdir()
    assert archive.name == f"pawnstar-{MARK}.tar.gz"
    with tarfile.open(archive) as packed:
        members = {member.name.partition("/")[2]: member for member in packed if member.isfile()}
    assert set(expected) <= set(members)
    made = {name for name in members if not name.startswith("pawnstar.egg-info/")} - {"PKG-INFO", "setup.cfg"}
    assert sorted(made) == expected
    assert members["ci/test"].mode & 0o100 or os.name == "nt"


def test_what_is_copied_here_is_what_git_tracks() -> None:
    """Else the test above would not see a new file at the top."""
    try:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        pytest.skip("git is not installed")
    if listed.returncode != 0:
        pytest.skip("not a clone")
    assert {name.partition("/")[0] for name in listed.stdout.splitlines()} == set(TOP)


def test_a_build_holds_the_net_and_the_book(sources: Path) -> None:
    done = run(sources, "setup.py", "--quiet", "build_py", "--build-lib", "out")
    assert done.returncode == 0, done.stderr
    for name in DATA:
        assert (sources / "out" / "pawnstar" / "data" / Path(name).name).read_bytes() == (ROOT / name).read_bytes()


@pytest.mark.parametrize(
    ("name", "command", "empty"),
    [
        ("nnue/pawnstar-p1.bin", "build", False),
        ("pawnstar.book", "sdist", False),
        ("pawnstar.book", "bdist_wheel", True),
    ],
)
def test_a_build_without_the_net_or_the_book_stops_and_says_so(
    sources: Path, name: str, command: str, empty: bool
) -> None:
    """It made a package that ended with a refused net when it was started."""
    (sources / name).unlink()
    if empty:
        (sources / name).touch()
    before = files(sources)
    done = run(sources, "setup.py", "--quiet", command)
    assert done.returncode == 1
    assert done.stderr.startswith(f"pawnstar: not in the source tree, or empty: {name}.")
    assert "Traceback" not in done.stderr
    assert files(sources) == before


NO_HEADERS = """
import os, runpy, sys, sysconfig
folder = os.path.join(os.getcwd(), "docs")
known = sysconfig.get_path
sysconfig.get_path = lambda name, *more, **named: folder if "include" in name else known(name, *more, **named)
sys.argv = ["setup.py", "build_ext"]
runpy.run_path("setup.py", run_name="__main__")
"""


@pytest.mark.skipif(os.name == "nt", reason="headers come with Python there")
def test_missing_headers_get_advice(sources: Path) -> None:
    """Debian's python3 without python3-dev: the compiler failed in the middle of the build, at Python.h."""
    done = run(sources, "-c", NO_HEADERS, PAWNSTAR_PURE="0", PATH=os.environ["PATH"], CC=f"{sys.executable} -E")
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"pawnstar: the C headers of Python {sys.version_info[0]}.{sys.version_info[1]} are missing"
    )
    for word in ("Python.h", "python3-dev", "python3-devel", "PAWNSTAR_PURE=1"):
        assert word in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="setuptools looks for MSVC there")
@pytest.mark.parametrize("compiler", ["no-such-compiler", "no-such-compiler -O1"])
def test_a_missing_compiler_gets_advice(sources: Path, compiler: str) -> None:
    done = run(sources, "setup.py", "build_ext", PAWNSTAR_PURE="0", CC=compiler)
    assert done.returncode == 1
    assert done.stderr.startswith("pawnstar: no C compiler found (looked for 'no-such-compiler')")
    assert "gcc" in done.stderr


def test_the_version_without_git_is_the_written_mark(sources: Path) -> None:
    """It was 0.0.0."""
    assert run(sources, "setup.py", "--version").stdout.splitlines()[-1] == MARK


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def test_the_version_of_a_clone_counts_from_an_annotated_tag_or_is_the_written_mark(sources: Path) -> None:
    """Without a tag setuptools-scm counts all commits: 1.0.2 here, which another commit will have one day."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    git(sources, "init", "-q", "-b", "main")
    git(sources, "add", "setup.py", "pyproject.toml", "pawnstar/version.py")
    found = []
    for tag in (["v7.5"], ["-a", "v7.5.1", "-m", "a release"], ["-a", "v7.6", "-m", "a mark"], []):
        git(sources, "commit", "-q", "--allow-empty", "-m", "some")
        if tag:
            git(sources, "tag", *tag)
        if tag != ["v7.5"]:
            found.append(run(sources, "setup.py", "--version", PATH=os.environ["PATH"]).stdout.splitlines()[-1])
    assert found == [MARK, "7.6.0", "7.6.1"]
