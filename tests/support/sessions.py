"""UCI sessions inside the test's own process: what they write, what they search, and how their output is judged."""

import functools
import re
import threading
from dataclasses import dataclass
from typing import Final

import pytest

from pawnstar import resources
from pawnstar.chess.coordinate import move_text, parse_coordinate
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import IDENTITY
from pawnstar.chess.position import Position, make_move
from pawnstar.engine.book import Book
from pawnstar.engine.engine import Engine
from pawnstar.evaluation.nnue.network import Network
from pawnstar.protocol.output import Output
from pawnstar.protocol.uci import bench
from pawnstar.protocol.uci.commands import Uci
from pawnstar.search.clock import Clock
from pawnstar.search.info import SearchResult
from pawnstar.search.limits import Limits
from pawnstar.settings import EVAL_FILE, HASH

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
_TIME: Final = re.compile(r" time +\d+ ")
_NPS: Final = re.compile(r" nps +\d+ ")


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


@dataclass(frozen=True)
class Started:
    """A search as the session began it. ``waits``: its answer waits for ``stop``, whatever the limits say."""

    position: Position
    limits: Limits
    clock: Clock
    waits: bool


class _Watched(Uci):
    """The session under test, with its searches on record, and faults where a test wants one.

    This is the only place where tests reach into a session.
    """

    def __init__(self, network: Network, megabytes: int, stream: Recorder, background: bool) -> None:
        super().__init__(Engine(network, megabytes), Output(stream), "0.0.0", background)
        self.started: list[Started] = []
        self._begin = self.session.search
        self.session.search = self._search  # type: ignore[method-assign]

    def _search(self, limits: Limits, infinite: bool = False) -> None:
        position = self.session.game.position
        self._begin(limits, infinite)
        assert self.session._clock is not None
        self.started.append(Started(position, limits, self.session._clock, infinite))

    def break_search(self, error: Exception) -> None:
        def fail(limits: Limits, clock: Clock) -> SearchResult:
            raise error

        self.session._search = fail  # type: ignore[method-assign]

    def break_command(self, command: str, error: Exception) -> None:
        def fail(rest: str) -> None:
            raise error

        self._commands[command] = (fail, "")


class Session:
    """A UCI session that writes into memory: by default with the shipped net, a table of 1 MB, and without a book.

    ``background``: ``bench`` and ``go perft`` run on while more lines come, as they do in the program.
    """

    def __init__(self, network: Network | None = None, megabytes: int = 1, *, background: bool = False) -> None:
        self.stream = Recorder()
        # Until ``quit``.
        self.running = True
        self._uci = _Watched(network or shipped_network(), megabytes, self.stream, background)

    def start(self, *lines: str) -> None:
        """Carry the lines out, and wait for no search."""
        for line in lines:
            self.running = self._uci.process_line(line)

    def wait(self) -> None:
        """Wait until a running search ends by itself."""
        self._uci.session.wait()

    def taken(self) -> list[str]:
        """The lines written since they were last taken."""
        return self.stream.take()

    def send(self, *lines: str) -> list[str]:
        """Carry the lines out, wait for no search, and return what was written."""
        self.start(*lines)
        return self.taken()

    def answer(self, *lines: str) -> list[str]:
        """Carry the lines out, wait until the search ends by itself, and return what was written."""
        self.start(*lines)
        self.wait()
        return self.taken()

    def close(self) -> None:
        """Stop what still runs."""
        self._uci.session.close()

    @property
    def started(self) -> list[Started]:
        """The searches begun so far, those of ``bench`` aside."""
        return self._uci.started

    @property
    def engine(self) -> Engine:
        return self._uci.engine

    @property
    def position(self) -> Position:
        return self._uci.session.game.position

    @property
    def history(self) -> list[Position]:
        """The positions before the current one, oldest first."""
        return self._uci.session.game.history

    def settings(self) -> dict[str, object]:
        """What the options stand at, by their names."""
        return {
            **dict(self.engine.settings),
            HASH.name: self.engine.table_megabytes(),
            EVAL_FILE.name: self.engine.network.origin,
        }

    def give_book(self, *lines: str) -> None:
        """Play from a book of these lines."""
        self.engine.book = Book(lines)

    def break_search(self, error: Exception) -> None:
        """Let every search from now on raise."""
        self._uci.break_search(error)

    def break_command(self, command: str, error: Exception) -> None:
        """Let a command from now on raise."""
        self._uci.break_command(command, error)


def set_bench_positions(monkeypatch: pytest.MonkeyPatch, fens: tuple[str, ...]) -> None:
    """Let ``bench`` of sessions in this process search other positions."""
    monkeypatch.setattr(bench, "BENCH_FENS", fens)


def masked(lines: list[str]) -> list[str]:
    """Lines as goldens hold them: times and speeds are ``X``; ``currmove`` lines, which depend on time, left out.

    Reports of depth 0, which no sibling makes, are left as they are: they have no time.
    """
    return [
        line if line.startswith("info depth 0 ") else _NPS.sub(" nps X ", _TIME.sub(" time X ", line))
        for line in lines
        if " currmove " not in line
    ]


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
