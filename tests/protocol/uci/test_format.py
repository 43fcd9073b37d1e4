"""How reports, counters and boards are written."""

import chess
import pytest
from random_games import ROOTS, play

from pawnstar.chess.bits import unsigned
from pawnstar.chess.coordinate import parse_coordinate
from pawnstar.chess.fen import position_from_fen, start_position
from pawnstar.protocol.display import board_text, counters_table, zobrist_text
from pawnstar.protocol.uci.format import bestmove_line, info_line, score_text
from pawnstar.search.info import SearchInfo

E2E4 = parse_coordinate(start_position(), "e2e4")
D2D4 = parse_coordinate(start_position(), "d2d4")


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0, "cp    0"),
        (-2, "cp   -2"),
        (1234, "cp 1234"),
        (-30000, "cp -30000"),
        (31899, "mate  1"),
        (31895, "mate  3"),
        (-31899, "mate -1"),
        (-31898, "mate -1"),
        (31000, "mate 450"),
    ],
)
def test_scores_are_padded(score: int, text: str) -> None:
    assert score_text(SearchInfo(score=score), 4) == text
    assert score_text(SearchInfo(score=score), 0) == " ".join(text.split())


def test_report_has_the_siblings_widths() -> None:
    info = SearchInfo(4, 6, -2, 17, 2452, 144235, 0, (E2E4, D2D4))
    assert info_line(info) == (
        "info depth  4 seldepth  6 score cp   -2 time    17 nodes     2452 nps  144235 hashfull   0 pv e2e4 d2d4"
    )
    info = SearchInfo(14, 36, 31890, 1234567, 123456789, 12345678, 1000, (E2E4,))
    assert info_line(info) == (
        "info depth 14 seldepth 36 score mate  5 time 1234567 nodes 123456789 nps 12345678 hashfull 1000 pv e2e4"
    )


@pytest.mark.parametrize(
    ("info", "line"),
    [
        (SearchInfo(message="only move"), "info string only move"),
        (SearchInfo(depth=7, currmove=E2E4, currmove_number=12), "info depth 7 currmove e2e4 currmovenumber 12"),
        (SearchInfo(score=-31900), "info depth 0 score mate 0"),
        (SearchInfo(), "info depth 0 score cp 0"),
        (
            SearchInfo(score=-15, hashfull=3, pv=(E2E4,)),
            "info depth 0 score cp -15 time 0 nodes 0 nps 0 hashfull 3 pv e2e4",
        ),
    ],
)
def test_lines_without_a_search_behind_them(info: SearchInfo, line: str) -> None:
    assert info_line(info) == line


@pytest.mark.parametrize(
    ("best", "ponder", "line"),
    [
        (E2E4, 0, "bestmove e2e4"),
        (E2E4, D2D4, "bestmove e2e4 ponder d2d4"),
        (0, 0, "bestmove (none)"),
        (0, D2D4, "bestmove (none)"),
    ],
)
def test_bestmove(best: int, ponder: int, line: str) -> None:
    assert bestmove_line(best, ponder) == line


def test_counters_are_sorted_by_bytes_and_zeros_left_out() -> None:
    table = counters_table({"b": 2, "a (2)": 1, "B": 12345678901, "zero": 0})
    assert table.splitlines() == [
        "********************* DEBUGX *********************",
        f"{'B':<40}12345678901",
        f"{'a (2)':<40}         1",
        f"{'b':<40}         2",
        "*" * 50,
    ]


def test_board_shows_every_piece() -> None:
    for seed, root in enumerate(ROOTS[:40]):
        board = play(root, seed, 15).board
        text = board_text(position_from_fen(board.fen(en_passant="fen")))
        rows = [line[4:-2].split(" | ") for line in text.splitlines() if line[:1].isdigit()]
        expected = [[cell.replace(".", " ") for cell in row.split(" ")] for row in str(board).splitlines()]
        assert rows == expected
        assert f"Fen: {board.fen(en_passant='fen').split()[0]} " in text
        checkers = " ".join(chess.square_name(square) for square in board.checkers()) or "-"
        assert text.splitlines()[-1] == f"Checkers: {checkers}"


def test_parts_of_the_key_make_the_key() -> None:
    """``zobrist`` prints every part; their exclusive or is the key, and the board's line says the same."""
    for seed, root in enumerate(ROOTS[:40]):
        board = play(root, seed, 15).board
        position = position_from_fen(board.fen(en_passant="fen"))
        *parts, last = zobrist_text(position).splitlines()
        total = 0
        for part in parts:
            total ^= int(part.split()[-1], 16)
        assert total == unsigned(position.key)
        assert last.split() == ["key", f"{total:016x}"]
        assert f"Key: {total:016x}" in board_text(position).splitlines()
        pieces = [part for part in parts if part[0] in "PNBRQKpnbrqk" and part[1] == " "]
        assert len(pieces) == len(board.piece_map())
