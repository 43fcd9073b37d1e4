"""``drop7 analyze``: a matrix of decisions, positions by leaves by strata by depths, as lines of JSON."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import TextIO

import click
from tqdm import tqdm

from pawnstar.drop7.commands.options import Failing, os_error, pairs, read_text, remark, with_option
from pawnstar.drop7.formats import Raw, decimal, json_value, parse_i32, value_bits
from pawnstar.drop7.parallel.decision import Decision, decide
from pawnstar.drop7.parallel.job import Executor, WorkerReport
from pawnstar.drop7.parallel.plan import Settings
from pawnstar.drop7.parallel.workers import LazyWorkerPool
from pawnstar.drop7.roots import RootsError, parse_roots
from pawnstar.drop7.rules.state import COLUMN_ORDER, State
from pawnstar.drop7.search.leaf import FROZEN_WEIGHTS
from pawnstar.drop7.search.weights import WeightsError, parse_weights
from pawnstar.system import machine

USAGE = (
    "usage: analyze --roots FILE --output FILE|- --depths 4,5 --strata 5,7 [--leaf fair|NAME=WEIGHTS_FILE] "
    "[--scheduler frontier|root] [--threads N] [--cache N] [--tt-scope private|shared] [--tt-from-depth N] "
    "[--split-plies auto|N] [--root-limit N] [--max-frontier-tasks N] [--max-host-bytes N]\n"
    "--cache is entries per worker in private scope, total entries in shared scope (rounded up to a power of two)."
)

FORMAT = "drop7-search-matrix-v1"


@dataclass(frozen=True)
class LeafChoice:
    """A leaf of the matrix: its name, the file of its weights or None, and the weights."""

    name: str
    source: str | None = None
    weights: tuple[float, ...] = FROZEN_WEIGHTS

    @property
    def frozen(self) -> bool:
        """Whether the weights are the default ones."""
        return self.weights == FROZEN_WEIGHTS


@dataclass
class _Matrix:
    """What the command line asks for."""

    settings: Settings
    """Depth and samples apart, which the matrix varies."""

    roots_path: str = ""
    output_path: str = ""
    cluster: str = ""
    patience: int | None = None
    limit: int | None = None
    threads_given: bool = False
    depths: list[int] = field(default_factory=lambda: [4])
    strata: list[int] = field(default_factory=lambda: [7])
    leaves: list[LeafChoice] = field(default_factory=list)
    roots: list[State] = field(default_factory=list)

    def cells(self) -> Iterator[tuple[int, State, LeafChoice, int]]:
        """Number and position of a root, leaf, and strata: all depths of a cell follow one another."""
        for number, root in enumerate(self.roots):
            for leaf in self.leaves:
                for samples in self.strata:
                    yield number, root, leaf, samples

    def size(self) -> int:
        """How many decisions there are."""
        return len(self.roots) * len(self.leaves) * len(self.strata) * len(self.depths)


def run(arguments: tuple[str, ...]) -> None:
    """Compute the matrix.

    ``--cluster ADDRESS`` hands the tasks to a dask.distributed scheduler. ``--cluster-patience SECONDS`` is how long it
    may be without any worker.
    """
    failing = Failing("analyze")
    matrix = _read(arguments, failing)
    _refuse_output_over_input(matrix, failing)
    with ExitStack() as stack:
        output = stack.enter_context(_Output(matrix.output_path, failing))
        executor = _executor(matrix, stack, failing)
        output.write(_manifest(matrix))
        # Progress goes to a terminal only.
        progress = stack.enter_context(tqdm(total=matrix.size(), unit="decision", disable=None))
        for number, root, leaf, samples in matrix.cells():
            previous: tuple[int, int] | None = None
            for depth in matrix.depths:
                settings = replace(matrix.settings, depth=depth, samples=samples, weights=leaf.weights)
                try:
                    decision = decide(root, settings, executor)
                except (ValueError, ArithmeticError, RuntimeError, MemoryError) as error:
                    why = str(error) or "not enough memory"
                    failing(f"root {number} leaf {leaf.name} depth {depth} strata {samples}: {why}")
                output.write(_record(number, root, leaf, settings, previous, decision))
                previous = (depth, decision.action)
                progress.update()
        output.complete()
    click.echo(
        f"analyze completed: {len(matrix.roots)} roots x {len(matrix.leaves)} leaves x {len(matrix.strata)} strata x "
        f"{len(matrix.depths)} depths = {matrix.size()} decision records",
        err=True,
    )


def _read(arguments: tuple[str, ...], failing: Failing) -> _Matrix:
    matrix = _Matrix(Settings(threads=machine.processors()))
    for name, value in pairs(arguments, failing, USAGE, ("--help",)):
        matrix.threads_given |= name == "--threads"
        if name == "--roots":
            matrix.roots_path = value
        elif name == "--output":
            matrix.output_path = value
        elif name == "--depths":
            matrix.depths = _list(failing, name, value)
        elif name == "--strata":
            matrix.strata = _list(failing, name, value)
        elif name == "--leaf":
            matrix.leaves.append(_leaf(failing, value))
        elif name == "--scheduler":
            matrix.settings = replace(matrix.settings, scheduler=failing.choice(name, value, "frontier", "root"))
        elif name == "--root-limit":
            matrix.limit = failing.number(name, value)
        elif name == "--cluster":
            matrix.cluster = value
        elif name == "--cluster-patience":
            matrix.patience = failing.number(name, value, parse_i32)
            if matrix.patience < 1:
                failing("--cluster-patience must be at least 1 second")
        else:
            matrix.settings = with_option(matrix.settings, failing, name, value)
    if not matrix.roots_path or not matrix.output_path:
        click.echo(USAGE, err=True)
        failing("--roots and --output are required")
    if matrix.depths[0] < 1 or matrix.strata[0] < 1:
        failing("depths and strata must be positive")
    matrix.leaves = matrix.leaves or [LeafChoice("fair")]
    try:
        text = read_text(matrix.roots_path, "cannot read", failing)
        matrix.roots = parse_roots(text, matrix.roots_path, matrix.limit)
    except RootsError as error:
        failing(error)
    return matrix


def _refuse_output_over_input(matrix: _Matrix, failing: Failing) -> None:
    if matrix.output_path == "-":
        return
    for path in (matrix.roots_path, *(leaf.source for leaf in matrix.leaves if leaf.source is not None)):
        with suppress(OSError):
            if os.path.samefile(path, matrix.output_path):
                failing(f"--output {matrix.output_path} is the same file as the input {path}")


def _executor(matrix: _Matrix, stack: ExitStack, failing: Failing) -> Executor:
    """Who runs the tasks until ``stack`` closes. Unless told, a cluster decides how many threads there are."""
    if not matrix.cluster:
        return stack.enter_context(LazyWorkerPool(matrix.settings.shared, on_remark=remark("analyze")))
    from pawnstar.drop7.parallel.cluster import ClusterExecutor
    from pawnstar.system.cluster import PATIENCE_SECONDS, ClusterError, connect

    if matrix.settings.shared:
        failing("--tt-scope shared needs workers on one machine")
    try:
        cluster = stack.enter_context(connect(matrix.cluster, matrix.patience or PATIENCE_SECONDS))
    except ClusterError as error:
        failing(error)
    if not matrix.threads_given:
        matrix.settings = replace(matrix.settings, threads=cluster.threads())
    return ClusterExecutor(cluster)


class _Output:
    """Where the records go: standard output, or a file that gets its name only when all of them are in it.

    So a run that fails or is interrupted leaves what was there before. What it has found so far stays beside it.
    """

    def __init__(self, path: str, failing: Failing) -> None:
        """Open it; ``-`` is standard output. What is no ordinary file (a pipe, a device) is written straight on."""
        self._failing = failing
        self._path = path
        self._part = ""
        self._records = 0
        self._stream: TextIO = sys.stdout
        if path == "-":
            return
        name = path
        with suppress(OSError):
            # The name of a link stays; its file gets the records.
            self._path = path = os.path.realpath(path)
        if not os.path.exists(path) or stat.S_ISREG(os.stat(path).st_mode):
            self._part = path = f"{path}.part"
        try:
            # Closed by __exit__: this object is what the with statement holds.
            self._stream = open(path, "w", encoding="utf-8", newline="\n")  # noqa: SIM115
        except OSError as error:
            failing(f"cannot create {name}: {os_error(error)}")

    def __enter__(self) -> _Output:
        return self

    def write(self, record: dict[str, object]) -> None:
        """Add a line, and see to it that it is there whatever comes next."""
        try:
            self._stream.write(_encodable(json_value(record), self._stream.encoding or "utf-8") + "\n")
            self._stream.flush()
        except OSError as error:
            if self._path == "-":
                raise
            self._failing(f"cannot write {self._path}: {os_error(error)}")
        self._records += 1

    def complete(self) -> None:
        """All records are in it."""
        if self._path == "-":
            return
        try:
            self._stream.close()
            if self._part:
                os.replace(self._part, self._path)
                self._part = ""
        except OSError as error:
            self._failing(f"cannot write {self._path}: {os_error(error)}")

    def __exit__(self, *_: object) -> None:
        if self._path != "-":
            with suppress(OSError):
                self._stream.close()
        # The first record is the manifest.
        if self._part and self._records < 2:
            with suppress(OSError):
                os.remove(self._part)
        elif self._part:
            click.echo(f"analyze: the {self._records - 1} decisions made so far are in {self._part}", err=True)


def _encodable(text: str, encoding: str) -> str:
    """JSON text with what the encoding lacks as JSON escapes."""
    try:
        text.encode(encoding)
        return text
    except UnicodeEncodeError:
        return "".join(letter if letter.isascii() else json.dumps(letter)[1:-1] for letter in text)


def _list(failing: Failing, name: str, text: str) -> list[int]:
    numbers = set()
    for item in text.split(","):
        try:
            numbers.add(parse_i32(item.strip()))
        except ValueError:
            failing(f"{name} contains invalid value {item}")
    return sorted(numbers)


def _leaf(failing: Failing, text: str) -> LeafChoice:
    if text == "fair":
        return LeafChoice("fair")
    name, equals, path = text.partition("=")
    if not equals:
        failing("--leaf must be fair or NAME=WEIGHTS_FILE")
    if not name or not path:
        failing("--leaf NAME=WEIGHTS_FILE needs both fields")
    try:
        weights = parse_weights(read_text(path, "cannot read leaf weights", failing), path)
    except WeightsError as error:
        failing(error)
    return LeafChoice(name, path, tuple(weights))


def _manifest(matrix: _Matrix) -> dict[str, object]:
    settings = matrix.settings
    return {
        "format": FORMAT,
        "recordType": "manifest",
        "rootsPath": matrix.roots_path,
        "roots": len(matrix.roots),
        "scheduler": settings.scheduler,
        "threads": settings.threads,
        "ttScope": settings.scope,
        "ttFromDepth": settings.from_depth,
        "cacheEntries": settings.cache,
        "cacheEntriesPerWorker": 0 if settings.shared else settings.cache,
        "maxFrontierTasks": settings.most_tasks,
        "maxHostBytes": settings.most_bytes,
        "splitPlies": "auto" if settings.split is None else settings.split,
        "depths": matrix.depths,
        "strata": matrix.strata,
        "leaves": [{"name": leaf.name, "source": leaf.source, "frozen": leaf.frozen} for leaf in matrix.leaves],
    }


def _record(
    number: int,
    root: State,
    leaf: LeafChoice,
    settings: Settings,
    previous: tuple[int, int] | None,
    decision: Decision,
) -> dict[str, object]:
    """One decision; ``previous`` are depth and action of the depth before."""
    return {
        "format": FORMAT,
        "recordType": "decision",
        "root": number,
        "board": root.board.text(),
        "nextDisc": root.next_disc,
        "movesUntilRise": root.clock,
        "leaf": leaf.name,
        "leafSource": leaf.source,
        "leafFrozen": leaf.frozen,
        "depth": settings.depth,
        "strata": settings.samples,
        "previousDepth": previous[0] if previous else None,
        "previousAction": previous[1] if previous else None,
        "actionChangedFromPreviousDepth": previous is not None and previous[1] != decision.action,
        "selectedAction": decision.action,
        "columns": _column_records(decision),
        "metrics": _metrics(settings, decision),
        "workers": [_worker_record(report) for report in decision.reports],
    }


def _column_records(decision: Decision) -> list[dict[str, object]]:
    action = decision.action
    return [
        {
            "column": entry.column,
            "value": Raw(decimal(entry.value)),
            "valueBits": value_bits(entry.value),
            "selected": entry.column == action,
        }
        for entry in sorted(decision.columns, key=lambda entry: COLUMN_ORDER.index(entry.column))
    ]


def _metrics(settings: Settings, decision: Decision) -> dict[str, object]:
    totals, planner, tables = decision.totals, decision.planner, decision.tables
    return {
        "workerThreads": decision.workers,
        "splitPlies": decision.split,
        "registeredTasks": decision.tasks,
        "completedTasks": decision.completed,
        "plannerNodes": planner.nodes,
        "plannerWork": planner.work,
        "plannerCacheHits": planner.hits,
        "work": totals.work,
        "nodes": totals.nodes,
        "leafCalls": totals.leaves,
        "moveCalls": totals.moves,
        "cacheHits": totals.hits,
        "ttScope": settings.scope,
        "ttFromDepth": settings.from_depth,
        "tableBytesPerWorker": tables.per_worker,
        "tableEntryBytes": tables.entries,
        "projectedTableBytes": tables.projected,
        "projectedPlanBytes": decision.plan_bytes,
        "initializationSeconds": decision.initialization_seconds,
        "planningSeconds": decision.planning_seconds,
        "executionSeconds": decision.execution_seconds,
        "reductionSeconds": decision.reduction_seconds,
        "wallSeconds": decision.wall_seconds,
        "workerBusyFraction": decision.busy_fraction,
        "tailIdleCoreSeconds": decision.tail_idle_seconds,
    }


def _worker_record(report: WorkerReport) -> dict[str, object]:
    return {
        "worker": report.worker,
        "tasks": report.tasks,
        "busySeconds": report.busy_seconds,
        "work": report.counters.work,
        "nodes": report.counters.nodes,
        "leafCalls": report.counters.leaves,
        "moveCalls": report.counters.moves,
        "cacheHits": report.counters.hits,
    }
