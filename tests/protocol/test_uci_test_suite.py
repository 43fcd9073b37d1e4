"""``uci-test-suite`` from PyPI, as a smoke test."""

import os
import shlex
from pathlib import Path

import pytest
from uci_process import command, environment


@pytest.mark.skipif(os.name == "nt", reason="POSIX shell")
@pytest.mark.compiled_only
def test_uci_test_suite(tmp_path: Path) -> None:
    suite = pytest.importorskip("uci_test_suite.tests")
    settings = [f"{name}={value}" for name, value in environment().items() if name.startswith(("PYTHON", "PAWNSTAR_"))]
    script = tmp_path / "pawnstar"
    script.write_text(f"#!/bin/sh\ncd {shlex.quote(str(tmp_path))}\nexec env {shlex.join([*settings, *command()])}\n")
    script.chmod(0o755)
    results = suite.UCITester(str(script)).run_all_tests()
    assert len(results) >= 12
    assert [str(result) for result in results if not result.passed] == []
