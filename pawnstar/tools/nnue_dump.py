"""``pawnstar nnue-dump``: the network's evaluations of many positions, for trainers and for comparing engines."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import click

from pawnstar.api.batch import BatchEvaluator
from pawnstar.chess.fen import read_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.position import FIFTY_MOVE_PLIES, Position, material_draw
from pawnstar.engine.net_file import NetRefused
from pawnstar.engine.network import Network
from pawnstar.engine.search import scaled_evaluation
from pawnstar.protocol.program import load_network

BLOCK = 4096  # positions read, evaluated and written at a time


def full_evaluation(position: Position, raw: int) -> int:
    """What the search makes of the network's output, in centipawns: 0 for draws, the rest fifty-move scaled.

    One position has no history, so no draw by repetition.
    """
    if material_draw(position) != 0:
        return 0
    if position.clock >= FIFTY_MOVE_PLIES and (position.checkers == 0 or legal_moves(position)):
        return 0
    return int(scaled_evaluation(raw, position.clock))


def read_positions(lines: Iterator[str], forgiving: bool) -> Iterator[tuple[str, Position]]:
    """FENs and their positions; empty lines and those that begin with ``#`` are skipped.

    Raises ValueError, naming the line, at a FEN that cannot be played, unless ``forgiving``: then the initial position
    stands in, as for the UCI command.
    """
    for number, line in enumerate(lines, 1):
        fen = line.strip()
        if not fen or fen.startswith("#"):
            continue
        position, faults = read_fen(fen)
        if not forgiving and faults and faults[0].startswith("FEN refused"):
            raise ValueError(f"line {number}: {faults[0].split(';')[0]}: {fen!r}")
        yield fen, position


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
            for fen, position in read_positions(iter(source), forgiving):
                fens.append(fen)
                positions.append(position)
                if len(fens) == BLOCK:
                    flush()
        finally:
            flush()  # what came before a fault is good
            target.flush()
    return count


@click.command("nnue-dump", short_help="Evaluate FENs with the network.")
@click.option("--exact", is_flag=True, help="Add a column: the evaluation in exact arithmetic.")
@click.option(
    "--net",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The net (default: PAWNSTAR_EVALFILE, else the shipped one).",
)
@click.option("--forgiving", is_flag=True, help="Evaluate the initial position for a FEN that cannot be played.")
@click.option("--header", is_flag=True, help="Write the columns' names first.")
@click.option("--input", "source", type=click.File("r"), default="-", help="A file of FENs (default: standard input).")
def command(exact: bool, net: Path | None, forgiving: bool, header: bool, source: TextIO) -> None:
    """Read FENs, one a line, and write each with its evaluations in centipawns for the side to move.

    Columns, separated by tabs: the FEN as it was given; raw, the network's output as the search computes it; full, what
    the search makes of it (0 for draws by material and fifty moves, fading with the fifty-move clock); with --exact the
    output in exact arithmetic. Empty lines and lines that begin with # are skipped.
    """
    try:
        network = load_network(None) if net is None else Network(net.read_bytes(), str(net))
    except NetRefused as refusal:
        raise click.ClickException(str(refusal)) from refusal
    except OSError as error:
        raise click.ClickException(f"cannot read '{net}': {error.strerror}") from error
    output = sys.stdout
    if header:
        output.write("fen\traw\tfull" + ("\texact\n" if exact else "\n"))
    try:
        dump(source, output, network, exact, forgiving)
    except ValueError as error:
        raise click.ClickException(f"{error}\n--forgiving evaluates the initial position instead") from error
