"""``pawnstar match``: the command line."""

from __future__ import annotations

import contextlib
import logging
import math
import os.path
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pawnstar.command_line import Failure, drop_output
from pawnstar.commands.match_signals import Interrupts
from pawnstar.matches.engine_spec import EngineSpec, MatchError, spec_of
from pawnstar.matches.settings import MatchSettings, Rules, TimeControl
from pawnstar.matches.statistics import Sprt

if TYPE_CHECKING:
    from pawnstar.matches.games import Record
    from pawnstar.matches.openings import Opening
    from pawnstar.matches.pgn import PgnFile
    from pawnstar.matches.runner import Outcome, Tally

_LONGEST_CLOCK = 1_000_000  # seconds; engines count milliseconds, many of them in 32 bits
# An option whose help names its default.
_shown_option = partial(click.option, show_default=True)
_CLOCK = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")


def parse_options(texts: Sequence[str]) -> dict[str, str]:
    """``NAME=VALUE`` texts as a mapping. Raises ``click.BadParameter``."""
    options: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise click.BadParameter(f"'{text}' is not of the form NAME=VALUE")
        options[name.strip()] = value.strip()
    return options


def parse_control(clock: str | None, nodes: int | None, depth: int | None) -> TimeControl:
    """The limit that was given, or 10 seconds and 0.1 a move where none was. Raises ``click.UsageError``."""
    if sum(limit is not None for limit in (clock, nodes, depth)) > 1:
        raise click.UsageError("--tc, --nodes and --depth exclude each other")
    if nodes is not None or depth is not None:
        return TimeControl(nodes=nodes, depth=depth)
    match = _CLOCK.fullmatch(clock or "10+0.1")
    if match is None or float(match[1]) <= 0:
        raise click.BadParameter(f"'{clock}' is not of the form T or T+I, in seconds", param_hint="--tc")
    control = TimeControl(base=float(match[1]), increment=float(match[2] or 0))
    if max(float(match[1]), control.increment) > _LONGEST_CLOCK or float(match[1]) < 0.001:
        raise click.BadParameter(f"T lies between 0.001 and {_LONGEST_CLOCK} s, I is no more", param_hint="--tc")
    return control


def print_result(text: str) -> None:
    """Print the result. Where standard output cannot be written, prints it on standard error and raises Failure."""
    from pawnstar.commands.match_report import printable

    try:
        click.echo(printable(text, sys.stdout))
    except OSError as error:
        drop_output()
        with contextlib.suppress(OSError):
            click.echo(printable(text, sys.stderr), err=True)
        raise Failure(f"cannot write the result to standard output: {error.strerror or error}") from error


@click.command(
    "match",
    short_help="Let two engines play games.",
    epilog="Example: pawnstar match this stockfish --tc 10+0.1 --games 20 --pgn games.pgn",
)
@click.argument("first")
@click.argument("second", default="this")
@click.option("--tc", metavar="T+I", help="Clock and increment a move, in seconds (default: 10+0.1).")
@click.option("--nodes", type=click.IntRange(min=1), help="Nodes a move instead of a clock.")
@click.option("--depth", type=click.IntRange(min=1), help="Plies a move instead of a clock.")
@_shown_option("--games", type=click.IntRange(min=1), default=MatchSettings.games, help="Games to play.")
@_shown_option("--concurrency", type=click.IntRange(min=1), default=MatchSettings.concurrency, help="Games at once.")
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
@_shown_option("--resign-score", type=click.IntRange(min=1), default=Rules.resign_score, help="Centipawns.")
@_shown_option("--resign-moves", type=click.IntRange(min=0), default=Rules.resign_moves, help="0: play on.")
@_shown_option("--draw-score", type=click.IntRange(min=0), default=Rules.draw_score, help="Centipawns.")
@_shown_option("--draw-moves", type=click.IntRange(min=0), default=Rules.draw_moves, help="0: play on.")
@_shown_option("--draw-after", type=click.IntRange(min=0), default=Rules.draw_after, help="First move for draws.")
@click.option("--sprt", nargs=2, type=float, metavar="ELO0 ELO1", help="Stop when one of the two is accepted.")
@_shown_option("--alpha", type=float, default=Sprt.alpha, help="SPRT: chance of a false ELO1.")
@_shown_option("--beta", type=float, default=Sprt.beta, help="SPRT: chance of a false ELO0.")
@_shown_option(
    "--margin", type=click.IntRange(0, 10**6), default=round(Rules.margin * 1000), help="Overrun allowed, in ms."
)
@_shown_option("--timeout", type=click.FloatRange(min=0.1), default=Rules.timeout, help="Seconds, no clock.")
@click.option("--stderr", is_flag=True, help="Let the engines write to standard error.")
@_shown_option("--every", type=click.IntRange(min=1), default=10, help="Games between two lines.")
def command(
    *,
    first: str,
    second: str,
    tc: str | None,
    nodes: int | None,
    depth: int | None,
    games: int,
    concurrency: int,
    options1: tuple[str, ...],
    options2: tuple[str, ...],
    name1: str,
    name2: str,
    openings: Path | None,
    plies: int | None,
    shuffle: int | None,
    pgn: Path | None,
    resign_score: int,
    resign_moves: int,
    draw_score: int,
    draw_moves: int,
    draw_after: int,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    margin: int,
    timeout: float,
    stderr: bool,
    every: int,
) -> None:
    """Let the engines FIRST and SECOND play games, and tell what they say of their strengths.

    An engine is a command line that speaks UCI, or `this`, the Pawnstar that runs the match (the default of SECOND).
    Each opening is played twice, colours swapped, and such pairs are what is counted. An engine that crashes, hangs or
    moves illegally loses the game and is started again. Where an engine has these options and nothing else is said,
    Threads is 1 and OwnBook false.

    A game ends by the rules, by draws that can be claimed (threefold repetition, fifty moves), or by adjudication: both
    engines agree for --resign-moves moves each that one is ahead by --resign-score, or for --draw-moves moves each from
    move --draw-after on that neither is by more than --draw-score.

    The result goes to standard output, everything else to standard error. Ctrl-C (status 130), SIGTERM (143) and a PGN
    file that cannot be written any more (2) end the match with the score so far. docs/match.md says more.
    """
    interrupts = Interrupts()
    with interrupts.listening():
        try:
            _require_python_chess()
            _check_files(openings, plies, pgn)
            if math.isnan(timeout):
                raise click.UsageError("--timeout is no number")
            rules = Rules(
                control=parse_control(tc, nodes, depth),
                margin=margin / 1000,
                timeout=timeout,
                resign_score=resign_score,
                resign_moves=resign_moves,
                draw_score=draw_score,
                draw_moves=draw_moves,
                draw_after=draw_after,
            )
            settings = MatchSettings(rules, games, min(games, concurrency), parse_sprt(sprt, alpha, beta))
            request = Request(
                settings=settings,
                engines=(EngineChoice(first, options1, name1), EngineChoice(second, options2, name2)),
                stderr=stderr,
                openings=openings,
                plies=plies,
                shuffle=shuffle,
                pgn=pgn,
                every=every,
            )
            status = play(request, interrupts)
        except KeyboardInterrupt:
            # CPython ends by SIGINT, whatever the status, where the interrupt came inside an exec(), as imports of
            # dataclasses have; another exec() makes it forget that.
            exec("")
            with contextlib.suppress(OSError):
                click.echo(f"{interrupts.name}: interrupted before the first game", err=True)
            status = interrupts.status
        except Failure:
            if interrupts.signal == 0:
                raise
            status = interrupts.status
    sys.exit(status)


def _same_file(one: Path | None, other: Path | None) -> bool:
    with contextlib.suppress(OSError):
        return one is not None and other is not None and os.path.samefile(one, other)
    return False


def _require_python_chess() -> None:
    try:
        import chess  # noqa: F401  # only whether it can be imported
    except ModuleNotFoundError as error:
        if error.name != "chess":
            raise
        raise Failure(
            'match needs python-chess: pip install chess, or in the source tree pip install ".[match]"'
        ) from error


def _check_files(openings: Path | None, plies: int | None, pgn: Path | None) -> None:
    """Raise ``click.UsageError`` where the options for openings and games contradict each other."""
    if plies is not None and not str(openings).lower().endswith(".pgn"):
        raise click.UsageError("--plies is for --openings with a .pgn file")
    if _same_file(openings, pgn):
        raise click.UsageError("--pgn and --openings name one file; the games would be openings of the next match")


def parse_sprt(hypotheses: tuple[float, float] | None, alpha: float, beta: float) -> Sprt | None:
    """The sequential test, None where no hypotheses are given. Raises Failure."""
    try:
        return Sprt(*hypotheses, alpha, beta) if hypotheses else None
    except ValueError as error:
        raise Failure(str(error)) from error


@dataclass(frozen=True)
class EngineChoice:
    """An engine as the command line names it: its command, texts NAME=VALUE, what to call it."""

    text: str
    options: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Request:
    """What the command line asks for; the files and engines are not looked at yet."""

    settings: MatchSettings
    engines: tuple[EngineChoice, EngineChoice]
    stderr: bool
    openings: Path | None
    plies: int | None
    shuffle: int | None
    pgn: Path | None
    every: int


def _prepare(request: Request) -> tuple[Sequence[Opening], tuple[EngineSpec, EngineSpec], PgnFile | None]:
    """Read the openings, look the engines' commands up, open the PGN file. Raises ``click.ClickException``."""
    from pawnstar.matches.openings import read_openings
    from pawnstar.matches.pgn import PgnFile

    def spec(choice: EngineChoice) -> EngineSpec:
        return spec_of(choice.text, parse_options(choice.options), choice.name, request.stderr)

    try:
        openings = read_openings(request.openings, request.plies, request.shuffle)
        specs = spec(request.engines[0]), spec(request.engines[1])
        return openings, specs, PgnFile(request.pgn) if request.pgn is not None else None
    except (MatchError, ValueError) as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(f"cannot use '{error.filename}': {error.strerror}") from error


def play(request: Request, interrupts: Interrupts) -> int:
    """Play the match and report it; returns the exit status. Raises ``click.ClickException``."""
    from pawnstar.commands.match_report import Reporter, introduction, sprt_introduction, summary, width_of
    from pawnstar.matches.runner import Match, Outcome

    settings = request.settings
    # python-chess logs what the engines do wrong, asyncio what their pipes do; this command tells of it itself.
    logging.getLogger("chess.engine").setLevel(logging.CRITICAL + 1)
    logging.getLogger("asyncio").setLevel(logging.ERROR)

    def report_result(outcome: Outcome) -> None:
        print_result(summary(outcome, settings, width_of(sys.stdout)))

    with contextlib.ExitStack() as closing:
        openings, specs, file = _prepare(request)
        if file is not None:
            closing.callback(file.close)
        reporter = Reporter(settings.games, request.every, settings.sprt)
        closing.callback(reporter.close)

        def on_start(names: tuple[str, str]) -> None:
            pawnstar = "this" in (choice.text for choice in request.engines)
            lines = [introduction(names, settings, len(openings), pawnstar)]
            if settings.sprt is not None:
                lines.append(sprt_introduction(settings.sprt))
            reporter.start("\n".join(lines))

        def on_game(record: Record, tally: Tally) -> None:
            reporter.game(record, tally)
            if file is not None:
                file.append(record.text())

        match = Match(specs, openings, settings, on_game, on_start, reporter.tick)
        interrupts.then(match.interrupt)
        try:
            outcome = match.run()
        except MatchError as error:
            raise Failure(str(error)) from error
        except BaseException:
            # Nothing that should happen; but the games that were played are not to be lost with it.
            if match.tally.games:
                reporter.close()
                report_result(Outcome(match.names, match.tally))
            raise
    report_result(outcome)
    if outcome.failure:
        raise Failure(f"{outcome.failure}; the match ends after {outcome.tally.games} of {settings.games} games")
    return interrupts.status if outcome.interrupted else 0
