"""The siblings' recorded dialogues, and exactly what this engine says beyond them (specification, section 23).

A dialogue is compared step by step. ``without_additions`` takes away what section 23 adds, and only where it belongs,
and insists that it is there: an addition that is missing, or one too many, is a difference.
"""

import re
from dataclasses import dataclass, field

from golden_files import PAWNSTAR

from pawnstar.protocol.uci.setoption import option_line
from pawnstar.settings import OPTIONS, Settings

_DEPTH_0 = r"info depth 0 score (cp -?\d+|mate -?\d+) time 0 nodes 0 nps 0 hashfull \d+ pv "
_DEPTH_3 = (
    r"info depth  3 seldepth [ \d]\d score (cp [- \d]{3}\d|cp -?\d{4,}|mate [- \d]\d) time X nodes [ \d]{7}\d"
    r" nps X hashfull [ \d]{2}\d pv "
)

# What is said of input that the siblings pass over in silence, by the line of input: so many remarks, in this order,
# each naming this.
REMARKS: dict[str, list[str]] = {
    "nonsense": ["'nonsense'"],
    "UCI": ["'UCI'"],
    "position": ["position"],
    "position fen": ["position fen"],
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1": ["no white king"],
    "position fen garbage": ["no white king"],
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 7": ["'x'"],
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 x": ["'x'"],
    "position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1": ["'KQkq'"],
    "position fen 4k3/8/8/8/8/8/8/4K2R b K e6 0 1": ["'e6'"],
    "position fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1": ["pawn on rank 8"],
    "position fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1": ["in check"],
    "position fen 4k3/8/8/8/8/8/8/4K1K1 w - - 0 1": ["2 white kings"],
    "position fen rnbqkbnrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": ["rank 8"],
    "position startpos moves e2e5 e2e4 e7e5 zz": ["'e2e5'", "'zz'"],
    "position fen 4k3/8/8/8/8/8/8/4K3 w - - 300 999": ["'300'", "'999'"],
    "setoption": ["setoption"],
    "setoption name": ["setoption"],
    "setoption name Hash": ["Hash"],
    "setoption name Hash value abc": ["'abc'"],
    "setoption name Hash value 2x": ["'2x'"],
    "setoption name Threads value": ["Threads"],
    "setoption name Nonsense value 3": ["'Nonsense'"],
    "setoption name Move Overhead value 12x": ["'12x'"],
    "go depth abc nodes 3000": ["'abc'"],
    "go nodes 3000 depth": ["depth"],
    "go wtime x btime y nodes 3000": ["'x'", "'y'"],
    "go depth 4 movetime": ["movetime"],
    "go searchmoves e7e5 depth 4": ["'e7e5'"],
    "go searchmoves a2a3 zzzz nodes 3000": ["'zzzz'"],
    "setoption name Hash value 3": ["to 2 MB"],
    "setoption name Hash value 100": ["to 64 MB"],
}

# What ``uci`` lists behind the siblings' options: those of this engine alone.
ADDED_OPTIONS = [option_line(option, Settings()) for option in OPTIONS if not option.siblings]

# The drawing at the siblings' start, which appears on a terminal only here: so many lines.
DRAWING = 12


@dataclass
class Step:
    """A line sent, and the lines received before the next."""

    command: str
    answer: list[str] = field(default_factory=list)
    # "(no bestmove yet)" and the like.
    notes: list[str] = field(default_factory=list)
    # The engine's own move, where its having been played made the position.
    answered: str | None = None


@dataclass
class Transcript:
    """A dialogue: what is said at the start, the steps, and the exit status where it was recorded."""

    banner: list[str]
    steps: list[Step]
    status: int | None = None


def read_transcript(name: str) -> Transcript:
    """The dialogue ``goldens/pawnstar/uci/{name}.txt``."""
    transcript = Transcript([], [])
    answer = transcript.banner
    answered: str | None = None
    for line in PAWNSTAR.joinpath("uci", f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("> "):
            if line.startswith("> ucinewgame") or re.match(r"> position (startpos|fen .|moves .)", line):
                answered = None
            transcript.steps.append(Step(line[2:], answered=answered))
            answer = transcript.steps[-1].answer
        elif line.startswith("< "):
            answer.append(line[2:])
            answered = bestmove([line[2:]]) or answered
        elif line.startswith("= exit "):
            transcript.status = int(line.removeprefix("= exit "))
        elif line.startswith("("):
            transcript.steps[-1].notes.append(line)
        else:
            raise ValueError(f"{name}: {line!r}")
    return transcript


def bestmove(lines: list[str]) -> str | None:
    """The move of a ``bestmove`` line, None where there is none."""
    return next((line.split()[1] for line in lines if line.startswith("bestmove ")), None)


def is_go(command: str) -> bool:
    return command.split()[:1] == ["go"]


def _taken(lines: list[str], pattern: str, why: str) -> None:
    """Take away the one line that matches entirely."""
    matching = [line for line in lines if re.fullmatch(pattern, line)]
    assert len(matching) == 1, f"{why}: no single line like {pattern!r} in {lines}"
    lines.remove(matching[0])


def without_additions(step: Step, received: list[str]) -> list[str]:
    """What was received (masked), less what section 23 adds in answer to this line of input."""
    left = list(received)
    for remark in REMARKS.get(step.command, []):
        found = left.pop(0) if left else "nothing"
        assert found.startswith("info string "), f"no remark on {step.command!r} but {found!r}"
        assert remark in found, f"a remark on {step.command!r} that does not name {remark}"
    if step.command == "uci":
        behind = next(index for index, line in enumerate(left) if line.startswith("option name OwnBook ")) + 1
        assert left[behind:] == [*ADDED_OPTIONS, "uciok"]
        del left[behind:-1]
    if step.command in ("d", "eval", "getboard") and step.answered is not None:
        _taken(left[:1], rf"info string the engine's own move {step.answered} has been played; .*", "own move")
        del left[0]
    if not is_go(step.command):
        return left
    move = bestmove(step.answer)
    if not step.answer:
        # No legal move: the siblings say nothing at all.
        _taken(left, r"info depth 0 score (mate 0|cp 0)", "terminal root")
        _taken(left, r"bestmove \(none\)", "terminal root")
    elif move is not None and not any(line.startswith("info depth") for line in step.answer):
        if "info string only move" in left:
            _taken(left, "info string only move", "forced move")
            _taken(left, rf"{_DEPTH_0}{move}", "forced move")
        else:
            # Stopped within the shallow pass, or limited to it.
            _taken(left, rf"({_DEPTH_0}{move}|{_DEPTH_3}{move}( [a-h1-8qrbn]+)*)", "a score before bestmove")
    return left
