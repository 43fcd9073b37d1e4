"""The gates: replay trace files of other engines and compare everything, values by their bits.

Their output is the Rust engine's, to the letter, since the recordings in tests/goldens/drop7 fix it: "rust" there means
what this engine found, "c++" what the trace says.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from pawnstar.drop7.commands.bench import gate_table
from pawnstar.drop7.commands.options import Failing, Failure, pairs_or_usage, read_text
from pawnstar.drop7.formats import parse_i32, parse_u64, shortest, value_bits
from pawnstar.drop7.rules.game import Game
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.search.bounds import PlanError, check_size
from pawnstar.drop7.search.leaf import Leaf
from pawnstar.drop7.search.search import Searcher, UnsearchableState, best_column


def _stop(message: str) -> NoReturn:
    raise Failure(message)


def _options(arguments: tuple[str, ...], usage: str, names: tuple[str, ...]) -> dict[str, str]:
    """The options of a gate, which needs a trace."""
    found = pairs_or_usage(arguments, usage, names)
    if "--trace" not in found:
        raise Failure(usage)
    return found


class _Tally:
    """Counts differences and keeps the first."""

    def __init__(self) -> None:
        self.mismatches = 0
        self.first = ""

    def miss(self, text: str) -> None:
        self.mismatches += 1
        self.first = self.first or text

    def close(self, gate: str, compared: int) -> None:
        """Print the verdict and end the command. A gate that compared nothing has failed."""
        click.echo(f"mismatches: {self.mismatches}")
        if self.first:
            click.echo(f"first failure: {self.first}")
        passed = compared > 0 and self.mismatches == 0
        click.echo(f"{gate} GATE {'PASSED' if passed else 'FAILED'}")
        raise SystemExit(0 if passed else 1)


@contextmanager
def _trace(path: str) -> Iterator[Iterator[str]]:
    """The lines of a trace; the command ends at one that is no record, and names it."""
    number = 0

    def lines() -> Iterator[str]:
        nonlocal number
        for line in texts:
            number += 1
            yield line

    texts = read_text(path, "cannot read", _stop).splitlines()
    try:
        yield lines()
    except UnsearchableState as error:
        raise Failure(f"{path}:{number}: {error}") from None
    except (ValueError, IndexError, KeyError):
        raise Failure(f"{path}:{number}: malformed trace record") from None


def _state(fields: list[str]) -> State:
    """A position from BOARD NEXT CLOCK LEVEL OVER."""
    return State.parse(fields[0], int(fields[1]), int(fields[2]), int(fields[3]), fields[4] == "1")


def _labelled(fields: list[str]) -> dict[str, str]:
    return dict(zip(fields[::2], fields[1::2], strict=False))


def trajectory(arguments: tuple[str, ...]) -> None:
    """Replay whole games move by move."""
    found = _options(
        arguments, "usage: gate-trajectory --trace <trace file> [--driver headless|ts]", ("--trace", "--driver")
    )
    tally = _Tally()
    games = moves = waves = 0
    game: Game | None = None
    with _trace(found["--trace"]) as lines:
        for line in lines:
            fields = line.split()
            if not fields:
                continue
            if fields[0] == "game":
                games += 1
                game = Game(int(fields[1], 16), found.get("--driver") == "ts")
                if game.state.next_disc != int(fields[3]):
                    tally.miss(f"seed {fields[1]}: initial next disc differs")
            elif fields[0] == "m" and game is not None:
                moves += 1
                wanted = _labelled(fields[2 : fields.index("waves")])
                try:
                    move = game.play(int(wanted["col"]))
                except ValueError:
                    tally.miss(f"seed {game.seed:#x} move {fields[1]}: column {wanted['col']} is not legal")
                    continue
                waves += len(move.waves)
                after = move.after
                got = {
                    "col": wanted["col"],
                    "sd": str(move.delta),
                    "b": after.board.text(),
                    "next": str(after.next_disc),
                    "score": str(after.score),
                    "level": str(after.level),
                    "mr": str(after.clock),
                    "over": str(int(after.over)),
                    "cleared": str(int(move.cleared)),
                    "advanced": str(int(move.advanced)),
                }
                wave_texts = [":".join(str(number) for number in wave) for wave in move.waves]
                if got != wanted or wave_texts != fields[fields.index("waves") + 1 :]:
                    tally.miss(f"seed {game.seed:#x} move {fields[1]}: {line}")
            elif fields[0] == "end" and game is not None:
                wanted = _labelled(fields[1:])
                state = game.state
                ending = {"score": str(state.score), "moves": str(state.moves_played), "over": str(int(state.over))}
                if {name: wanted[name] for name in ending} != ending:
                    tally.miss(f"seed {game.seed:#x}: the end differs")
    click.echo(f"games compared: {games}\nmoves compared: {moves}\nwaves compared: {waves}")
    tally.close("TRAJECTORY", moves)


def leaf(arguments: tuple[str, ...]) -> None:
    """Evaluate positions and compare the bits."""
    found = _options(arguments, "usage: gate-leaf --trace <c++ leaf trace file>", ("--trace",))
    tally = _Tally()
    evaluator = Leaf()
    compared = 0
    fields: list[str] = []
    with _trace(found["--trace"]) as lines:
        for line in lines:
            if line.startswith("s "):
                fields = line.split()[1:]
            elif line.startswith("v ") and fields:
                compared += 1
                got = value_bits(evaluator.evaluate(_state(fields)))
                if got != line.split()[1]:
                    tally.miss(f"state {' '.join(fields)}: rust {got} vs c++ {line.split()[1]}")
    click.echo(f"leaf values compared: {compared}")
    tally.close("LEAF", compared)


def search(arguments: tuple[str, ...]) -> None:
    """Search positions; compare values and action, or the action and the depth of iterative deepening."""
    usage = "usage: gate-search --trace <file> --mode values|metrics --depth D --strata S"
    names = ("--trace", "--mode", "--depth", "--strata", "--tt", "--tt-capacity")
    found = _options(arguments, usage, names)
    failing = Failing("gate-search")
    depth = failing.number("--depth", found.get("--depth", "4"), parse_i32)
    strata = failing.number("--strata", found.get("--strata", "7"), parse_i32)
    capacity = failing.number("--tt-capacity", found.get("--tt-capacity", "65536"), parse_u64)
    mode = failing.choice("--mode", found.get("--mode", "values"), "values", "metrics")
    if depth < 1 or strata < 1:
        failing("depth and strata must be at least 1")
    try:
        check_size(depth, strata)
    except PlanError as error:
        failing(error)
    name = found.get("--tt", "none")
    table, _ = gate_table(name, capacity, f"unknown --tt {name}")
    searcher = Searcher(strata, table=table)
    tally = _Tally()
    compared = work = nodes = 0
    fields: list[str] = []
    columns: list[tuple[int, int]] = []
    with _trace(found["--trace"]) as lines:
        for line in lines:
            words = line.split()
            if line.startswith("s "):
                fields, columns = words[1:], []
            elif line.startswith("c "):
                columns.append((int(words[1]), int(words[2], 16)))
            elif line.startswith("a ") and mode == "values":
                compared += 1
                state = _state(fields)
                searcher.table.clear()
                entries = searcher.column_values(state, depth)
                mirrored = state.canonical()[1]
                values = [(6 - entry.column if mirrored else entry.column, entry.value) for entry in entries]
                action = best_column(entries)
                if action != int(words[1]) or [(c, int(value_bits(v), 16)) for c, v in values] != columns:
                    shown = ", ".join(f'({column}, "{shortest(value)}")' for column, value in values)
                    tally.miss(
                        f"state {' '.join(fields)}: rust action {action} vs c++ {words[1]}; "
                        f"values [{shown}] vs {columns}"
                    )
            elif line.startswith("m ") and mode == "metrics":
                compared += 1
                action = searcher.choose_action(_state(fields), depth)
                work += int(searcher.work)
                nodes += int(searcher.nodes)
                if action != int(words[1]) or searcher.completed_depth != int(words[5]):
                    tally.miss(
                        f"state {' '.join(fields)}: rust action {action} depth {searcher.completed_depth} "
                        f"vs c++ {words[1]} depth {words[5]}"
                    )
    click.echo(f"roots compared: {compared}")
    if mode == "metrics":
        click.echo(f"rust work total: {work}\nrust nodes total: {nodes}")
    tally.close("SEARCH", compared)
