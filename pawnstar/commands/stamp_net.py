"""Puts a trainer's raw payload into the RNNUE1 container, without which no engine loads it."""

from __future__ import annotations

from pathlib import Path

import click

from pawnstar.command_line import Failure
from pawnstar.commands.files import may_write, read_bytes, write_bytes
from pawnstar.evaluation.nnue.net_file import MAGIC, MIRRORED_SHAPE, PADDING, PLAIN_SHAPE, Shape, write_net

_SHAPES = (("plain", PLAIN_SHAPE), ("mirrored", MIRRORED_SHAPE))


def shape_of_payload(size: int) -> tuple[str, Shape] | None:
    """The name and shape of the net whose payload has ``size`` bytes, padding included; None if there is none."""
    for name, shape in _SHAPES:
        if shape.payload_size <= size < shape.payload_size + PADDING:
            return name, shape
    return None


@click.command(
    "stamp-net",
    short_help="Put a raw payload into the RNNUE1 container.",
    epilog="Example: pawnstar stamp-net quantised.bin my-net.bin",
)
@click.argument("source", metavar="IN", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite OUT without asking if it exists.")
def command(source: Path, target: Path, force: bool) -> None:
    """Put the raw payload IN, as a trainer writes it, into the RNNUE1 container and write it to OUT.

    The payload is 16-bit little-endian integers: feature weights, hidden biases, output weights, output biases, and at
    most 63 bytes of padding. Its size tells its shape: plain, or with king mirroring and 8 output heads.
    """
    may_write(target, force)
    payload = read_bytes(source)
    if payload.startswith(MAGIC):
        raise Failure(f"'{source}' is in the RNNUE1 container already")
    known = shape_of_payload(len(payload))
    if known is None:
        sizes = " or ".join(f"{shape.payload_size:,} ({name})" for name, shape in _SHAPES)
        raise Failure(
            f"'{source}' has {len(payload):,} bytes; a payload has {sizes}, and less than {PADDING} bytes of padding"
        )
    name, shape = known
    data = write_net(payload, shape)
    write_bytes(target, data)
    click.echo(f"wrote a net of the {name} shape, {len(data):,} bytes, to '{target}'")
