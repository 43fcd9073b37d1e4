#!/usr/bin/env python3
"""Record the pictures of docs/images anew: sessions in a terminal, as SVG.

    ci/record_pictures.py                  all of them
    ci/record_pictures.py board divide     some of them

Runs the installed, compiled ``pawnstar`` and ``drop7`` that lie beside the Python that runs this, on a pseudo-terminal
(POSIX only). Wants an idle machine, because the pictures show times, and pexpect and rich
(``pip install -r ci/requirements-dev.txt``); "match" wants Stockfish, too, and takes some minutes.
"""

import argparse
import html
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path

import pexpect
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

import pawnstar

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
PATIENCE = 600.0
PROMPT = "bold green"
BLANK = "&#160;"  # rich writes each blank so
TYPED = "bold yellow"
COLORS = [(204, 85, 75), (152, 168, 75), (208, 179, 68), (96, 138, 177), (152, 114, 159), (104, 160, 152)]
DARK, GREY, LIGHT = (30, 30, 34), (110, 110, 116), (208, 208, 208)
THEME = TerminalTheme(DARK, LIGHT, [DARK, *COLORS, LIGHT], [GREY, *COLORS, LIGHT])


@dataclass(frozen=True)
class Scene:
    """What one picture shows: a command line, what is typed then, each with a pattern that ends what it brings.

    A line with an empty pattern waits for nothing: its answer, if there is one, comes before the next line's.
    """

    # A backslash and a line break in it are shown, as the shell shows them.
    command: str
    title: str
    typed: Sequence[tuple[str, str]] = ()
    started: str = ""
    show_start: bool = True
    columns: int = 112
    # Lines of the picture, counted from the end, where there would be too many: the middle is left out.
    first_lines: int = 100
    last_lines: int = 100
    # A program that must be on the path.
    needs: str = ""


READY = r"(?m)^ready\r\n"
ONE = ("setoption name Threads value 1", "")
OWN = ("setoption name OwnBook value false", "")
SCENES = {
    "session": Scene(
        "pawnstar",
        "A search",
        [OWN, ONE, ("position startpos", ""), ("go depth 10", r"bestmove.*\n"), ("quit", "")],
        READY,
        columns=144,
    ),
    "board": Scene(
        "pawnstar",
        "A position, and what the network says of it",
        [
            ("position startpos moves e2e4 c7c5 g1f3 d7d6 f1b5", ""),
            ("d", r"(?i)checkers.*\n"),
            ("eval", r"evaluation.*\n"),
            ("quit", ""),
        ],
        READY,
        show_start=False,
        columns=92,
    ),
    "divide": Scene("pawnstar perft 5 --divide", "Counting moves", columns=72),
    "match": Scene(
        "pawnstar match this stockfish --name1 Pawnstar \\\n"
        "  --option2 UCI_LimitStrength=true --option2 UCI_Elo=1950 \\\n"
        "  --nodes 20000 --games 10 --pgn games.pgn",
        "A match",
        columns=92,
        needs="stockfish",
    ),
    "bench": Scene("pawnstar bench 8", "The bench signature", columns=144, first_lines=8, last_lines=9),
    "drop7": Scene(
        "drop7 play --seed 42 --values",
        "Drop7",
        [("3", r"> "), ("q", "")],
        r"> ",
        columns=92,
        first_lines=28,
        last_lines=1,
    ),
}


class Recording:
    """The lines of a terminal, as text with styles."""

    def __init__(self) -> None:
        self.text = Text()

    def output(self, raw: str) -> None:
        """What a program wrote; of a line that it wrote over (a progress bar) the last state."""
        lines = []
        for line in raw.replace("\r\n", "\n").split("\n"):
            states = [state for state in line.split("\r") if state.strip()]
            lines.append(states[-1] if states else "")
        # from_ansi would drop the end of the last line.
        for number, line in enumerate(lines):
            self.text.append_text(Text.from_ansi(line) if line else Text())
            if number < len(lines) - 1:
                self.text.append("\n")

    def typed(self, line: str) -> None:
        """What the user wrote."""
        self.text.append(line + "\n", TYPED)


def record(scene: Scene) -> list[Text]:
    """Play a scene; its lines."""
    recording = Recording()
    for prompt, line in zip(chain(["$ "], repeat("> ")), scene.command.split("\n"), strict=False):
        recording.text.append(prompt, PROMPT)
        recording.typed(line.strip())
    words = scene.command.replace("\\\n", " ").split()
    with tempfile.TemporaryDirectory() as folder:
        program = pexpect.spawn(
            str(Path(sys.executable).parent / words[0]),
            words[1:],
            echo=False,
            encoding="utf-8",
            timeout=PATIENCE,
            dimensions=(50, scene.columns),
            cwd=folder,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": str(scene.columns), "PYTHONSAFEPATH": "1"},
        )

        def until(pattern: str) -> None:
            program.expect(pattern)
            recording.output(program.before + program.after)

        if scene.started:
            program.expect(scene.started)
            if scene.show_start:
                recording.output(program.before + program.after)
        for line, pattern in scene.typed:
            program.sendline(line)
            recording.typed(line)
            if pattern:
                until(pattern)
        program.expect(pexpect.EOF)
        recording.output(program.before)
        program.close()
    if program.exitstatus != 0:
        raise SystemExit(f"'{scene.command}' ended with {program.exitstatus}: {recording.text.plain}")
    lines = list(recording.text.split("\n"))
    while lines and not lines[-1].plain.strip():
        lines.pop()
    if len(lines) > scene.first_lines + scene.last_lines:
        lines = [*lines[: scene.first_lines], Text("...", "dim"), *lines[-scene.last_lines :]]
    return [*lines, Text("$ ", PROMPT)]


def without_outer_blanks(picture: str) -> str:
    """Texts that begin where their first letter stands: programs that are no browsers drop a text's leading blanks."""

    def moved(match: re.Match[str]) -> str:
        before, x, between, length, after, words = match.groups()
        columns = len(html.unescape(words))
        leading = re.match(f"(?:{BLANK})*", words)
        assert leading is not None
        kept = re.sub(f"(?:{BLANK})*$", "", words[leading.end() :])
        if not kept or not columns:
            return ""
        width = float(length) / columns
        x = f"{float(x) + width * leading[0].count(BLANK):g}"
        return f"{before}{x}{between}{width * len(html.unescape(kept)):g}{after}{kept}</text>"

    return re.sub(r'(<text [^>]*?x=")([\d.]+)("[^>]*?textLength=")([\d.]+)("[^>]*>)([^<]*)</text>', moved, picture)


def draw(name: str, scene: Scene) -> None:
    """Record a scene and write its picture."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=scene.columns, file=nowhere, force_terminal=True, color_system="truecolor")
        for line in record(scene):
            console.print(line, overflow="crop", no_wrap=True, crop=True, highlight=False)
        picture = console.export_svg(title=scene.title, theme=THEME, unique_id=f"pawnstar-{name}")
    # No fonts from elsewhere: a page that shows the picture asks nobody.
    picture = re.sub(r"@font-face \{.*?\}\n?", "", picture, flags=re.DOTALL)
    picture = picture.replace(
        "font-family: Fira Code, monospace", 'font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace'
    )
    picture = without_outer_blanks(picture)
    target = IMAGES / f"{name}.svg"
    target.write_text("\n".join(line.rstrip() for line in picture.splitlines()) + "\n", encoding="utf-8")
    print(target)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SCENES)} (default: all)")
    names = parser.parse_args().names or list(SCENES)
    if unknown := [name for name in names if name not in SCENES]:
        parser.error(f"no such picture: {', '.join(unknown)}")
    if not pawnstar.COMPILED:
        parser.error(
            f"the package of {sys.executable} is plain Python: its pictures would show a hundredth of the speed"
        )
    if (load := os.getloadavg()[0]) > 1:
        print(f"the machine is busy (load {load:.1f}): the pictures will show longer times", file=sys.stderr)
    for name in names:
        if SCENES[name].needs and shutil.which(SCENES[name].needs) is None:
            print(f"{name}: left out, {SCENES[name].needs} is not on the path", file=sys.stderr)
            continue
        draw(name, SCENES[name])
    return 0


if __name__ == "__main__":
    sys.exit(main())
