"""A UCI session in this process, whose output and searches a test can look at."""

import functools
import re
import threading
from typing import Final

from pawnstar import resources
from pawnstar.chess.coordinate import move_text, parse_coordinate
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import IDENTITY
from pawnstar.chess.position import Position, make_move
from pawnstar.engine.clock import Clock
from pawnstar.engine.engine import Engine
from pawnstar.engine.limits import Limits
from pawnstar.engine.network import Network
from pawnstar.protocol.options import Options
from pawnstar.protocol.output import Output
from pawnstar.protocol.uci import Uci

_NUMBER = r" *-?\d+"
# What a report may look like: from a search, from no search, of a finished game, of the move being searched, in words.
INFO: Final = re.compile(
    rf"info depth {_NUMBER} seldepth {_NUMBER} score (cp|mate) {_NUMBER} time {_NUMBER} nodes {_NUMBER} nps {_NUMBER} "
    rf"hashfull {_NUMBER} pv( [a-h][1-8][a-h][1-8][nbrq]?)+"
    r"|info depth 0 score (cp|mate) -?\d+ time 0 nodes 0 nps 0 hashfull \d+ pv [a-h][1-8][a-h][1-8][nbrq]?"
    r"|info depth 0 score (cp|mate) 0"
    r"|info depth \d+ currmove [a-h][1-8][a-h][1-8][nbrq]? currmovenumber \d+"
    r"|info string \S.*"
)
BESTMOVE: Final = re.compile(
    r"bestmove (?:\(none\)|([a-h][1-8][a-h][1-8][nbrq]?)(?: ponder ([a-h][1-8][a-h][1-8][nbrq]?))?)"
)


@functools.cache
def shipped_network() -> Network:
    """The shipped net, loaded once."""
    path, origin = resources.find(resources.NET)
    return Network(path.read_bytes(), origin)


class Recorder:
    """A stream that keeps what is written, write by write."""

    def __init__(self) -> None:
        self.writes: list[str] = []
        self._lock = threading.Lock()

    def write(self, text: str, /) -> int:
        with self._lock:
            self.writes.append(text)
        return len(text)

    def flush(self) -> None:
        pass

    def take(self) -> list[str]:
        """The lines written since the last call."""
        with self._lock:
            text = "".join(self.writes)
            self.writes.clear()
        assert not text or text.endswith("\n"), f"a line was not ended: {text[-200:]!r}"
        return text.splitlines()


class Session(Uci):
    """A session with a small table, without a book unless one is given, and its searches' limits on record."""

    def __init__(self, background: bool = False) -> None:
        self.stream = Recorder()
        engine = Engine(shipped_network(), 1)
        super().__init__(engine, Options(threads=1, hash=1), Output(self.stream), "0.0.0", background)
        self.started: list[tuple[Limits, Clock, bool]] = []
        self.searched: list[Position] = []

    def _start_search(self, limits: Limits, infinite: bool) -> None:
        self.searched.append(self.game.position)
        super()._start_search(limits, infinite)
        assert self._clock is not None
        self.started.append((limits, self._clock, infinite))

    def send(self, *lines: str) -> list[str]:
        """Carry the lines out, wait for no search, and return what was written."""
        for line in lines:
            self.process_line(line)
        return self.stream.take()

    def answer(self, *lines: str) -> list[str]:
        """Carry the lines out, wait until the search ends by itself, and return what was written."""
        for line in lines:
            self.process_line(line)
        self.wait_for_search()
        return self.stream.take()


def check_answer(position: Position, lines: list[str]) -> str:
    """Check a search's output: whole reports, a score and a pv, a legal ``bestmove`` at the end; returns that move."""
    assert lines, "no answer"
    match = BESTMOVE.fullmatch(lines[-1])
    assert match, lines[-1]
    reports = [line for line in lines[:-1] if not line.startswith("info string") and " currmove " not in line]
    for line in lines[:-1]:
        assert INFO.fullmatch(line), line
    assert reports, f"nothing but {lines}"
    text = match[1]
    if text is None:
        assert not legal_moves(position)
        return "(none)"
    move = parse_coordinate(position, text)
    assert move != 0, f"{text} is illegal"
    assert f" pv {text}" in reports[-1], f"{reports[-1]} does not begin with {text}"
    child = Position()
    make_move(position, child, move)
    if match[2] is not None:
        assert parse_coordinate(child, match[2]) != 0, f"ponder move {match[2]} is illegal"
    check_monotonic(reports)
    return text


def check_monotonic(reports: list[str]) -> None:
    """Depth, selective depth, time and nodes never fall, and the table's filling is a permille."""
    last = {"depth": 0, "seldepth": 0, "time": 0, "nodes": 0}
    for line in reports:
        if line.startswith("info depth 0 "):
            continue
        words = line.split()
        now = {name: int(words[words.index(name) + 1]) for name in last}
        assert all(now[name] >= value for name, value in last.items()), f"{line} after {last}"
        last = now
        assert 0 <= int(words[words.index("hashfull") + 1]) <= 1000


def texts(moves: list[int]) -> list[str]:
    """Moves in coordinate notation."""
    return [move_text(move & IDENTITY) for move in moves]
