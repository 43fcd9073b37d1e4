"""The commands that have no recordings."""

from __future__ import annotations

import builtins
import json
import struct
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from pawnstar.drop7 import COMPILED, Game, State
from pawnstar.drop7.cli import commands
from pawnstar.drop7.formats import decimal, json_value, shortest, value_bits
from pawnstar.drop7.policies import named_policy
from pawnstar.system import machine

from ..goldens import INPUTS

START = "0" * 42 + "8" * 7


def run(*arguments: str, typed: str = "") -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    result = CliRunner().invoke(commands, list(arguments), input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("processors", [1, 3])
def test_there_are_as_many_workers_as_processors(
    processors: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control groups were not heeded: the commands counted processors in a way of their own."""
    monkeypatch.setattr(machine, "processors", lambda: processors)
    position = ("--board", START, "--next", "4", "--rise", "5")
    _, output, _ = run("decide", *position, "--depth", "1", "--chance-samples", "1")
    assert f" threads {processors} " in output
    roots = tmp_path / "roots.txt"
    roots.write_text(f"s {START} 4 5 1 0\n")
    _, output, _ = run("analyze", "--roots", str(roots), "--output", "-", "--depths", "1", "--strata", "1")
    assert json.loads(output.splitlines()[0])["threads"] == processors


def test_a_watched_game_ends_like_the_same_game_by_the_api() -> None:
    code, output, _ = run("play", "--seed", "7", "--policy", "center", "--delay", "0")
    game = Game(7)
    while not game.state.over:
        game.play(named_policy("center", 7).choose(game.state))
    assert code == 0
    assert output.splitlines()[-1] == (
        f"game over after {game.state.moves_played} discs: {game.state.score:,} points, level {game.state.level}"
    )


def test_a_person_plays() -> None:
    code, output, _ = run("play", "--seed", "5", "--depth", "1", typed="what\nv\n3\nb\n9\nq\n")
    assert code == 0
    assert output.count("0 to 6: drop the disc there") == 3
    assert "3: -" in output
    assert "stopped after 2 discs" in output


def test_the_end_of_input_ends_the_game() -> None:
    code, output, _ = run("play", "--seed", "5", "--values", "--depth", "1")
    assert code == 0
    assert "stopped after 0 discs" in output


def test_a_full_column_is_refused() -> None:
    # A 7 never pops in the first columns of an almost empty board.
    code, output, _ = run("play", "--seed", "5", typed="0\n" * 60)
    assert code == 0
    assert "that column is full" in output or "game over" in output


@pytest.mark.parametrize("driver", ["headless", "ts"])
def test_a_replay_shows_every_wave(driver: str) -> None:
    code, output, _ = run("replay", "--seed", "0x10", "--policy", "random", "--driver", driver, "--moves", "12")
    game = Game(16, driver == "ts")
    policy = named_policy("random", 16)
    waves = 0
    for _ in range(12):
        waves += len(game.play(policy.choose(game.state)).waves)
    assert code == 0
    assert output.count("\nwave ") == waves
    assert output.count("falls") == 12
    assert f"stopped after 12 discs: {game.state.score:,} points" in output


def test_boards_are_in_colour() -> None:
    result = CliRunner().invoke(commands, ["replay", "--seed", "1", "--moves", "1"], color=True)
    assert "\x1b[" in result.output
    assert "\x1b[" not in click.unstyle(result.output)


def test_unknown_policies_and_seeds() -> None:
    assert run("play", "--policy", "d0s0", "--seed", "1")[0] == 2
    assert "unknown policy nobody" in run("replay", "--policy", "nobody", "--seed", "1")[2]
    assert "is not a number" in run("replay", "--seed", "x")[2]
    assert "not a 32-bit number" in run("replay", "--seed", "4294967296")[2]


@pytest.fixture
def analyzed(tmp_path: Path) -> Path:
    output = tmp_path / "out.jsonl"
    arguments = ["--roots", str(INPUTS / "example-roots.txt"), "--output", str(output), "--threads", "1"]
    code, _, errors = run("analyze", *arguments, "--depths", "1,2", "--strata", "1,2", "--cache", "64")
    assert (code, errors) == (
        0,
        "analyze completed: 2 roots x 1 leaves x 2 strata x 2 depths = 8 decision records\n",
    )
    return output


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_plots(analyzed: Path, tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / f"out.{suffix}"
    assert run("plot", str(analyzed), "-o", str(picture)) == (0, "", "")
    start = picture.read_bytes()[:5]
    assert start == (b"\x89PNG\r" if suffix == "png" else b"<?xml")


def test_plots_of_nothing(analyzed: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_text(analyzed.read_text().splitlines()[0])
    assert run("plot", str(manifest), "-o", "x.png")[2] == f"plot failed: {manifest} contains no decisions\n"
    assert run("plot", str(INPUTS / "r_full.txt"), "-o", "x.png")[2].startswith("plot failed: ")
    assert "cannot read" in run("plot", str(tmp_path / "none"), "-o", "x.png")[2]
    assert run("plot", str(analyzed), "-o", "x.gif")[2] == "plot failed: the output must end in .png or .svg\n"


def without(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Make a package impossible to import."""
    real: Any = builtins.__import__

    def importing(name: str, *arguments: Any, **named: Any) -> Any:
        if name.split(".", maxsplit=1)[0] == package:
            raise ImportError(name)
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", importing)
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)


def test_missing_extras(monkeypatch: pytest.MonkeyPatch, analyzed: Path) -> None:
    without(monkeypatch, "matplotlib")
    drawn = run("plot", str(analyzed), "-o", "x.png")
    assert 'matplotlib: pip install matplotlib, or in the source tree pip install ".[plots]"' in drawn[2]
    without(monkeypatch, "distributed")
    arguments = ["--roots", str(INPUTS / "example-roots.txt"), "--output", "-", "--cluster", "tcp://127.0.0.1:1"]
    assert (
        run("analyze", *arguments)[2]
        == "analyze failed: --cluster needs dask.distributed: pip install distributed, or in the source tree "
        'pip install ".[cluster]"\n'
    )


def test_a_cluster_has_no_shared_table() -> None:
    arguments = ["--roots", str(INPUTS / "example-roots.txt"), "--output", "-", "--cluster", "tcp://127.0.0.1:1"]
    code, _, errors = run("analyze", *arguments, "--tt-scope", "shared")
    assert (code, errors) == (2, "analyze failed: --tt-scope shared needs workers on one machine\n")


def test_analyze_on_a_cluster(analyzed: Path) -> None:
    distributed: Any = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, silence_logs=50
    ) as cluster:
        arguments = [
            "--roots",
            str(INPUTS / "example-roots.txt"),
            "--output",
            "-",
            "--cluster",
            cluster.scheduler_address,
        ]
        code, output, _ = run("analyze", *arguments, "--depths", "1,2", "--strata", "1,2", "--cache", "64")
    assert code == 0
    there = [json.loads(line) for line in output.splitlines()[1:]]
    here = [json.loads(line) for line in analyzed.read_text().splitlines()[1:]]
    assert [record["columns"] for record in there] == [record["columns"] for record in here]


def test_floating_discs_are_refused(tmp_path: Path) -> None:
    floating = "0" * 35 + "3000000" + "0888888"
    code, output, errors = run("decide", "--board", floating, "--next", "4", "--rise", "5")
    assert (code, output, errors) == (2, "", "decide failed: the board has floating discs\n")
    roots = tmp_path / "roots.txt"
    roots.write_text(f"s {START} 4 5 1 0\ns {floating} 4 5 1 0\n")
    for command in (["analyze", "--output", "-"], ["bench", "micro"]):
        code, _, errors = run(*command, "--roots", str(roots))
        assert code == 2
        assert errors.endswith(f"{roots}:2: the board has floating discs\n")


def test_the_plan_gives_this_engines_sizes() -> None:
    plan = json.loads(run("plan", "--depth", "4", "--threads", "4", "--tt-scope", "shared", "--cache", "65536")[1])
    assert plan["engineSlotBytes"] == 48
    assert plan["engineTableBytes"] == 48 * 65536 + 256 * 32 + 4 * 48 * 65536
    assert plan["engineTotalBytes"] == plan["engineTableBytes"] + plan["enginePlanBytes"]


def test_help_lists_the_commands() -> None:
    code, output, _ = run("--help")
    assert code == 0
    for name in ("plan", "analyze", "decide", "bench", "gate-search", "optimization-check", "play", "replay", "plot"):
        assert name in output


@pytest.mark.compiled_only
def test_published_checksums() -> None:
    for mode, checksum in (("micro", "ae01528000007d00"), ("unpack", "0000000000557300")):
        code, output, _ = run("optimization-check", mode, str(INPUTS / "opt-roots.txt"), "4", "1", "16384", "200000")
        assert code == 0
        assert json.loads(output)["checksum"] == checksum


def test_number_formats() -> None:
    assert decimal(-684.78750000000002) == "-6.84787500000000023e2"
    assert decimal(0.0) == "0.00000000000000000e0"
    assert shortest(5e-324) == "5e-324"
    assert struct.unpack(">d", bytes.fromhex(value_bits(-0.1))) == (-0.1,)
    assert (
        json_value({"a": 'x"\\\n\u00e9\x01', "b": [True, None, 1.5]})
        == '{"a":"x\\"\\\\\\n\u00e9\\u0001","b":[true,null,1.500000000]}'
    )
    with pytest.raises(TypeError):
        json_value(object())


def test_states_compare_and_show_themselves() -> None:
    state = State.parse(START, 4)
    assert state == State.start(4)
    assert state != State.start(5)
    assert state != "state"
    assert hash(state) == hash(State.start(4))
    assert repr(state) == f"State.parse({START!r}, 4, 5, 1, False)"
    with pytest.raises(ValueError, match="invalid next disc"):
        State.start(8)


def test_the_two_modes_say_what_they_are() -> None:
    from pawnstar.drop7.rules import rules

    assert str(rules.__file__).endswith(".py") != COMPILED
