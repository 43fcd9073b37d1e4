from __future__ import annotations

from collections import Counter
from typing import Any

from pawnstar.drop7.formats import value_bits
from pawnstar.drop7.rules.rng import (
    REVEAL,
    SAMPLED_DISC,
    Source,
    Strata,
    disc_of,
    headless_disc,
    headless_disc_bits,
    headless_reveal_seed,
    stratified_disc,
    stratified_unit,
)
from pawnstar.drop7.rules.rules import WAVE_SCORES, wave_score
from pawnstar.drop7.rules.words import mix32, run_through

from ..goldens import records
from ..search.slow_search import work_bound


def check(record: dict[str, Any]) -> None:
    kind = record["kind"]
    if kind == "mix32":
        assert mix32(record["in"]) == record["out"]
    elif kind == "mulberry32":
        source = Source(record["seed"])
        bits = [source.bits() for _ in record["bits"]]
        assert bits == record["bits"]
        assert [disc_of(draw) for draw in bits[: len(record["discs"])]] == record["discs"]
        assert [value_bits(draw / 2**32) for draw in bits[: len(record["unitBits"])]] == record["unitBits"]
    elif kind == "headlessDisc":
        assert [headless_disc_bits(record["seed"], move) for move in range(len(record["bits"]))] == record["bits"]
        assert [headless_disc(record["seed"], move) for move in range(len(record["discs"]))] == record["discs"]
    elif kind == "revealStream":
        seed = headless_reveal_seed(record["gameSeed"], record["movesPlayed"])
        assert seed == record["revealSeed"]
        source = Source(seed)
        assert [source.draw() for _ in record["discs"]] == record["discs"]
    elif kind == "stratifiedUnit":
        count = record["count"]
        domain = REVEAL if record["domain"] == "reveal" else SAMPLED_DISC
        units = [stratified_unit(record["seed"], j, count, domain, record["event"]) for j in range(count)]
        assert [value_bits(unit) for unit in units] == record["unitBits"]
    elif kind == "stratifiedReveals":
        strata = Strata(record["count"])
        strata.rewind(record["seed"], record["sample"])
        assert [strata.draw() for _ in record["discs"]] == record["discs"]
        disc = stratified_disc(record["seed"], record["sample"], record["count"], SAMPLED_DISC, 0)
        assert disc == record["nextDisc"]
    elif kind == "waveScore":
        for depth, score in enumerate(record["values"], record["from"]):
            assert wave_score(depth) == WAVE_SCORES[depth] == score
    elif kind == "workBound":
        assert work_bound(record["depth"], record["strata"]) == record["bound"]
    else:
        assert kind == "run"
        runs = [run_through(record["mask"], column) for column in range(7)]
        assert runs == list(zip(record["length"], record["start"], record["end"], strict=True))


def test_every_record() -> None:
    checked = Counter[str]()
    for record in records("rng.jsonl"):
        check(record)
        checked[record["kind"]] += 1
    assert checked.total() == 864
    assert len(checked) == 9
