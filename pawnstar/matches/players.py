"""The players of a match: an engine's process, asked for moves by python-chess, started again after it was lost."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import errno
import os
import re
import shlex
import signal
import tempfile
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, TypeVar

import chess
import chess.engine

from pawnstar.matches.engine_spec import EngineSpec, MatchError, one_line

T = TypeVar("T")

START_TIMEOUT: Final = 30.0  # seconds until an engine must have answered `uci` and `isready`
QUIT_TIMEOUT: Final = 2.0  # seconds between `quit` and being killed
LONGEST_LINE: Final = 1 << 20  # bytes
LONGEST_NAME: Final = 80  # letters of an engine's name
# What an engine with such an option is set to unless told otherwise: a match measures the search, one thread of it.
FAIR: Final[Mapping[str, str]] = {"Threads": "1", "OwnBook": "false"}
MOST_UNEXPECTED: Final = 20  # lines that are kept of an engine that talks out of place
# What may begin a line of an engine that thinks.
WHILE_THINKING: Final = ("info", "bestmove")

_OPTION: Final = re.compile(
    r"(?P<name>option\s+name\s+\S.*?\stype\s+)(?P<type>check|spin|combo|button|string|file|path|reset|save)"
    r"(?P<rest>(\s+(default|min|max|var)\b.*)?)"
)
_RANGE: Final = re.compile(r"\b(default|min|max)\s+(-?\d+)\b")


class IllegalMove(chess.engine.EngineError):
    """A move that the rules do not allow; the message names it and the position."""


class NoMove(chess.engine.EngineError):
    """A ``bestmove`` without a move, though there are legal ones."""


def usable_option(line: str) -> str:
    """An engine's ``option`` line so that python-chess takes it; empty where it is none.

    python-chess refuses an engine whose default is not of the option's own type, or not among its values. Such an
    option is taken for a text: what the user sets is sent as it is.
    """
    match = _OPTION.fullmatch(line.strip())
    if match is None:
        return ""
    usable = True
    if match["type"] == "spin":
        numbers = {name: int(number) for name, number in _RANGE.findall(match["rest"])}
        default = numbers.get("default")
        usable = default is not None and numbers.get("min", default) <= default <= numbers.get("max", default)
    elif match["type"] == "combo":
        before, *values = [text.strip() for text in re.split(r"\bvar\b", match["rest"])]
        usable = before.removeprefix("default").strip() in values
    return line if usable else f"{match['name']}string{match['rest']}"


def _value(option: chess.engine.Option, text: str) -> str:
    """A user's value for an option, as the engine writes it. Raises EngineError.

    python-chess takes any word but "false" for yes.
    """
    known = {"check": ["true", "false"], "combo": option.var or []}.get(option.type)
    if known is None:
        return text
    for value in known:
        if value.lower() == text.lower():
            return value
    raise chess.engine.EngineError(f"option '{option.name}' is one of {', '.join(known)}, not '{one_line(text)}'")


def _advice(spec: EngineSpec, error: OSError) -> str:
    """What to do about a program that the system does not start; empty where there is nothing to say."""
    program = Path(spec.command[0])
    if program.is_dir():
        return " (it is a folder; name the program in it)"
    if isinstance(error, FileNotFoundError):
        if program.exists():
            return " (the file is there, so it is the interpreter of its first line, or a library, that is missing)"
        if len(program.parts) == 1:
            return " (no such program on the PATH; write ./ before the name of a file in this folder)"
        if len(spec.command) > 1:
            return f" (a path with blanks needs quotes inside the quotes: \"'{shlex.join(spec.command)}'\")"
    if isinstance(error, PermissionError):
        return f" (is it a program? chmod +x '{program}' makes it one)"
    if error.errno in (errno.EMFILE, errno.ENFILE, errno.EAGAIN):
        return " (the system allows no more; a smaller --concurrency needs fewer files and processes)"
    if error.errno == errno.ENOEXEC:
        return " (the file is no program for this machine)"
    return ""


def _end_group(transport: asyncio.SubprocessTransport) -> None:
    """Kill an engine's process and those that it has started (on Windows only itself)."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "nt":
            transport.kill()
        else:
            os.killpg(transport.get_pid(), signal.SIGKILL)


class UciEngine(chess.engine.UciProtocol):
    """python-chess's protocol, which also keeps the words and the time of a move, and survives some malformed lines.

    ``said`` is what followed ``bestmove``, ``asked`` and ``answered`` are the times of ``go`` and of ``bestmove``, in
    seconds of ``time.perf_counter``; None where they have not come. ``unexpected`` has lines that
    UCI does not allow at their time: during a search all but ``info`` and ``bestmove``, else ``bestmove``.
    """

    said = ""
    asked: float | None = None
    answered: float | None = None

    def __init__(self) -> None:
        super().__init__()
        self.unexpected: list[str] = []

    def send_line(self, line: str) -> None:
        """Send a line, and keep the time of ``go``."""
        if line.startswith("go"):
            self.asked, self.answered = time.perf_counter(), None
        super().send_line(line)

    def line_received(self, line: str) -> None:
        """Keep what follows ``bestmove``, and lines that come at the wrong time."""
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        thinks = self.asked is not None and self.answered is None
        if (word not in WHILE_THINKING) if thinks else (word == "bestmove"):
            if len(self.unexpected) < MOST_UNEXPECTED:
                self.unexpected.append(one_line(line)[:60])
        if word == "bestmove":
            self.said = one_line(line.split("bestmove", 1)[1])[:60]
            self.answered = self.answered or time.perf_counter()

    def _line_received(self, line: str) -> None:
        """Leave malformed options out, for which python-chess would refuse the engine."""
        if line.split(maxsplit=1)[:1] == ["option"]:
            line = usable_option(line)
        if line:
            super()._line_received(line)

    def process_exited(self) -> None:
        """End the processes that the engine has started: they may hold its output open, and would stay behind."""
        super().process_exited()
        if self.transport is not None:
            _end_group(self.transport)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Read lines; forget one that is longer than any engine's."""
        super().pipe_data_received(fd, data)
        if len(self.buffer[fd]) > LONGEST_LINE:
            self.buffer[fd] = bytearray()


@dataclass(frozen=True)
class Answer:
    """A player's legal move, what it told of it, and the words behind ``bestmove``."""

    move: chess.Move
    info: chess.engine.InfoDict
    said: str


class Player:
    """One engine. It is started when it is first needed, and again after its process was lost.

    ``name`` is what the match calls it, the same in all games. Where the user has given none it is at first what the
    engine calls itself. ``stderr_lines`` are the lines that its ended processes wrote to standard error, if the
    specification says that they are kept.
    """

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        self.name = (one_line(spec.name) or Path(spec.command[0]).name)[:LONGEST_NAME]
        self.starts = 0
        self.stderr_lines: list[str] = []
        self._errors: IO[bytes] | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self._engine: UciEngine | None = None
        self._exchange: asyncio.Task[Any] | None = None

    async def _shielded(self, exchange: Coroutine[Any, Any, T]) -> T:
        """Await an exchange with the engine. The exchange goes on if the awaiting task is cancelled (by Ctrl-C).

        If it were cancelled itself, python-chess would fail at the engine's answer, with a traceback.
        """
        self._exchange = asyncio.create_task(exchange)
        self._exchange.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may be left to ask
        return await asyncio.shield(self._exchange)

    @property
    def runs(self) -> bool:
        """Whether the engine's process runs."""
        return self._engine is not None and not self._engine.returncode.done()

    @property
    def ended_by_itself(self) -> bool:
        """Whether the engine's process has ended though nobody ended it."""
        return self._engine is not None and self._engine.returncode.done()

    async def ready(self) -> None:
        """Start the engine if it does not run. Raises MatchError where it cannot be started or set up."""
        if self.runs:
            return
        await self._shielded(self._start())

    async def _start(self) -> None:
        await self.kill()  # what an engine that ended by itself has left behind
        self.starts += 1
        engine = f"engine '{shlex.join(self.spec.command)}'"
        silent = "" if self.spec.stderr == "show" else "; --stderr shows what it writes"
        try:
            async with asyncio.timeout(START_TIMEOUT):
                self._transport, self._engine = await UciEngine.popen(
                    list(self.spec.command),
                    setpgrp=True,  # Ctrl-C is for the match alone, and what the engine starts ends with it
                    env={**os.environ, **self.spec.environment},
                    stderr=self._error_stream(),
                )
                await self._engine.initialize()
                await self._set_options(self._engine)
                await self._engine.ping()
        except TimeoutError:
            said = "uciok" if self._engine is None or not self._engine.initialized else "readyok"
            await self.kill()
            raise MatchError(f"{engine} does not answer in {START_TIMEOUT:g} s (no {said}){silent}") from None
        except OSError as error:
            why = error.strerror or str(error)
            raise MatchError(f"{engine} cannot be started: {why}{_advice(self.spec, error)}") from error
        except chess.engine.EngineTerminatedError as error:
            ending = self._ending()
            await self.kill()
            raise MatchError(f"{engine} ended before it was ready{ending}{silent}") from error
        except chess.engine.EngineError as error:
            await self.kill()
            raise MatchError(f"{engine}: {error}") from error
        if self.starts == 1 and not one_line(self.spec.name):
            self.name = one_line(self._engine.id.get("name", ""))[:LONGEST_NAME].strip() or self.name

    def _error_stream(self) -> IO[bytes] | int | None:
        """Where the engine's standard error goes."""
        if self.spec.stderr == "keep":
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed by ``_collect``
            return self._errors
        return None if self.spec.stderr == "show" else asyncio.subprocess.DEVNULL

    def _collect(self) -> None:
        """Read what the process that has ended wrote to its standard error."""
        errors, self._errors = self._errors, None
        if errors is not None:
            with errors:
                errors.seek(0)
                self.stderr_lines += errors.read().decode(errors="replace").splitlines()

    def unexpected(self) -> list[str]:
        """The lines since the last call that UCI does not allow at their time."""
        if self._engine is None:
            return []
        found, self._engine.unexpected = self._engine.unexpected, []
        return found

    async def _set_options(self, engine: chess.engine.UciProtocol) -> None:
        known = {name.lower(): name for name in engine.options}
        wanted: dict[str, Any] = {}
        for name, value in FAIR.items() if self.spec.fair else ():
            with contextlib.suppress(KeyError, chess.engine.EngineError):  # it has none, or none with such a value
                wanted[known[name.lower()]] = engine.options[known[name.lower()]].parse(value)
        for name, value in self.spec.options.items():
            if name.lower() not in known:
                near = difflib.get_close_matches(name.lower(), known, 1)
                hint = f"; did you mean '{known[near[0]]}'?" if near else ""
                raise chess.engine.EngineError(f"it has no option '{name}'{hint}")
            wanted = {other: text for other, text in wanted.items() if other.lower() != name.lower()}
            wanted[known[name.lower()]] = _value(engine.options[known[name.lower()]], value)
        await engine.configure(wanted)

    async def play(self, board: chess.Board, limit: chess.engine.Limit, game: object, timeout: float) -> Answer:
        """Ask the engine for a move.

        Raises TimeoutError after ``timeout`` seconds, NoMove, IllegalMove, and ``chess.engine.EngineError`` otherwise.
        """
        assert self._engine is not None
        engine = self._engine
        engine.said, engine.asked, engine.answered = "", None, None
        search = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        try:
            played = await self._shielded(asyncio.wait_for(search, timeout))
        except chess.engine.EngineTerminatedError:
            raise
        except chess.engine.EngineError as error:
            if engine.said:
                raise IllegalMove(f"illegal move {engine.said.split()[0]} in {board.fen()}") from error
            raise
        if played.move is None:
            raise NoMove(engine.said)
        # python-chess lets the null move pass, and checks a move that came before `go` against an older position.
        if not played.move:
            raise IllegalMove(f"illegal move 0000 (it passes) in {board.fen()}")
        if not board.is_legal(played.move):
            raise IllegalMove(f"illegal move {played.move} in {board.fen()}")
        return Answer(played.move, played.info, engine.said)

    @property
    def thinking_time(self) -> float:
        """The seconds from ``go`` to ``bestmove``, or until now, of the last move that it was asked for."""
        if self._engine is None or self._engine.asked is None:
            return 0.0
        return (self._engine.answered or time.perf_counter()) - self._engine.asked

    async def how_it_ended(self) -> str:
        """How the engine's process ended, for a message: " (exit status 3)", " (SIGSEGV)", or nothing."""
        if self._engine is not None:
            await asyncio.wait({self._engine.returncode}, timeout=QUIT_TIMEOUT)
        return self._ending()

    def _ending(self) -> str:
        if self._engine is None or not self._engine.returncode.done():
            return ""
        status = self._engine.returncode.result()
        if status >= 0:
            return f" (exit status {status})"
        with contextlib.suppress(ValueError):
            return f" ({signal.Signals(-status).name})"
        return f" (signal {-status})"

    def end(self) -> None:
        """End the engine's process, and those that it has started, without waiting."""
        if self._transport is not None and self._transport.get_returncode() is None:
            _end_group(self._transport)

    async def kill(self) -> None:
        """End the engine's process at once; the next game starts another."""
        self.end()
        transport, engine = self._transport, self._engine
        self._transport = self._engine = None
        if transport is not None and engine is not None:
            await asyncio.wait({engine.returncode}, timeout=QUIT_TIMEOUT)
            transport.close()
        self._collect()

    async def quit(self) -> str:
        """Send ``quit``, and kill the engine if it still runs after ``QUIT_TIMEOUT``.

        Returns what went wrong (it had to be killed, its exit status is not 0), empty if nothing did or it did not run.
        """
        ran = self.runs
        try:
            if self._exchange is not None and (self._engine is None or self._engine.returncode.done()):
                await asyncio.wait({self._exchange}, timeout=QUIT_TIMEOUT)  # it may be being started
            if self._engine is not None:
                with contextlib.suppress(TimeoutError, chess.engine.EngineError):
                    async with asyncio.timeout(QUIT_TIMEOUT):
                        await self._engine.quit()
            ending = self._ending()
            if not ran or ending == " (exit status 0)":
                return ""
            return f"ended{ending}" if ending else f"did not end within {QUIT_TIMEOUT:g} s of quit"
        finally:
            await self.kill()
