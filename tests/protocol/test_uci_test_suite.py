"""``uci-test-suite`` from PyPI: an independent opinion on the protocol, from the process to a client's game."""

import importlib
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from programs import command, environment

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="POSIX shell"),
    pytest.mark.compiled_only,
    pytest.mark.processes,
    pytest.mark.slow,
]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The program under test as a command of one word."""
    settings = [f"{name}={value}" for name, value in environment().items() if name.startswith(("PYTHON", "PAWNSTAR_"))]
    path = tmp_path / "pawnstar"
    path.write_text(f"#!/bin/sh\ncd {shlex.quote(str(tmp_path))}\nexec env {shlex.join([*settings, *command()])}\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.version_info < (3, 13), reason="this version of the suite wants Python 3.13")
def test_all_levels(script: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "uci_test_suite", "--json", "--timeout", "30", str(script)],
        capture_output=True,
        check=False,
        timeout=600,
    )
    checks = json.loads(done.stdout)["checks"]
    assert sum(check["status"] == "pass" for check in checks) >= 35
    failed = {check["name"]: check for check in checks if check["status"] not in ("pass", "skip")}
    # The siblings tell at their start which net is in play, before they are asked anything, and so does this engine.
    # (On a busy machine the second in which the suite listens is over before the engine has begun.)
    greeting = failed.pop("engine_starts", None)
    assert greeting is None or [line.split("'")[0] for line in greeting["details"]["lines"]] == [
        "info string NNUE: loaded net "
    ]
    assert failed == {}


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="this Python has the suite's later version")
def test_first_version(script: Path) -> None:
    results = importlib.import_module("uci_test_suite.tests").UCITester(str(script)).run_all_tests()
    assert len(results) >= 12
    assert [str(result) for result in results if not result.passed] == []
