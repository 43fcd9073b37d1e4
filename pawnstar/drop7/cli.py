"""The ``drop7`` command. Not compiled: argument parsing gains nothing from it, and click inspects plain functions."""

from __future__ import annotations

from importlib import import_module

import click

PASS_ON = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
"""For commands that read their options themselves, in the way all Drop7 engines do."""


class Group(click.Group):
    """Takes command names with underscores, too: that is how the sibling engines' programs are called."""

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Find a command under either spelling."""
        return super().get_command(context, name.replace("_", "-"))


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pawnstar", message="drop7 %(version)s")
def main() -> None:
    """Play and analyse Drop7: exact rules, a bit-exact evaluator, a fair expectimax search."""


def _pass_on(name: str, module: str, function: str, summary: str) -> None:
    """Add a command that is imported when it is called, so that the start stays short."""

    @main.command(name, context_settings=PASS_ON, add_help_option=False, help=summary, short_help=summary)
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
