"""The recorded command lines, replayed by the installed command."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from programs import environment

from pawnstar.drop7 import COMPILED
from pawnstar.drop7.cli import commands

from ..goldens import FOLDER, INPUTS, records, text

pytestmark = pytest.mark.processes

VARYING = [
    (r'"(\w*(?:Seconds|Fraction)|seconds)":[0-9.]+', r'"\1":0'),
    (r"busy [0-9.]+ wall [0-9.]+", "busy wall"),
    (r"wall [0-9.]+ s execution [0-9.]+ s busy [0-9.]+", "wall execution busy"),
    (r"peak-rss .*", "peak-rss"),
    (r"[0-9.]+ (s,|ms/decision|decisions/s|ns/work|moves/s|ns/move|ns/leaf|games/s)", r"\1"),
    (r"(median|speedup) [0-9.]+", r"\1"),
    # This engine's own sizes come after those that all engines print.
    (r',"engine\w+":\d+', ""),
]
SEVERAL_WORKERS = [
    (r'"workers":\[.*?\]', '"workers":[]'),
    (r'"(work|nodes|cacheHits|leafCalls|moveCalls)":\d+', r'"\1":0'),
    (r"work \d+ nodes \d+", "work nodes"),
]
TOO_LARGE = ("--games", "--depth 6", "roots44", "opt-roots.txt", "gate_")


def command() -> list[str]:
    """The installed ``drop7``; from a source tree, the module."""
    script = shutil.which("drop7", path=sysconfig.get_path("scripts"))
    return [script] if script else [sys.executable, "-P", "-m", "pawnstar.drop7"]


def installed(argv: list[str], folder: Path) -> tuple[int, str, str]:
    """Run the installed command in a process of its own: exit code, output, errors."""
    done = subprocess.run(
        [*command(), *argv], cwd=folder, capture_output=True, text=True, timeout=120, env=environment(), check=False
    )
    return done.returncode, done.stdout, done.stderr


def in_process(argv: list[str], folder: Path) -> tuple[int, str, str]:
    """Run the command here, where plain Python starts but once and coverage sees it."""
    with contextlib.chdir(folder):
        result = CliRunner().invoke(commands, argv)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def mask(output: str, argv: list[str]) -> str:
    several = re.search(r"--threads (?:[2-9]|\d\d)", " ".join(argv)) is not None
    for pattern, replacement in VARYING + (SEVERAL_WORKERS if several else []):
        output = re.sub(pattern, replacement, output)
    return output


def refused(argv: list[str]) -> bool:
    """Command lines that other engines answer with nonsense, and this one refuses: a clock of 0."""
    if argv[0] == "decide" and "--next" in argv and argv[argv.index("--next") + 1] == "4":
        return "--rise" not in argv or argv[argv.index("--rise") + 1] == "0"
    return "r_clock0.txt" in argv


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working folder of the recordings, with the trace files beside it."""
    parent = tmp_path_factory.mktemp("goldens")
    shutil.copytree(INPUTS, parent / "cli_inputs")
    for name in ("trace_headless.txt", "trace_ts.txt", "trace_leaf.txt", "trace_search_values.txt"):
        (parent / name).write_text(text(name))
    (parent / "trace_search_metrics.txt").write_text(text("trace_search_metrics.txt"))
    return parent / "cli_inputs"


def affordable(record: dict[str, Any]) -> bool:
    """Whether plain Python can run a command line."""
    line = " ".join(record["argv"])
    return bool(record["rc"] != 0 or record["argv"][0] == "plan") or not any(part in line for part in TOO_LARGE)


RECORDS = [json.loads(line) for line in text("cli.jsonl").splitlines()]


def test_all_are_here() -> None:
    assert len(RECORDS) == 288
    assert sum(refused(record["argv"]) for record in RECORDS) == 3
    assert FOLDER.exists()
    assert len(list(records("cli.jsonl", every=288))) in (1, 288)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(
            record,
            id=" ".join(record["argv"])[:60],
            marks=() if affordable(record) else pytest.mark.compiled_only,
        )
        for record in RECORDS
    ],
)
def test_recorded_command(record: dict[str, Any], folder: Path) -> None:
    argv = record["argv"]
    code, output, errors = installed(argv, folder) if COMPILED else in_process(argv, folder)
    if refused(argv):
        assert (code, output) == (2, "")
        assert errors.endswith("the rise clock must be at least 1\n")
        assert errors.count("\n") == 1
    elif record["rc"] == 101:
        # A panic of the reference: here an ordinary error of one line.
        assert (code, output, errors.count("\n")) == (2, "", 1)
        assert "failed: " in errors or "unknown --tt" in errors
    else:
        assert errors == record["stderr"]
        assert mask(output, argv) == mask(record["stdout"], argv)
        assert code == record["rc"]
