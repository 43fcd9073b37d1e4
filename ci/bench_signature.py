"""The bench signature: print what the recorded transcripts say, or hold the installed command to it.

``ci/bench-signature`` prints the lines that a commit message on search or evaluation holds; ``ci/bench-signature
--check`` runs ``pawnstar bench 8`` with both nets and fails where a node count differs.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from recorded_bench import FOLDERS, SIGNATURE_DEPTH, signature, signature_line  # noqa: E402


def measured(command: list[str], net: Path) -> int:
    """The node count of the installed command's bench with a net."""
    result = subprocess.run(
        [*command, "bench", str(SIGNATURE_DEPTH)],
        env={**os.environ, "PAWNSTAR_EVALFILE": str(net)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(result.stdout.splitlines()[-1].split()[0])


def check(command: list[str]) -> int:
    """Compare both nets' counts; returns the exit status."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        parity = Path(folder) / "parity.bin"
        subprocess.run([*command, "write-synthetic-net", str(parity)], stdout=subprocess.DEVNULL, check=True)
        nets = {"parity": parity, "shipped": ROOT / "nnue" / "pawnstar-p1.bin"}
        for name, net in nets.items():
            nodes = measured(command, net)
            if nodes == signature(name):
                print(f"{signature_line(name)}, as recorded")
            else:
                print(f"bench {SIGNATURE_DEPTH} {name} net: {nodes}, recorded {signature(name)}", file=sys.stderr)
                wrong = 1
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Print the bench signature, or check a pawnstar command against it.")
    parser.add_argument("--check", action="store_true", help="run the bench and compare")
    # All the rest, so that the command's own options (python -P -m pawnstar) belong to it.
    parser.add_argument("command", nargs=argparse.REMAINDER, help="how to run pawnstar (default: pawnstar)")
    arguments = parser.parse_args()
    if arguments.check:
        return check(arguments.command or ["pawnstar"])
    if arguments.command:
        parser.error(f"{' '.join(arguments.command)}: a command is run only with --check, which comes before it")
    for name in FOLDERS:
        print(signature_line(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
