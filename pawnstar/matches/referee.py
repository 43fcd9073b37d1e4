"""Strict games: what a GUI might forgive is a fault here, and is reported.

Faults are: a clock overrun by more than the engine's own ``margin``, anything on standard error, a crash, a hang, an
illegal move or ponder move, a line that UCI does not allow at its time, a process that ends between games or does not
end with ``quit``. A fault that loses a game is reported with the delay that the machine caused the referee itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from types import TracebackType
from typing import Final

import chess

from pawnstar.matches.engine_spec import EngineSpec
from pawnstar.matches.games import Record, Watcher, play_game
from pawnstar.matches.openings import Opening
from pawnstar.matches.players import Answer, Player
from pawnstar.matches.settings import Rules, TimeControl

STALL_STEP: Final = 0.005  # seconds between two looks at the time


def strict_rules(control: TimeControl) -> Rules:
    """Games to their end by the rules of chess, without any overrun of the clock."""
    return Rules(control, margin=0.0, resign_moves=0, draw_moves=0)


class Stalls:
    """How long the machine kept this process from running. Such a stall may be the reason of a loss on time.

    ``worst``: the longest delay of a wake-up, in seconds, since it was last set to 0.
    """

    def __init__(self) -> None:
        self.worst = 0.0

    async def watch(self) -> None:
        """Measure until it is cancelled."""
        while True:
            started = time.monotonic()
            await asyncio.sleep(STALL_STEP)
            self.worst = max(self.worst, time.monotonic() - started - STALL_STEP)


def ponder_fault(said: str, board: chess.Board) -> str:
    """What is wrong with the ponder move behind ``bestmove``, on the board behind that move; empty where nothing is."""
    words = said.split()
    if len(words) == 1:
        return ""
    if len(words) != 3 or words[1] != "ponder":
        return f"'bestmove {said}' is not of the form bestmove MOVE ponder MOVE"
    try:
        legal = bool(board.parse_uci(words[2]))
    except ValueError:
        legal = False
    return "" if legal else f"illegal ponder move {words[2]} after {words[0]} in {board.fen()}"


class Referee(Watcher):
    """Plays games between two engines and notes their faults; an asynchronous context, whose end ends the engines.

    ``faults``: of each engine, in the order in which they were seen. ``least_clock``: of each engine the least time
    that was left after a move, in seconds; infinite without a clock.
    """

    def __init__(self, specs: tuple[EngineSpec, EngineSpec], rules: Rules) -> None:
        self.players = Player(replace(specs[0], stderr="keep")), Player(replace(specs[1], stderr="keep"))
        self.rules = rules
        self.faults: tuple[list[str], list[str]] = ([], [])
        self.least_clock = [float("inf"), float("inf")]
        self._stalls = Stalls()
        self._watch: asyncio.Task[None] | None = None
        self._where = ""

    async def __aenter__(self) -> Referee:
        self._watch = asyncio.create_task(self._stalls.watch())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for player in self.players:
            fault = await player.quit()
            if fault:
                self._fault(player, fault)
            self._stderr(player)
        if self._watch is not None:
            self._watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watch

    async def play(self, number: int, opening: Opening, first_is_white: bool) -> Record:
        """Play a game. Raises MatchError where an engine cannot be started."""
        for player in self.players:
            if player.ended_by_itself:
                self._fault(player, f"ended between games{await player.how_it_ended()}")
            await player.ready()
            self._stderr(player)
        white, black = self.players if first_is_white else self.players[::-1]
        record = await play_game(number, white, black, opening, self.rules, self)
        for player in self.players:
            self._unexpected(player)
            self._stderr(player)
        return record

    def asked(self, player: Player, board: chess.Board, clock: float) -> None:
        """Remember the position for reports of faults."""
        self._where = board.fen() if clock == float("inf") else f"{board.fen()} clock {clock:.3f}"
        self._stalls.worst = 0.0

    def moved(self, player: Player, board: chess.Board, answer: Answer, clock: float) -> None:
        """Check the ponder move and the lines that came with the move."""
        side = self.players.index(player)
        self.least_clock[side] = min(self.least_clock[side], clock)
        fault = ponder_fault(answer.said, board)
        if fault:
            self._fault(player, fault)
        self._unexpected(player)

    def failed(self, player: Player, reason: str) -> None:
        """Report a lost game with its position, and how long the machine stalled during the move."""
        waited = f"the referee itself was kept waiting {self._stalls.worst:.3f} s"
        self._fault(player, f"{reason}; the move took {player.thinking_time:.3f} s ({waited}), at {self._where}")
        self._unexpected(player)

    def _fault(self, player: Player, text: str) -> None:
        self.faults[self.players.index(player)].append(text)

    def _unexpected(self, player: Player) -> None:
        for line in player.unexpected():
            self._fault(player, f"unexpected line '{line}', at {self._where}")

    def _stderr(self, player: Player) -> None:
        """Report what ended processes wrote to their standard error."""
        lines, player.stderr_lines = player.stderr_lines, []
        if lines:
            self._fault(player, f"standard error: {lines}")
