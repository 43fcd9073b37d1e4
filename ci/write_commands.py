#!/usr/bin/env python3
"""Write docs/commands.md: what ``--help`` says, of ``pawnstar``, of ``drop7`` and of each of their commands.

    ci/write_commands.py            write the page
    ci/write_commands.py --check    only say whether it is what it would be; the exit status is 1 where it is not

Runs the package that Python imports: ``PYTHONPATH=.`` for the source tree's. Needs everything that the commands need.
"""

import argparse
import sys
import textwrap
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from pawnstar.drop7.cli import commands as drop7
from pawnstar.subcommands import command_group

PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
COLUMNS = 80
WRAP: dict[str, Any] = {
    "subsequent_indent": "    ",
    "break_long_words": False,
    "break_on_hyphens": False,
    "drop_whitespace": True,
    "replace_whitespace": False,
}
HEAD = """# The command line

What `--help` says of each command; `ci/write_commands.py` wrote this page, and a test compares it.
`pawnstar` without arguments is the [UCI engine](uci.md); what `drop7` is about is on [its own page](drop7.md).
"""


def help_text(program: click.Group, name: str, *words: str) -> str:
    """What a command answers to ``--help``; lines that are longer than the terminal are wrapped as it would."""
    result = CliRunner(env={"COLUMNS": str(COLUMNS)}).invoke(program, [*words, "--help"], prog_name=name)
    if result.exit_code != 0 or not result.output.strip():
        raise SystemExit(f"'{' '.join((name, *words))} --help' ended with {result.exit_code}: {result.output}")
    lines = [
        line for text in result.output.strip().splitlines() for line in textwrap.wrap(text, COLUMNS, **WRAP) or [""]
    ]
    return "\n".join(lines)


def page() -> str:
    """The whole page, in Markdown."""
    parts = [HEAD]
    for name, program in (("pawnstar", command_group()), ("drop7", drop7)):
        parts.append(f"## {name}\n\n```text\n{help_text(program, name)}\n```\n")
        for command in sorted(program.commands):
            parts.append(f"### {name} {command}\n\n```text\n{help_text(program, name, command)}\n```\n")
    return "\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; compare")
    if not parser.parse_args().check:
        PAGE.write_text(page(), encoding="utf-8", newline="\n")
        return 0
    # Blanks and line breaks are the library's affair, whose versions differ in them.
    if PAGE.exists() and PAGE.read_text(encoding="utf-8").split() == page().split():
        return 0
    print("docs/commands.md is not what --help says: run ci/write_commands.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
