"""What a match reports: its start, each game, the score so far, and the result."""

from __future__ import annotations

import contextlib
import os
import sys
import textwrap
from collections.abc import Iterator
from typing import IO, Any, Final

from tqdm import tqdm

from pawnstar.matches.games import Record
from pawnstar.matches.runner import Outcome, Tally
from pawnstar.matches.settings import MatchSettings, Rules
from pawnstar.matches.statistics import Sprt

FEW_NODES: Final = 6000  # with fewer nodes a move Pawnstar's searches are cut short before they have begun
EACH: Final = 30  # a match of so many games or fewer tells of each as it ends
WIDTH: Final = 79  # columns of what is told, where the window is not narrower
_NAME: Final = 24  # columns of a name in the table of results
# How a game can end, in the summary's order, and what to call that; other ends come under their own names.
_ADJUDICATED: Final = ("resignation", "draw")


def printable(text: str, stream: IO[str]) -> str:
    """The text, with the characters replaced that the stream's encoding lacks."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("±", "+-").encode(encoding, "replace").decode(encoding)
    return text


def window(stream: IO[str]) -> int | None:
    """The columns of the terminal that the stream is written to; None where it is no terminal."""
    with contextlib.suppress(OSError, ValueError):
        if stream.isatty():
            return os.get_terminal_size(stream.fileno()).columns or 80
    return None


def width_of(stream: IO[str]) -> int:
    """How wide a text on the stream may be, in columns."""
    columns = window(stream)
    return WIDTH if columns is None else max(20, min(WIDTH, columns - 1))


class Reporter:
    """Reports the games on standard error.

    A short match has a line for each game; a long one only for games that an engine lost by a fault or on time. On a
    terminal the score so far is a progress line as wide as the window, elsewhere a line every few games. The match goes
    on where nothing can be written, as on a terminal that is gone.
    """

    def __init__(self, games: int, every: int, sprt: Sprt | None) -> None:
        self.games = games
        self.every = every
        self.sprt = sprt
        self.terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"  # which cannot draw a line again
        self.tally = Tally()
        self.bar: tqdm[Any] | None = None

    def start(self, text: str) -> None:
        """Tell how the match is played, and begin the progress line."""
        self.say(text)
        if self.terminal:
            form = "{n_fmt}/{total_fmt} |{bar}| {elapsed}<{remaining}{postfix}"
            with self._drawing():
                self.bar = tqdm(total=self.games, dynamic_ncols=True, bar_format=form, mininterval=0)

    def game(self, record: Record, tally: Tally) -> None:
        """Tell of a finished game."""
        self.tally = tally
        if self.games <= EACH or record.fault or record.termination == "time forfeit":
            self.say(record.line())
        if self.bar is not None:
            with self._drawing():
                self.bar.update()
            self.tick()
        elif not self.terminal and (tally.games % self.every == 0 or tally.games == self.games):
            self.say(f"{tally.games}/{self.games}: {tally.line(self.sprt)}")

    def tick(self) -> None:
        """Draw the progress line again: the time goes on, and the window may have another width."""
        if self.bar is not None:
            columns = window(sys.stderr) or 80
            room = columns - len(f"{self.games}/{self.games} |......| 00:00<00:00, ")
            with self._drawing():
                self.bar.set_postfix_str(printable(self.score(room), sys.stderr), refresh=False)
                self.bar.refresh()

    @contextlib.contextmanager
    def _drawing(self) -> Iterator[None]:
        """Go on without a progress line where the terminal is gone."""
        try:
            yield
        except (OSError, ValueError):
            self.bar = None

    def score(self, room: int) -> str:
        """The score so far: as many of its parts as fit into ``room`` columns, but at least the first."""
        parts = self.tally.parts(self.sprt)
        del parts[1]  # the share of the points follows from its neighbour
        while len(parts) > 1 and len(", ".join(parts)) > room:
            parts.pop()
        return ", ".join(parts)

    def say(self, text: str) -> None:
        """Print lines above the progress line. On a terminal they are broken between words."""
        if self.terminal:
            lines = [textwrap.fill(line, width_of(sys.stderr), subsequent_indent="    ") for line in text.split("\n")]
            text = "\n".join(lines)
        with self._drawing():
            tqdm.write(printable(text, sys.stderr), file=sys.stderr)

    def close(self) -> None:
        """End the progress line."""
        bar, self.bar = self.bar, None
        if bar is not None:
            with self._drawing():
                bar.close()


def _games(count: int) -> str:
    return f"{count} game" if count == 1 else f"{count} games"


def introduction(names: tuple[str, str], settings: MatchSettings, openings: int, pawnstar: bool) -> str:
    """How the match is played, and what to know before it; ``pawnstar``: whether the engine ``this`` plays."""
    control, games, concurrency = settings.rules.control, settings.games, settings.concurrency
    limit = f"{control} s" if control.base is not None else f"{control} a move"
    lines = [f"{names[0]} against {names[1]}: {_games(games)}, {limit}, {concurrency} at once, {openings} openings"]
    if games % 2:
        lines.append("an odd number of games: the last opening is played with one colour only")
    if games > 2 * openings:
        lines.append(f"more games than openings: they are repeated after {2 * openings} games")
        if control.base is None:
            lines[-1] += ", and engines without a clock may repeat the games with them"
    if pawnstar and control.nodes is not None and control.nodes < FEW_NODES:
        lines.append(f"Pawnstar looks at its nodes every 2048: below {FEW_NODES} it often ends before its first depth")
    processors = os.cpu_count() or 1
    if concurrency > processors and control.base is not None:
        lines.append(f"{concurrency} games at once on {processors} processors: the clocks will not be fair")
    return "\n".join(lines)


def sprt_introduction(sprt: Sprt) -> str:
    """When the sequential test ends the match."""
    low, high = sprt.bounds
    return (
        f"SPRT: the match ends when LLR reaches {low:.2f} (H0: {sprt.elo0:g} Elo) or {high:.2f} (H1: {sprt.elo1:g} Elo)"
    )


class _Page:
    """Lines of a certain width."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[str] = []

    def add(self, text: str = "") -> None:
        """Add a line. It is broken only for a narrow window; a file has it whole."""
        if self.width < WIDTH and text:
            self.lines += textwrap.wrap(text, self.width, subsequent_indent="    ", break_on_hyphens=False)
        else:
            self.lines.append(text)

    def wrap(self, label: str, text: str) -> None:
        """Add a label with a text beside it, which is broken into lines."""
        indent = " " * 10
        first = f"{label:<10}"
        self.lines += textwrap.wrap(
            text, self.width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False
        )

    def table(self, names: tuple[str, str], columns: list[tuple[str, tuple[str, str]]]) -> None:
        """Add a table of two rows, one for each engine, with as many columns as there is room for."""
        most = min(max(map(len, names)), _NAME)
        rows = ["", *(name if len(name) <= most else name[: most - 2] + ".." for name in names)]
        rows = [f"{row:{most}}" for row in rows]
        for title, values in columns:
            cells = (title, *values)
            wide = max(map(len, cells)) + 2
            if len(rows[0]) + wide > self.width:
                break
            rows = [f"{row}{cell:>{wide}}" for row, cell in zip(rows, cells, strict=True)]
        self.lines += rows


def _columns(tally: Tally) -> list[tuple[str, tuple[str, str]]]:
    """The table of results: of each column the title, and what it says of the two engines."""
    played, games = [max(moves, 1) for moves in tally.moves], max(tally.games, 1)
    return [
        ("won", (str(tally.wins), str(tally.losses))),
        ("drawn", (str(tally.draws), str(tally.draws))),
        ("lost", (str(tally.losses), str(tally.wins))),
        ("points", (f"{tally.wins + tally.draws / 2:.1f}", f"{tally.losses + tally.draws / 2:.1f}")),
        ("depth", (f"{tally.depths[0] / played[0]:.1f}", f"{tally.depths[1] / played[1]:.1f}")),
        ("s/move", (f"{tally.seconds[0] / played[0]:.3f}", f"{tally.seconds[1] / played[1]:.3f}")),
        ("s/game", (f"{tally.seconds[0] / games:.2f}", f"{tally.seconds[1] / games:.2f}")),
    ]


def _endings(page: _Page, tally: Tally, rules: Rules) -> None:
    """Add how the games ended, and why games were adjudicated."""
    page.wrap("draws", f"{100 * tally.draws / tally.games:.0f} % of the games")
    counts = dict(tally.endings)
    resigned, drawn = (counts.pop(kind, 0) for kind in _ADJUDICATED)
    texts = [f"{kind} {count}" for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    label = "endings"
    if texts:
        page.wrap(label, ", ".join(texts))
        label = ""
    if resigned:
        why = f"both engines saw one side ahead by {rules.resign_score / 100:.2f} or more"
        page.wrap(label, f"adjudicated as won {resigned}: {why}, for {rules.resign_moves} moves each")
        label = ""
    if drawn:
        why = f"from move {rules.draw_after} on both engines saw at most {rules.draw_score / 100:.2f}"
        page.wrap(label, f"adjudicated as drawn {drawn}: {why}, for {rules.draw_moves} moves each")


def _legend(page: _Page, unpaired: int, sprt: Sprt | None) -> None:
    page.add("What it means, seen from the engine named first:")
    page.wrap("+ = -", "games won, drawn and lost, and the share of the points")
    page.wrap(
        "Elo ±",
        "how much stronger it is (100 Elo score 64 %), with the 95 % interval. One pair more counts, between equals "
        "who draw half of their games: a few games prove little",
    )
    page.wrap("LOS", "likelihood of superiority: how sure it is that it is the stronger one")
    page.wrap("pairs", "two games of an opening, colours swapped: how many brought 0, 0.5, 1, 1.5, 2 points")
    if unpaired:
        partner = "its partner: half a pair" if unpaired == 1 else "their partners: half a pair each"
        page.wrap("", f"({_games(unpaired)} without {partner} for Elo and LOS)")
    if sprt is not None:
        page.wrap(
            "LLR",
            f"log likelihood ratio of {sprt.elo1:g} Elo (H1) to {sprt.elo0:g} Elo (H0): H0 is accepted at the lower "
            "bound, H1 at the upper one",
        )


def summary(outcome: Outcome, settings: MatchSettings, width: int = WIDTH) -> str:
    """The result: a few lines that say all, then the details and what they mean."""
    tally, sprt = outcome.tally, settings.sprt
    page = _Page(width)
    if tally.games:
        page.add(
            f"{outcome.names[0]} against {outcome.names[1]}: {_games(tally.games)}, "
            f"+{tally.wins} ={tally.draws} -{tally.losses}, {100 * tally.score:.1f} %"
        )
        page.add(f"{', '.join(tally.strength())}; pairs {tally.pairs}")
    if tally.games and sprt is not None:
        low, high = sprt.bounds
        verdict = {"H0": "H0 accepted", "H1": "H1 accepted"}.get(outcome.verdict, "undecided")
        ratio = sprt.ratio(tally.pairs)
        page.add(f"SPRT elo {sprt.elo0:g} against {sprt.elo1:g}: LLR {ratio:.2f} ({low:.2f}, {high:.2f}), {verdict}")
    for name, count in tally.faults.items():
        page.add(f"{name} failed in {_games(count)}")
    if tally.games:
        page.add()
        page.table(outcome.names, _columns(tally))
        page.add()
        _endings(page, tally, settings.rules)
        page.add()
        _legend(page, tally.unpaired, sprt)
    if outcome.interrupted:
        if tally.games:
            page.add()
        page.add(f"{tally.games} of {_games(settings.games)} played: interrupted")
    return "\n".join(page.lines)
