#!/usr/bin/env python3
"""Check a built documentation site: every page of docs/ is there, under its own heading.

    ci/check_site.py .tox/docs/site

Sphinx warns of much, but not where it writes a page of its own over one of ours.
"""

import argparse
import html
import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
INCLUDED = re.compile(r"```\{include\} (\S+)")


def heading(page: Path) -> str:
    """The first heading of a Markdown page, or of the one that it includes; without marks."""
    text = page.read_text(encoding="utf-8")
    if included := INCLUDED.match(text):
        text = (page.parent / included[1]).read_text(encoding="utf-8")
    (line,) = re.findall(r"\A# (.+)$", text, re.MULTILINE)
    return re.sub(r"[`*_]", "", str(line))


def shown(page: Path) -> str:
    """The first heading of a built page; empty where there is none."""
    found = re.search(r"<h1>(.*?)<a", page.read_text(encoding="utf-8"), re.DOTALL) if page.exists() else None
    return html.unescape(re.sub(r"<[^>]+>", "", found[1])) if found else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    site = parser.parse_args().site
    wrong = 0
    for page in sorted(DOCS.glob("*.md")):
        built = site / f"{page.stem}.html"
        if shown(built) != heading(page):
            print(f"{built}: heading '{shown(built)}', but that of {page.name} is '{heading(page)}'", file=sys.stderr)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
