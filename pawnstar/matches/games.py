"""One game between two engines: clocks, the rules that end it early, the faults that lose it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import chess
import chess.engine
import chess.pgn

from pawnstar.matches.adjudication import adjudicated
from pawnstar.matches.engine_spec import one_line
from pawnstar.matches.openings import Opening, ended
from pawnstar.matches.pgn import MATE, ScoreSheet, depth_of, move_comment, pgn_text
from pawnstar.matches.players import Answer, IllegalMove, NoMove, Player
from pawnstar.matches.settings import Rules

HANG: Final = 5.0  # seconds beyond its clock after which an engine that still thinks is taken for hung


@dataclass
class Record:
    """A finished game. ``reason`` is told in words; ``fault`` where an engine lost by misbehaving, with its name.

    ``ending`` is the kind of its end, the same for all games that end so ("checkmate", "time forfeit", "crash").
    ``seconds``, ``moves`` and ``depths`` are White's and Black's time, moves, and sum of the depths that they told; the
    opening's moves do not count. ``scores``: what the engines told of each of their moves, in centipawns from White's
    point of view (``pgn.MATE`` less the moves to it for a mate), None where they told none.
    """

    number: int
    white: str
    black: str
    result: str
    reason: str
    termination: str
    pgn: chess.pgn.Game
    fault: str = ""
    ending: str = ""
    seconds: tuple[float, float] = (0.0, 0.0)
    moves: tuple[int, int] = (0, 0)
    depths: tuple[int, int] = (0, 0)
    scores: tuple[int | None, ...] = ()

    @property
    def points(self) -> float:
        """White's points: 1, 0.5 or 0."""
        return {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)

    def text(self) -> str:
        """The game as PGN."""
        return pgn_text(self.pgn)

    def line(self) -> str:
        """The game in one line."""
        length = (self.pgn.end().ply() + 1) // 2
        return f"game {self.number}: {self.white} - {self.black} {self.result}: {self.reason}, move {length}"


class Watcher:
    """Is told of each move of a game. This one does nothing; ``referee.Referee`` is strict."""

    def asked(self, player: Player, board: chess.Board, clock: float) -> None:
        """A player is about to be asked for a move; ``clock``: its seconds, infinite without a clock."""

    def moved(self, player: Player, board: chess.Board, answer: Answer, clock: float) -> None:
        """A player has moved in time; the move is on the board, what it took is off the clock."""

    def failed(self, player: Player, reason: str) -> None:
        """A player loses by a fault or on time; the move that it was asked for is not on the board."""


@dataclass(frozen=True)
class _End:
    """How a game ended: as in ``Record``."""

    result: str
    reason: str
    termination: str
    ending: str
    fault: str = ""


class _Game:
    """A game that is being played."""

    def __init__(self, players: tuple[Player, Player], opening: Opening, rules: Rules, watcher: Watcher) -> None:
        self.players = players
        self.rules = rules
        self.watcher = watcher
        self.board = opening.board()
        self.sheet = ScoreSheet(opening)
        self.clocks = [rules.control.base or 0.0] * 2
        # White's point of view, centipawns, one a move played by an engine; None where it told no score.
        self.scores: list[int | None] = []
        self.seconds = [0.0, 0.0]
        self.moves = [0, 0]
        self.depths = [0, 0]
        self._identity = object()  # python-chess tells the engines of a new game by it

    @property
    def clocked(self) -> bool:
        """Whether the players have clocks."""
        return self.rules.control.base is not None

    async def play(self) -> _End:
        """Play to the end."""
        end = self._decided()
        while end is None:
            end = await self._move() or self._decided()
        return end

    def _decided(self) -> _End | None:
        """The end of the game where the rules or the engines' scores bring it, before the next move."""
        over = ended(self.board)
        if over is not None:
            return _End(*over, "normal", over[1])
        decided = adjudicated(self.scores, self.rules, self.board.fullmove_number)
        if decided is not None:
            return _End(*decided, "adjudication", "draw" if decided[0] == "1/2-1/2" else "resignation")
        return None

    async def _move(self) -> _End | None:
        """Play the next move, or tell how its player loses the game instead."""
        side = 0 if self.board.turn == chess.WHITE else 1
        player = self.players[side]
        self.watcher.asked(player, self.board, self._clock(side))
        answer = await self._ask(player, side)
        self.seconds[side] += player.thinking_time
        if isinstance(answer, _End):
            self.watcher.failed(player, answer.reason)
            await player.kill()
            return answer
        self.moves[side] += 1
        if self.clocked:
            self.clocks[side] -= player.thinking_time
            if self.clocks[side] < -self._margin(player):
                end = _End(_lost(side), f"{player.name} loses on time", "time forfeit", "time forfeit")
                self.watcher.failed(player, end.reason)
                return end
        self.depths[side] += depth_of(answer.info)
        score = answer.info.get("score")
        self.scores.append(None if score is None else score.white().score(mate_score=MATE))
        self.sheet.add(answer.move, move_comment(answer.info, player.thinking_time))
        self.board.push(answer.move)
        self.watcher.moved(player, self.board, answer, self._clock(side))
        if self.clocked:
            self.clocks[side] += self.rules.control.increment
        return None

    async def _ask(self, player: Player, side: int) -> Answer | _End:
        """A player's move, or the fault by which it loses."""
        patience = self.clocks[side] + self._margin(player) + HANG if self.clocked else self.rules.timeout
        name, lost = player.name, _lost(side)
        try:
            return await player.play(self.board, self._limit(player), self._identity, patience)
        except TimeoutError:
            return _End(lost, f"{name} hangs", "abandoned", "hang", name)
        except chess.engine.EngineTerminatedError:
            how = await player.how_it_ended()
            return _End(lost, f"{name} crashed{how}", "abandoned", "crash", name)
        except NoMove:
            return _End(lost, f"{name} gives no move", "rules infraction", "illegal move", name)
        except IllegalMove as error:
            return _End(lost, f"{name}: {error}", "rules infraction", "illegal move", name)
        except chess.engine.EngineError as error:
            return _End(lost, f"{name}: {one_line(str(error))}", "rules infraction", "protocol error", name)

    def _clock(self, side: int) -> float:
        """A side's seconds; infinite without a clock."""
        return self.clocks[side] if self.clocked else float("inf")

    def _margin(self, player: Player) -> float:
        """The seconds that a player's clock may be overrun."""
        return self.rules.margin if player.spec.margin is None else player.spec.margin

    def _limit(self, player: Player) -> chess.engine.Limit:
        """What the player is told with ``go``."""
        control = self.rules.control
        if not self.clocked:
            return chess.engine.Limit(nodes=player.spec.nodes or control.nodes, depth=control.depth)
        return chess.engine.Limit(
            white_clock=max(self.clocks[0], 0.001),
            black_clock=max(self.clocks[1], 0.001),
            white_inc=control.increment,
            black_inc=control.increment,
            nodes=player.spec.nodes,
        )


def _lost(side: int) -> str:
    """The result where a side (0: White) has lost."""
    return ("0-1", "1-0")[side]


async def play_game(
    number: int, white: Player, black: Player, opening: Opening, rules: Rules, watcher: Watcher | None = None
) -> Record:
    """Play one game. An engine that crashes, hangs or moves illegally loses it, and is got rid of.

    Both players must be ready; ``number`` is told in the game's tags, and counts from 1.
    """
    game = _Game((white, black), opening, rules, watcher or Watcher())
    end = await game.play()
    game.sheet.end(number, (white.name, black.name), end.result, end.reason, end.termination, rules.control)
    return Record(
        number=number,
        white=white.name,
        black=black.name,
        result=end.result,
        reason=end.reason,
        termination=end.termination,
        pgn=game.sheet.game,
        fault=end.fault,
        ending=end.ending,
        seconds=(game.seconds[0], game.seconds[1]),
        moves=(game.moves[0], game.moves[1]),
        depths=(game.depths[0], game.depths[1]),
        scores=tuple(game.scores),
    )
