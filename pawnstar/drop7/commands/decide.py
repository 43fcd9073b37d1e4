"""``drop7 decide``: search one position and name the best column."""

from __future__ import annotations

from dataclasses import replace

import click
from tqdm import tqdm

from pawnstar.drop7.commands.options import Failing, advance, pairs, remark, with_option
from pawnstar.drop7.formats import parse_i32, parse_integer
from pawnstar.drop7.parallel.decision import Decision, decide
from pawnstar.drop7.parallel.plan import Settings
from pawnstar.drop7.parallel.workers import LazyWorkerPool
from pawnstar.drop7.rules.state import LONGEST_CLOCK, State
from pawnstar.system import machine

USAGE = (
    "usage: decide --board BOARD --next 1-7 --rise 1-5 [--depth N] [--chance-samples N] [--cache N] "
    "[--tt-scope private|shared] [--tt-from-depth N] [--threads N] [--scheduler frontier|root] [--split-plies auto|N] "
    "[--max-frontier-tasks N] [--max-host-bytes N]\n"
    "--cache is an aggregate entry budget in both scopes; --tt-from-depth defaults to 1."
)


def run(arguments: tuple[str, ...]) -> None:
    """Print ``bestmove`` and a line about the search."""
    failing = Failing("decide")
    state, settings = _read(arguments, failing)
    if not state.has_move():
        click.echo("bestmove none")
        return
    settings = _divided(settings)
    try:
        # A bar, on a terminal only, and only for what takes its time.
        with (
            tqdm(unit="task", disable=None, delay=1, leave=False) as bar,
            LazyWorkerPool(settings.shared, advance(bar), remark("decide")) as pool,
        ):
            decision = decide(state, settings, pool)
    except (ValueError, ArithmeticError, RuntimeError, MemoryError) as error:
        failing(str(error) or "not enough memory")
    click.echo(f"bestmove {decision.action}")
    click.echo(_information(settings, decision))


def _read(arguments: tuple[str, ...], failing: Failing) -> tuple[State, Settings]:
    """The position and the settings; ``threads`` is 0 where none are given, and ``cache`` is that of all workers."""
    settings = Settings(depth=7, threads=0, cache=1 << 20)
    text = ""
    disc = clock = 0
    for name, value in pairs(arguments, failing, USAGE, ("-h", "--help")):
        if name == "--board":
            text = value
        elif name == "--next":
            disc = _small(failing, value, "--next must be 1-7")
        elif name == "--rise":
            try:
                clock = parse_i32(value)
            except ValueError:
                failing("--rise must be 1-5")
        elif name == "--depth":
            settings = replace(settings, depth=failing.number(name, value, parse_i32))
        elif name == "--chance-samples":
            settings = replace(settings, samples=failing.number(name, value, parse_i32))
        elif name == "--scheduler":
            settings = replace(settings, scheduler=value)
        else:
            settings = with_option(settings, failing, name, value)
    if settings.depth < 1 or settings.samples < 1:
        failing("depth and chance samples must be at least 1")
    if len(text) != 49 or not all("0" <= letter <= "9" for letter in text):
        failing("--board must be 49 characters of digits 0-9")
    if not 1 <= disc <= 7:
        failing("--next must be 1-7")
    if settings.cache < 1:
        failing("--cache must be at least 1")
    if settings.scheduler not in ("frontier", "root"):
        failing("--scheduler must be frontier or root")
    return _position(text, disc, clock, failing), settings


def _position(text: str, disc: int, clock: int, failing: Failing) -> State:
    """The position, which the rules must define."""
    if clock < 1:
        failing("the rise clock must be at least 1")
    if clock > LONGEST_CLOCK:
        failing(f"the rise clock must be at most {LONGEST_CLOCK}")
    state = State.parse(text, disc, clock)
    reason = state.why_unsearchable()
    if reason:
        failing(reason)
    return state


def _divided(settings: Settings) -> Settings:
    """The settings with as many threads as there are processors, unless given, and the cache divided among them.

    Each worker gets the largest power of two within its part.
    """
    threads = settings.threads or machine.processors()
    part = settings.cache
    if not settings.shared:
        threads = min(threads, settings.cache)
        part = settings.cache // threads
    return replace(settings, threads=threads, cache=1 << (part.bit_length() - 1))


def _information(settings: Settings, decision: Decision) -> str:
    entries = settings.cache if settings.shared else settings.cache * decision.workers
    return (
        f"info depth {settings.depth} scheduler {settings.scheduler} threads {decision.workers} tasks {decision.tasks} "
        f"split {decision.split} work {decision.totals.work} nodes {decision.totals.nodes} "
        f"busy {decision.busy_fraction:.4f} wall {decision.wall_seconds:.6f} cache-entries {entries} "
        f"table-bytes {decision.tables.projected} table-entry-bytes {decision.tables.entries} "
        f"tt-scope {settings.scope} tt-from-depth {settings.from_depth} frozen 1"
    )


def _small(failing: Failing, text: str, message: str) -> int:
    try:
        return parse_integer(text, 0, 255)
    except ValueError:
        failing(message)
