#!/usr/bin/env python3
"""Refuse a commit on rules, search or evaluation whose message says nothing of the bench's node counts.

    ci/commit_message.py FILE       the message in FILE, for the files that are staged

Below its title such a message has the line ``No functional change.``, or the bench line, of one net or of both
(``ci/bench-signature`` prints the counts):

    bench 8 shipped net: 570525, parity net: 1574409

Whatever a commit touches, a bench line must be well formed and give the recorded counts. Merges are let through.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from recorded_bench import FOLDERS, signature  # noqa: E402

# What decides node counts: rules, search, evaluation and the net.
DECISIVE = re.compile(r"pawnstar/(chess|engine|evaluation|search|parallel)/.*\.py|nnue/.*")
UNCHANGED = re.compile(r"No functional change\.?")
BENCH = re.compile(r"bench \d+ [a-z]+ net: \d+(, [a-z]+ net: \d+)*")
MEANT_AS_BENCH = re.compile(r"bench:? *\d", re.IGNORECASE)
SCISSORS = re.compile(r"# -+ >8 -+")

ADVICE = (
    "A commit on rules, search or evaluation ends with the line `No functional change.`, or with the counts that\n"
    "ci/bench-signature prints: `bench 8 shipped net: N, parity net: N`."
)


def text_of(message: str) -> list[str]:
    """The lines of a commit message that git keeps, without the title."""
    lines = [line.rstrip() for line in message.splitlines()]
    cut = next((number for number, line in enumerate(lines) if SCISSORS.fullmatch(line)), len(lines))
    return [line for line in lines[:cut] if not line.startswith("#")][1:]


def wrong_counts(line: str) -> list[str]:
    """What a well-formed bench line says of a recorded net and depth that the recorded transcripts do not."""
    depth = int(line.split()[1])
    found: list[str] = []
    for net, count in re.findall(r"(\w+) net: (\d+)", line):
        try:
            recorded = signature(net, depth) if net in FOLDERS else int(count)
        except FileNotFoundError:
            continue  # no such depth is recorded
        if int(count) != recorded:
            found.append(f"bench {depth} {net} net is recorded as {recorded}, not {count}")
    return found


def fault(message: str, paths: Sequence[str]) -> str:
    """Why a commit of ``paths`` (relative to the repository) may not have this message; empty where it may."""
    lines = text_of(message)
    meant = [line for line in lines if MEANT_AS_BENCH.match(line)]
    for line in meant:
        if BENCH.fullmatch(line) is None:
            return f"`{line}` is no bench line.\n{ADVICE}"
        wrong = wrong_counts(line)
        if wrong:
            return "; ".join(wrong)
    if any(DECISIVE.fullmatch(path) for path in paths) and not meant and not any(map(UNCHANGED.fullmatch, lines)):
        return ADVICE
    return ""


def git(*arguments: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description="Check a commit message's bench line; the commit-msg hook calls it.")
    parser.add_argument("file", type=Path, help="the file with the message")
    message = parser.parse_args().file.read_text(encoding="utf-8")
    if Path(git("rev-parse", "--git-path", "MERGE_HEAD").strip()).exists():
        return 0
    found = fault(message, git("diff", "--cached", "--name-only", "-z").split("\0"))
    if found:
        print(found, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
