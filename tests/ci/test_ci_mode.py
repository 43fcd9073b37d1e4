"""``ci/mode`` with an interpreter that lacks something."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nets import ROOT

pytestmark = [pytest.mark.skipif(os.name == "nt", reason="ci/mode is for bash"), pytest.mark.processes]


@pytest.mark.parametrize(("arguments", "module"), [([], "librt"), (["plain"], "librt"), (["compiled"], "setuptools")])
def test_a_missing_module_gets_advice(tmp_path: Path, arguments: list[str], module: str) -> None:
    """With the system's python3 it ended in a traceback: No module named 'librt'."""
    (tmp_path / "ci").mkdir()
    (tmp_path / "pawnstar").mkdir()
    shutil.copy(ROOT / "ci" / "mode", tmp_path / "ci")
    bare = tmp_path / "bare"  # no site-packages
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    done = subprocess.run(
        ["bash", str(tmp_path / "ci" / "mode"), *arguments],
        env={**os.environ, "PYTHON": str(bare), "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("ci/mode: ")
    assert module in done.stderr
    assert "pip install -r ci/requirements-build.txt" in done.stderr
    assert "Traceback" not in done.stderr
