"""``pawnstar nnue-dump``: the network's evaluations of many positions, for trainers and for comparing engines."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final, TextIO

import click

from pawnstar.chess.draws import drawn_without_history
from pawnstar.chess.fen import DROPPED, position_from_fen, strict_fen
from pawnstar.chess.position import Position
from pawnstar.command_line import Failure
from pawnstar.commands.files import read_bytes
from pawnstar.commands.net import load_network
from pawnstar.evaluation.evaluator import scaled_evaluation
from pawnstar.evaluation.nnue.batch import BatchEvaluator
from pawnstar.evaluation.nnue.net_file import NetRefused
from pawnstar.evaluation.nnue.network import Network

BLOCK = 4096  # positions read, evaluated and written at a time
LONGEST_LINE: Final = 1 << 16  # characters


def full_evaluation(position: Position, raw: int) -> int:
    """What the search makes of the network's output, in centipawns: 0 for draws, the rest fifty-move scaled.

    One position has no history, so no draw by repetition.
    """
    if drawn_without_history(position):
        return 0
    return int(scaled_evaluation(raw, position.clock))


def read_positions(lines: Iterator[str], forgiving: bool) -> Iterator[tuple[str, Position]]:
    """FENs and their positions; empty lines and those that begin with ``#`` are skipped.

    White space in a FEN becomes single blanks. Raises ValueError, naming the line, at what is no FEN or cannot be
    played, unless ``forgiving``: then it is read as by the UCI command, the initial position standing in if need be.
    """
    for number, line in enumerate(lines, 1):
        fen = " ".join(line.split())
        if not fen or fen.startswith("#"):
            continue
        try:
            position = position_from_fen(fen) if forgiving else strict_fen(fen, DROPPED).position
        except ValueError as error:
            raise ValueError(f"line {number}: {error}; --forgiving reads it as the UCI command does") from None
        yield fen, position


def read_lines(source: TextIO) -> Iterator[str]:
    """The lines of a text; raises ValueError at one that no FEN can be so long as."""
    number = 0
    while line := _line(source):
        number += 1
        if len(line) == LONGEST_LINE and not line.endswith("\n"):
            raise ValueError(f"line {number}: more than {LONGEST_LINE} characters, which is no FEN")
        yield line.removeprefix("\ufeff") if number == 1 else line


def _line(source: TextIO) -> str:
    try:
        return source.readline(LONGEST_LINE)
    except OSError as error:
        raise Failure(f"cannot read the FENs: {error.strerror or error}") from None


def rows(fens: Sequence[str], positions: Sequence[Position], evaluator: BatchEvaluator, exact: bool) -> str:
    """The lines of a block: FEN, raw, full and perhaps exact evaluation, separated by tabs."""
    raws: list[int] = evaluator.evaluate(positions).tolist()
    columns = [
        fens,
        [str(raw) for raw in raws],
        [str(full_evaluation(position, raw)) for position, raw in zip(positions, raws, strict=True)],
    ]
    if exact:
        columns.append([str(value) for value in evaluator.evaluate(positions, exact=True).tolist()])
    return "".join("\t".join(row) + "\n" for row in zip(*columns, strict=True))


def dump(source: TextIO, target: TextIO, network: Network, exact: bool, forgiving: bool) -> int:
    """Evaluate every FEN of ``source``, write a line for each; returns their number."""
    from tqdm import tqdm

    evaluator = BatchEvaluator(network)
    fens: list[str] = []
    positions: list[Position] = []
    count = 0
    with tqdm(desc="nnue-dump", unit="FEN", disable=not sys.stderr.isatty() or target.isatty()) as progress:

        def flush() -> None:
            nonlocal count
            if fens:
                target.write(rows(fens, positions, evaluator, exact))
                progress.update(len(fens))
                count += len(fens)
                fens.clear()
                positions.clear()

        try:
            for fen, position in read_positions(read_lines(source), forgiving):
                fens.append(fen)
                positions.append(position)
                if len(fens) == BLOCK:
                    flush()
        finally:
            flush()  # what came before a fault is good
            target.flush()
    return count


def open_text(path: str) -> AbstractContextManager[TextIO]:
    """A file's text, which is closed in the end, or for ``-`` standard input's, which is not.

    Bytes that are no UTF-8 survive, and are no FEN. Raises Failure where the file cannot be opened.
    """
    if path == "-":
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        return nullcontext(sys.stdin)
    try:
        return open(path, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise Failure(f"cannot read '{path}': {error.strerror or error}") from None


@click.command(
    "nnue-dump",
    short_help="Evaluate FENs with the network.",
    epilog="Example: pawnstar nnue-dump --header < positions.txt > evaluations.tsv",
)
@click.option("--exact", is_flag=True, help="Add a column: the evaluation in exact arithmetic.")
@click.option(
    "--net",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The net (default: PAWNSTAR_EVALFILE, else the shipped one).",
)
@click.option(
    "--forgiving",
    is_flag=True,
    help="Read malformed FENs as the UCI command does: the initial position stands in for one that cannot be played.",
)
@click.option("--header", is_flag=True, help="Write the columns' names first.")
@click.option(
    "--input",
    "source",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    default="-",
    help="A file of FENs (default: standard input).",
)
def command(exact: bool, net: Path | None, forgiving: bool, header: bool, source: str) -> None:
    """Read FENs, one a line, and write each with its evaluations in centipawns for the side to move.

    Columns, separated by tabs: the FEN as it was given; raw, the network's output as the search computes it; full, what
    the search makes of it (0 for draws by material and fifty moves, fading with the fifty-move clock); with --exact the
    output in exact arithmetic. Empty lines and lines that begin with # are skipped. A line that is no FEN ends the work
    with its number; what came before it is written.
    """
    try:
        network = load_network() if net is None else Network(read_bytes(net), str(net))
    except NetRefused as refusal:
        raise click.ClickException(str(refusal)) from refusal
    output = sys.stdout
    if hasattr(output, "reconfigure"):
        output.reconfigure(encoding="utf-8", errors="surrogateescape")
    if header:
        output.write("fen\traw\tfull" + ("\texact\n" if exact else "\n"))
    with open_text(source) as lines:
        try:
            dump(lines, output, network, exact, forgiving)
        except ValueError as error:
            raise Failure(str(error)) from None
