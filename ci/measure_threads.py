"""Measure what threads bring: nodes per second and time to depth, one thread against several.

    python ci/measure_threads.py [--threads 2] [--depth 12] [--runs 5] [--net FILE] [--shared-depths all,1,2,3,4,never]

Over the 16 bench positions and 24 more (Bratko-Kopec and openings), each searched from empty tables. Wall-clock time,
since the point is elapsed time: run it on an otherwise idle machine with as many processors as threads. Prints a
Markdown table: for each minimum depth of sharing, nodes per second and time to depth in relation to one thread.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

from pawnstar import resources
from pawnstar.chess.fen import position_from_fen
from pawnstar.engine.bench import BENCH_FENS
from pawnstar.engine.engine import Engine
from pawnstar.evaluation.nnue.network import Network
from pawnstar.search.limits import Limits
from pawnstar.search.tables.transposition_table import NO_SECOND_TABLE

MORE_FENS = (
    "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
    "3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - - 0 1",
    "r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - - 0 1",
    "3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbqkb1r/ppp1pp1p/5np1/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq d6 0 4",
    "rnbqk2r/pppp1ppp/4pn2/8/1bPP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4",
    "r1bqk2r/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP3PPP/RNBQ1RK1 w kq - 2 7",
    "r1bq1rk1/ppp1npbp/3p1np1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 1 9",
    "2rq1rk1/pp1bppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/2KR3R w - - 8 11",
    "8/pp3k2/2p2p2/3p1p1p/1P1P1P1P/P1P1K1P1/8/8 w - - 0 1",
    "8/5pk1/4p1p1/7p/1P1R3P/r5P1/5PK1/8 w - - 0 1",
    "6k1/1b3ppp/p3p3/1p1rP3/1P1N1P2/P3R1P1/5K1P/8 w - - 0 1",
    "2r3k1/5pp1/p3p2p/1p1qP3/3P4/P3Q3/5PPP/2R3K1 w - - 0 1",
    "r3r1k1/1bq2pbp/p2p1np1/1ppP4/P3P3/1PN2N1P/1B2BPP1/R2QR1K1 w - - 0 1",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 0 1",
    "3q1rk1/p4ppp/1pn1p3/3r4/3P4/P2B1N2/1P3PPP/2RQ2K1 w - - 0 1",
    "1r3rk1/3bqppp/p2p1b2/1p1Pp3/1PP1P3/5N1P/4BPP1/R2Q1RK1 b - - 0 1",
)


def run(
    network: Network, threads: int, second_depth: int | None, depth: int, fens: tuple[str, ...]
) -> tuple[float, float]:
    """Seconds to the depth over all positions, and nodes per second."""
    engine = Engine(network)
    engine.second_table_depth = second_depth
    engine.set_threads(threads)
    engine.start_helpers()
    time.sleep(1.5 if threads > 1 else 0)  # the helpers load the net
    seconds = 0.0
    nodes = 0
    for fen in fens:
        engine.new_game()
        position = position_from_fen(fen)
        started = time.perf_counter()
        result = engine.search(position, limits=Limits(depth=depth))
        seconds += time.perf_counter() - started
        nodes += result.nodes
    engine.close()
    return seconds, nodes / seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--positions", type=int, default=40, help="use only the first so many")
    parser.add_argument("--net", type=Path, help="default: the shipped net")
    parser.add_argument(
        "--shared-depths",
        default="all",
        help="comma-separated: 1, 2, 3, … or 'never', in a second table; 'all': one table mapped by all threads",
    )
    arguments = parser.parse_args()
    path = arguments.net or resources.find(resources.NET)[0]
    network = Network(path.read_bytes(), str(path))
    fens = (BENCH_FENS + MORE_FENS)[: arguments.positions]
    names = {"never": NO_SECOND_TABLE, "all": None}
    depths = [names[word] if word in names else int(word) for word in arguments.shared_depths.split(",")]
    times: dict[int | None, list[float]] = {depth: [] for depth in depths}
    speeds: dict[int | None, list[float]] = {depth: [] for depth in depths}
    for number in range(arguments.runs):
        alone, alone_speed = run(network, 1, None, arguments.depth, fens)
        print(f"run {number + 1}: one thread {alone:.2f} s, {alone_speed:,.0f} nps", file=sys.stderr)
        for second_depth in depths:
            seconds, speed = run(network, arguments.threads, second_depth, arguments.depth, fens)
            times[second_depth].append(seconds / alone)
            speeds[second_depth].append(speed / alone_speed)
            print(f"  shared from {second_depth}: {seconds:.2f} s, {speed:,.0f} nps", file=sys.stderr)
    print(f"| shared from depth | nps, {arguments.threads} threads / 1 | time to depth {arguments.depth}, ratio |")
    print("| --- | --- | --- |")
    for depth in depths:
        name = next((name for name, value in names.items() if value == depth), str(depth))
        print(f"| {name} | {statistics.median(speeds[depth]):.2f} | {statistics.median(times[depth]):.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
