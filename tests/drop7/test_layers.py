"""The floors of the Drop7 engine, read from its sources: each folder imports only those below it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pawnstar.drop7

FOLDER = Path(pawnstar.drop7.__path__[0])
FLOORS = ("rules", "search", "parallel", "commands")
SOURCES = sorted(path.relative_to(FOLDER) for floor in FLOORS for path in FOLDER.joinpath(floor).glob("*.py"))


def imported(path: Path) -> set[str]:
    """The folders of the engine that a module imports from."""
    tree = ast.parse(FOLDER.joinpath(path).read_text(encoding="utf-8"))
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[2] for name in names if name.startswith("pawnstar.drop7.")} & set(FLOORS)


def test_every_folder_is_a_floor() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.joinpath("__init__.py").exists()} == set(FLOORS)


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_imports_go_down(path: Path) -> None:
    assert imported(path) <= set(FLOORS[: FLOORS.index(path.parts[0]) + 1])


def test_imports_are_seen() -> None:
    """A test of the test."""
    assert imported(Path("parallel/decision.py")) == {"rules", "search", "parallel"}
