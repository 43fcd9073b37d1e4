"""Games as PGN: what is written of a game, and the file that games are appended to."""

import io
import os
from datetime import date
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import pytest

from pawnstar.matches.openings import Opening
from pawnstar.matches.pgn import PgnError, PgnFile, ScoreSheet, depth_of, move_comment, pgn_text
from pawnstar.matches.settings import TimeControl


def score(value: chess.engine.Score) -> chess.engine.PovScore:
    return chess.engine.PovScore(value, chess.BLACK)


@pytest.mark.parametrize(
    ("info", "comment"),
    [
        ({}, "0.523s"),
        ({"depth": 9}, "0.523s"),
        ({"score": score(chess.engine.Cp(31)), "depth": 12}, "+0.31/12 0.523s"),
        ({"score": score(chess.engine.Cp(-205))}, "-2.05/0 0.523s"),
        ({"score": score(chess.engine.Cp(10**9)), "depth": 10**9}, "+1000.00/999 0.523s"),
        ({"score": score(chess.engine.Mate(3)), "depth": 20}, "+M3/20 0.523s"),
        ({"score": score(chess.engine.Mate(-2)), "depth": 20}, "-M2/20 0.523s"),
    ],
)
def test_the_comment_of_a_move(info: chess.engine.InfoDict, comment: str) -> None:
    assert move_comment(info, 0.5234) == comment


def test_an_absurd_depth_is_cut() -> None:
    assert [depth_of({"depth": depth}) for depth in (-3, 0, 17, 10**400)] == [0, 0, 17, 999]


def test_the_score_sheet_of_a_game() -> None:
    sheet = ScoreSheet(Opening(chess.STARTING_FEN, (chess.Move.from_uci("e2e4"),)))
    sheet.add(chess.Move.from_uci("e7e5"), "+0.10/3 0.001s")
    control = TimeControl(10.0, 0.1)
    sheet.end(7, ('A "B"', "C"), "1-0", "Black resigns by adjudication", "adjudication", control)
    assert pgn_text(sheet.game).splitlines() == [
        '[Event "pawnstar match"]',
        '[Site "?"]',
        f'[Date "{date.today():%Y.%m.%d}"]',
        '[Round "7"]',
        '[White "A \\"B\\""]',
        '[Black "C"]',
        '[Result "1-0"]',
        '[TimeControl "10+0.1"]',
        '[Termination "adjudication"]',
        "",
        "1. e4 { book } 1... e5 { +0.10/3 0.001s, Black resigns by adjudication } 1-0",
    ]


def test_a_game_that_ends_before_a_move_keeps_its_position_and_reason() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    sheet = ScoreSheet(Opening(fen))
    sheet.end(1, ("A", "B"), "0-1", "A hangs", "abandoned", TimeControl(nodes=5))
    game = chess.pgn.read_game(io.StringIO(pgn_text(sheet.game)))
    assert game is not None
    assert (game.headers["FEN"], game.headers["TimeControl"], game.comment) == (fen, "-", "A hangs")


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\r\n", "\r\n\r\n"])
def test_games_are_appended_whole(tmp_path: Path, end: str) -> None:
    """Behind a game without an empty line the next one's tags were not seen."""
    path = tmp_path / "x.pgn"
    path.write_bytes(f'[Event "before"]\n\n1. e4 *{end}'.encode())
    file = PgnFile(path)
    assert path.read_text() == '[Event "before"]\n\n1. e4 *\n\n'  # the trial leaves nothing behind
    file.append('[Event "ä"]\n\n1. d4 *')
    file.close()
    text = io.StringIO(path.read_text(encoding="utf-8"))
    events = []
    while (game := chess.pgn.read_game(text)) is not None:
        events.append((game.headers["Event"], str(next(iter(game.mainline_moves())))))
    assert events == [("before", "e2e4"), ("ä", "d2d4")]


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be deleted there")
def test_deleted_file_is_made_again(tmp_path: Path) -> None:
    """Games went on into a file that had no name any more; with its folder gone nothing was said either."""
    folder = tmp_path / "folder"
    folder.mkdir()
    file = PgnFile(folder / "x.pgn")
    file.append("one")
    (folder / "x.pgn").unlink()
    file.append("two")
    assert (folder / "x.pgn").read_text() == "two\n\n"
    (folder / "x.pgn").unlink()
    folder.rmdir()
    with pytest.raises(PgnError, match="No such file or directory"):
        file.append("three")
    file.close()
