"""``pawnstar match``: the command line."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pawnstar.tools.match.statistics import Sprt

if TYPE_CHECKING:
    from pawnstar.tools.match.games import Record, TimeControl
    from pawnstar.tools.match.runner import Outcome, Tally

_CLOCK = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")


def parse_options(texts: Sequence[str]) -> dict[str, str]:
    """``NAME=VALUE`` texts as a mapping."""
    options: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise click.BadParameter(f"'{text}' is not of the form NAME=VALUE")
        options[name.strip()] = value.strip()
    return options


def parse_control(clock: str | None, nodes: int | None, depth: int | None) -> TimeControl:
    """The one limit that was given; 10 seconds and 0.1 a move where none was."""
    from pawnstar.tools.match.games import TimeControl

    if sum(limit is not None for limit in (clock, nodes, depth)) > 1:
        raise click.UsageError("--tc, --nodes and --depth exclude each other")
    if nodes is not None or depth is not None:
        return TimeControl(nodes=nodes, depth=depth)
    match = _CLOCK.fullmatch(clock or "10+0.1")
    if match is None or float(match[1]) <= 0:
        raise click.BadParameter(f"'{clock}' is not of the form T or T+I, in seconds", param_hint="--tc")
    return TimeControl(base=float(match[1]), increment=float(match[2] or 0))


class Reporter:
    """Tells of the games: a progress line on a terminal, else a line now and then; faults always."""

    def __init__(self, games: int, every: int, pgn: Path | None, sprt: Sprt | None) -> None:
        from tqdm import tqdm

        self.every = every
        self.pgn = pgn
        self.sprt = sprt
        self.games = games
        self.terminal = sys.stderr.isatty()
        self.bar = tqdm(total=games, unit="game", disable=not self.terminal)

    def __call__(self, record: Record, tally: Tally) -> None:
        """Tell of a finished game."""
        if self.pgn is not None:
            with self.pgn.open("a", encoding="utf-8") as file:
                file.write(record.text() + "\n\n")
        if record.fault or record.termination == "time forfeit":
            self.say(f"game {record.number}: {record.white} - {record.black} {record.result}: {record.reason}")
        self.bar.set_postfix_str(tally.line(self.sprt), refresh=False)
        self.bar.update()
        if not self.terminal and (tally.games % self.every == 0 or tally.games == self.games):
            self.say(f"{tally.games}/{self.games}: {tally.line(self.sprt)}")

    def say(self, text: str) -> None:
        """Print a line without spoiling the progress line."""
        self.bar.write(text, file=sys.stderr)

    def close(self) -> None:
        """End the progress line."""
        self.bar.close()


def summary(outcome: Outcome, sprt: Sprt | None) -> str:
    """The result, in a few lines."""
    tally = outcome.tally
    lines = [
        f"{outcome.names[0]} against {outcome.names[1]}: {tally.games} games, "
        f"+{tally.wins} ={tally.draws} -{tally.losses}, {100 * tally.score:.1f} %"
    ]
    if tally.strength():
        lines.append(f"{tally.strength()}; pairs {tally.pairs}")
    if sprt is not None:
        low, high = sprt.bounds
        verdict = {"H0": "H0 accepted", "H1": "H1 accepted"}.get(outcome.verdict, "undecided")
        ratio = sprt.ratio(tally.pairs)
        lines.append(
            f"SPRT elo {sprt.elo0:g} against {sprt.elo1:g}: LLR {ratio:.2f} ({low:.2f}, {high:.2f}), {verdict}"
        )
    lines += [f"{name} failed in {count} games" for name, count in tally.faults.items()]
    if outcome.interrupted:
        lines.append("interrupted")
    return "\n".join(lines)


@click.command("match", short_help="Let two engines play games.")
@click.argument("first")
@click.argument("second", default="this")
@click.option("--tc", metavar="T+I", help="Clock and increment a move, in seconds (default: 10+0.1).")
@click.option("--nodes", type=click.IntRange(min=1), help="Nodes a move instead of a clock.")
@click.option("--depth", type=click.IntRange(min=1), help="Plies a move instead of a clock.")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="Games to play.")
@click.option("--concurrency", type=click.IntRange(min=1), default=1, show_default=True, help="Games at once.")
@click.option("--option1", "options1", multiple=True, metavar="NAME=VALUE", help="A UCI option of FIRST.")
@click.option("--option2", "options2", multiple=True, metavar="NAME=VALUE", help="A UCI option of SECOND.")
@click.option("--name1", default="", help="What to call FIRST.")
@click.option("--name2", default="", help="What to call SECOND.")
@click.option(
    "--openings",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Openings: EPD or FEN lines, or a .pgn file (default: 26 well-known lines).",
)
@click.option("--plies", type=click.IntRange(min=0), help="Plies to play of each opening of a .pgn file.")
@click.option("--shuffle", type=int, metavar="SEED", help="Shuffle the openings.")
@click.option("--pgn", type=click.Path(dir_okay=False, path_type=Path), help="Append the games to a PGN file.")
@click.option("--resign-score", type=click.IntRange(min=1), default=1000, show_default=True, help="Centipawns.")
@click.option("--resign-moves", type=click.IntRange(min=0), default=4, show_default=True, help="0: play on.")
@click.option("--draw-score", type=click.IntRange(min=0), default=10, show_default=True, help="Centipawns.")
@click.option("--draw-moves", type=click.IntRange(min=0), default=8, show_default=True, help="0: play on.")
@click.option("--draw-after", type=click.IntRange(min=0), default=40, show_default=True, help="First move for draws.")
@click.option("--sprt", nargs=2, type=float, metavar="ELO0 ELO1", help="Stop when one of the two is accepted.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="SPRT: chance of a false ELO1.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="SPRT: chance of a false ELO0.")
@click.option("--margin", type=click.IntRange(min=0), default=50, show_default=True, help="Overrun allowed, in ms.")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=60.0, show_default=True, help="Seconds, no clock.")
@click.option("--stderr", is_flag=True, help="Let the engines write to standard error.")
@click.option("--every", type=click.IntRange(min=1), default=10, show_default=True, help="Games between two lines.")
def command(first: str, second: str, **arguments: Any) -> None:
    """Let the engines FIRST and SECOND play games, and tell what they say of their strengths.

    An engine is a command line that speaks UCI, or `this`, the Pawnstar that runs the match (the default of SECOND).
    Each opening is played twice, colours swapped, and such pairs are what is counted. An engine that crashes, hangs or
    moves illegally loses the game and is started again. Where an engine has these options and nothing else is said,
    Threads is 1 and OwnBook false.

    A game ends by the rules, by draws that can be claimed (threefold repetition, fifty moves), or by adjudication: both
    engines agree for --resign-moves moves each that one is ahead by --resign-score, or for --draw-moves moves each from
    move --draw-after on that neither is by more than --draw-score. Ctrl-C ends the match with the results so far.
    """
    try:
        from pawnstar.tools.match.games import Rules
        from pawnstar.tools.match.openings import OpeningsError, read_openings
        from pawnstar.tools.match.players import MatchError, spec_of
        from pawnstar.tools.match.runner import Match
    except ModuleNotFoundError as error:
        if error.name != "chess":
            raise
        raise click.ClickException("match needs python-chess: pip install 'pawnstar[match]'") from error

    rules = Rules(
        control=parse_control(arguments["tc"], arguments["nodes"], arguments["depth"]),
        margin=arguments["margin"] / 1000,
        timeout=arguments["timeout"],
        resign_score=arguments["resign_score"],
        resign_moves=arguments["resign_moves"],
        draw_score=arguments["draw_score"],
        draw_moves=arguments["draw_moves"],
        draw_after=arguments["draw_after"],
    )
    pgn: Path | None = arguments["pgn"]
    stderr: bool = arguments["stderr"]
    # python-chess logs what the engines do wrong; this command tells of it itself.
    logging.getLogger("chess.engine").setLevel(logging.CRITICAL + 1)
    reporter: Reporter | None = None
    try:
        sprt = None
        if arguments["sprt"]:
            elo0, elo1 = arguments["sprt"]
            sprt = Sprt(elo0, elo1, arguments["alpha"], arguments["beta"])
        openings = read_openings(arguments["openings"], arguments["plies"], arguments["shuffle"])
        specs = (
            spec_of(first, parse_options(arguments["options1"]), arguments["name1"], stderr),
            spec_of(second, parse_options(arguments["options2"]), arguments["name2"], stderr),
        )
        if pgn is not None:
            pgn.open("a", encoding="utf-8").close()
        reporter = Reporter(arguments["games"], arguments["every"], pgn, sprt)
        match = Match(specs, openings, rules, arguments["games"], arguments["concurrency"], sprt, reporter)
        outcome = match.run()
    except (MatchError, OpeningsError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"cannot use '{error.filename}': {error.strerror}") from error
    finally:
        if reporter is not None:
            reporter.close()
    click.echo(summary(outcome, sprt))
