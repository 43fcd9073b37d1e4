"""A UCI engine that plays the first, last or a random legal move and misbehaves on request. Run as a program."""

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import chess


def command_of(name: str, *arguments: str) -> tuple[str, ...]:
    """What starts this program under a name."""
    return (sys.executable, str(Path(__file__).resolve()), "--name", name, *arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", default="Fake")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--score", type=int, default=0, help="what it claims, centipawns for White")
    parser.add_argument("--after", type=int, default=3, help="moves of a game before it misbehaves")
    parser.add_argument("--fault", choices=("crash", "hang", "illegal", "slow", "none-move"), default=None)
    parser.add_argument("--answer", help="what it says behind bestmove when it misbehaves, instead of a fault")
    parser.add_argument("--from-game", type=int, default=1, help="the first game in which it misbehaves")
    parser.add_argument(
        "--chatter", action="store_true", help="rubbish on both streams, and ponder moves that are none"
    )
    parser.add_argument("--deaf", action="store_true", help="run on after quit and after the end of its input")
    parser.add_argument("--child", action="store_true", help="leave the work to a child, which also holds the pipes")
    parser.add_argument("--option", help="one more option: its name and type")
    parser.add_argument("--info", help="what it tells of each search from its opening on, instead of depth and score")
    parser.add_argument("--slow-new-game", type=float, default=0, help="seconds that it prepares a game for")
    parser.add_argument("--once", type=Path, help="a file that it makes; where it is there already, it does not start")
    parser.add_argument("--no", choices=("uciok", "readyok"), help="an answer that it does not give")
    parser.add_argument("--refuse-to-start", action="store_true")
    parser.add_argument("--log", type=Path, help="a file that every received line is appended to")
    return parser


def _chatter() -> None:
    """What no GUI should stumble over."""
    sys.stderr.write("a flood\n" * 20_000)
    print("rubbish }{ \u2654", "info depth x score cp y pv e9e9", "info", "info score mate", "id", "option", sep="\n")
    sys.stdout.flush()
    sys.stdout.buffer.write(b"\xff\xfe\x00 no text\n" + 100_000 * b"z" + b"\n")


def main() -> None:
    """Speak UCI on standard input and output until ``quit``."""
    wanted = _parser().parse_args()
    if wanted.refuse_to_start or (wanted.once is not None and wanted.once.exists()):
        sys.exit("out of order")
    if wanted.once is not None:
        wanted.once.touch()
    if wanted.child:
        sys.exit(subprocess.call([sys.executable, *(text for text in sys.argv if text != "--child")]))
    _speak(wanted)
    while wanted.deaf:
        time.sleep(1)


def _speak(wanted: argparse.Namespace) -> None:
    dice = random.Random(wanted.seed)
    board = chess.Board()
    game = 0
    for line in sys.stdin:
        if wanted.log is not None:
            with wanted.log.open("a") as file:
                file.write(f"{os.getpid()} {line}")
        words = line.split()
        if wanted.chatter:
            _chatter()
        if wanted.no == {"uci": "uciok", "isready": "readyok"}.get(words[0]) is not None:
            continue
        if words[0] == "uci":
            print(f"id name {wanted.name}\noption name Threads type spin default 4 min 1 max 9")
            print("option name OwnBook type check default true\noption name Style type string default calm")
            if wanted.option is not None:
                print(f"option name {wanted.option}")
            print("uciok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "ucinewgame":
            game += 1
            time.sleep(wanted.slow_new_game)
        elif words[0] == "position":
            at = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:at]))
            for move in words[at + 1 :]:
                board.push_uci(move)
        elif words[0] == "go":
            bad = board.fullmove_number > wanted.after and game >= wanted.from_game
            fault = wanted.fault if bad else None
            if fault == "crash":
                sys.exit(3)
            if fault == "hang":
                time.sleep(1000)
            if fault == "slow":
                time.sleep(2.0)
            score = wanted.score if board.turn else -wanted.score
            print(f"info {wanted.info or f'depth 7 score cp {score}'}")
            move = dice.choice(sorted(board.legal_moves, key=str))
            answer = {"illegal": "a1a1", "none-move": "(none)"}.get(fault or "", move.uci())
            if bad and wanted.answer is not None:
                answer = wanted.answer
            print(f"bestmove {answer} ponder a1h8" if wanted.chatter else f"bestmove {answer}")
        elif words[0] == "quit":
            return
        sys.stdout.flush()


if __name__ == "__main__":
    main()
