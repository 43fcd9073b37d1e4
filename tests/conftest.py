"""What all tests share: which mode runs, the recorded files, and how hard hypothesis tries."""

import os
from pathlib import Path

import pytest
from golden_files import PAWNSTAR
from hypothesis import HealthCheck, settings
from modes import COMPILED, package_folder

# Repeatable by default: a failure that CI finds can be found again. HYPOTHESIS_PROFILE=search looks for new ones.
_COMMON = settings(
    deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("repeatable", _COMMON, derandomize=True, max_examples=250 if COMPILED else 100)
settings.register_profile("search", _COMMON, max_examples=1000 if COMPILED else 200)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_report_header() -> str:
    mode = "compiled by mypyc" if COMPILED else "plain Python"
    return f"pawnstar: {mode}, imported from {package_folder()}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if COMPILED:
        return
    skip = pytest.mark.skip(reason="compiled only: too slow in plain Python")
    for item in items:
        if item.get_closest_marker("compiled_only") is not None:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def goldens() -> Path:
    """The folder of recorded files, ``tests/goldens/pawnstar``."""
    return PAWNSTAR
