"""A helper's work, done in this process."""

import threading

import pytest
from nets import Net
from processes import wait_for

from pawnstar.chess.fen import position_from_fen, write_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.evaluation.evaluator import NnueEvaluator
from pawnstar.parallel.helper_program import Helper
from pawnstar.parallel.messages import ChangeNet, Clear, MessageRefused, SetUp, StartSearch
from pawnstar.parallel.thread_memory import TableSizes, ThreadMemory
from pawnstar.search.tables.second_table import SecondTable
from pawnstar.search.tables.transposition_table import TranspositionTable
from pawnstar.system import system_memory

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def has_entries(table: TranspositionTable | SecondTable) -> bool:
    """Whether anything is in a table. All of it is looked at, since a slow search fills few cells."""
    if isinstance(table, TranspositionTable):
        return any(table.words)
    return table.memory[int(table.offset) :].strip(b"\0") != b""


@pytest.mark.parametrize("second_cells", [0, 1 << 16] if system_memory.CAN_SHARE else [1 << 16])
def test_helper_searches_from_the_root_list_it_is_given(parity: Net, mirrored: Net, second_cells: int) -> None:
    """It fills tables, publishes, stops when another search is active, and changes nets."""
    sizes = TableSizes(1, second_cells, 2)
    memory = ThreadMemory(sizes)
    memory.write_net(parity.path.read_bytes())
    set_up = SetUp(thread=1, memory=memory.handle, sizes=sizes, net_origin="parity")
    helper = Helper(memory, set_up)
    position = position_from_fen(KIWIPETE)
    moves = legal_moves(position)
    order = StartSearch(
        search=7, fen=write_fen(position), history=[], moves=moves, scores=[0] * len(moves), generation=1
    )
    helper.obey(order)
    assert helper.search.nodes == 0, "search 7 is not the active one"
    memory.set_active_search(7)
    shared = helper.table if memory.is_mapped else memory.second_table()

    def stop_when_results_are_shared() -> None:
        wait_for(lambda: memory.published(1, 7)[0] > 100 and has_entries(shared), 60)
        memory.set_active_search(8)

    stopping = threading.Thread(target=stop_when_results_are_shared)
    stopping.start()
    helper.obey(order)
    stopping.join()
    assert helper.search.nodes > 100
    assert memory.published(1, 7)[0] > 100
    assert helper.table.probe(position.key, 1) == 0, "the root itself is not stored"
    assert has_entries(shared)
    if memory.is_mapped:
        own = TranspositionTable(1)
        memory.map_table(own)
        words = 2 * memory.cells
        first, others_first = int(own.first), int(helper.table.first)
        assert list(own.words[first : first + words]) == list(helper.table.words[others_first : others_first + words])
        system_memory.unmap_shared(own.words, own.start(), own.size())
    memory.write_net(mirrored.path.read_bytes())
    helper.obey(ChangeNet("mirrored"))
    evaluator = helper.search.evaluator
    assert isinstance(evaluator, NnueEvaluator)
    assert evaluator.network.origin == "mirrored"
    assert evaluator.network.mirrored
    helper.obey(Clear())
    # A table that is all threads' is the engine's to clear.
    assert has_entries(helper.table) == memory.is_mapped
    with pytest.raises(MessageRefused):
        helper.obey(set_up)
    if memory.is_mapped:
        system_memory.unmap_shared(helper.table.words, helper.table.start(), helper.table.size())
    memory.close()
