#!/usr/bin/env python3
"""Soak: searches with random limits and interruptions in one process, and what is left of them at the end.

    ci/soak.py --searches 1000

Resident memory at the end must be within 5 % of that after the first hundred searches, and no thread, file handle or
process may be left over. Needs psutil.
"""

import argparse
import random
import shlex
import sys
import time

import chess
import psutil

from pawnstar.matches.uci_process import UciProcess


def limits(rng: random.Random) -> tuple[str, bool]:
    """Words for ``go``, and whether the search ends by itself."""
    kind = rng.randrange(9)
    if kind == 0:
        return f"wtime {rng.randrange(1, 2000)} btime {rng.randrange(1, 2000)} winc 10 binc 10", True
    if kind == 1:
        return f"movetime {rng.randrange(1, 60)}", True
    if kind == 2:
        return f"depth {rng.randrange(0, 7)}", True
    if kind == 3:
        return f"nodes {rng.randrange(1, 20000)}", True
    if kind == 4:
        return f"mate {rng.randrange(0, 3)}", True
    if kind == 5:
        return "infinite", False
    if kind == 6:
        return f"ponder wtime {rng.randrange(1, 2000)} btime {rng.randrange(1, 2000)}", False
    if kind == 7:
        return f"searchmoves e2e4 e7e5 g1f3 movetime {rng.randrange(1, 40)}", True
    return f"depth {rng.randrange(20, 60)}", False


def handles(process: psutil.Process) -> tuple[int, int, int]:
    """Open file descriptors, threads, children."""
    return process.num_fds(), process.num_threads(), len(process.children(recursive=True))


def search(client: UciProcess, rng: random.Random, board: chess.Board) -> None:
    """One search, perhaps interrupted; its answer must be legal."""
    words, ends = limits(rng)
    moves = " ".join(move.uci() for move in board.move_stack)
    client.send(f"position startpos moves {moves}" if moves else "position startpos", f"go {words}")
    if rng.random() < 0.3:
        for command in rng.sample(("isready", "eval", "d", "getboard", "dbg", "nnue", "zobrist", "nonsense"), 3):
            client.send(command)
    if words.startswith("ponder") and rng.random() < 0.5:
        time.sleep(rng.random() * 0.02)
        client.send("ponderhit")
    elif not ends or rng.random() < 0.3:
        time.sleep(rng.random() * 0.03)
        client.send(
            rng.choice(("stop", "stop", "stop", "ucinewgame", "position startpos", "setoption name Clear Hash"))
        )
    answers = [line for line in client.until("bestmove") if line.startswith("bestmove")]
    client.send("stop", "isready")
    answers += [line for line in client.until("readyok") if line.startswith("bestmove")]
    if rng.random() < 0.3:
        client.send("isready")
        client.until("readyok")
    if len(answers) != 1 or chess.Move.from_uci(answers[0].split()[1]) not in board.legal_moves:
        raise SystemExit(f"{board.fen()} go {words}: {answers}")


def soak(client: UciProcess, arguments: argparse.Namespace) -> int:
    """All searches; returns the exit status."""
    dice = random.Random(arguments.seed)
    client.until("ready")
    client.send(f"setoption name Threads value {arguments.threads}", "setoption name Hash value 16")
    client.send("setoption name OwnBook value false", "isready")
    client.until("readyok")
    process = psutil.Process(client.pid)
    board = chess.Board()
    settled = 0
    before = (0, 0, 0)
    started = time.monotonic()
    warm = min(100, arguments.searches // 2)
    for number in range(1, arguments.searches + 1):
        search(client, dice, board)
        board.push(dice.choice(list(board.legal_moves)))
        if board.is_game_over() or board.ply() > 160:
            board.reset()
            client.send("ucinewgame", "isready")
            client.until("readyok")
        if number == warm:
            settled, before = process.memory_info().rss, handles(process)
    left, after = process.memory_info().rss, handles(process)
    growth = 100.0 * (left - settled) / settled
    client.send("quit")
    status = client.wait()
    lines = client.errors()
    print(
        f"{arguments.searches} searches, {arguments.threads} threads, {time.monotonic() - started:.0f} s: resident "
        f"{settled >> 20} MB after {warm}, {left >> 20} MB at the end ({growth:+.1f} %); "
        f"(descriptors, threads, children) {before} then {after}; exit status {status}; standard error {lines}"
    )
    return 1 if abs(growth) > 5 or after != before or status or lines else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=f"{sys.executable} -P -m pawnstar")
    parser.add_argument("--searches", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with UciProcess(shlex.split(arguments.engine)) as client:
        return soak(client, arguments)


if __name__ == "__main__":
    sys.exit(main())
