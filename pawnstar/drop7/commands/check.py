"""``drop7 optimization-check``: values of searches and checksums of leaves, for comparing builds."""

from __future__ import annotations

from time import perf_counter

import click

from pawnstar.drop7.commands.options import Failing, answer_help, read_text
from pawnstar.drop7.formats import json_value, parse_i32, parse_u64, value_bits
from pawnstar.drop7.roots import RootsError, parse_bench_roots
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.search.benchmarks import leaf_checksum, unpack_checksum
from pawnstar.drop7.search.leaf import Leaf
from pawnstar.drop7.search.search import Searcher, best_column
from pawnstar.drop7.search.table import PrivateTable, Table

SAMPLES = 7


def run(arguments: tuple[str, ...]) -> None:
    """Run one mode: search, micro or unpack."""
    failing = Failing("optimization-check")
    usage = "usage: optimization-check MODE ROOTS DEPTH GATE CAPACITY ITERATIONS"
    answer_help(arguments, usage)
    if len(arguments) != 6:
        failing(usage)
    mode, path = arguments[:2]
    depth = failing.number("DEPTH", arguments[2], parse_i32)
    gate = failing.number("GATE", arguments[3], parse_i32)
    capacity = failing.number("CAPACITY", arguments[4], parse_u64)
    iterations = failing.number("ITERATIONS", arguments[5], parse_u64)
    if not (1 <= depth <= 5 and 0 <= gate <= 5):
        failing("DEPTH must be 1 to 5 and GATE 0 to 5")
    if mode not in ("search", "micro", "unpack"):
        failing("mode must be search, micro or unpack")
    try:
        roots = parse_bench_roots(read_text(path, "cannot read roots file", failing), path)
    except RootsError as error:
        failing(error)
    if mode == "search":
        for number, root in enumerate(roots):
            _search(number, root, depth, gate, capacity)
        return
    began = perf_counter()
    checksum = leaf_checksum(Leaf(), roots, iterations) if mode == "micro" else unpack_checksum(roots, iterations)
    click.echo(
        json_value(
            {
                "mode": mode,
                "calls": len(roots) * iterations,
                "checksum": f"{checksum:016x}",
                "seconds": perf_counter() - began,
            }
        )
    )


def _search(number: int, root: State, depth: int, gate: int, capacity: int) -> None:
    began = perf_counter()
    table = PrivateTable(capacity, gate) if gate else Table()
    searcher = Searcher(SAMPLES, table=table)
    ready = perf_counter()
    entries = searcher.column_values(root, depth)
    seconds = perf_counter() - ready
    mirrored = root.canonical()[1]
    done = searcher.counters()
    click.echo(
        json_value(
            {
                "mode": "search",
                "root": number,
                "depth": depth,
                "gate": gate,
                "capacity": capacity,
                "strata": SAMPLES,
                "action": best_column(entries),
                "values": [
                    [6 - entry.column if mirrored else entry.column, value_bits(entry.value)] for entry in entries
                ],
                "work": done.work,
                "nodes": done.nodes,
                "leafCalls": done.leaves,
                "moveCalls": done.moves,
                "cacheHits": done.hits,
                "tableBytes": table.allocated_bytes(),
                "initializationSeconds": ready - began,
                "seconds": seconds,
            }
        )
    )
