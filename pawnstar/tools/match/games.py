"""One game between two engines: clocks, the rules that end it early, faults, and its record as PGN."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import date
from typing import Final

import chess
import chess.engine
import chess.pgn

from pawnstar.tools.match.openings import Opening
from pawnstar.tools.match.players import Player

MATE: Final = 100_000  # centipawns that stand for a forced mate in adjudication
HANG: Final = 5.0  # seconds beyond its clock after which an engine that still thinks is taken for hung


@dataclass(frozen=True)
class TimeControl:
    """What limits each move. ``base`` and ``increment`` in seconds, where there is a clock; else nodes or plies."""

    base: float | None = None
    increment: float = 0.0
    nodes: int | None = None
    depth: int | None = None

    def __str__(self) -> str:
        if self.base is not None:
            return f"{self.base:g}+{self.increment:g}"
        return f"{self.nodes} nodes" if self.nodes is not None else f"depth {self.depth}"


@dataclass(frozen=True)
class Rules:
    """How games are limited and ended.

    ``margin``: seconds that a clock may be overrun. ``timeout``: seconds for a move without a clock. Resignation: both
    engines agree, for ``resign_moves`` moves each, that one is ahead by ``resign_score`` centipawns. Draw: from move
    ``draw_after`` on, both report at most ``draw_score`` centipawns for ``draw_moves`` moves each. 0 moves: never.
    """

    control: TimeControl
    margin: float = 0.05
    timeout: float = 60.0
    resign_score: int = 1000
    resign_moves: int = 4
    draw_score: int = 10
    draw_moves: int = 8
    draw_after: int = 40


@dataclass
class Record:
    """A finished game. ``reason`` is told in words; ``fault`` where an engine lost by misbehaving, with its name."""

    number: int
    white: str
    black: str
    result: str
    reason: str
    termination: str
    pgn: chess.pgn.Game
    fault: str = ""

    @property
    def points(self) -> float:
        """White's points: 1, 0.5 or 0."""
        return {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)

    def text(self) -> str:
        """The game as PGN."""
        return self.pgn.accept(chess.pgn.StringExporter(columns=80))


@dataclass
class _State:
    board: chess.Board
    clocks: list[float]
    # White's point of view, centipawns, one a move played by an engine; None where it told no score.
    scores: list[int | None] = field(default_factory=list)


def adjudicated(scores: list[int | None], rules: Rules, move_number: int) -> tuple[str, str] | None:
    """The result and its reason where the engines' scores (White's view, one a ply) decide the game, else None."""
    if rules.resign_moves:
        last = scores[-2 * rules.resign_moves :]
        if len(last) == 2 * rules.resign_moves:
            if all(score is not None and score >= rules.resign_score for score in last):
                return "1-0", "Black resigns by adjudication"
            if all(score is not None and score <= -rules.resign_score for score in last):
                return "0-1", "White resigns by adjudication"
    if rules.draw_moves and move_number >= rules.draw_after:
        last = scores[-2 * rules.draw_moves :]
        if len(last) == 2 * rules.draw_moves and all(s is not None and abs(s) <= rules.draw_score for s in last):
            return "1/2-1/2", "draw by adjudication"
    return None


def _limit(rules: Rules, clocks: list[float]) -> chess.engine.Limit:
    control = rules.control
    if control.base is None:
        return chess.engine.Limit(nodes=control.nodes, depth=control.depth)
    return chess.engine.Limit(
        white_clock=max(clocks[0], 0.001),
        black_clock=max(clocks[1], 0.001),
        white_inc=control.increment,
        black_inc=control.increment,
    )


def _lost(white_moves: bool) -> str:
    return "0-1" if white_moves else "1-0"


def _comment(info: chess.engine.InfoDict, seconds: float) -> str:
    """Score, depth and time, as match programs write them: ``+0.31/12 0.523s``."""
    score = info.get("score")
    if score is None:
        return f"{seconds:.3f}s"
    relative = score.relative
    mate = relative.mate()
    text = f"{(relative.score() or 0) / 100:+.2f}" if mate is None else f"{'+' if mate > 0 else '-'}M{abs(mate)}"
    return f"{text}/{info.get('depth', 0)} {seconds:.3f}s"


async def play_game(number: int, white: Player, black: Player, opening: Opening, rules: Rules) -> Record:
    """Play one game. An engine that crashes, hangs or moves illegally loses it, and is got rid of."""
    names = (white.name, black.name)
    pgn = chess.pgn.Game()
    state = _State(opening.board(), [rules.control.base or 0.0] * 2)
    board = state.board
    pgn.setup(board.root())
    node: chess.pgn.GameNode = pgn
    for move in opening.moves:
        node = node.add_variation(move, comment="book")
    result, reason, termination, fault = "", "", "normal", ""
    game = object()  # python-chess tells the engines of a new game by it
    while True:
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            result, reason = outcome.result(), outcome.termination.name.lower().replace("_", " ")
            break
        decided = adjudicated(state.scores, rules, board.fullmove_number)
        if decided is not None:
            (result, reason), termination = decided, "adjudication"
            break
        whites = board.turn == chess.WHITE
        side = 0 if whites else 1
        player = white if whites else black
        clocked = rules.control.base is not None
        patience = state.clocks[side] + rules.margin + HANG if clocked else rules.timeout
        began = time.perf_counter()
        try:
            played = await player.play(board, _limit(rules, state.clocks), game, patience)
        except TimeoutError:
            result, reason, termination = _lost(whites), f"{names[side]} hangs", "abandoned"
            fault = names[side]
            await player.kill()
            break
        except chess.engine.EngineTerminatedError:
            result, reason, termination = _lost(whites), f"{names[side]} crashed", "abandoned"
            fault = names[side]
            await player.kill()
            break
        except chess.engine.EngineError as error:
            result, reason, termination = _lost(whites), f"{names[side]}: {error}", "rules infraction"
            fault = names[side]
            await player.kill()
            break
        seconds = time.perf_counter() - began
        if clocked:
            state.clocks[side] -= seconds
            if state.clocks[side] < -rules.margin:
                result, reason, termination = _lost(whites), f"{names[side]} loses on time", "time forfeit"
                break
            state.clocks[side] += rules.control.increment
        if played.move is None:
            result, reason, termination = _lost(whites), f"{names[side]} gives no move", "rules infraction"
            fault = names[side]
            await player.kill()
            break
        score = played.info.get("score")
        state.scores.append(None if score is None else score.white().score(mate_score=MATE))
        node = node.add_variation(played.move, comment=_comment(played.info, seconds))
        board.push(played.move)
    headers = pgn.headers
    headers["Event"] = "pawnstar match"
    headers["Site"] = "?"
    headers["Date"] = date.today().strftime("%Y.%m.%d")
    headers["Round"] = str(number)
    headers["White"], headers["Black"] = names
    headers["Result"] = result
    headers["TimeControl"] = str(rules.control) if rules.control.base is not None else "-"
    headers["Termination"] = termination
    node.comment = f"{node.comment}, {reason}" if node.comment else reason
    return Record(number, *names, result, reason, termination, pgn, fault)
