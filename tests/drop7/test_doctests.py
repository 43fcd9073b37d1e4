"""The examples in the documentation of the public names run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pawnstar.drop7


def test_examples() -> None:
    attempted = 0
    for module in pkgutil.iter_modules(pawnstar.drop7.__path__, "pawnstar.drop7."):
        if module.name.endswith("__main__"):
            continue
        loaded = importlib.import_module(module.name)
        result = doctest.testmod(loaded)
        assert result.failed == 0
        attempted += result.attempted
    package = doctest.testmod(pawnstar.drop7)
    assert package.failed == 0
    assert attempted + package.attempted >= 20
