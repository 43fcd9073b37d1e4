#!/usr/bin/env python3
"""Play games under a strict referee: no illegal move, no loss on time, no crash, nothing unexpected on standard error.

    ci/games.py --games 200                                        # against itself, 1 s + 0.01 s
    ci/games.py --games 50 --opponent stockfish --opponent-option Threads=1 --opponent-nodes 2000

Every game starts from random opening moves, the same for two games in a row with colours changed. Faults of the engine
under test are printed as they happen, and make the exit status 1. An opponent's faults end a game, but are its own.
"""

import argparse
import random
import shlex
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import IO, Any

import chess
import chess.engine
import chess.pgn


@dataclass
class Player:
    """One engine: its process, what it is limited by, and what it did wrong."""

    name: str
    command: list[str]
    options: dict[str, str] = field(default_factory=dict)
    nodes: int | None = None
    tolerance: float = 0.0
    faults: list[str] = field(default_factory=list)
    slowest_over: float = 0.0
    engine: chess.engine.SimpleEngine | None = None
    errors: IO[bytes] | None = None

    def start(self) -> chess.engine.SimpleEngine:
        """The running engine, started where it is not."""
        if self.engine is None:
            self.errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed by ``stop``
            self.engine = chess.engine.SimpleEngine.popen_uci(self.command, stderr=self.errors, timeout=30)
            self.engine.configure(dict[str, Any](self.options))
        return self.engine

    def stop(self) -> None:
        """End the process, and look at what it wrote to standard error."""
        engine, errors = self.engine, self.errors
        self.engine = self.errors = None
        if engine is None or errors is None:
            return
        try:
            engine.quit()
        except (chess.engine.EngineError, TimeoutError) as error:
            self.faults.append(f"quit: {type(error).__name__}: {error}")
        engine.close()
        errors.seek(0)
        lines = errors.read().decode(errors="replace").splitlines()
        errors.close()
        if lines:
            self.faults.append(f"standard error: {lines}")


class Stalls:
    """How long the machine kept this process, which hardly works, from running: what a loss on time may be owed to."""

    def __init__(self) -> None:
        self.worst = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            started = time.monotonic()
            time.sleep(0.005)
            self.worst = max(self.worst, time.monotonic() - started - 0.005)


@dataclass
class Score:
    """How the games ended."""

    results: Counter[str] = field(default_factory=Counter)
    terminations: Counter[str] = field(default_factory=Counter)
    plies: int = 0
    least_clock: float = 1e9


def opening(rng: random.Random, plies: int) -> list[chess.Move]:
    """Random legal moves that do not end the game."""
    while True:
        board = chess.Board()
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if not board.is_game_over():
            return list(board.move_stack)


def play(
    players: tuple[Player, Player],
    tested: Player,
    moves: list[chess.Move],
    seconds: float,
    increment: float,
    game: object,
    score: Score,
    stalls: Stalls,
) -> chess.Board:
    """One game; players are white and black."""
    board = chess.Board()
    for move in moves:
        board.push(move)
    clocks = [seconds, seconds]
    # Starting is not on the clock.
    for player in players:
        try:
            player.start().ping()
        except (chess.engine.EngineError, TimeoutError) as error:
            # It died while it was idle; one that cannot be started a second time ends the run.
            player.faults.append(f"{type(error).__name__}: {error} between games")
            player.stop()
            player.start().ping()
    while True:
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            score.results[outcome.result()] += 1
            score.terminations[outcome.termination.name.lower()] += 1
            return board
        side = 0 if board.turn else 1
        player = players[side]
        limit = chess.engine.Limit(
            white_clock=max(clocks[0], 0.001),
            black_clock=max(clocks[1], 0.001),
            white_inc=increment,
            black_inc=increment,
            nodes=player.nodes,
        )
        where = f"{board.fen()} clock {clocks[side]:.3f}"
        stalls.worst = 0.0
        started = time.monotonic()
        try:
            answer = player.start().play(board, limit, game=game)
        except (chess.engine.EngineError, TimeoutError, OSError) as error:
            player.faults.append(f"{type(error).__name__}: {error} at {where}")
            player.stop()
            score.terminations["crash or illegal move"] += 1
            return board
        spent = time.monotonic() - started
        clocks[side] -= spent
        if player is tested:
            score.least_clock = min(score.least_clock, clocks[side])
        if clocks[side] < -player.tolerance:
            player.faults.append(
                f"lost on time by {-clocks[side]:.3f} s, move took {spent:.3f} s (the referee itself was kept waiting "
                f"{stalls.worst:.3f} s), at {where}"
            )
            score.terminations["loss on time"] += 1
            return board
        clocks[side] = max(clocks[side], 0.0) + increment
        if answer.move is None or answer.move not in board.legal_moves:
            player.faults.append(f"illegal move {answer.move} at {where}")
            score.terminations["illegal move"] += 1
            return board
        board.push(answer.move)
        if answer.ponder is not None and board.is_legal(answer.ponder) is False:
            player.faults.append(f"illegal ponder move {answer.ponder} after {answer.move} at {where}")
        score.plies += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=f"{sys.executable} -P -m pawnstar", help="the engine under test")
    parser.add_argument("--opponent", help="another UCI engine's command (default: the engine itself)")
    parser.add_argument("--opponent-option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--opponent-nodes", type=int, help="limit the opponent to so many nodes a move")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the engine under test")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--time", type=float, default=1.0, help="seconds for the game")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds a move")
    parser.add_argument("--tolerance", type=float, default=0.0, help="seconds beyond its clock that a side may take")
    parser.add_argument("--plies", type=int, default=6, help="random opening moves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pgn", type=argparse.FileType("w"), help="write the games there")
    arguments = parser.parse_args()

    def options(texts: list[str]) -> dict[str, str]:
        return dict(text.split("=", 1) for text in texts)

    command = shlex.split(arguments.engine)
    own = options(arguments.option)
    tested = Player("Pawnstar", command, own, None, arguments.tolerance)
    if arguments.opponent:
        other = Player(
            arguments.opponent,
            shlex.split(arguments.opponent),
            options(arguments.opponent_option),
            arguments.opponent_nodes,
            1.0,
        )
    else:
        other = Player("Pawnstar 2", command, own, None, arguments.tolerance)
    score = Score()
    stalls = Stalls()
    points = 0.0
    played = 0
    rng = random.Random(arguments.seed)
    moves: list[chess.Move] = []
    started = time.monotonic()
    for number in range(arguments.games):
        if number % 2 == 0:
            moves = opening(rng, arguments.plies)
        players = (tested, other) if number % 2 == 0 else (other, tested)
        seen = (len(tested.faults), len(other.faults))
        board = play(players, tested, moves, arguments.time, arguments.increment, object(), score, stalls)
        played += 1
        for fault in tested.faults[seen[0] :] + other.faults[seen[1] :]:
            print(f"game {number + 1}: {fault}", flush=True)
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            points += 0.5 if outcome.winner is None else float(players[0 if outcome.winner else 1] is tested)
        if arguments.pgn:
            game = chess.pgn.Game.from_board(board)
            game.headers.update(White=players[0].name, Black=players[1].name, Round=str(number + 1))
            print(game, file=arguments.pgn, end="\n\n", flush=True)
    tested.stop()
    other.stop()
    print(
        f"{played} games, {score.plies} moves, {time.monotonic() - started:.0f} s at {arguments.time:g}+"
        f"{arguments.increment:g}: {points:g} points for {tested.name}; {dict(score.results)}; "
        f"{dict(score.terminations)}; lowest clock of {tested.name} {score.least_clock:.3f} s"
    )
    mine = tested.faults if arguments.opponent else tested.faults + other.faults
    print(f"faults of {tested.name}: {len(mine)}")
    for fault in mine:
        print(" ", fault)
    if arguments.opponent:
        print(f"faults of {other.name}: {len(other.faults)}")
    return 1 if mine else 0


if __name__ == "__main__":
    sys.exit(main())
