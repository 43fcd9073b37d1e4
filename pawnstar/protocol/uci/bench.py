"""How a bench is printed: its reports as UCI lines, then the totals."""

import contextlib
import os
import sys
import time
from collections.abc import Callable
from contextlib import closing

from pawnstar.chess.coordinate import move_text
from pawnstar.engine.bench import BENCH_FENS, bench
from pawnstar.engine.engine import Engine
from pawnstar.protocol.display import counters_table
from pawnstar.protocol.output import Output
from pawnstar.protocol.uci.format import info_line
from pawnstar.search.worker import StopSignal


def announce(number: int) -> None:
    """Show on a terminal which position is searched next. Standard error is used, so that the output stays the same."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if sys.stderr.isatty():
            sys.stderr.write(f"bench position {number} of {len(BENCH_FENS)}: {BENCH_FENS[number - 1]}\n")
            sys.stderr.flush()


def _nothing(what: str | int) -> None:
    """Used where the caller keeps no board of its own."""


def print_bench(
    engine: Engine,
    depth: int,
    output: Output,
    stop: StopSignal,
    set_up: Callable[[str], object] = _nothing,
    play: Callable[[int], None] = _nothing,
) -> None:
    """Search the bench positions to a depth, on this thread, and print reports and totals; raises Stopped when stopped.

    ``set_up`` is called with each FEN before it is searched, ``play`` with each move found.
    """
    debug = os.environ.get("PAWNSTAR_BENCH_DEBUG") == "1"

    def begin(number: int, fen: str) -> None:
        announce(number)
        set_up(fen)

    total = 0
    started = time.monotonic()
    results = bench(engine, depth, stop, begin, lambda info: output.line(info_line(info)), BENCH_FENS)
    with closing(results):
        for number, result in enumerate(results, 1):
            total += result.nodes
            if result.best_move != 0:
                play(result.best_move)
            if debug:
                output.line(
                    f"### pos {number:02} best {move_text(result.best_move)} nodes {result.nodes}\n"
                    + counters_table(engine.counters())
                )
    elapsed = int((time.monotonic() - started) * 1000)
    output.line(f"{total} nodes {total * 1000 // max(1, elapsed)} nps")
