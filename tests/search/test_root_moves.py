"""Root moves: their order."""

from pawnstar.search.root_moves import RootMove, sort_moves


def test_best_scores_first_and_equals_keep_their_order() -> None:
    moves = [RootMove(number) for number in range(6)]
    for root_move, score in zip(moves, (0, 5, -32001, 5, 31900, 0), strict=True):
        root_move.score = score
    sort_moves(moves)
    assert [root_move.move for root_move in moves] == [4, 1, 3, 0, 5, 2]


def test_a_move_is_its_own_line_before_it_is_searched() -> None:
    assert (RootMove(7).pv, RootMove(7).score, RootMove(7).nodes) == ((7,), 0, 0)
