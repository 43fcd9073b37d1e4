"""``uci-test-suite`` from PyPI: an independent opinion on the protocol, from the process to a client's game."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from uci_process import command, environment


@pytest.mark.skipif(os.name == "nt", reason="POSIX shell")
@pytest.mark.compiled_only
def test_uci_test_suite(tmp_path: Path) -> None:
    settings = [f"{name}={value}" for name, value in environment().items() if name.startswith(("PYTHON", "PAWNSTAR_"))]
    script = tmp_path / "pawnstar"
    script.write_text(f"#!/bin/sh\ncd {shlex.quote(str(tmp_path))}\nexec env {shlex.join([*settings, *command()])}\n")
    script.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "uci_test_suite", "--json", "--timeout", "30", str(script)],
        capture_output=True,
        check=False,
        timeout=600,
    )
    checks = json.loads(done.stdout)["checks"]
    assert sum(check["status"] == "pass" for check in checks) >= 35
    failed = {check["name"]: check for check in checks if check["status"] not in ("pass", "skip")}
    # The siblings' start-up tells which net and book are in play before it is asked anything, and so does ours.
    greeting = failed.pop("engine_starts")
    assert all(line.startswith("info string ") for line in greeting["details"]["lines"])
    assert failed == {}
