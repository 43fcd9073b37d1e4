"""Bratko-Kopec: all 24 positions at depth 8 with the shipped net, move for move the sibling's.

``PAWNSTAR_BK_DEPTH`` searches to another depth, which only reports.
"""

import os

import pytest
from golden_files import golden_table
from nets import Net

from pawnstar.chess.coordinate import move_text
from pawnstar.chess.fen import position_from_fen
from pawnstar.engine.engine import Engine
from pawnstar.search.limits import Limits

RECORDED_DEPTH = 8
DEPTH = int(os.environ.get("PAWNSTAR_BK_DEPTH", str(RECORDED_DEPTH)))
SOLVED_BY_THE_SIBLING = 16


def played(engine: Engine, fen: str) -> str:
    engine.new_game()
    return move_text(engine.search(position_from_fen(fen), limits=Limits(depth=DEPTH)).best_move)


@pytest.mark.compiled_only
def test_bratko_kopec(shipped: Net) -> None:
    rows = golden_table("shipped_net", "bratko_kopec_depth8.tsv")
    engine = Engine(shipped.network)
    moves = [played(engine, fen) for fen, *_ in rows]
    solved = [move in accepted.split() for move, (_, accepted, _, _) in zip(moves, rows, strict=True)]
    if DEPTH != RECORDED_DEPTH:
        pytest.skip(f"solved {sum(solved)} of 24 at depth {DEPTH}; figures are recorded for depth {RECORDED_DEPTH}")
    assert moves == [move for _, _, move, _ in rows]
    assert ["yes" if hit else "no" for hit in solved] == [outcome for *_, outcome in rows]


def test_records_are_the_positions_of_the_suite() -> None:
    """Guards the guard: the recorded figures are of the same positions and accepted moves as the suite's."""
    suite = golden_table("facts", "bratko_kopec.tsv")
    records = golden_table("shipped_net", "bratko_kopec_depth8.tsv")
    assert len(records) == 24
    assert [row[:2] for row in records] == [row[:2] for row in suite]
    assert [outcome for *_, outcome in records].count("yes") == SOLVED_BY_THE_SIBLING
