"""What all tests share: which mode runs, the recorded files, and how hard hypothesis tries."""

import os
import signal
from pathlib import Path

import pytest
from golden_files import PAWNSTAR
from hypothesis import HealthCheck, settings
from modes import COMPILED, package_folder
from nets import SHIPPED, Net, read, write_synthetic

from pawnstar.engine.engine import Engine

# A shell's script has SIGINT ignored in what it runs in the background, and nohup has SIGHUP. Programs inherit that:
# those that the tests start would not hear the signals that the tests send them.
for _name, _handler in (
    ("SIGINT", signal.default_int_handler),
    ("SIGHUP", signal.SIG_DFL),
    ("SIGTERM", signal.SIG_DFL),
    ("SIGQUIT", signal.SIG_DFL),
):
    _number = getattr(signal, _name, None)  # Windows lacks some
    if _number is not None and signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, _handler)

# Repeatable by default: a failure that CI finds can be found again. HYPOTHESIS_PROFILE=search looks for new ones.
_COMMON = settings(
    deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("repeatable", _COMMON, derandomize=True, max_examples=250 if COMPILED else 100)
# For plain Python under coverage, whose tracing of branches doubles the time: the other environments try harder.
settings.register_profile("few", _COMMON, derandomize=True, max_examples=20)
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


@pytest.fixture(scope="session")
def nets_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the synthetic nets are written, once a run."""
    return tmp_path_factory.mktemp("nets")


@pytest.fixture(scope="session")
def parity(nets_folder: Path) -> Net:
    """The net of most goldens; its path is what a dialogue calls ``NET``."""
    return read(write_synthetic(nets_folder, "parity"))


@pytest.fixture(scope="session")
def requant(nets_folder: Path) -> Net:
    """The parity net's variant whose output weights do not fit into 8 bits."""
    return read(write_synthetic(nets_folder, "requant"))


@pytest.fixture(scope="session")
def mirrored(nets_folder: Path) -> Net:
    """The synthetic net of the second shape: kings mirrored, eight heads."""
    return read(write_synthetic(nets_folder, "mirrored"))


@pytest.fixture(scope="session")
def shipped() -> Net:
    """The net that players get."""
    return read(SHIPPED)


@pytest.fixture
def engine(parity: Net) -> Engine:
    """A fresh engine with the parity net and a small table."""
    return Engine(parity.network, hash_megabytes=1)
