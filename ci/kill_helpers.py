"""Kill helpers and engines at random moments, and count what is left: processes and shared memory (Linux).

    python ci/kill_helpers.py [--times 200] [--threads 3] [--seed 1]

Each round starts ``python -P -m pawnstar`` with several threads, sets it searching, and kills at a random moment either
one helper (the search must go on and answer) or the engine itself. Status 1 where anything is left or goes wrong.
"""

import argparse
import os
import random
import signal
import sys
import time
from pathlib import Path

from pawnstar import COMPILED
from pawnstar.matches.uci_process import UciProcess

# Seconds until an engine is ready, which takes long in plain Python on a busy machine.
START_PATIENCE = 120.0
# Seconds until an engine has ended, and until its helpers have. In plain Python a helper may still be importing when
# its engine ends, and sees that only afterwards.
END_PATIENCE = 5.0 if COMPILED else 30.0
HELPERS_END_PATIENCE = 2.0 if COMPILED else 30.0


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        found += [int(word) for word in task.read_text().split()]
    return found


def alive(process: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def gone(processes: list[int], seconds: float) -> bool:
    """Whether all processes end within so long."""
    end = time.monotonic() + seconds
    while any(alive(process) for process in processes):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def kill_a_helper(engine: UciProcess, helper: int) -> str:
    """The search must go on and answer, and the engine end by ``quit``; returns what went wrong."""
    os.kill(helper, signal.SIGKILL)
    try:
        engine.until("bestmove")
        fault = ""
    except (EOFError, TimeoutError):
        fault = "no answer after a helper was killed"
    engine.send("quit")
    engine.wait(END_PATIENCE)
    return fault


def one_round(dice: random.Random, threads: int) -> str:
    """One kill; returns what went wrong, or an empty string."""
    with UciProcess([sys.executable, "-P", "-m", "pawnstar"], {"PAWNSTAR_THREADS": str(threads)}) as engine:
        engine.send("setoption name OwnBook value false", "isready", "position startpos", "go movetime 1200")
        engine.until("readyok", START_PATIENCE)
        helpers: list[int] = []
        end = time.monotonic() + START_PATIENCE
        while len(helpers) < threads - 1 and time.monotonic() < end:
            helpers = children(engine.pid)
            time.sleep(0.005)
        if len(helpers) < threads - 1:
            return "the helpers did not start"
        time.sleep(dice.random() * 0.9)
        if dice.random() < 0.5:
            fault = kill_a_helper(engine, dice.choice(helpers))
        else:
            engine.send_signal(dice.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
            engine.wait(END_PATIENCE)
            fault = ""
        if not gone(helpers, HELPERS_END_PATIENCE):
            fault = fault or f"a helper survived by {HELPERS_END_PATIENCE:g} s"
        return fault


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--threads", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    segments = sorted(os.listdir("/dev/shm"))
    faults = 0
    for number in range(1, arguments.times + 1):
        fault = one_round(dice, arguments.threads)
        if fault:
            faults += 1
            print(f"round {number}: {fault}")
    left = [name for name in os.listdir("/dev/shm") if name not in segments]
    print(f"{arguments.times} kills: {faults} faults, shared memory left over: {left or 'none'}")
    return 1 if faults or left else 0


if __name__ == "__main__":
    sys.exit(main())
