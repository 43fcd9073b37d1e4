#!/usr/bin/env python3
"""Vet the opening book with the engine's own search: no line may leave either side worse than 100 centipawns.

    ci/vet_book.py pawnstar.book                    # report what is worse; status 1 where anything is
    ci/vet_book.py pawnstar.book --write new.book   # and write the book without those lines

The position at the end of each line is searched to --nodes nodes without a book. A line with a questionable move
(``?``) is judged up to that move: what is never played need not be good.
"""

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from pawnstar import resources
from pawnstar.chess.coordinate import parse_coordinate
from pawnstar.chess.fen import start_position
from pawnstar.chess.position import Position, make_move
from pawnstar.engine.engine import Engine
from pawnstar.evaluation.nnue.network import Network
from pawnstar.search.limits import Limits

LIMIT = 100


@dataclass(frozen=True)
class Ending:
    """The end of a line of play: the position, earlier ones, and the move that makes no sense (empty where all do)."""

    position: Position
    history: list[Position]
    fault: str = ""


def ending(line: str) -> Ending | None:
    """Replay a line of the book; None where it holds no moves."""
    position = start_position()
    history: list[Position] = []
    for token in line.split():
        if token.startswith("#"):
            break
        if token[0].isdigit():
            continue
        if token.endswith("?"):
            break
        move = parse_coordinate(position, token)
        if move == 0:
            return Ending(position, history, token)
        child = Position()
        make_move(position, child, move)
        history.append(position)
        position = child
    return Ending(position, history) if history else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("book", type=Path, nargs="?", default=Path("pawnstar.book"))
    parser.add_argument("--nodes", type=int, default=50_000, help="for each line's last position")
    parser.add_argument("--limit", type=int, default=LIMIT, help="centipawns for either side")
    parser.add_argument("--net", type=Path, help="the net to judge with (default: the shipped one)")
    parser.add_argument("--write", type=Path, help="write the lines that are kept there")
    arguments = parser.parse_args()
    path, origin = (arguments.net, str(arguments.net)) if arguments.net else resources.find(resources.NET)
    engine = Engine(Network(path.read_bytes(), origin))
    scores: dict[int, int] = {}
    kept: list[str] = []
    dropped = 0
    judged = 0
    worst = 0
    started = time.monotonic()
    for number, line in enumerate(arguments.book.read_text(encoding="utf-8").splitlines(), 1):
        end = ending(line)
        if end is None:
            kept.append(line)
            continue
        judged += 1
        if end.fault:
            print(f"line {number}: dropped: {end.fault} is illegal: {line}")
            dropped += 1
            continue
        key = int(end.position.key)
        if key not in scores:
            engine.new_game()
            result = engine.search(end.position, end.history, Limits(nodes=arguments.nodes))
            scores[key] = result.score if end.position.side == 0 else -result.score
        score = scores[key]
        if abs(score) > arguments.limit:
            print(f"line {number}: dropped: {score:+d} centipawns for White: {line}", flush=True)
            dropped += 1
            continue
        worst = max(worst, abs(score))
        kept.append(line)
    print(
        f"{judged} lines, {len(scores)} last positions at {arguments.nodes} nodes, {time.monotonic() - started:.0f} s: "
        f"{judged - dropped} kept, {dropped} dropped; the most one-sided kept is at {worst} centipawns"
    )
    if arguments.write is not None:
        arguments.write.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return 1 if dropped else 0


if __name__ == "__main__":
    sys.exit(main())
