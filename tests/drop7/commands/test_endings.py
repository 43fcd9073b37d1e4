"""How commands end: one line, the documented status, and nothing lost, whatever is given to them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from programs import environment

from pawnstar.drop7.cli import commands

from ..goldens import INPUTS, text

pytestmark = pytest.mark.processes

BOARD = "0000000000300001070000502080090603604014710825825"
ROOTS = str(INPUTS / "opt-roots.txt")
DECIDE = ("decide", "--board", BOARD, "--next", "7", "--rise", "3", "--depth", "1", "--threads", "1")
ANALYZE = ("analyze", "--roots", ROOTS, "--depths", "1", "--strata", "3", "--threads", "1", "--output")


def run(*arguments: str, **changes: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pawnstar.drop7", *arguments],
        capture_output=True,
        timeout=120,
        env=environment(**changes),
        check=False,
    )
    encoding = changes.get("PYTHONIOENCODING", "utf-8")
    return done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding)


def run_here(*arguments: str) -> tuple[int, str, str]:
    """The same in this process."""
    result = CliRunner().invoke(commands, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def shell(line: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command within a line of shell, where ``"$@"`` stands for it."""
    command = [sys.executable, "-P", "-m", "pawnstar.drop7", *arguments]
    return subprocess.run(
        ["sh", "-c", line, "sh", *command], capture_output=True, text=True, timeout=120, env=environment(), check=False
    )


# Characters that a console lacks.


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437", "utf-8"])
@pytest.mark.parametrize("command", ["replay", "play"])
def test_a_board_is_drawn_with_what_the_console_has(command: str, encoding: str) -> None:
    """A usage error: 'charmap' codec can't encode character U+2502, at the first board."""
    how = ("--moves", "1") if command == "replay" else ("--delay", "0")
    code, output, errors = run(command, "--seed", "1", "--policy", "center", *how, PYTHONIOENCODING=encoding)
    assert (code, errors) == (0, "")
    if encoding in ("utf-8", "cp437"):
        assert "│ █ █ █ █ █ █ █ │" in output
        assert "└───────────────┘" in output
    else:
        assert "| # # # # # # # |" in output
        assert "+---------------+" in output
        assert output.isascii()


def test_file_names_that_the_console_lacks_are_json_escapes(tmp_path: Path) -> None:
    roots = tmp_path / "Stellungen-\u00e4\u4e2d.txt"
    roots.write_bytes(Path(ROOTS).read_bytes())
    arguments = ("--root-limit", "1", "--depths", "1", "--strata", "1", "--threads", "1", "--output", "-")
    code, output, _ = run("analyze", "--roots", str(roots), *arguments, PYTHONIOENCODING="cp1252")
    assert code == 0
    assert json.loads(output.splitlines()[0])["rootsPath"] == str(roots)
    code, _, errors = run("analyze", "--roots", str(roots) + "x", "--output", "-", PYTHONIOENCODING="cp1252")
    assert (code, errors.count("\n")) == (2, 1)


# Output that cannot be written.


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        DECIDE,
        ("plan",),
        ("bench", "moves", "--games", "1"),
        ("replay", "--seed", "1", "--moves", "1"),
        ("play", "--seed", "1", "--policy", "center", "--delay", "0"),
        ("optimization-check", "micro", ROOTS, "1", "1", "64", "1"),
        (*ANALYZE, "-"),
        ("--help",),
        ("play", "--help"),
        ("--version",),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_full_disk_is_one_line(arguments: tuple[str, ...]) -> None:
    done = shell('"$@" > /dev/full', *arguments)
    assert done.returncode == 2
    assert done.stderr.endswith("cannot write standard output: No space left on device\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize("arguments", [DECIDE, ("plan",), ("replay", "--seed", "1", "--moves", "1"), ("--help",)])
def test_a_closed_output_is_one_line(arguments: tuple[str, ...]) -> None:
    """The result went nowhere, with status 0."""
    done = shell('"$@" >&-', *arguments)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr == "Error: standard output is closed, there is nowhere to write to\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_a_reader_that_leaves_is_not_worth_a_word() -> None:
    done = shell('{ "$@"; echo "status $?" >&2; } | true', "replay", "--seed", "1", "--policy", "random")
    assert done.stderr == "status 2\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_closed_input_and_errors_are_no_fault() -> None:
    assert shell('"$@" <&-', "play", "--seed", "5", "--depth", "1").returncode == 0
    assert shell('"$@" 2>&-', *DECIDE).stdout.startswith("bestmove ")


# What analyze writes.


def test_the_output_is_not_an_input(tmp_path: Path) -> None:
    """``--output`` equal to ``--roots`` destroyed the roots; so did a leaf's weights."""
    roots = tmp_path / "roots.txt"
    roots.write_bytes(Path(ROOTS).read_bytes())
    weights = tmp_path / "leaf.weights"
    weights.write_bytes((INPUTS / "frozen-fair.weights").read_bytes())
    link = tmp_path / "link.txt"
    link.symlink_to(roots)
    for output, path in ((roots, roots), (link, roots), (weights, weights)):
        before = path.read_bytes()
        arguments = ("--roots", str(roots), "--leaf", f"mine={weights}", "--threads", "1", "--output", str(output))
        code, _, errors = run_here("analyze", *arguments)
        assert code == 2
        assert f"--output {output} is the same file as the input {path}" in errors
        assert path.read_bytes() == before


@pytest.mark.parametrize("wrong", [("--max-host-bytes", "10"), ("--threads", "0"), ("--roots", "nofile.txt")])
def test_a_refused_run_leaves_the_earlier_output(tmp_path: Path, wrong: tuple[str, str]) -> None:
    """It was emptied before anything was checked."""
    output = tmp_path / "out.jsonl"
    output.write_text("precious\n")
    code, _, errors = run_here(*ANALYZE, str(output), *wrong)
    assert (code, errors.count("\n")) == (2, 1)
    assert output.read_text() == "precious\n"
    assert os.listdir(tmp_path) == ["out.jsonl"]


def test_a_run_that_fails_later_keeps_what_it_has(tmp_path: Path) -> None:
    roots = tmp_path / "roots.txt"
    # The second position has no column with room, which is found when its turn comes.
    roots.write_text(f"s {BOARD} 7 3 1 0\ns {'8' * 49} 7 3 1 0\n")
    output = tmp_path / "out.jsonl"
    output.write_text("precious\n")
    arguments = ("--roots", str(roots), "--depths", "1", "--strata", "3", "--threads", "1")
    code, _, errors = run_here("analyze", *arguments, "--output", str(output))
    assert code == 2
    assert "no legal columns" in errors
    assert f"the 1 decisions made so far are in {output}.part" in errors
    assert output.read_text() == "precious\n"
    kept = [json.loads(line) for line in Path(f"{output}.part").read_text().splitlines()]
    assert [record["recordType"] for record in kept] == ["manifest", "decision"]


def test_a_complete_run_replaces_the_earlier_output(tmp_path: Path) -> None:
    real = tmp_path / "real.jsonl"
    real.write_text("old\n")
    output = tmp_path / "out.jsonl"
    output.symlink_to(real)
    code, _, _ = run_here(*ANALYZE, str(output))
    assert code == 0
    assert output.is_symlink()
    assert len(real.read_text().splitlines()) == 7
    assert sorted(os.listdir(tmp_path)) == ["out.jsonl", "real.jsonl"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_device_is_written_straight() -> None:
    code, _, errors = run_here(*ANALYZE, "/dev/full")
    assert (code, errors.count("\n")) == (2, 1)
    assert "cannot write /dev/full: No space left on device" in errors
    assert run_here(*ANALYZE, os.devnull)[0] == 0


# Numbers and files that make no sense.


@pytest.mark.parametrize("name", ["--repeats", "--decisions", "--games", "--threads", "--max-threads", "--max-moves"])
@pytest.mark.parametrize("mode", ["moves", "scaling", "micro", "search", "parallel"])
def test_zero_of_something_to_measure_is_refused(mode: str, name: str) -> None:
    """Tracebacks (an empty median), or infinite speeds."""
    code, output, errors = run_here("bench", mode, "--roots", ROOTS, name, "0")
    assert (code, output) == (2, "")
    assert errors == f"bench failed: {name} must be 1 to 9223372036854775807\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("plan", "--depth", "2147483647"),
        ("plan", "--depth", "2147483647", "--split-plies", "2147483646"),
        ("plan", "--depth", "2147483647", "--split-plies", "2147483646", "--strata", "2147483647"),
        ("plan", "--strata", "2147483647"),
        ("plan", "--split-plies", "18446744073709551615"),
        ("plan", "--cache", "18446744073709551615"),
        ("plan", "--threads", "18446744073709551615"),
        (*DECIDE, "--depth", "2147483647"),
        (*DECIDE, "--depth", "100000", "--chance-samples", "1", "--scheduler", "root"),
        (*DECIDE, "--chance-samples", "2147483647"),
        (*DECIDE, "--rise", "-1"),
        (*DECIDE, "--rise", "256"),
        (*DECIDE, "--cache", "18446744073709551615"),
        (*DECIDE, "--cache", "1000000000000", "--max-host-bytes", "18446744073709551615"),
        (*DECIDE, "--cache", "1000000000000000000", "--max-host-bytes", "18446744073709551615"),
        (*ANALYZE, "-", "--depths", "1000000"),
        ("bench", "search", "--roots", ROOTS, "--depth", "1000000"),
        ("bench", "search", "--roots", ROOTS, "--strata", "1000000"),
        ("bench", "search", "--roots", ROOTS, "--tt", "gate1", "--tt-capacity", "18446744073709551615"),
        ("bench", "moves", "--threads", "1000000", "--games", "1000000"),
        ("bench", "moves", "--games", "18446744073709551615"),
        ("gate-search", "--trace", ROOTS, "--depth", "1000000"),
        ("optimization-check", "search", ROOTS, "1", "1", "18446744073709551615", "1"),
    ],
    ids=" ".join,
)
def test_numbers_beyond_all_use_are_one_line(arguments: tuple[str, ...]) -> None:
    """Some ended by a stack overflow, some in a power that no machine can compute."""
    code, _, errors = run(*arguments)
    assert (code, errors.count("\n")) == (2, 1)
    assert "failed: " in errors or errors.startswith("Error: no memory for a table")


@pytest.mark.parametrize("delay", ["nan", "inf", "1e300", "-1", "x"])
@pytest.mark.parametrize("command", [("play", "--policy", "center"), ("replay", "--moves", "1")], ids=" ".join)
def test_a_delay_is_a_time_to_wait(command: tuple[str, ...], delay: str) -> None:
    """Python's sleep refused it in the middle of the game, with a traceback or its own words."""
    code, output, errors = run_here(*command, "--seed", "1", "--delay", delay)
    assert (code, output) == (2, "")
    assert "Invalid value for '--delay'" in errors


def test_an_error_is_one_line_whatever_it_repeats() -> None:
    code, _, errors = run_here("plan", "--a\nb\x1b[2J" + "x" * 5000, "1")
    assert (code, errors.count("\n")) == (2, 1)
    assert errors.startswith("plan failed: unknown option --a?b?[2Jxxx")
    assert len(errors) < 1100


@pytest.mark.parametrize(
    ("command", "lines", "wrong"),
    [
        ("gate-leaf", "s 1 2\nv 0\n", 2),
        ("gate-leaf", f"s {BOARD} 9 3 1 0\nv 0000000000000000\n", 2),
        ("gate-leaf", f"s {BOARD} 7 3 1 0\nv \n", 2),
        ("gate-leaf", f"s {BOARD} 7 0 1 0\nv 0000000000000000\n", 2),
        ("gate-search", "a 3\n", 1),
        ("gate-search", f"s {BOARD} 7 3 1 0\nc 3\n", 2),
        ("gate-search", f"s {BOARD} 7 3 1 0\nc 3 xyz\n", 2),
        ("gate-search", f"s {BOARD} 7 3 1 0\na \n", 2),
        ("gate-search", f"s {BOARD} 7 x 1 0\na 3\n", 2),
        ("gate-search", f"s {BOARD} 7 0 1 0\na 3\n", 2),
        ("gate-trajectory", "game\n", 1),
        ("gate-trajectory", "game zz next 5\n", 1),
        ("gate-trajectory", "game 0x1 next\n", 1),
        ("gate-trajectory", "game 0x1 next 5\nm 1 col 3\n", 2),
        ("gate-trajectory", "game 0x1 next 5\nm 1 sd 3 waves\n", 2),
        ("gate-trajectory", "game 0x1 next 5\nend score\n", 2),
    ],
)
def test_a_malformed_trace_is_named_with_its_line(tmp_path: Path, command: str, lines: str, wrong: int) -> None:
    """A traceback."""
    trace = tmp_path / "trace.txt"
    trace.write_text(lines)
    code, output, errors = run_here(command, "--trace", str(trace), *(("--depth", "1") if "search" in command else ()))
    assert (code, output) == (2, "")
    assert errors.startswith(f"{trace}:{wrong}: ")
    assert errors.count("\n") == 1


def test_an_incomplete_record_is_named_with_its_line(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "records.jsonl"
    file.write_text('{"format":"drop7-search-matrix-v1","recordType":"decision","depth":3}\n')
    code, _, errors = run_here("plot", str(file), "--output", str(tmp_path / "x.png"))
    assert (code, errors.count("\n")) == (2, 1)
    assert f"{file}:1: an incomplete record" in errors


def test_help_texts_are_whole() -> None:
    """Click cuts the summaries that are taken from docstrings."""
    code, output, _ = run_here("--help")
    assert code == 0
    assert "..." not in output.replace("[ARGS]...", "")
    for command in ("bench", "gate-leaf", "gate-search", "gate-trajectory", "optimization-check", "decide", "plan"):
        code, output, errors = run_here(command, "--help")
        assert (code, output) == (0, "")
        assert errors.startswith(f"usage: {command} ")


def test_the_goldens_are_not_malformed(tmp_path: Path) -> None:
    """What is refused above is refused for its faults: a recorded trace passes."""
    trace = tmp_path / "trace.txt"
    trace.write_text(text("trace_leaf.txt"))
    assert run_here("gate-leaf", "--trace", str(trace))[0] == 0
