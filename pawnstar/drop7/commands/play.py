"""``drop7 play`` and ``drop7 replay``: games in the terminal."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from pawnstar.drop7.commands.board_text import board_lines, disc, heading, value_line
from pawnstar.drop7.policies import Policy, named_policy
from pawnstar.drop7.rules.game import Game, frames
from pawnstar.drop7.rules.rng import Source, headless_reveal_seed
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.rules.words import MASK32
from pawnstar.drop7.search.search import Searcher, best_column
from pawnstar.drop7.search.table import PrivateTable

HELP = "0 to 6: drop the disc there   v: value of each column   b: play the best column   q: quit"


class Stop(Exception):
    """The player has had enough."""


@contextmanager
def _ending_told(game: Game) -> Iterator[None]:
    """Show where the game stands when it is interrupted, before the interrupt goes on its way."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo()
        click.echo(_ending(game.state))
        raise


def play(seed: int | None, policy_name: str, depth: int, samples: int, values: bool, delay: float) -> None:
    """Play a game, or watch one when the policy is not ``human``."""
    seed = secrets.randbits(32) if seed is None else seed
    game = Game(seed)
    searcher = Searcher(samples, table=PrivateTable(1 << 16))
    policy = None if policy_name == "human" else named_policy(policy_name, seed)
    with _ending_told(game):
        _play(game, policy, searcher, depth, values, delay)
    click.echo()
    click.echo("\n".join(board_lines(game.state.board)))
    click.echo(_ending(game.state))


def _play(game: Game, policy: Policy | None, searcher: Searcher, depth: int, values: bool, delay: float) -> None:
    click.echo(f"game {game.seed}")
    if policy is None:
        click.echo(HELP)
    while not game.state.over:
        click.echo()
        click.echo(heading(game.state))
        click.echo("\n".join(board_lines(game.state.board)))
        if values:
            _show_values(searcher, game, depth)
        try:
            column = _ask(searcher, game, depth) if policy is None else _chosen(policy, game, delay)
        except Stop:
            break
        move = game.play(column)
        for wave_depth, popped, revealed, points in move.waves:
            chain = f"chain {wave_depth}: " if wave_depth > 1 else ""
            click.echo(f"  {chain}{popped} popped, {revealed} revealed, {points:,} points")
        if move.cleared:
            click.echo("  the board is clear: 70,000 points")
        if move.advanced:
            click.echo("  the board rises: 17,000 points")


def _ending(state: State) -> str:
    how = "game over" if state.over else "stopped"
    discs = "1 disc" if state.moves_played == 1 else f"{state.moves_played} discs"
    return f"{how} after {discs}: {state.score:,} points, level {state.level}"


def _chosen(policy: Policy, game: Game, delay: float) -> int:
    column = policy.choose(game.state)
    click.echo(f"plays {column}")
    time.sleep(delay)
    return column


def _show_values(searcher: Searcher, game: Game, depth: int) -> int:
    searcher.table.clear()
    entries = searcher.column_values(game.state, depth)
    best = best_column(entries)
    click.echo(value_line(entries, best))
    return best


def _ask(searcher: Searcher, game: Game, depth: int) -> int:
    while True:
        if sys.stdin is None:
            raise Stop()
        try:
            answer = input("> ").strip().lower()
        except EOFError:
            raise Stop() from None
        if answer == "q":
            raise Stop()
        if answer == "v":
            _show_values(searcher, game, depth)
        elif answer == "b":
            return _show_values(searcher, game, depth)
        elif answer in ("0", "1", "2", "3", "4", "5", "6"):
            if int(answer) in game.state.legal_columns():
                return int(answer)
            click.echo("that column is full")
        else:
            click.echo(HELP)


def replay(seed: int, policy_name: str, single_stream: bool, most_moves: int | None, delay: float) -> None:
    """Show the game that a policy plays with a seed, wave by wave."""
    game = Game(seed, single_stream)
    policy = named_policy(policy_name, seed)
    click.echo(f"game {seed:#x}, {'ts' if single_stream else 'headless'} driver, {policy_name} policy")
    while not game.state.over and (most_moves is None or game.state.moves_played < most_moves):
        state = game.state
        column = policy.choose(state)
        # The pictures and the move itself take their reveals from equal generators.
        source = Source(headless_reveal_seed(seed & MASK32, state.moves_played))
        if single_stream:
            source.state = game.source.state
        pictures = frames(state, column, source)
        move = game.play(column)
        click.echo()
        click.echo(f"{heading(state)} in column {column}")
        for picture in pictures:
            if picture.event == "wave":
                click.echo(f"wave {picture.depth}: {picture.points:,} points")
            elif picture.event == "rise":
                click.echo("rise: 17,000 points")
            elif picture.event == "end":
                click.echo(f"after the move: {move.delta:,} points{', board cleared' if move.cleared else ''}")
            else:
                click.echo(f"disc {disc(state.next_disc)} falls")
            click.echo("\n".join(board_lines(picture.board, picture.popping)))
            time.sleep(delay)
    click.echo()
    click.echo(_ending(game.state))
