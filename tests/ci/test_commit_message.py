"""ci/commit_message.py: a commit on rules, search or evaluation says what the bench counts, or that nothing changes."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from nets import ROOT
from programs import environment
from recorded_bench import signature, signature_line

SCRIPT = ROOT / "ci" / "commit_message.py"
_spec = importlib.util.spec_from_file_location("commit_message", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
commit_message = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(commit_message)

SEARCH = ["docs/uci.md", "pawnstar/search/reference.py"]
BOTH = f"bench 8 shipped net: {signature('shipped')}, parity net: {signature('parity')}"


@pytest.mark.parametrize(
    "path",
    [
        "pawnstar/chess/position.py",
        "pawnstar/engine/engine.py",
        "pawnstar/evaluation/nnue/network.py",
        "pawnstar/search/reference.py",
        "pawnstar/parallel/helpers.py",
        "nnue/pawnstar-p1.bin",
    ],
)
def test_what_decides_node_counts_needs_a_line(path: str) -> None:
    assert "No functional change." in commit_message.fault("Search: faster\n\nIt is.\n", [path])


@pytest.mark.parametrize(
    "path", ["docs/uci.md", "tests/search/test_reference_search.py", "pawnstar/drop7/search/search.py", "ci/hook"]
)
def test_what_does_not_decide_them_needs_none(path: str) -> None:
    assert commit_message.fault("Words\n", [path]) == ""


@pytest.mark.parametrize("line", ["No functional change.", "No functional change", BOTH, signature_line("shipped")])
def test_a_line_is_enough(line: str) -> None:
    assert commit_message.fault(f"Search: faster\n\nIt is.\n\n{line}\n# a remark of git\n", SEARCH) == ""


def test_a_depth_that_is_not_recorded_is_believed() -> None:
    assert commit_message.fault("Search: faster\n\nbench 63 shipped net: 1\n", SEARCH) == ""


@pytest.mark.parametrize(
    "line", ["bench 8: 570525", "Bench: 570525", "bench 8 shipped net: many", f"{BOTH}.", f"{BOTH}, 2", f"{BOTH} nodes"]
)
def test_a_malformed_bench_line_is_refused(line: str) -> None:
    found = commit_message.fault(f"Search: faster\n\nNo functional change.\n{line}\n", ["docs/uci.md"])
    assert f"`{line}` is no bench line" in found


def test_a_count_that_is_not_the_recorded_one_is_refused() -> None:
    """It would be copied from an older commit, or the records would be missing in this one."""
    line = BOTH.replace(str(signature("parity")), str(signature("parity") + 1))
    found = commit_message.fault(f"Search: faster\n\n{line}\n", SEARCH)
    assert found == f"bench 8 parity net is recorded as {signature('parity')}, not {signature('parity') + 1}"


def test_words_about_the_bench_are_no_bench_line() -> None:
    assert commit_message.fault("Bench 8 positions more\n\nThe bench 8 of old is gone.\n", ["docs/uci.md"]) == ""


@pytest.mark.parametrize("text", ["# No functional change.\n", "# ------ >8 ------\nNo functional change.\n"])
def test_what_git_leaves_out_does_not_count(text: str) -> None:
    assert commit_message.fault(f"Search: faster\n\n{text}", SEARCH) == commit_message.ADVICE


@pytest.mark.processes
def test_the_staged_files_decide(tmp_path: Path) -> None:
    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)

    run("git", "init", "-q")
    for name in ("README.md", "pawnstar/chess/bits.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text\n")
    message = tmp_path / "message"
    message.write_text("A change\n")
    check = (sys.executable, str(SCRIPT), str(message))
    run("git", "add", "README.md")
    assert run(*check).returncode == 0
    run("git", "add", "pawnstar")
    refused = run(*check)
    assert (refused.returncode, refused.stderr.strip()) == (1, commit_message.ADVICE)
    message.write_text("A change\n\nNo functional change.\n")
    assert run(*check).returncode == 0
    message.write_text("Merge branch 'other'\n")
    (tmp_path / ".git" / "MERGE_HEAD").write_text("0" * 40 + "\n")
    assert run(*check).returncode == 0
