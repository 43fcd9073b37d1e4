"""The tests pass in the background of a script, where SIGINT is ignored, and under nohup: three failed in each."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import environment

pytestmark = pytest.mark.processes

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_programs_that_tests_start_hear_signals(tmp_path: Path) -> None:
    test = tmp_path / "test_inner.py"
    test.write_text(
        "import os, signal, subprocess, sys\n"
        "def ended_by(number):\n"
        "    code = f'import os, time; os.kill(os.getpid(), {int(number)}); time.sleep(20)'\n"
        "    return subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)\n"
        "def test_inner():\n"
        "    assert 'KeyboardInterrupt' in ended_by(signal.SIGINT).stderr\n"
        "    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT):\n"
        "        assert ended_by(number).returncode == -number\n"
    )
    (tmp_path / "conftest.py").write_text((TESTS / "conftest.py").read_text())
    support = TESTS / "support"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
    command += ["--rootdir", str(tmp_path), "-o", f"pythonpath={support}", str(test)]
    done = subprocess.run(
        ["sh", "-c", "trap '' INT HUP TERM QUIT; \"$@\" & wait $!", "sh", *command],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(),
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
