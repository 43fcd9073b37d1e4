"""What a match tells: of its start, of each game, of the score so far, and at the end."""

from __future__ import annotations

import contextlib
import os
import sys
import textwrap
from typing import IO, Final

from tqdm import tqdm

from pawnstar.tools.match.games import Record, Rules
from pawnstar.tools.match.runner import Outcome, Tally
from pawnstar.tools.match.statistics import Sprt

EACH: Final = 30  # a match of so many games or fewer tells of each as it ends
WIDTH: Final = 79  # columns of the summary
_NAME: Final = 24  # columns of a name in its table
# How a game can end, in the summary's order, and what to call that; other ends come under their own names.
_ADJUDICATED: Final = ("resignation", "draw")


def printable(text: str, stream: IO[str]) -> str:
    """The text, with what the stream's encoding lacks replaced."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("±", "+-").encode(encoding, "replace").decode(encoding)
    return text


class Reporter:
    """Tells of the games on standard error.

    A few games are told one by one; of many only those that an engine lost by a fault or on time. The score so far is a
    progress line on a terminal, as wide as its window, else a line now and then. What cannot be told (a terminal that
    is gone) does not end the match.
    """

    def __init__(self, games: int, every: int, sprt: Sprt | None) -> None:
        self.games = games
        self.every = every
        self.sprt = sprt
        self.terminal = sys.stderr.isatty()
        self.tally = Tally()
        self.bar: tqdm[None] | None = None

    def start(self, text: str) -> None:
        """Tell how the match is played, and begin the progress line."""
        self.say(text)
        if self.terminal:
            form = "{n_fmt}/{total_fmt} |{bar}| {elapsed}<{remaining}{postfix}"
            self.bar = tqdm(total=self.games, dynamic_ncols=True, bar_format=form, mininterval=0)

    def game(self, record: Record, tally: Tally) -> None:
        """Tell of a finished game."""
        self.tally = tally
        if self.games <= EACH or record.fault or record.termination == "time forfeit":
            self.say(record.line())
        if self.bar is not None:
            self.bar.update()
            self.tick()
        elif tally.games % self.every == 0 or tally.games == self.games:
            self.say(f"{tally.games}/{self.games}: {tally.line(self.sprt)}")

    def tick(self) -> None:
        """Draw the progress line again: the time goes on, and the window may have another width."""
        if self.bar is None:
            return
        try:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
            room = columns - len(f"{self.games}/{self.games} |......| 00:00:00<00:00:00, ")
            self.bar.set_postfix_str(printable(self.score(room), sys.stderr), refresh=False)
            self.bar.refresh()
        except (OSError, ValueError):
            self.bar = None

    def score(self, room: int) -> str:
        """The score so far in as many of its parts as fit into so many columns; the first always."""
        parts = self.tally.parts(self.sprt)
        del parts[1]  # the share of the points follows from its neighbour
        while len(parts) > 1 and len(", ".join(parts)) > room:
            parts.pop()
        return ", ".join(parts)

    def say(self, text: str) -> None:
        """Print a line without spoiling the progress line."""
        try:
            tqdm.write(printable(text, sys.stderr), file=sys.stderr)
        except (OSError, ValueError):
            self.bar = None

    def close(self) -> None:
        """End the progress line."""
        bar, self.bar = self.bar, None
        if bar is not None:
            with contextlib.suppress(OSError, ValueError):
                bar.close()


def _games(count: int) -> str:
    return f"{count} game" if count == 1 else f"{count} games"


def introduction(names: tuple[str, str], games: int, rules: Rules, openings: int, concurrency: int) -> str:
    """How the match is played, and what to know before it."""
    control = rules.control
    limit = f"{control} s" if control.base is not None else f"{control} a move"
    lines = [f"{names[0]} against {names[1]}: {_games(games)}, {limit}, {concurrency} at once, {openings} openings"]
    if games % 2:
        lines.append("an odd number of games: the last opening is played with one colour only")
    if games > 2 * openings:
        lines.append(f"more games than openings: they are repeated after {2 * openings} games")
        if control.base is None:
            lines[-1] += ", and engines without a clock may repeat the games with them"
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


def _wrapped(label: str, text: str) -> list[str]:
    indent = " " * 10
    return textwrap.wrap(f"{label:<10}{text}", WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def _table(outcome: Outcome) -> list[str]:
    """Both engines' scores and times, a line each."""
    tally = outcome.tally
    width = min(max(len(name) for name in outcome.names), _NAME)
    lines = [f"{'':{width}}   won drawn  lost  points   share  s a move  s a game"]
    for engine, name in enumerate(outcome.names):
        won, lost = (tally.wins, tally.losses) if engine == 0 else (tally.losses, tally.wins)
        share = tally.score if engine == 0 else 1.0 - tally.score
        shown = name if len(name) <= width else name[: width - 2] + ".."
        each_move = tally.seconds[engine] / max(tally.moves[engine], 1)
        each_game = tally.seconds[engine] / max(tally.games, 1)
        lines.append(
            f"{shown:{width}} {won:5} {tally.draws:5} {lost:5} {won + tally.draws / 2:7.1f} {100 * share:5.1f} % "
            f"{each_move:9.3f} {each_game:9.2f}"
        )
    return lines


def _endings(tally: Tally, rules: Rules) -> list[str]:
    """How the games ended; what was adjudicated, and why."""
    counts = dict(tally.endings)
    resigned, drawn = (counts.pop(kind, 0) for kind in _ADJUDICATED)
    texts = [f"{kind} {count}" for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if kind]
    lines = _wrapped("endings", ", ".join(texts)) if texts else []
    if resigned:
        why = f"both engines saw one side ahead by {rules.resign_score / 100:.2f} or more"
        lines += _wrapped("", f"adjudicated as won {resigned}: {why}, for {rules.resign_moves} moves each")
    if drawn:
        why = f"from move {rules.draw_after} on both engines saw at most {rules.draw_score / 100:.2f}"
        lines += _wrapped("", f"adjudicated as drawn {drawn}: {why}, for {rules.draw_moves} moves each")
    if lines and not texts:
        lines[0] = "endings" + lines[0][7:]
    return lines


def _legend(outcome: Outcome, sprt: Sprt | None) -> list[str]:
    name = outcome.names[0]
    lines = _wrapped("+ = -", f"games that {name} has won, drawn and lost, and its share of the points")
    lines += _wrapped(
        "Elo ±",
        f"how much stronger {name} is (100 Elo score 64 %), and the 95 % interval: the true difference lies within it "
        "19 times out of 20. One pair more counts, between equals who draw half of their games, so that a few games "
        "prove little",
    )
    lines += _wrapped("LOS", f"likelihood of superiority: how sure it is that {name} is the stronger one")
    lines += _wrapped(
        "pairs", "an opening played with both colours is a pair: how many brought 0, 0.5, 1, 1.5, 2 points"
    )
    if outcome.tally.unpaired:
        lines += _wrapped("", f"({_games(outcome.tally.unpaired)} without its partner: half a pair for Elo and LOS)")
    if sprt is not None:
        lines += _wrapped(
            "LLR",
            f"log likelihood ratio of {sprt.elo1:g} Elo (H1) to {sprt.elo0:g} Elo (H0): H0 is accepted at the lower "
            "bound, H1 at the upper one",
        )
    return lines


def summary(outcome: Outcome, games: int, rules: Rules, sprt: Sprt | None) -> str:
    """The result: one line that says all, then the details and what they mean, in 79 columns unless names are long."""
    tally = outcome.tally
    lines = [
        f"{outcome.names[0]} against {outcome.names[1]}: {_games(tally.games)}, "
        f"+{tally.wins} ={tally.draws} -{tally.losses}, {100 * tally.score:.1f} %"
    ]
    if tally.games:
        lines.append(f"{', '.join(tally.strength())}; pairs {tally.pairs}")
    if sprt is not None:
        low, high = sprt.bounds
        verdict = {"H0": "H0 accepted", "H1": "H1 accepted"}.get(outcome.verdict, "undecided")
        ratio = sprt.ratio(tally.pairs)
        lines.append(
            f"SPRT elo {sprt.elo0:g} against {sprt.elo1:g}: LLR {ratio:.2f} ({low:.2f}, {high:.2f}), {verdict}"
        )
    lines += [f"{name} failed in {_games(count)}" for name, count in tally.faults.items()]
    if tally.games:
        lines += ["", *_table(outcome), ""]
        lines += _wrapped("draws", f"{100 * tally.draws / tally.games:.0f} % of the games")
        lines += [*_endings(tally, rules), "", *_legend(outcome, sprt)]
    if outcome.interrupted:
        lines += ["", f"{tally.games} of {_games(games)} played: interrupted"]
    return "\n".join(lines)
