"""ci/bench-signature: the recorded signature, and a command that is held to it."""

import subprocess
import sys
from pathlib import Path

import pytest
from nets import ROOT
from programs import environment
from recorded_bench import FOLDERS, signature, signature_line

pytestmark = pytest.mark.processes

SCRIPT = ROOT / "ci" / "bench-signature"
# An engine whose counts are those recorded, or one more.
FAKE = """
import os, pathlib, sys
assert sys.flags.safe_path, "-P was lost"
_, wrong, what, argument = sys.argv
if what == "write-synthetic-net":
    pathlib.Path(argument).write_text("parity")
else:
    net = "parity" if "parity" in os.environ["PAWNSTAR_EVALFILE"] else "shipped"
    print("info depth 1"), print({0} [net] + int(wrong), "nodes 1000 nps")
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        check=False,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture
def engine(tmp_path: Path) -> list[str]:
    fake = tmp_path / "engine.py"
    fake.write_text(FAKE.replace("{0}", repr({net: signature(net) for net in FOLDERS})))
    return [sys.executable, "-P", str(fake)]


def test_it_prints_what_is_recorded() -> None:
    result = run()
    assert (result.stdout.splitlines(), result.returncode) == ([signature_line(net) for net in FOLDERS], 0)


def test_the_command_may_have_options_of_its_own(engine: list[str]) -> None:
    """``--check .venv/bin/python -P -m pawnstar``, as CONTRIBUTING and the commit hook have it, was refused:
    "unrecognized arguments: -P -m"."""
    result = run("--check", *engine, "0")
    assert (result.returncode, result.stderr) == (0, "")
    assert sorted(result.stdout.splitlines()) == sorted(f"{signature_line(net)}, as recorded" for net in FOLDERS)


def test_a_count_that_moved_is_told(engine: list[str]) -> None:
    result = run("--check", *engine, "1")
    assert result.returncode == 1
    assert f"{signature('shipped') + 1}, recorded {signature('shipped')}" in result.stderr


def test_a_command_without_check_is_refused() -> None:
    """It would seem to have passed, though nothing ran."""
    result = run("pawnstar")
    assert result.returncode == 2
    assert "--check" in result.stderr
