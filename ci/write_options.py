#!/usr/bin/env python3
"""Write the tables of options in README.md and docs/uci.md from pawnstar/settings.py.

    ci/write_options.py            write them
    ci/write_options.py --check    only say whether they are what they would be; the exit status is 1 where not

Reads the package that Python imports: ``PYTHONPATH=.`` for the source tree's.
"""

import argparse
import sys
from pathlib import Path

from pawnstar import settings

ROOT = Path(__file__).resolve().parents[1]
BEGIN = "<!-- options: ci/write_options.py writes what follows -->"
END = "<!-- end of options -->"


def kind_text(option: settings.AnyOption) -> str:
    """An option's type, with its range or its choices."""
    if isinstance(option, settings.Spin):
        return f"spin {option.least}\u2013{option.most}"
    if isinstance(option, settings.Combo):
        return f"combo {', '.join(option.choices)}"
    return option.kind


def default_text(option: settings.AnyOption) -> str:
    """An option's default."""
    if option.default_text is not None:
        return option.default_text
    if isinstance(option, settings.Check):
        return "true" if option.default else "false"
    return "" if option.default is None else str(option.default)


def table(details: bool) -> str:
    """The table in Markdown: of the short texts, or with ``details``."""
    lines = ["| option | type | default | |", "|---|---|---|---|"]
    for option in settings.OPTIONS:
        default = default_text(option)
        text = option.details if details else option.help
        lines.append(f"| `{option.name}` | {kind_text(option)} | {default}{' ' if default else ''}| {text} |")
    return "\n".join(lines)


PAGES = {ROOT / "README.md": False, ROOT / "docs" / "uci.md": True}


def page(path: Path) -> str:
    """The page with its table as it should be. Raises ValueError where the page has no place for it."""
    text = path.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path} has no lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{table(PAGES[path])}\n\n{END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; compare")
    check = parser.parse_args().check
    status = 0
    for path in PAGES:
        wanted = page(path)
        if not check:
            path.write_text(wanted, encoding="utf-8", newline="\n")
        elif path.read_text(encoding="utf-8") != wanted:
            print(f"{path.name}: the table of options is not settings.py's: run ci/write_options.py", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
