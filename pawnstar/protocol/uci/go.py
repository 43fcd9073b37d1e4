"""The words behind ``go``: the clock that they select, what else they ask for, and what was wrong with them.

Nothing here searches or prints: words become limits and remarks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pawnstar.chess.coordinate import parse_coordinate
from pawnstar.chess.position import Position
from pawnstar.protocol.messages import shortened, unread
from pawnstar.protocol.words import whole_integer, whole_part
from pawnstar.search.limits import Limits

# Clocks, as `go` selects them; the choice and its values stay until a position is set up.
STANDARD: Final = "standard"
FIXED_DEPTH: Final = "depth"
FIXED_TIME: Final = "movetime"
INFINITE: Final = "infinite"
DEFAULT_TIME_LEFT: Final = 300_000  # milliseconds
DEFAULT_DEPTH: Final = 10

_VALUE_KEYWORDS: Final = (
    "wtime",
    "btime",
    "winc",
    "binc",
    "movetime",
    "depth",
    "movestogo",
    "nodes",
    "mate",
    "perft",
)
_FLAG_KEYWORDS: Final = ("ponder", "infinite", "searchmoves")


@dataclass
class ClockState:
    """What this and earlier ``go`` commands said of the clock, in milliseconds, plies and moves."""

    kind: str = STANDARD
    time_left: int = DEFAULT_TIME_LEFT
    increment: int = 0
    moves_to_go: int = 0
    movetime: int = 0
    depth: int = DEFAULT_DEPTH

    def select(self, keyword: str, value: int, white: bool) -> None:
        """Take one keyword's value; of several clocks the last one counts. ``white``: White is to move."""
        if keyword in ("wtime", "btime"):
            if (keyword == "wtime") == white:
                self.kind = STANDARD
                self.time_left = value
        elif keyword in ("winc", "binc"):
            if (keyword == "winc") == white:
                self.increment = value
        elif keyword == "movetime":
            self.kind = FIXED_TIME
            self.movetime = value
        elif keyword == "depth":
            self.kind = FIXED_DEPTH
            self.depth = value
        elif keyword == "mate":
            self.kind = FIXED_DEPTH
            self.depth = 2 * value
        elif keyword == "movestogo":
            self.moves_to_go = value
        elif keyword == "nodes":
            self.kind = INFINITE

    def in_words(self) -> str:
        """What a ``go`` without limits searches by."""
        if self.kind == FIXED_DEPTH:
            return f"the last depth, {self.depth}"
        if self.kind == FIXED_TIME:
            return f"the last movetime, {self.movetime} ms"
        return f"a clock of {self.time_left} ms" if self.kind == STANDARD else "no limit, until 'stop'"


@dataclass
class Go:
    """What one ``go`` asks for besides the clock. ``nodes`` 0 is no limit; ``perft`` is None where none is wanted."""

    nodes: int = 0
    perft: int | None = None
    infinite: bool = False
    ponder: bool = False
    search_moves: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    # Whether any keyword (one with a value: any value) was understood.
    understood: bool = False

    def is_endless(self, clock: ClockState) -> bool:
        """Whether it is answered only when told to stop: a clock behind ``infinite`` on the line takes its place."""
        return self.infinite and clock.kind == INFINITE


def read_go(words: Sequence[str], clock: ClockState, white: bool) -> Go:
    """Read the words behind ``go``; those that say something of the clock change it. ``white``: White is to move.

    A keyword whose value is no number is a fault and ignored; a word that is no keyword is skipped.
    """
    go = Go()
    clock.increment = 0
    collecting = False
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word in _VALUE_KEYWORDS:
            collecting = False
            text = words[index] if index < len(words) else ""
            value = whole_integer(text)
            if value is None and (value := whole_part(text)) is not None:
                go.faults.append(f"go {word}: '{shortened(text)}' is no whole number; read as {value}")
            if value is None:
                go.faults.append(f"go {word}: {unread(text)}; {word} ignored")
                # The word behind a keyword is its value, even where it is nonsense, unless it is a keyword itself.
                if text and text not in _VALUE_KEYWORDS and text not in _FLAG_KEYWORDS:
                    index += 1
                continue
            index += 1
            go.understood = True
            clock.select(word, value, white)
            if word == "nodes":
                go.nodes = value
            elif word == "perft":
                go.perft = value
        elif word in _FLAG_KEYWORDS:
            collecting = word == "searchmoves"
            go.understood = go.understood or not collecting
            if word == "infinite":
                clock.kind = INFINITE
                go.infinite = True
            elif word == "ponder":
                go.ponder = True
        elif collecting:
            go.search_moves.append(word)
    go.understood = go.understood or collecting or bool(go.search_moves)
    return go


def search_limits(go: Go, clock: ClockState, position: Position, analyse: bool = False) -> tuple[Limits, list[str]]:
    """The engine's limits for the clock as it stands, and what was wrong with ``searchmoves``.

    ``analyse``: the position is looked at, whatever limits there are (UCI_AnalyseMode).
    """
    # An illegal one stays in the list as no move: that moves were asked for keeps book and forced moves out.
    moves = [parse_coordinate(position, text) for text in go.search_moves]
    faults = [
        f"searchmoves: illegal move '{shortened(text)}' ignored"
        for text, move in zip(go.search_moves, moves, strict=True)
        if move == 0
    ]
    limits = Limits(
        depth=clock.depth if clock.kind == FIXED_DEPTH else None,
        nodes=go.nodes if go.nodes != 0 else None,
        movetime=clock.movetime if clock.kind == FIXED_TIME else None,
        time_left=clock.time_left if clock.kind == STANDARD else None,
        increment=clock.increment,
        moves_to_go=clock.moves_to_go,
        search_moves=tuple(moves),
        ponder=go.ponder,
        analysis=analyse or go.is_endless(clock),
    )
    return limits, faults
