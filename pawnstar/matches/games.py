"""One game between two engines: clocks, the rules that end it early, faults, and its record as PGN."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Final

import chess
import chess.engine
import chess.pgn

from pawnstar.matches.openings import Opening, ended
from pawnstar.matches.players import IllegalMove, NoMove, Player, one_line

MATE: Final = 100_000  # centipawns that stand for a forced mate in adjudication
_DEEPEST: Final = 999  # what an engine tells of more is taken for that
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
    """A finished game. ``reason`` is told in words; ``fault`` where an engine lost by misbehaving, with its name.

    ``ending`` is the kind of its end, the same for all games that end so ("checkmate", "time forfeit", "crash").
    ``seconds``, ``moves`` and ``depths`` are White's and Black's time, moves, and sum of the depths that they told; the
    opening's moves do not count.
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

    @property
    def points(self) -> float:
        """White's points: 1, 0.5 or 0."""
        return {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)

    def text(self) -> str:
        """The game as PGN."""
        return self.pgn.accept(_Exporter(columns=80))

    def line(self) -> str:
        """The game in one line."""
        length = (self.pgn.end().ply() + 1) // 2
        return f"game {self.number}: {self.white} - {self.black} {self.result}: {self.reason}, move {length}"


class _Exporter(chess.pgn.StringExporter):
    """python-chess's, with quotes and backslashes in tags escaped, which the PGN standard (8.1.1) asks for."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Write a tag."""
        value = one_line(tagvalue).replace("\\", "\\\\").replace('"', '\\"')
        super().visit_header(tagname, value)


@dataclass
class _State:
    board: chess.Board
    clocks: list[float]
    # White's point of view, centipawns, one a move played by an engine; None where it told no score.
    scores: list[int | None] = field(default_factory=list)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    moves: list[int] = field(default_factory=lambda: [0, 0])
    depths: list[int] = field(default_factory=lambda: [0, 0])


@dataclass(frozen=True)
class _End:
    """How a game ended: as in ``Record``."""

    result: str
    reason: str
    termination: str
    ending: str
    fault: str = ""


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


def _depth(info: chess.engine.InfoDict) -> int:
    """The depth that an engine told, within reason."""
    return min(max(info.get("depth", 0), 0), _DEEPEST)


def _comment(info: chess.engine.InfoDict, seconds: float) -> str:
    """Score, depth and time, as match programs write them: ``+0.31/12 0.523s``."""
    score = info.get("score")
    if score is None:
        return f"{seconds:.3f}s"
    relative = score.relative
    mate = relative.mate()
    centipawns = min(max(relative.score(mate_score=MATE), -MATE), MATE)
    text = f"{centipawns / 100:+.2f}" if mate is None else f"{'+' if mate > 0 else '-'}M{abs(mate)}"
    return f"{text}/{_depth(info)} {seconds:.3f}s"


def _decided(state: _State, rules: Rules) -> _End | None:
    """The end of the game where the rules or the engines' scores bring it, before the next move."""
    over = ended(state.board)
    if over is not None:
        return _End(*over, "normal", over[1])
    decided = adjudicated(state.scores, rules, state.board.fullmove_number)
    if decided is not None:
        return _End(*decided, "adjudication", "draw" if decided[0] == "1/2-1/2" else "resignation")
    return None


async def _move(player: Player, state: _State, rules: Rules, game: object) -> tuple[chess.Move, str] | _End:
    """The next move and its comment, played on the board; or how the engine loses the game instead."""
    board = state.board
    side = 0 if board.turn == chess.WHITE else 1
    lost = ("0-1", "1-0")[side]
    clocked = rules.control.base is not None
    patience = state.clocks[side] + rules.margin + HANG if clocked else rules.timeout
    end: _End | None = None
    try:
        move, info = await player.play(board, _limit(rules, state.clocks), game, patience)
    except TimeoutError:
        end = _End(lost, f"{player.name} hangs", "abandoned", "hang", player.name)
    except chess.engine.EngineTerminatedError:
        how = await player.how_it_ended()
        end = _End(lost, f"{player.name} crashed{how}", "abandoned", "crash", player.name)
    except NoMove:
        end = _End(lost, f"{player.name} gives no move", "rules infraction", "illegal move", player.name)
    except IllegalMove as error:
        end = _End(lost, f"{player.name}: {error}", "rules infraction", "illegal move", player.name)
    except chess.engine.EngineError as error:
        end = _End(lost, f"{player.name}: {one_line(str(error))}", "rules infraction", "protocol error", player.name)
    seconds = player.thought
    state.seconds[side] += seconds
    if end is not None:
        await player.kill()
        return end
    state.moves[side] += 1
    if clocked:
        state.clocks[side] -= seconds
        if state.clocks[side] < -rules.margin:
            return _End(lost, f"{player.name} loses on time", "time forfeit", "time forfeit")
        state.clocks[side] += rules.control.increment
    state.depths[side] += _depth(info)
    score = info.get("score")
    state.scores.append(None if score is None else score.white().score(mate_score=MATE))
    board.push(move)
    return move, _comment(info, seconds)


async def play_game(number: int, white: Player, black: Player, opening: Opening, rules: Rules) -> Record:
    """Play one game. An engine that crashes, hangs or moves illegally loses it, and is got rid of."""
    pgn = chess.pgn.Game()
    state = _State(opening.board(), [rules.control.base or 0.0] * 2)
    pgn.setup(state.board.root())
    node: chess.pgn.GameNode = pgn
    for move in opening.moves:
        node = node.add_variation(move, comment="book")
    game = object()  # python-chess tells the engines of a new game by it
    while (end := _decided(state, rules)) is None:
        played = await _move(white if state.board.turn == chess.WHITE else black, state, rules, game)
        if isinstance(played, _End):
            end = played
            break
        node = node.add_variation(played[0], comment=played[1])
    headers = pgn.headers
    headers["Event"] = "pawnstar match"
    headers["Site"] = "?"
    headers["Date"] = date.today().strftime("%Y.%m.%d")
    headers["Round"] = str(number)
    headers["White"], headers["Black"] = white.name, black.name
    headers["Result"] = end.result
    headers["TimeControl"] = str(rules.control) if rules.control.base is not None else "-"
    headers["Termination"] = end.termination
    node.comment = f"{node.comment}, {end.reason}" if node.comment else end.reason
    return Record(
        number,
        white.name,
        black.name,
        end.result,
        end.reason,
        end.termination,
        pgn,
        end.fault,
        end.ending,
        (state.seconds[0], state.seconds[1]),
        (state.moves[0], state.moves[1]),
        (state.depths[0], state.depths[1]),
    )
