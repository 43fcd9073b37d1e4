"""``drop7 bench``: speeds of moves, leaves and searches, and of the two schedulers against each other."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from itertools import pairwise
from multiprocessing.connection import Connection
from statistics import median
from time import perf_counter
from typing import NoReturn

import click
from tqdm import trange

from pawnstar.drop7.commands.options import Failing, Failure, answer_help, known_pairs, read_text, remark, split_option
from pawnstar.drop7.formats import parse_i32, parse_u64
from pawnstar.drop7.parallel.decision import Decision, decide
from pawnstar.drop7.parallel.plan import DEFAULT_FRONTIER_TASKS, DEFAULT_HOST_BYTES, MOST_WORKERS, Settings
from pawnstar.drop7.parallel.processes import WorkerProcesses, choose_context
from pawnstar.drop7.parallel.workers import LazyWorkerPool
from pawnstar.drop7.roots import RootsError, parse_bench_roots
from pawnstar.drop7.rules.game import play_center_games
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.search.benchmarks import evaluate_all, play_all
from pawnstar.drop7.search.bounds import PlanError, check_size
from pawnstar.drop7.search.leaf import Leaf
from pawnstar.drop7.search.search import Counters, Searcher
from pawnstar.drop7.search.table import PrivateTable, Table

FIRST_SEED = 0xA5277000
SHORTEST_TIMING = 0.02

USAGE = (
    "usage: bench [moves|scaling|micro|search|parallel] [--games N] [--threads N] [--max-threads N] [--max-moves N] "
    "[--roots FILE] [--depth N] [--strata N] [--decisions N] [--repeats N] [--tt none|gateK] [--tt-capacity N] "
    "[--split-plies auto|N] [--max-frontier-tasks N] [--max-host-bytes N]"
)

LARGEST = (1 << 63) - 1

UNSIGNED = ("--max-frontier-tasks", "--max-host-bytes", "--tt-capacity")
"""Sizes that may be 0 or beyond 63 bits: the plan judges them."""


class _Options:
    """The options of all modes."""

    def __init__(self) -> None:
        self.games = 512
        self.threads = 1
        self.max_threads = 32
        self.max_moves = 2000
        self.depth = 4
        self.strata = 7
        self.decisions = 60
        self.repeats = 3
        self.table = "none"
        self.capacity = 65536
        self.roots = ""
        self.split: int | None = None
        self.most_tasks = DEFAULT_FRONTIER_TASKS
        self.most_bytes = DEFAULT_HOST_BYTES


def run(arguments: tuple[str, ...]) -> None:
    """Time one mode: moves, scaling, micro, search or parallel. Unknown options are ignored."""
    mode = "moves"
    answer_help(arguments, USAGE)
    if arguments and not arguments[0].startswith("--"):
        mode, arguments = arguments[0], arguments[1:]
    options = _read(arguments)
    modes = {"moves": _moves, "scaling": _scaling, "micro": _micro, "search": _search, "parallel": _parallel}
    if mode not in modes:
        raise Failure(f"unknown mode {mode}")
    modes[mode](options)


def _read(arguments: tuple[str, ...]) -> _Options:
    failing = Failing("bench")
    options = _Options()
    sizes = {
        "--games": "games",
        "--threads": "threads",
        "--max-threads": "max_threads",
        "--max-moves": "max_moves",
        "--decisions": "decisions",
        "--repeats": "repeats",
        "--tt-capacity": "capacity",
        "--max-frontier-tasks": "most_tasks",
        "--max-host-bytes": "most_bytes",
    }
    for name, value in known_pairs(arguments):
        if name in sizes:
            setattr(options, sizes[name], failing.number(name, value, parse_u64))
        elif name in ("--depth", "--strata"):
            setattr(options, name[2:], failing.number(name, value, parse_i32))
        elif name == "--split-plies":
            options.split = split_option(failing, value)
        elif name == "--tt":
            options.table = value
        elif name == "--roots":
            options.roots = value
    for name, attribute in sizes.items():
        if name not in UNSIGNED and not 1 <= getattr(options, attribute) <= LARGEST:
            failing(f"{name} must be 1 to {LARGEST}")
    if max(options.threads, options.max_threads) > MOST_WORKERS:
        failing(f"more than {MOST_WORKERS} threads")
    return options


def _stop(message: str) -> NoReturn:
    raise Failure(message)


def _roots(options: _Options) -> list[State]:
    try:
        text = read_text(options.roots, "cannot read roots file", _stop)
        return parse_bench_roots(text, options.roots)
    except RootsError as error:
        raise Failure(str(error)) from None


def _memory_and_load() -> str:
    try:
        import resource
    except ImportError:  # not on Windows
        return "peak-rss 0 load 0.00"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return f"peak-rss {peak} load {os.getloadavg()[0]:.2f}"


def _serve_games(connection: Connection) -> None:
    """A worker's work: play as many games as it is told."""
    connection.send("ready")
    first_seed, games, max_moves = connection.recv()
    moves, waves, score = play_center_games(first_seed, games, max_moves)
    connection.send((int(moves), int(waves), int(score)))


def _play(games: int, threads: int, max_moves: int) -> tuple[int, int, int, float]:
    """Moves, waves, score and seconds of center-policy games in so many processes."""
    threads = max(1, min(threads, games))
    if threads == 1:
        began = perf_counter()
        moves, waves, score = play_center_games(FIRST_SEED, games, max_moves)
        return int(moves), int(waves), int(score), perf_counter() - began
    bounds = [games * worker // threads for worker in range(threads + 1)]
    try:
        workers = WorkerProcesses(threads, choose_context(), _serve_games)
    except OSError as error:
        raise Failure(f"bench failed: workers cannot be started ({error}); --threads 1 needs none") from None
    try:
        for connection in workers.connections:
            connection.recv()  # the processes are up before the clock starts
        began = perf_counter()
        for connection, (first, end) in zip(workers.connections, pairwise(bounds), strict=True):
            connection.send((FIRST_SEED + first, end - first, max_moves))
        parts = [connection.recv() for connection in workers.connections]
        seconds = perf_counter() - began
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise Failure("bench failed: a worker ended unexpectedly") from None
    finally:
        workers.kill()
    return sum(part[0] for part in parts), sum(part[1] for part in parts), sum(part[2] for part in parts), seconds


def _moves(options: _Options) -> None:
    moves, waves, score, seconds = _play(options.games, options.threads, options.max_moves)
    click.echo(
        f"moves mode: {options.games} games, {moves} moves, {waves} waves, {seconds:.3f} s, "
        f"{moves / seconds:.0f} moves/s, "
        f"{seconds * 1e9 / max(1, moves):.1f} ns/move, {waves / max(1, moves):.2f} waves/move, "
        f"mean score {score // max(1, options.games)}"
    )
    click.echo(f"threads {options.threads} {_memory_and_load()}")


def _scaling(options: _Options) -> None:
    click.echo(f"scaling mode: {options.games} games per worker count, center policy")
    threads = 1
    while threads <= options.max_threads:
        moves, _, _, seconds = _play(options.games, threads, options.max_moves)
        click.echo(
            f"  threads {threads:3}: {seconds:.3f} s, {moves / seconds:.0f} moves/s, "
            f"{options.games / seconds:.0f} games/s"
        )
        threads *= 2


def _micro(options: _Options) -> None:
    roots = _roots(options)
    leaf = Leaf()
    moves = play_all(roots, 1)
    leaf_seconds = min(_time_rounds(lambda rounds: evaluate_all(leaf, roots, rounds)) for _ in range(options.repeats))
    move_seconds = min(_time_rounds(lambda rounds: play_all(roots, rounds)) for _ in range(options.repeats))
    click.echo(f"micro leaf: {len(roots)} evals, {leaf_seconds * 1e9 / len(roots):.1f} ns/leaf")
    click.echo(f"micro move: {moves} moves, {move_seconds * 1e9 / max(1, moves):.1f} ns/move")


def _time_rounds(work: object) -> float:
    """Seconds of one round: as many rounds as the clock needs."""
    assert callable(work)
    rounds = 1
    while True:
        began = perf_counter()
        work(rounds)
        seconds = perf_counter() - began
        if seconds >= SHORTEST_TIMING:
            return seconds / rounds
        rounds *= 4


def gate_table(text: str, capacity: int, complaint: str) -> tuple[Table, str]:
    """The table that ``none`` or ``gateK`` names, and what the benchmark calls it."""
    if text == "none":
        return Table(), "no-table"
    if not text.startswith("gate"):
        raise Failure(complaint)
    try:
        gate = parse_i32(text[4:])
    except ValueError:
        raise Failure(complaint) from None
    return PrivateTable(capacity, gate), f"depth-gate>={gate} cap={capacity}"


def _search(options: _Options) -> None:
    if options.depth < 1 or options.strata < 1:
        raise Failure("bench failed: depth and strata must be at least 1")
    try:
        check_size(options.depth, options.strata)
    except PlanError as error:
        raise Failure(f"bench failed: {error}") from None
    complaint = f"unknown --tt {options.table} (want none or gate<K>)"
    gate_table(options.table, 1, complaint)
    roots = _roots(options)
    best = float("inf")
    done = Counters()
    table, name = Table(), ""
    for _ in range(options.repeats):
        table, name = gate_table(options.table, options.capacity, complaint)
        searcher = Searcher(options.strata, table=table)
        done = Counters()
        began = perf_counter()
        for decision in trange(options.decisions, unit="decision", disable=None, leave=False):
            searcher.choose_action(roots[decision % len(roots)], options.depth)
            done.add(searcher.counters())
        best = min(best, perf_counter() - began)
    count = max(1, options.decisions)
    click.echo(
        f"search mode [{name}]: depth {options.depth} strata {options.strata}, {options.decisions} decisions on "
        f"{len(roots)} roots, best of {options.repeats}"
    )
    click.echo(
        f"  {best:.3f} s, {best * 1e3 / count:.2f} ms/decision, {count / best:.2f} decisions/s, "
        f"{done.work // count} work/decision, {done.nodes // count} nodes/decision, "
        f"{best * 1e9 / max(1, done.work):.2f} ns/work"
    )
    click.echo(
        f"  leaf calls/decision {done.leaves // count}, move calls/decision {done.moves // count}, "
        f"cache hits/decision {done.hits // count}, table {table.allocated_bytes()} bytes"
    )
    click.echo(f"  {_memory_and_load()}")


class _Arm:
    """What one scheduler did with all decisions of a repeat."""

    def __init__(self, decisions: list[Decision], wall: float) -> None:
        self.decisions = decisions
        self.wall = wall
        self.execution = sum(decision.execution_seconds for decision in decisions)
        capacity = sum(decision.execution_seconds * decision.workers for decision in decisions)
        self.busy = min(1.0, sum(decision.busy_seconds for decision in decisions) / capacity) if capacity > 0 else 0.0

    def line(self, repeat: int, name: str) -> str:
        """The report of the repeat."""
        return (
            f"parallel repeat {repeat} {name}: wall {self.wall:.6f} s execution {self.execution:.6f} s "
            f"busy {self.busy:.4f} "
            f"work {sum(decision.totals.work for decision in self.decisions)} "
            f"nodes {sum(decision.totals.nodes for decision in self.decisions)} "
            f"tasks {sum(decision.completed for decision in self.decisions)}/"
            f"{sum(decision.tasks for decision in self.decisions)} "
            f"table-bytes {max(decision.tables.projected for decision in self.decisions)} "
            f"plan-bytes {max(decision.plan_bytes for decision in self.decisions)}"
        )


def _parallel(options: _Options) -> None:
    roots = _roots(options)
    arms: dict[str, list[_Arm]] = {"root": [], "frontier": []}
    mismatches = 0
    settings = Settings(
        depth=options.depth,
        samples=options.strata,
        threads=options.threads,
        cache=options.capacity,
        split=options.split,
        most_tasks=options.most_tasks,
        most_bytes=options.most_bytes,
    )
    with LazyWorkerPool(settings.shared, on_remark=remark("bench")) as pool:
        for repeat in range(1, options.repeats + 1):
            # The schedulers take turns in going first.
            for name in ("root", "frontier") if repeat % 2 else ("frontier", "root"):
                arm_settings = replace(settings, scheduler=name)
                began = perf_counter()
                decisions = []
                for number in trange(options.decisions, unit="decision", disable=None, leave=False):
                    try:
                        decisions.append(decide(roots[number % len(roots)], arm_settings, pool))
                    except (ValueError, ArithmeticError, RuntimeError, MemoryError) as error:
                        why = str(error) or "not enough memory"
                        raise Failure(f"bench failed: {name} scheduler failed: {why}") from None
                arms[name].append(_Arm(decisions, perf_counter() - began))
            for name, arm in arms.items():
                click.echo(arm[-1].line(repeat, name))
            for first, second in zip(arms["root"][-1].decisions, arms["frontier"][-1].decisions, strict=True):
                same = [(entry.column, entry.value) for entry in first.columns] == [
                    (entry.column, entry.value) for entry in second.columns
                ]
                complete = first.completed == first.tasks and second.completed == second.tasks
                mismatches += not (same and complete and first.action == second.action)
    click.echo(
        f"parallel parity: {options.decisions * options.repeats} paired decisions, "
        f"{mismatches} value/action/task mismatches"
    )
    root, frontier = (median(arm.wall for arm in arms[name]) for name in ("root", "frontier"))
    busy = median(arm.busy for arm in arms["frontier"])
    click.echo(
        f"parallel summary: depth {options.depth} strata {options.strata} threads {options.threads} "
        f"decisions/repeat {options.decisions} repeats {options.repeats} root-median {root:.6f} s "
        f"frontier-median {frontier:.6f} s speedup {root / frontier:.4f} frontier-busy-median {busy:.4f}"
    )
    if mismatches:
        raise Failure("bench failed: the schedulers differ")
