"""Speed of the Drop7 engine by CPU time, beside the figures of the Rust engine and a yardstick for the machine.

    python ci/bench_drop7.py [--repeats N] [--deep] [--stockfish PATH]

Times are the least of the repeats. The yardstick is the CPU time of Stockfish's ``go perft 6`` from the start position:
0.56 s on the machine where the Rust engine was timed; the limits are scaled by it. ``--deep`` adds depth 4, some
seconds a repeat, and the gain of a second worker, by wall clock: it needs two idle cores. One worker and two take
turns, and the least is taken root by root.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

from pawnstar.drop7 import COMPILED, Leaf, PrivateTable, Searcher, State, Table, analyze
from pawnstar.drop7.parallel.workers import LazyWorkerPool
from pawnstar.drop7.roots import parse_roots
from pawnstar.drop7.rules.game import play_center_games
from pawnstar.drop7.search.benchmarks import evaluate_all

ROOTS = Path(__file__).parent.parent / "tests" / "goldens" / "drop7" / "cli_inputs" / "opt-roots.txt"
PERFT_SECONDS = 0.56
GAMES = 32_768
GAME_MOVES = 694_929
LEAF_ROUNDS = 20_000 if COMPILED else 20


def cpu_seconds(work: Callable[[], object], repeats: int) -> float:
    """The least CPU time of a piece of work."""
    best = float("inf")
    for _ in range(repeats):
        began = process_time()
        work()
        best = min(best, process_time() - began)
    return best


def perft_seconds(stockfish: str | None) -> float:
    """CPU time of the yardstick; the reference figure when there is no Stockfish."""
    if stockfish is None:
        return PERFT_SECONDS
    import resource

    best = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([stockfish], input="go perft 6\nquit\n", text=True, stdout=subprocess.DEVNULL, check=True)
        best = min(best, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return best


def decide_all(roots: list[State], depth: int, table: Table) -> None:
    """Iterative deepening on every root, as ``drop7 bench search`` does it."""
    searcher = Searcher(7, table=table)
    for root in roots:
        searcher.choose_action(root, depth)


def wall_seconds(roots: list[State], repeats: int) -> tuple[float, float]:
    """Seconds for all roots with one worker and with two: of each root the least of the repeats."""
    best = {1: [float("inf")] * len(roots), 2: [float("inf")] * len(roots)}
    with LazyWorkerPool() as pool:
        analyze(roots[0], 2, 7, threads=2, executor=pool)  # the processes are up before the clock starts
        for _ in range(repeats):
            for threads, seconds in best.items():
                for number, root in enumerate(roots):
                    began = perf_counter()
                    analyze(root, 4, 7, threads=threads, executor=pool)
                    seconds[number] = min(seconds[number], perf_counter() - began)
    return sum(best[1]), sum(best[2])


def main() -> int:
    """Print a line for each measurement; status 1 when one is above its limit."""
    parser = argparse.ArgumentParser(description="Speed of the Drop7 engine by CPU time.")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--deep", action="store_true", help="depth 4, and two workers, too")
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or shutil.which("/usr/games/stockfish"))
    options = parser.parse_args()
    if not COMPILED:
        print("plain Python: these figures say nothing", file=sys.stderr)
    roots = parse_roots(ROOTS.read_text(), str(ROOTS))
    yardstick = perft_seconds(options.stockfish)
    scale = yardstick / PERFT_SECONDS
    print(f"perft 6: {yardstick:.2f} s, {scale:.2f} times the reference machine")
    slow = False

    def report(name: str, unit: str, value: float, rust: float, limit: float) -> None:
        nonlocal slow
        ratio = value / (rust * scale)
        slow |= ratio > limit
        print(f"{name:44} {value:9.1f} {unit}   {ratio:5.2f} x Rust (limit {limit})", flush=True)

    leaf = Leaf()
    seconds = cpu_seconds(lambda: play_center_games(0xA5277000, GAMES, 2000), options.repeats)
    report("center-policy games", "ns/move", seconds * 1e9 / GAME_MOVES, 125.0, 3.0)
    seconds = cpu_seconds(lambda: evaluate_all(leaf, roots, LEAF_ROUNDS), options.repeats)
    report("leaf, six roots", "ns", seconds * 1e9 / (LEAF_ROUNDS * len(roots)), 471.0, 2.0)
    arms = [(3, 0, 42.0), (3, 65_536, 36.0)] + ([(4, 0, 1993.0), (4, 65_536, 1303.0)] if options.deep else [])
    for depth, slots, rust in arms:
        table = PrivateTable(slots) if slots else Table()
        seconds = cpu_seconds(partial(decide_all, roots, depth, table), options.repeats)
        name = f"depth {depth}, 7 strata, {slots or 'no'} table entries"
        report(name, "ms", seconds * 1e3 / len(roots), rust, 2.0)
    if options.deep:
        one, two = wall_seconds(roots, options.repeats)
        print(
            f"depth 4, 7 strata, by wall clock: one worker {one * 1e3:.0f} ms, two {two * 1e3:.0f} ms, "
            f"{one / two:.2f} times as fast (at least 1.8)"
        )
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
