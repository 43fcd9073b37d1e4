"""Says what a net file is, and whether the engine would load it, without loading it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pawnstar.commands.files import read_bytes
from pawnstar.evaluation.nnue.net_file import NetRefused, describe_net, read_net


@click.command(
    "net-info",
    short_help="Show a net file's header, and whether it is accepted.",
    epilog="Example: pawnstar net-info nnue/pawnstar-p1.bin",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def command(file: Path) -> None:
    """Compare the net FILE with this engine, field by field, in the order of the engine's own checks.

    The exit status is 1 if the engine would refuse it.
    """
    data = read_bytes(file)
    checks = describe_net(data)
    field_width = max(len(check.field) for check in checks)
    value_width = max(len("file"), *(len(check.found) for check in checks))
    click.echo(f"{'field':{field_width}}  {'file':{value_width}}  engine")
    for check in checks:
        verdict = "" if check.ok else "  <- differs"
        click.echo(f"{check.field:{field_width}}  {check.found:{value_width}}  {check.expected}{verdict}")
    click.echo()
    try:
        shape, payload = read_net(data, str(file))
    except NetRefused as refusal:
        click.echo(refusal)
        sys.exit(1)
    kind = "king mirroring" if shape.mirrored else "plain king buckets"
    heads = "1 output" if shape.output_buckets == 1 else f"{shape.output_buckets} output heads"
    click.echo(f"accepted: {kind}, {shape.hidden} neurons, {heads}, {len(payload):,} bytes of weights")
