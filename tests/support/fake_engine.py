"""A UCI engine that plays the first, last or a random legal move and misbehaves on request. Run as a program."""

import argparse
import os
import random
import sys
import time
from pathlib import Path

import chess


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", default="Fake")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--score", type=int, default=0, help="what it claims, centipawns for White")
    parser.add_argument("--after", type=int, default=3, help="moves of a game before it misbehaves")
    parser.add_argument("--fault", choices=("crash", "hang", "illegal", "slow", "none-move"), default=None)
    parser.add_argument("--refuse-to-start", action="store_true")
    parser.add_argument("--log", type=Path, help="a file that every received line is appended to")
    return parser


def main() -> None:
    """Speak UCI on standard input and output until ``quit``."""
    wanted = _parser().parse_args()
    if wanted.refuse_to_start:
        sys.exit("out of order")
    dice = random.Random(wanted.seed)
    board = chess.Board()
    for line in sys.stdin:
        if wanted.log is not None:
            with wanted.log.open("a") as file:
                file.write(f"{os.getpid()} {line}")
        words = line.split()
        if words[0] == "uci":
            print(f"id name {wanted.name}\noption name Threads type spin default 4 min 1 max 9")
            print("option name OwnBook type check default true\noption name Style type string default calm\nuciok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "position":
            at = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:at]))
            for move in words[at + 1 :]:
                board.push_uci(move)
        elif words[0] == "go":
            fault = wanted.fault if board.fullmove_number > wanted.after else None
            if fault == "crash":
                sys.exit(3)
            if fault == "hang":
                time.sleep(1000)
            if fault == "slow":
                time.sleep(2.0)
            score = wanted.score if board.turn else -wanted.score
            print(f"info depth 7 score cp {score}")
            move = dice.choice(sorted(board.legal_moves, key=str))
            print("bestmove " + {"illegal": "a1a1", "none-move": "(none)"}.get(fault or "", move.uci()))
        elif words[0] == "quit":
            return
        sys.stdout.flush()


if __name__ == "__main__":
    main()
