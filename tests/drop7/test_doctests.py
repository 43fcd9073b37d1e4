"""The examples in the documentation run, compiled too: they are read from the sources, which are installed as well."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import pawnstar.drop7

MODULES = ["pawnstar.drop7"] + [
    module.name
    for module in pkgutil.walk_packages(pawnstar.drop7.__path__, "pawnstar.drop7.")
    if not module.ispkg and not module.name.endswith("__main__")
]


def source_of(name: str) -> Path:
    folder = Path(pawnstar.drop7.__path__[0])
    parts = name.split(".")[2:]
    return folder.joinpath(*parts[:-1], f"{parts[-1]}.py") if parts else folder / "__init__.py"


def examples(name: str) -> list[doctest.DocTest]:
    path = source_of(name)
    names = vars(importlib.import_module(name))
    tests = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            text = ast.get_docstring(node)
            if text and ">>>" in text:
                label = getattr(node, "name", name)
                tests.append(doctest.DocTestParser().get_doctest(text, dict(names), label, str(path), 0))
    return tests


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    for test in examples(name):
        assert doctest.DocTestRunner().run(test).failed == 0


def test_there_are_examples() -> None:
    assert sum(len(test.examples) for name in MODULES for test in examples(name)) >= 20
