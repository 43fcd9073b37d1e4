"""The tests pass in the background of a script, where SIGINT is ignored: three failed there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import environment


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_programs_that_tests_start_hear_interrupts(tmp_path: Path) -> None:
    test = tmp_path / "test_inner.py"
    test.write_text(
        "import signal, subprocess, sys\n"
        "def test_inner():\n"
        "    code = 'import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(20)'\n"
        "    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)\n"
        "    assert 'KeyboardInterrupt' in done.stderr\n"
    )
    (tmp_path / "conftest.py").write_text((Path(__file__).parent / "conftest.py").read_text())
    support = Path(__file__).parent / "support"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
    command += ["--rootdir", str(tmp_path), "-o", f"pythonpath={support}", str(test)]
    done = subprocess.run(
        ["sh", "-c", "trap '' INT; \"$@\" & wait $!", "sh", *command],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(),
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
