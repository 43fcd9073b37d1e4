"""``pawnstar perft``: count legal move trees."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import click

from pawnstar.chess.fen import START_FEN, read_fen
from pawnstar.chess.moves import move_text
from pawnstar.chess.perft import perft, perft_divide
from pawnstar.chess.position import Position


@dataclass(frozen=True)
class Record:
    """One line of a suite: a position and the counts expected at some depths."""

    line: int
    fen: str
    counts: tuple[tuple[int, int], ...]


def read_suite(text: str) -> list[Record]:
    """The records of an EPD suite, ``FEN ;D1 20 ;D2 400 …`` a line; raises ValueError naming the line at fault."""
    records: list[Record] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fen, *fields = line.split(";")
        counts: list[tuple[int, int]] = []
        for field in fields:
            words = field.split()
            if len(words) != 2 or words[0][:1] != "D" or not words[0][1:].isdigit() or not words[1].isdigit():
                raise ValueError(f"line {number}: '{field.strip()}' is not of the form 'D<depth> <count>'")
            counts.append((int(words[0][1:]), int(words[1])))
        records.append(Record(number, fen.strip(), tuple(counts)))
    return records


def position_or_error(fen: str) -> Position:
    """The position of a FEN; a FEN that cannot be played is an error here, not replaced."""
    position, faults = read_fen(fen)
    refused = [fault for fault in faults if fault.startswith("FEN refused")]
    if refused:
        raise click.BadParameter(refused[0].split(";")[0], param_hint="--fen")
    for fault in faults:
        click.echo(f"note: {fault}", err=True)
    return position


def run_suite(path: Path, most: int | None) -> None:
    """Check every record of a suite file; a wrong count ends the command with status 1."""
    from tqdm import tqdm

    try:
        records = read_suite(path.read_text())
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path}: {error}") from error
    tasks = [
        (record, depth, count) for record in records for depth, count in record.counts if most is None or depth <= most
    ]
    wrong = 0
    nodes = 0
    started = time.process_time()
    for record, depth, expected in tqdm(tasks, desc="perft", unit="count", disable=not sys.stderr.isatty()):
        found = perft(read_fen(record.fen)[0], depth)
        nodes += found
        if found != expected:
            wrong += 1
            tqdm.write(f"line {record.line}: {record.fen} depth {depth}: {found}, expected {expected}")
    seconds = max(time.process_time() - started, 1e-6)
    click.echo(
        f"{len(records)} positions, {len(tasks)} counts, {wrong} wrong; {nodes} nodes, {nodes / seconds:.0f} nps"
    )
    if wrong:
        raise SystemExit(1)


@click.command("perft")
@click.argument("depth", type=click.IntRange(min=1), required=False)
@click.option("--fen", default=START_FEN, help="The position to count from (default: the start position).")
@click.option("--divide", is_flag=True, help="Print the count behind each legal move.")
@click.option("--suite", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Check an EPD suite.")
def command(depth: int | None, fen: str, divide: bool, suite: Path | None) -> None:
    """Count the leaves of the legal move tree DEPTH plies deep.

    With --suite, check every count of an EPD file (`FEN ;D1 20 ;D2 400 …`), up to DEPTH where one is given.
    """
    if suite is not None:
        run_suite(suite, depth)
        return
    if depth is None:
        raise click.UsageError("Missing argument 'DEPTH'.")
    position = position_or_error(fen)
    started = time.process_time()
    if divide:
        total = 0
        for move, count in perft_divide(position, depth):
            click.echo(f"{move_text(move)}: {count}")
            total += count
    else:
        total = perft(position, depth)
    seconds = max(time.process_time() - started, 1e-6)
    click.echo(f"{total} nodes {total / seconds:.0f} nps")
