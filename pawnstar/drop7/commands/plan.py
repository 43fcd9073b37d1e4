"""``drop7 plan``: what a decision would need, without doing any of it."""

from __future__ import annotations

from dataclasses import replace

import click

from pawnstar.drop7.commands.options import Failing, pairs, with_option
from pawnstar.drop7.formats import json_value, parse_i32
from pawnstar.drop7.parallel.plan import Settings, plan_resources
from pawnstar.drop7.search.bounds import PlanError
from pawnstar.drop7.search.table import SLOT_BYTES

USAGE = (
    "usage: plan [--depth N] [--strata N] [--threads N] [--cache N] [--tt-scope private|shared] [--tt-from-depth N] "
    "[--split-plies auto|N] [--max-frontier-tasks N] [--max-host-bytes N]\n"
    "--cache is entries per worker in private scope, total entries in shared scope (rounded up to a power of two)."
)


def run(arguments: tuple[str, ...]) -> None:
    """Print one JSON line. ``projected`` sizes are those of the Rust engine, ``engine`` ones this engine's."""
    failing = Failing("plan")
    settings = Settings(depth=7, threads=192)
    for name, value in pairs(arguments, failing, USAGE, ("-h", "--help")):
        if name == "--depth":
            settings = replace(settings, depth=failing.number(name, value, parse_i32))
        elif name == "--strata":
            settings = replace(settings, samples=failing.number(name, value, parse_i32))
        else:
            settings = with_option(settings, failing, name, value)
    if settings.depth < 1 or settings.samples < 1:
        failing("depth and strata must be at least 1")
    try:
        plan = plan_resources(settings)
    except PlanError as error:
        failing(error)
    tables, frontier = plan.engine_bytes(settings)
    click.echo(
        json_value(
            {
                "format": "drop7-parallel-resource-plan-v1",
                "depth": settings.depth,
                "strata": settings.samples,
                "threads": settings.threads,
                "splitPlies": plan.split,
                "worstCaseFrontierTasks": plan.tasks,
                "ttScope": settings.scope,
                "ttFromDepth": settings.from_depth,
                "tableBytesPerWorker": plan.tables.per_worker,
                "tableEntryBytes": plan.tables.entries,
                "projectedTableBytes": plan.tables.projected,
                "projectedPlanBytes": plan.plan_bytes,
                "projectedTotalBytes": plan.total,
                "maxHostBytes": settings.most_bytes,
                "engineSlotBytes": SLOT_BYTES,
                "engineTableBytes": tables,
                "enginePlanBytes": frontier,
                "engineTotalBytes": tables + frontier,
            }
        )
    )
