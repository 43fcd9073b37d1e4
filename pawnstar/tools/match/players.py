"""The engines of a match: how they are started, spoken to (by python-chess) and got rid of."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import sys
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import chess
import chess.engine

import pawnstar

T = TypeVar("T")

START_TIMEOUT: Final = 30.0  # seconds until an engine must have answered `uci` and `isready`
QUIT_TIMEOUT: Final = 2.0  # seconds between `quit` and being killed
# What an engine with such an option is set to unless told otherwise: a match measures the search, one thread of it.
FAIR: Final[Mapping[str, str]] = {"Threads": "1", "OwnBook": "false"}


class MatchError(Exception):
    """A match that cannot be played, and why."""


@dataclass(frozen=True)
class EngineSpec:
    """How to start an engine, and what to set; ``name`` is empty where the engine's own is to be used."""

    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    stderr: bool = False  # whether its standard error is shown


def spec_of(text: str, options: Mapping[str, str], name: str = "", stderr: bool = False) -> EngineSpec:
    """The engine of a command line; ``this`` is the Pawnstar that runs the match."""
    if text == "this":
        folder = str(Path(str(pawnstar.__file__)).resolve().parent.parent)
        path = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
        return EngineSpec((sys.executable, "-P", "-m", "pawnstar"), options, name, {"PYTHONPATH": path}, stderr)
    try:
        command = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise MatchError(f"engine '{text}': {error}") from error
    if not command:
        raise MatchError("an engine's command is empty")
    return EngineSpec(tuple(command), options, name, stderr=stderr)


class Player:
    """One engine, started when first needed and again after it was lost."""

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        self.name = spec.name or Path(spec.command[0]).name
        self.starts = 0
        self._transport: asyncio.SubprocessTransport | None = None
        self._engine: chess.engine.UciProtocol | None = None
        self._exchange: asyncio.Task[Any] | None = None

    async def _uncut(self, exchange: Coroutine[Any, Any, T]) -> T:
        """Await an exchange with the engine, which goes on where the awaiting task is cancelled (by Ctrl-C).

        Cut off half-way, python-chess would stumble over the engine's answer, with a traceback.
        """
        self._exchange = asyncio.create_task(exchange)
        self._exchange.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may be left to ask
        return await asyncio.shield(self._exchange)

    async def ready(self) -> None:
        """Start the engine if it does not run. Raises MatchError where it cannot be started or set up."""
        if self._engine is not None and not self._engine.returncode.done():
            return
        await self._uncut(self._start())

    async def _start(self) -> None:
        self.starts += 1
        command = list(self.spec.command)
        try:
            async with asyncio.timeout(START_TIMEOUT):
                self._transport, self._engine = await chess.engine.popen_uci(
                    command,
                    setpgrp=True,  # Ctrl-C is for the match alone
                    env={**os.environ, **self.spec.environment},
                    stderr=None if self.spec.stderr else asyncio.subprocess.DEVNULL,
                )
                await self._set_options(self._engine)
        except TimeoutError:
            await self.kill()
            raise MatchError(f"engine '{shlex.join(command)}' does not answer in {START_TIMEOUT:g} s") from None
        except OSError as error:
            raise MatchError(f"engine '{shlex.join(command)}' cannot be started: {error.strerror or error}") from error
        except chess.engine.EngineError as error:
            await self.kill()
            raise MatchError(f"engine '{shlex.join(command)}': {error}") from error
        if not self.spec.name:
            self.name = str(self._engine.id.get("name", self.name))

    async def _set_options(self, engine: chess.engine.UciProtocol) -> None:
        known = {name.lower(): name for name in engine.options}
        wanted: dict[str, Any] = {name: value for name, value in FAIR.items() if name.lower() in known}
        for name, value in self.spec.options.items():
            if name.lower() not in known:
                raise chess.engine.EngineError(f"it has no option '{name}'")
            wanted = {other: text for other, text in wanted.items() if other.lower() != name.lower()}
            wanted[known[name.lower()]] = value
        await engine.configure(wanted)

    async def play(
        self, board: chess.Board, limit: chess.engine.Limit, game: object, timeout: float
    ) -> chess.engine.PlayResult:
        """A move. Raises TimeoutError after ``timeout`` seconds, ``chess.engine.EngineError`` for a lost engine."""
        assert self._engine is not None
        search = self._engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        return await self._uncut(asyncio.wait_for(search, timeout))

    async def kill(self) -> None:
        """End the engine's process at once; the next game starts another."""
        transport, self._transport, self._engine = self._transport, None, None
        if transport is not None:
            with contextlib.suppress(ProcessLookupError):
                transport.kill()
            transport.close()

    async def quit(self) -> None:
        """Let the engine end by itself, for a while."""
        try:
            if self._exchange is not None and (self._engine is None or self._engine.returncode.done()):
                await asyncio.wait({self._exchange}, timeout=QUIT_TIMEOUT)  # it may be being started
            if self._engine is not None:
                with contextlib.suppress(TimeoutError, chess.engine.EngineError):
                    async with asyncio.timeout(QUIT_TIMEOUT):
                        await self._engine.quit()
        finally:
            await self.kill()
