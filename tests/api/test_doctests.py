"""The examples in the docstrings of the API run, in both modes; and no public name is without one."""

import ast
import doctest
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from modes import COMPILED, package_folder

import pawnstar
import pawnstar.api

COMPILED_NAMES = [
    "AmbiguousMoveError",
    "BookError",
    "IllegalMoveError",
    "InvalidMoveError",
    "NetRefused",
    "StopSignal",
]
# Read so, because type checkers see the package's imports instead.
NAMES: list[str] = vars(pawnstar)["__all__"]
MODULES = ["pawnstar", *(f"pawnstar.api.{module.name}" for module in pkgutil.iter_modules(pawnstar.api.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.failed == 0


def _public_members() -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for name in NAMES:
        if name in ("COMPILED", "__version__", "PositionLike", "Color", *COMPILED_NAMES):
            continue  # constants, aliases, and what the compiled modules document
        value = getattr(pawnstar, name)
        found.append((name, value))
        if name in ("BoardLike", "MoveLike"):
            continue
        for member, attribute in vars(value).items():
            if member.startswith("_"):
                continue
            if inspect.isroutine(attribute) or isinstance(attribute, (property, classmethod, staticmethod)):
                found.append((f"{name}.{member}", attribute))
    return found


@pytest.mark.parametrize(
    ("name", "member"), _public_members(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_public_name_is_documented_with_an_example(name: str, member: object) -> None:
    text = inspect.getdoc(member) or ""
    assert ">>>" in text, f"{name} has no example"


@pytest.mark.skipif(COMPILED, reason="mypyc leaves out the docstrings of classes; the sources have them")
@pytest.mark.parametrize("name", COMPILED_NAMES)
def test_compiled_names_are_documented(name: str) -> None:
    assert getattr(pawnstar, name).__doc__


def test_all_names_exist_and_unknown_ones_do_not() -> None:
    for name in NAMES:
        assert getattr(pawnstar, name) is not None
        assert name in dir(pawnstar)
    with pytest.raises(AttributeError, match="no attribute 'Positoin'"):
        pawnstar.Positoin  # type: ignore[attr-defined]  # noqa: B018


def test_type_checkers_read_the_same_names_as_python() -> None:
    """The imports that they see, and the table by which Python loads a name when it is first used."""
    tree = ast.parse(Path(pawnstar.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    imported = {
        alias.asname: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    declared = {ast.unparse(node.target) for node in block.body if isinstance(node, ast.AnnAssign)}
    loaded = {name: module for name, module in vars(pawnstar)["_HOMES"].items() if name not in declared}
    assert imported == loaded
    assert set(NAMES) == imported.keys() | declared


def test_len_of_the_default_book() -> None:
    assert len(pawnstar.Book.default()) > 100


def test_reference_names_everything_public() -> None:
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    for name in NAMES:
        if name != "__version__":
            assert f":: pawnstar.{name}\n" in page, name


def test_importing_stays_light() -> None:
    """The command and scripts start quickly: what is large is imported where it is used."""
    code = textwrap.dedent(
        """
        import sys
        import pawnstar
        loaded = {"numpy", "chess", "asyncio", "pawnstar.api.engine", "queue"} & set(sys.modules)
        pawnstar.Engine, pawnstar.Limits, pawnstar.Game, pawnstar.Analysis
        later = {"numpy", "chess", "asyncio"} & set(sys.modules)
        if pawnstar.COMPILED:
            assert not later, later
        print(sorted(loaded))
        """
    )
    environment = {**os.environ, "PYTHONPATH": str(package_folder().parent)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "[]"
