"""Options as the Drop7 engines take them: pairs ``--name value``, the later one wins.

This is the hand-made parser beside click's; cli.py says why there are two, and which commands use this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NoReturn

import click
from tqdm import tqdm

from pawnstar import command_line
from pawnstar.drop7.formats import parse_i32, parse_u64
from pawnstar.drop7.parallel.job import Progress
from pawnstar.drop7.parallel.plan import Settings

# No monitor thread: worker processes are forked only while there is a single thread.
tqdm.monitor_interval = 0


LONGEST_LINE = 1000


class Failure(command_line.Failure):
    """Ends a command with one line on standard error, as all Drop7 engines word it, and status 2."""

    def show(self, file: object = None) -> None:
        """Print the line: one, whatever a user's text that it repeats may hold."""
        text = "".join(character if character >= " " else "?" for character in self.message)
        click.echo(text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}...", err=True)


class Failing:
    """Raises ``Failure`` with the command's name before each message."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __call__(self, message: object) -> NoReturn:
        """End the command with this message."""
        raise Failure(f"{self.command} failed: {message}")

    def number(self, name: str, text: str, parse: Callable[[str], int] = parse_u64) -> int:
        """Read an integer option."""
        try:
            return parse(text)
        except ValueError:
            self(f"invalid {name}")

    def choice(self, name: str, text: str, first: str, second: str) -> str:
        """Read an option with two possible values."""
        if text not in (first, second):
            self(f"{name} must be {first} or {second}")
        return text


def pairs(
    arguments: tuple[str, ...], failing: Failing, usage: str, help_names: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Walk over the options; asking for help prints the usage and ends the command as soon as it is met."""
    index = 0
    while index < len(arguments):
        name = arguments[index]
        if name in help_names:
            click.echo(usage, err=True)
            raise SystemExit(0)
        if index + 1 == len(arguments):
            failing(f"{name} needs a value")
        yield name, arguments[index + 1]
        index += 2


def pairs_or_usage(arguments: tuple[str, ...], usage: str, names: tuple[str, ...]) -> dict[str, str]:
    """The options of a command that answers an unknown or a lone one with its usage."""
    answer_help(arguments, usage)
    found: dict[str, str] = {}
    for index in range(0, len(arguments), 2):
        name = arguments[index]
        if name not in names or index + 1 == len(arguments):
            raise Failure(usage)
        found[name] = arguments[index + 1]
    return found


def known_pairs(arguments: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The pairs of a command that ignores options it does not know, and a lone one at the end."""
    return zip(arguments[::2], arguments[1::2], strict=False)


def answer_help(arguments: tuple[str, ...], usage: str) -> None:
    """End the command with its usage where help is asked for anywhere."""
    if "--help" in arguments or "-h" in arguments:
        click.echo(usage, err=True)
        raise SystemExit(0)


def split_option(failing: Failing, text: str) -> int | None:
    """Read ``--split-plies``: a number or ``auto``."""
    return None if text == "auto" else failing.number("--split-plies", text)


def with_option(settings: Settings, failing: Failing, name: str, value: str) -> Settings:
    """The settings with one of the options that plan, analyze and decide have in common; any other is refused."""
    if name == "--threads":
        return replace(settings, threads=failing.number(name, value))
    if name == "--cache":
        return replace(settings, cache=failing.number(name, value))
    if name == "--tt-scope":
        return replace(settings, shared=failing.choice(name, value, "private", "shared") == "shared")
    if name == "--tt-from-depth":
        return replace(settings, from_depth=failing.number(name, value, parse_i32))
    if name == "--split-plies":
        return replace(settings, split=split_option(failing, value))
    if name == "--max-frontier-tasks":
        return replace(settings, most_tasks=failing.number(name, value))
    if name == "--max-host-bytes":
        return replace(settings, most_bytes=failing.number(name, value))
    failing(f"unknown option {name}")


def advance(bar: tqdm[Any]) -> Progress:
    """A function that moves a progress bar to the number of tasks that are done."""

    def move(done: int, tasks: int) -> None:
        bar.total = tasks
        bar.update(done - bar.n)

    return move


def remark(command: str) -> Callable[[str], None]:
    """A function that prints a remark on standard error: the command goes on, but not as it was asked to."""

    def tell(text: str) -> None:
        click.echo(f"{command}: {text}", err=True)

    return tell


def os_error(error: OSError) -> str:
    """The text of an operating-system error with its number."""
    return f"{error.strerror} (os error {error.errno})"


def read_text(path: str, complaint: str, fail: Callable[[str], NoReturn]) -> str:
    """The text of a file, or a failure ``COMPLAINT PATH: REASON``."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except OSError as error:
        fail(f"{complaint} {path}: {os_error(error)}")
    except UnicodeDecodeError:
        fail(f"{complaint} {path}: stream did not contain valid UTF-8")
