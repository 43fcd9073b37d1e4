"""``pawnstar perft``: count legal move trees."""

import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from pawnstar.chess.coordinate import move_text
from pawnstar.chess.fen import DROPPED, START_FEN, quoted, strict_fen
from pawnstar.chess.perft import PERFT_MAX, perft, perft_divide
from pawnstar.chess.position import Position
from pawnstar.command_line import Failure
from pawnstar.commands.files import read_text

_COUNT: Final = re.compile(r"D([0-9]{1,2})[ \t]+([0-9]{1,19})")


@dataclass(frozen=True)
class Record:
    """One line of a suite: a position and the counts expected at some depths."""

    line: int
    fen: str
    position: Position
    counts: tuple[tuple[int, int], ...]


def read_suite(text: str) -> list[Record]:
    """The records of an EPD suite, ``FEN ;D1 20 ;D2 400 ...`` a line; raises ValueError naming the line at fault."""
    records: list[Record] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fen, *fields = line.split(";")
        try:
            position = strict_fen(fen.strip(), DROPPED).position
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        counts: list[tuple[int, int]] = []
        for field in fields:
            match = _COUNT.fullmatch(field.strip())
            if match is None:
                raise ValueError(f"line {number}: {quoted(field.strip())} is not of the form 'D<depth> <count>'")
            depth = int(match[1])
            if depth > PERFT_MAX:
                raise ValueError(f"line {number}: depth {depth} is beyond {PERFT_MAX}")
            counts.append((depth, int(match[2])))
        if not counts:
            raise ValueError(f"line {number}: no count; ';D<depth> <count>' is missing")
        records.append(Record(number, fen.strip(), position, tuple(counts)))
    if not records:
        raise ValueError("it holds no position")
    return records


def position_or_error(fen: str) -> Position:
    """The position of a FEN; what is no FEN, or cannot be played, is an error here, not replaced."""
    try:
        reading = strict_fen(fen, DROPPED)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--fen") from None
    for note in reading.messages():
        click.echo(f"note: {note}", err=True)
    return reading.position


def run_suite(path: Path, most: int | None) -> None:
    """Check every record of a suite file; a wrong count ends the command with status 1."""
    from tqdm import tqdm

    try:
        records = read_suite(read_text(path))
    except ValueError as error:
        raise Failure(f"'{path}': {error}") from None
    tasks = [
        (record, depth, count) for record in records for depth, count in record.counts if most is None or depth <= most
    ]
    wrong = 0
    nodes = 0
    started = time.process_time()
    with tqdm(tasks, desc="perft", unit="count", disable=not sys.stderr.isatty()) as progress:
        for record, depth, expected in progress:
            found = perft(record.position, depth)
            nodes += found
            if found != expected:
                wrong += 1
                with progress.external_write_mode():
                    click.echo(f"line {record.line}: {record.fen} depth {depth}: {found}, expected {expected}")
    seconds = max(time.process_time() - started, 1e-6)
    click.echo(
        f"{len(records)} positions, {len(tasks)} counts, {wrong} wrong; {nodes} nodes, {nodes / seconds:.0f} nps"
    )
    if wrong:
        raise SystemExit(1)


@click.command(
    "perft",
    short_help="Count legal move trees.",
    epilog="Examples: pawnstar perft 5 --divide; pawnstar perft 4 --suite tests/goldens/pawnstar/facts/perft.epd",
)
@click.argument("depth", type=click.IntRange(1, PERFT_MAX), required=False)
@click.option("--fen", default=START_FEN, help="The position to count from (default: the start position).")
@click.option("--divide", is_flag=True, help="Print the count behind each legal move, as it comes.")
@click.option(
    "--suite",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Check every count of an EPD file, up to DEPTH where one is given.",
)
def command(depth: int | None, fen: str, divide: bool, suite: Path | None) -> None:
    """Count the leaves of the legal move tree DEPTH plies deep (1 to 64), and say how fast.

    A suite is a file with a position a line, and its counts at any depths: FEN ;D1 20 ;D2 400 ;D3 8902. A line that is
    something else is refused with its number. The exit status is 1 if a count is wrong.
    """
    if suite is not None:
        if divide or fen != START_FEN:
            raise click.UsageError("--suite has its own positions: it excludes --fen and --divide")
        run_suite(suite, depth)
        return
    if depth is None:
        raise click.UsageError("Missing argument 'DEPTH'.")
    position = position_or_error(fen)
    started = time.process_time()
    if divide:
        counts = perft_divide(position, depth, report=lambda move, count: click.echo(f"{move_text(move)}: {count}"))
        total = sum(count for _, count in counts)
    else:
        total = perft(position, depth)
    seconds = max(time.process_time() - started, 1e-6)
    click.echo(f"{total} nodes {total / seconds:.0f} nps")
