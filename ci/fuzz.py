#!/usr/bin/env python3
"""Fuzz the line parser and the FEN reader, in this process, until so many inputs have passed.

    ci/fuzz.py --inputs 100000

A line is one input, a FEN is one input. Any exception, any hang of more than --patience seconds, any search that does
not answer exactly once with a legal move ends the run with status 1 and shows the input (hypothesis shrinks it first).
"""

import argparse
import contextlib
import os
import sys
import threading
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from hypothesis import HealthCheck, Phase, given, seed, settings
from sessions import Session
from uci_fuzz import FENS, LINES, check_fen, check_lines, little_memory

from pawnstar.chess import bits

ROUND = 2000


class Watchdog:
    """Ends the process where an input takes too long."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._current: tuple[float, object] = (time.monotonic(), None)
        threading.Thread(target=self._watch, daemon=True).start()

    def now(self, value: object) -> None:
        """The input being worked on."""
        self._current = (time.monotonic(), value)

    def _watch(self) -> None:
        while True:
            time.sleep(0.5)
            began, value = self._current
            if time.monotonic() - began > self._patience:
                print(f"hang: {value!r}", flush=True)
                os._exit(1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=20.0, help="seconds for one input")
    arguments = parser.parse_args()
    print(f"{'compiled' if bits.COMPILED else 'plain Python'}; seed {arguments.seed}")
    counts: Counter[str] = Counter()
    watchdog = Watchdog(arguments.patience)
    session = Session(background=True)
    common = settings(
        max_examples=ROUND,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    number = arguments.seed * 1_000_000
    started = time.monotonic()

    with little_memory():
        while counts["lines"] + counts["FENs"] < arguments.inputs:
            number += 1

            @seed(number)
            @common
            @given(LINES)
            def lines(value: list[str]) -> None:
                watchdog.now(value)
                check_lines(session, value)
                counts["lines"] += len(value)
                counts["searches"] += len(session.started)

            @seed(number)
            @common
            @given(FENS)
            def fens(value: str) -> None:
                watchdog.now(value)
                accepted = check_fen(session, value, search=counts["FENs"] % 5 == 0)
                counts["FENs"] += 1
                counts["FENs accepted"] += accepted

            lines()
            fens()
            fens()
            print(f"{time.monotonic() - started:6.0f} s  {dict(counts)}", flush=True)
    print(f"{counts['lines'] + counts['FENs']} inputs passed: {dict(counts)}")
    return 0


if __name__ == "__main__":
    # What it says there of nets refused is of no interest; what ends the run is told all the same.
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        status = main()
    sys.exit(status)
