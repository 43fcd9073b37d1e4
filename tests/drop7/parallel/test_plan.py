"""What a decision needs, computed before anything is allocated."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from pawnstar.drop7 import Settings
from pawnstar.drop7.parallel.plan import plan_resources, recommended_split

from ..goldens import records


def test_recommended_splits() -> None:
    checked = 0
    for record in records("recommended_split.jsonl"):
        split = recommended_split(record["depth"], record["strata"], record["threads"], record["maxFrontierTasks"])
        assert split == record["split"]
        checked += 1
    assert checked == 384


def test_the_largest_published_plan() -> None:
    plan = plan_resources(Settings(depth=7, threads=192))
    assert (plan.split, plan.tasks, plan.tables.projected, plan.plan_bytes, plan.total) == (
        1,
        2401,
        2415919104,
        2458624,
        2418377728,
    )


def test_settings_are_not_changed_but_replaced() -> None:
    settings = Settings(depth=2)
    with pytest.raises(FrozenInstanceError):
        settings.depth = 3  # type: ignore[misc]
    assert replace(settings, shared=True, depth=3) == Settings(depth=3, shared=True)
    assert (settings.scope, replace(settings, shared=True).scope) == ("private", "shared")
