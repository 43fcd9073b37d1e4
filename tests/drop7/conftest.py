"""Skips what is too slow for plain Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from pawnstar.drop7 import COMPILED

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if COMPILED:
        return
    skip = pytest.mark.skip(reason="too large a search for plain Python")
    for item in items:
        if HERE in item.path.parents and item.get_closest_marker("compiled_only"):
            item.add_marker(skip)
