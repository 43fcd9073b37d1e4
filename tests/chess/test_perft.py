"""The perft suite: 143 positions whose leaves Stockfish counted, and divide against python-chess.

Compiled, every record runs to its full depth; plain Python stops at depth 3. ``PAWNSTAR_PERFT_DEPTH`` caps both.
"""

import os

import chess
import pytest
from golden_files import golden_lines
from hypothesis import given, settings
from modes import COMPILED
from random_games import Game, games, position_of, texts
from rare_games import FEATURES, rare_games

from pawnstar.chess.fen import position_from_fen, start_position
from pawnstar.chess.perft import perft, perft_divide

PLAIN_DEPTH = 3
DEPTH_CAP = min(int(os.environ.get("PAWNSTAR_PERFT_DEPTH", "99")), 99 if COMPILED else PLAIN_DEPTH)


def read_suite() -> list[tuple[str, dict[int, int]]]:
    records: list[tuple[str, dict[int, int]]] = []
    for line in golden_lines("facts", "perft.epd"):
        fen, *counts = (part.strip() for part in line.split(";"))
        records.append((fen, {int(depth[1:]): int(leaves) for depth, leaves in (count.split() for count in counts)}))
    return records


SUITE = read_suite()


def test_suite_is_complete() -> None:
    assert len(SUITE) == 143
    assert sum(counts[max(counts)] for _, counts in SUITE) == 2239604624


@pytest.mark.parametrize(("fen", "counts"), SUITE, ids=[fen.replace("/", "|") for fen, _ in SUITE])
def test_perft_record(fen: str, counts: dict[int, int]) -> None:
    position = position_from_fen(fen)
    for depth, leaves in sorted(counts.items()):
        if depth <= DEPTH_CAP:
            assert perft(position, depth) == leaves, f"depth {depth}"


def test_depth_zero_is_one_leaf_and_less_is_refused() -> None:
    assert perft(start_position(), 0) == 1
    with pytest.raises(ValueError, match="must not be negative"):
        perft(start_position(), -1)
    with pytest.raises(ValueError, match="at least 1"):
        perft_divide(start_position(), 0)


@pytest.mark.parametrize("depth", [65, 2**31, 2**63, 10**30])
def test_endless_depths_are_refused(depth: int) -> None:
    """A place for each ply was asked of the memory, and the depth of the compiled recursion is not bounded."""
    for count in (perft, perft_divide):
        with pytest.raises(ValueError, match=f"at most 64, not {depth}"):
            count(start_position(), depth)


def test_poll_is_called_and_may_end_the_count() -> None:
    calls = []

    def poll() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        perft(start_position(), 4, poll)
    assert len(calls) == 3
    told: list[tuple[int, int]] = []
    assert perft_divide(start_position(), 3, report=lambda move, count: told.append((move, count))) == told


def test_no_moves_no_leaves() -> None:
    mated = position_from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert [perft(mated, depth) for depth in range(4)] == [1, 0, 0, 0]
    assert perft_divide(mated, 3) == []


def leaves(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total


@settings(max_examples=20)
@given(games(plies=60))
def test_divide_equals_python_chess(game: Game) -> None:
    check_divide(game)


@pytest.mark.parametrize("feature", FEATURES)
def test_divide_of_rare_games_equals_python_chess(feature: str) -> None:
    for game in rare_games(feature)[:3]:
        check_divide(game)


def check_divide(game: Game) -> None:
    position = position_of(game.board)
    expected: dict[str, int] = {}
    for move in list(game.board.legal_moves):
        game.board.push(move)
        expected[move.uci()] = leaves(game.board, 1)
        game.board.pop()
    divided = perft_divide(position, 2)
    assert dict(zip(texts([move for move, _ in divided]), [count for _, count in divided], strict=True)) == expected
    assert sum(count for _, count in divided) == perft(position, 2)
