"""Which mode runs, and what the start-up imports. Guards against silently testing the wrong one."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from modes import COMPILED, package_folder
from nets import ROOT
from programs import installed, run_python


def setup_list(name: str) -> set[str]:
    """A list of names in setup.py, which cannot be imported."""
    for node in ast.parse(ROOT.joinpath("setup.py").read_text()).body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]:
            return set(ast.literal_eval(node.value))
    raise AssertionError(f"setup.py has no {name}")


COMPILED_FOLDERS = sorted(folder.removeprefix("pawnstar/") for folder in setup_list("COMPILED_FOLDERS"))
UNCOMPILED = setup_list("UNCOMPILED")


@pytest.mark.skipif("PAWNSTAR_EXPECT_COMPILED" not in os.environ, reason="set by tox")
def test_expected_mode_runs() -> None:
    assert os.environ["PAWNSTAR_EXPECT_COMPILED"] in ("0", "1")
    assert (os.environ["PAWNSTAR_EXPECT_COMPILED"] == "1") == COMPILED


@pytest.mark.skipif("PAWNSTAR_EXPECT_COMPILED" not in os.environ, reason="set by tox")
def test_tox_tests_the_installed_package_and_not_the_tree() -> None:
    assert installed()


def to_compile(folder: str) -> list[str]:
    """The modules of a folder (a path below the package's) that setup.py says are compiled."""
    return sorted(
        path.stem
        for path in package_folder().joinpath(folder).glob("*.py")
        if f"pawnstar/{folder}/{path.name}" not in UNCOMPILED and path.stem != "__init__"
    )


@pytest.mark.parametrize("folder", COMPILED_FOLDERS)
def test_every_module_runs_in_the_same_mode(folder: str) -> None:
    """A module left behind uncompiled would only be slow; one compiled and stale would be wrong."""
    names = to_compile(folder)
    assert names, "setup.py names a folder with nothing to compile"
    code = (
        "import importlib, sys\n"
        f"for name in {names!r}:\n"
        f"    print(name, importlib.import_module('pawnstar.{folder.replace('/', '.')}.' + name).__file__)\n"
    )
    result = run_python(code)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert [line.split(maxsplit=1)[0] for line in lines] == names
    for line in lines:
        name, path = line.split(maxsplit=1)
        assert path.endswith(".py") != COMPILED, name


def test_no_compiled_folder_is_forgotten() -> None:
    """A module that uses the compiler's types is slow as plain Python: setup.py compiles it, or names it."""
    for path in package_folder().rglob("*.py"):
        name = f"pawnstar/{path.relative_to(package_folder()).as_posix()}"
        native = any(
            isinstance(node, ast.ImportFrom) and node.module in ("mypy_extensions", "librt.vecs")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
        if native and name not in UNCOMPILED:
            assert path.parent.relative_to(package_folder()).as_posix() in COMPILED_FOLDERS, name


def test_setup_names_no_path_that_is_gone() -> None:
    for name in UNCOMPILED:
        assert package_folder().joinpath(name.removeprefix("pawnstar/")).exists(), name


START_UP = """
import sys
from pawnstar.cli import main
sys.argv = ["pawnstar"]
status = main()
print(status, *sorted(name for name in ("numpy", "click", "tqdm", "asyncio", "unittest") if name in sys.modules))
sys.stdout.flush()
"""


def test_start_up_imports_no_large_library() -> None:
    """Compiled, the engine needs no numpy; the command line's libraries are only for the command line."""
    result = run_python(START_UP, given="isready\ngo depth 1\n")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1].split() == ["0"] + ([] if COMPILED else ["numpy"])


def test_plain_sources_run_without_compiled_ones(tmp_path: Path) -> None:
    """Both modes from one source: what is compiled here also runs from its .py files alone."""
    target = tmp_path / "pawnstar"
    for source in package_folder().rglob("*.py"):
        copy = target / source.relative_to(package_folder())
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(source.read_bytes())
    code = "from pawnstar.chess import bits, perft, fen; print(bits.COMPILED, perft.perft(fen.start_position(), 2))"
    result = subprocess.run(
        [sys.executable, "-P", "-c", code],
        # Not measured: the copy would count as a second package.
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")},
            "PYTHONPATH": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "False 400\n"
