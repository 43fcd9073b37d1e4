"""The ``drop7`` command.

There are two parsers of arguments. ``play``, ``replay`` and ``plot`` are this engine's own, and click parses them. The
other commands exist in the Rust engine, too, whose words on every command line, refusals and usage included, are
recorded in tests/goldens/drop7: click cannot word them so. They get their arguments as they are, and parse them with
the functions of commands/options.py, which nothing else uses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from pawnstar import command_line
from pawnstar.version import version

PASS_ON = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
"""For the commands that parse their own arguments."""


class Seed(click.ParamType[int]):
    """A 32-bit seed, decimal or hexadecimal."""

    name = "seed"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number."""
        try:
            seed = value if isinstance(value, int) else int(str(value), 0)
        except ValueError:
            self.fail(f"{value!r} is not a number", param, ctx)
        if not 0 <= seed < 1 << 32:
            self.fail(f"{value} is not a 32-bit number", param, ctx)
        return seed


SEED = Seed()


class Seconds(click.FloatRange):
    """A time to wait: up to an hour, and a number."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(0, 3600)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number."""
        seconds = float(super().convert(value, param, ctx))
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a number", param, ctx)
        return seconds


class Group(click.Group):
    """Takes command names with underscores, too: that is how the sibling engines' programs are called."""

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Find a command under either spelling."""
        return super().get_command(context, name.replace("_", "-"))


def _version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"drop7 {version()}")
        context.exit()


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)
def commands() -> None:
    """Play and analyse Drop7: exact rules, a bit-exact evaluator, a fair expectimax search."""


def _pass_on(name: str, module: str, function: str, summary: str) -> None:
    """Add a command that is imported when it is called, so that the start stays short."""

    @commands.command(name, context_settings=PASS_ON, add_help_option=False, help=summary, short_help=summary)
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def command(arguments: tuple[str, ...]) -> None:
        getattr(import_module(f"pawnstar.drop7.commands.{module}"), function)(arguments)


_pass_on("plan", "plan", "run", "Tasks and bytes that a decision needs, without doing it.")
_pass_on("decide", "decide", "run", "Search one position and name the best column.")
_pass_on("analyze", "analyze", "run", "Search a matrix of positions, leaves, strata and depths.")
_pass_on("bench", "bench", "run", "Speeds of moves, leaves, searches and schedulers.")
_pass_on("gate-trajectory", "gates", "trajectory", "Replay games from a trace file and compare every move.")
_pass_on("gate-leaf", "gates", "leaf", "Compare leaf values with a trace file.")
_pass_on("gate-search", "gates", "search", "Compare search values, or actions and depths, with a trace file.")
_pass_on("optimization-check", "check", "run", "Complete search values and leaf checksums as JSON.")


@commands.command(short_help="Play a game, or watch a policy play one.")
@click.option("--seed", type=SEED, help="Seed of the game; random by default.")
@click.option("--policy", default="human", show_default=True, help="human, center, random, or a search such as d3s7.")
@click.option("--depth", type=click.IntRange(1, 8), default=3, show_default=True, help="Depth of the values.")
@click.option("--samples", type=click.IntRange(1), default=7, show_default=True, help="Sampled futures of the values.")
@click.option("--values", is_flag=True, help="Show the value of each column before every move.")
@click.option("--delay", type=Seconds(), default=0.5, show_default=True, help="Seconds between watched moves.")
def play(seed: int | None, policy: str, depth: int, samples: int, values: bool, delay: float) -> None:
    """Play a game in the terminal, or watch a policy play one."""
    from pawnstar.drop7.commands.play import play as run

    with _bad_policy():
        run(seed, policy, depth, samples, values, delay)


@commands.command(short_help="Show a recorded game wave by wave.")
@click.option("--seed", type=SEED, required=True, help="Seed of the game.")
@click.option("--policy", default="center", show_default=True, help="center, random, or a search such as d3s7.")
@click.option("--driver", type=click.Choice(["headless", "ts"]), default="headless", show_default=True)
@click.option("--moves", type=click.IntRange(0), help="Stop after so many moves.")
@click.option("--delay", type=Seconds(), default=0.0, show_default=True, help="Seconds between pictures.")
def replay(seed: int, policy: str, driver: str, moves: int | None, delay: float) -> None:
    """Show a recorded game, which its seed and policy determine, wave by wave."""
    from pawnstar.drop7.commands.play import replay as run

    with _bad_policy():
        run(seed, policy, driver == "ts", moves, delay)


@commands.command(short_help="Draw an analyze output.")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="Picture to write: .png or .svg.")
def plot(file: str, output: str) -> None:
    """Draw an analyze output: values by depth and strata, time, work and hit rates."""
    from pawnstar.drop7.commands.plot import plot as run

    run(file, output)


@contextmanager
def _bad_policy() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def main() -> int:
    """Run the command that the command line names; returns the exit status (see command_line.py)."""
    return command_line.run(commands, "drop7")
