"""FEN: read with the siblings' forgiveness (section 6), written strictly, never raising."""

import re

import chess
import pytest
from golden_files import PAWNSTAR, golden_table
from hypothesis import given
from hypothesis import strategies as st
from random_games import Game, expected_fen, games, odd_boards, position_of
from rare_games import FEATURES, rare_games

from pawnstar.chess.coordinate import parse_coordinate
from pawnstar.chess.fen import (
    BOARD,
    CLOCK,
    DROPPED,
    EN_PASSANT,
    MALFORMED,
    MISREAD,
    MOVE_NUMBER,
    RIGHTS,
    SIDE,
    START_FEN,
    SURPLUS,
    WRAPPED,
    leading_integer,
    position_from_fen,
    read_fen,
    start_position,
    strict_fen,
    write_fen,
)
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.position import Position, make_move

BARE = "4k3/8/8/8/8/8/8/4K3"
HOMES = "r3k2r/8/8/8/8/8/8/R3K2R"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        # Board: other characters are ignored, digits and slashes move on, what is left out is empty.
        (f"{BARE} w - - 0 1", f"{BARE} w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K w - - 0 1", f"{BARE} w - - 0 1"),
        ("4k//////8/4K w - - 0 1", f"{BARE} w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3/ w - - 0 1", f"{BARE} w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", f"{BARE} w - - 0 1"),
        ("4.k3/8/x8/8/0/8/9/4?K3 w - - 0 1", f"{BARE} w - - 0 1"),
        ("44k/8/8/8/8/8/8/4K3 w - - 0 1", START_FEN),
        # Boards that cannot be played: the start position stands in, with its own side, rights and counters.
        ("", START_FEN),
        ("   ", START_FEN),
        ("garbage", START_FEN),
        ("8/8/8/8/8/8/8/8 w - - 0 1", START_FEN),
        ("4k3/8/8/8/8/8/8/8 b - - 0 1", START_FEN),
        ("8/8/8/8/8/8/8/4K3 b - - 0 1", START_FEN),
        ("4k3/8/8/8/8/8/8/4K1K1 w - - 0 1", START_FEN),
        ("4k1k1/8/8/8/8/8/8/4K3 w - - 0 1", START_FEN),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", START_FEN),
        ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", START_FEN),
        ("4k3/8/8/8/8/8/8/4K3/N7 w - - 0 1", START_FEN),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", START_FEN),
        ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", START_FEN),
        ("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1", "4k3/4R3/8/8/8/8/8/4K3 b - - 0 1"),
        # Side: exactly "b" is Black.
        (BARE, f"{BARE} w - - 0 1"),
        (f"{BARE} b", f"{BARE} b - - 0 1"),
        (f"{BARE} B", f"{BARE} w - - 0 1"),
        (f"{BARE} black", f"{BARE} w - - 0 1"),
        (f"\t{BARE}\n b\r\n", f"{BARE} b - - 0 1"),
        # Castling: other characters are ignored; rights need king and rook at home.
        (f"{HOMES} w KQkq - 0 1", f"{HOMES} w KQkq - 0 1"),
        (f"{HOMES} w qkQK - 0 1", f"{HOMES} w KQkq - 0 1"),
        (f"{HOMES} w KKxq - 0 1", f"{HOMES} w Kq - 0 1"),
        (f"{HOMES} w - - 0 1", f"{HOMES} w - - 0 1"),
        ("r3k3/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "r3k3/8/8/8/8/8/8/R2K3R w q - 0 1"),
        ("R3k2r/8/4n3/8/8/8/8/r3K2R b KQkq - 0 1", START_FEN),
        ("r3k2r/8/8/8/8/8/8/R3K2r w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2r w Qkq - 0 1"),
        # En passant: on the right rank, empty, behind an enemy pawn.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1"),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3PP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3nP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6x 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - D6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
        # Counters: modulo 256, read like a C++ stream.
        (f"{BARE} w - -", f"{BARE} w - - 0 1"),
        (f"{BARE} w - - 50", f"{BARE} w - - 50 1"),
        (f"{BARE} w - - 50 60", f"{BARE} w - - 50 60"),
        (f"{BARE} w - - 300 999", f"{BARE} w - - 44 231"),
        (f"{BARE} w - - +7 +8", f"{BARE} w - - 7 8"),
        (f"{BARE} w - - -1 0", f"{BARE} w - - 255 256"),
        (f"{BARE} w - - 0 -3", f"{BARE} w - - 0 253"),
        (f"{BARE} w - - 255 256", f"{BARE} w - - 255 256"),
        (f"{BARE} w - - 256 257", f"{BARE} w - - 0 1"),
        (f"{BARE} w - - x 7", f"{BARE} w - - 0 1"),
        (f"{BARE} w - - - 7", f"{BARE} w - - 0 1"),
        (f"{BARE} w - - 5 x", f"{BARE} w - - 5 1"),
        (f"{BARE} w - - 12abc 9", f"{BARE} w - - 12 1"),
        (f"{BARE} w - - 12+7 9", f"{BARE} w - - 12 7"),
        (f"{BARE} w - - 5 9abc", f"{BARE} w - - 5 9"),
        (f"{BARE} w - - 5 9 ignored words", f"{BARE} w - - 5 9"),
    ],
)
def test_forgiveness(text: str, read: str) -> None:
    reading = read_fen(text)
    position = reading.position
    assert write_fen(position) == read
    assert position.key == position.compute_key()
    assert position.checkers == position.compute_checkers()
    assert write_fen(position_from_fen(text)) == read
    assert bool(reading.refusal) == (read == START_FEN)
    if reading.refusal:
        assert reading.faults == []
        assert reading.messages() == [f"FEN refused ({reading.refusal}); the start position stands in"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{BARE} w - - 0 1", []),
        (f"{BARE}", []),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", ["no black king"]),
        ("4k3/8/8/8/8/8/8/4K1K1 w - - 0 1", ["2 white kings"]),
        ("rnbqkbnrr/8/8/8/8/8/8/4K3 w - - 0 1", ["rank 8"]),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", ["pawn on rank 1"]),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", ["in check"]),
        (f"{BARE} x - - 0 1", ["side to move 'x'"]),
        (f"{BARE} w K - 0 1", ["castling rights 'K'"]),
        (f"{BARE} w - e6 0 1", ["en passant square 'e6'"]),
        (f"{BARE} w - - y 1", ["clock 'y'"]),
        (f"{BARE} w - - 300 1", ["clock '300' read as 44"]),
        (f"{BARE} w - - 0 z", ["move number 'z'"]),
        (f"{BARE} x K e6 y z", ["'x'", "'K'", "'e6'", "'y'"]),
    ],
)
def test_faults_are_named(text: str, words: list[str]) -> None:
    faults = read_fen(text).messages()
    assert len(faults) == len(words)
    for fault, word in zip(faults, words, strict=True):
        assert word in fault


# Boards that are not eight ranks of eight squares, as they are read, and what is said of them.
MALFORMED_BOARDS = {
    "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR": (
        "rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "7 squares on rank 7 instead of 8",
    ),
    "4k3/8/8/7/8/8/8/4K3": (BARE, "7 squares on rank 5 instead of 8"),
    "4k3/8/8/8/8/8//4K3": (BARE, "0 squares on rank 2 instead of 8"),
    "4k4/8/8/8/8/8/8/4K3": (BARE, "9 squares on rank 8 instead of 8"),
    "4k3/8/8/8/pppppppp1/8/8/4K3": ("4k3/8/8/8/pppppppp/8/8/4K3", "9 squares on rank 4 instead of 8"),
    "4k3/9/8/8/8/8/8/4K3": (BARE, "'9' on rank 7 is neither"),
    "4k30/8/8/8/8/8/8/4K3": (BARE, "'0' on rank 8 is neither"),
    "4k3/8/8/44/8/8/8/4K3": (BARE, "two numbers in a row on rank 5"),
    "K6k": ("K6k/8/8/8/8/8/8/8", "1 rank instead of 8"),
    "4k3/8/8/8/8/4K3": ("4k3/8/8/8/8/4K3/8/8", "6 ranks instead of 8"),
    "4k3/8/8/8/8/8/8/4K3/": (BARE, "9 ranks instead of 8"),
    "4k3/8/8/8/8/8/8/4K3/8": (BARE, "9 ranks instead of 8"),
    "/4k3/8/8/8/8/8/4K3": ("8/4k3/8/8/8/8/8/4K3", "0 squares on rank 8"),
    "4k3/pppxpppp/8/8/8/8/8/4K3": ("4k3/ppppppp1/8/8/8/8/8/4K3", "'x' on rank 7 is neither"),
    "4k3/8/8/8/8/8/8/4K2.": (BARE, "'.' on rank 1"),
    "4k3/8/8/8/8/8/8/4K3\0": (BARE, r"'\x00' on rank 1"),
    "4k3/8/8/8/8/8/8/4K2\u0663": (BARE, "on rank 1 is neither"),  # a digit, but none of these
    "4k3/8/8/8/8/8/8/4K2\udcff": (BARE, r"'\udcff' on rank 1"),
}


@pytest.mark.parametrize("board", MALFORMED_BOARDS)
def test_malformed_boards_are_not_read_in_silence(board: str) -> None:
    """A rank of seven or nine squares, a digit 9, a letter too many: the board came out shifted or filled up, and the
    list of faults was empty."""
    read, words = MALFORMED_BOARDS[board]
    for rest in ("", " w - - 0 1"):
        reading = read_fen(board + rest)
        assert write_fen(reading.position) == f"{read} w - - 0 1"
        assert words in reading.faults[0].text
        assert (reading.faults[0].field, reading.faults[0].severity) == (BOARD, MALFORMED)
        with pytest.raises(ValueError, match=re.escape(words)):
            strict_fen(board + rest)
    with pytest.raises(ValueError, match=r"."):
        chess.Board(f"{board} w - - 0 1")


@pytest.mark.parametrize("surplus", ["x", "w", "0 1", ";"])
def test_a_seventh_field_is_a_fault(surplus: str) -> None:
    fen = f"{BARE} w - - 5 9 {surplus}"
    reading = read_fen(fen)
    assert write_fen(reading.position) == f"{BARE} w - - 5 9"
    assert reading.messages() == [f"{surplus!r} behind the sixth field ignored"]
    with pytest.raises(ValueError, match="behind the sixth field"):
        strict_fen(fen)


# Eight squares of one rank; a run of empty ones is one digit, or, which is malformed, several.
RANKS = st.lists(st.sampled_from(["p", "P", "Q", "n", "1"]), min_size=8, max_size=8).map("".join)
WRITTEN_RANKS = st.one_of(RANKS, RANKS.map(lambda rank: re.sub("1+", lambda run: str(len(run[0])), rank)))


@given(st.one_of(st.text(alphabet="kKpPQ/123456789x", min_size=1, max_size=60), WRITTEN_RANKS, WRITTEN_RANKS))
def test_a_board_is_malformed_where_python_chess_says_so(board: str) -> None:
    """Both ways; a board of two kings is added so that many of them can be played."""
    for text in (board, f"4k3/{board}/8/8/8/8/8/4K3", f"4k3/8/8/{board}/8/8/8/4K3"):
        try:
            chess.Board(f"{text} w - - 0 1")
            well_formed = True
        except ValueError:
            well_formed = False
        reading = read_fen(f"{text} w - - 0 1")
        if not reading.refusal:
            assert well_formed == (not any(fault.severity == MALFORMED for fault in reading.faults)), text


def test_strict_reading_draws_the_line_where_it_is_told() -> None:
    """What cannot be is dropped; what is no side, right, square or number may be refused, too."""
    for fen in (f"{BARE} w KQkq e3 300 999", BARE, f"{BARE} b - - 0 0"):
        assert strict_fen(fen, DROPPED).faults == read_fen(fen).faults
    for field, name in enumerate(("side to move", "castling rights", "en passant", "half-move clock", "move number")):
        fields = [BARE, "w", "-", "-", "0", "1"]
        fields[field + 1] = "z9z"
        fen = " ".join(fields)
        assert strict_fen(fen).faults == read_fen(fen).faults
        with pytest.raises(ValueError, match=f"^{name}.* 'z9z': '4k3/"):
            strict_fen(fen, DROPPED)


@pytest.mark.parametrize(
    ("text", "field", "severity"),
    [
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", BOARD, MALFORMED),
        (f"{BARE} x - - 0 1", SIDE, MISREAD),
        (f"{BARE} w KQ - 0 1", RIGHTS, DROPPED),
        (f"{BARE} w zz - 0 1", RIGHTS, MISREAD),
        (f"{BARE} w - e6 0 1", EN_PASSANT, DROPPED),
        (f"{BARE} w - z9 0 1", EN_PASSANT, MISREAD),
        (f"{BARE} w - - 300 1", CLOCK, WRAPPED),
        (f"{BARE} w - - -1 1", CLOCK, DROPPED),
        (f"{BARE} w - - x 1", CLOCK, MISREAD),
        (f"{BARE} w - - 0 0", MOVE_NUMBER, WRAPPED),
        (f"{BARE} w - - 0 -7", MOVE_NUMBER, DROPPED),
        (f"{BARE} w - - 0 x", MOVE_NUMBER, MISREAD),
        (f"{BARE} w - - 0 1 x", SURPLUS, MALFORMED),
    ],
)
def test_a_fault_says_which_field_and_how_bad(text: str, field: str, severity: int) -> None:
    reading = read_fen(text)
    assert reading.refusal == ""
    assert [(fault.field, fault.severity) for fault in reading.faults] == [(field, severity)]


@pytest.mark.parametrize(
    ("clock", "half_moves"), [("0", 0), ("99", 99), ("300", 300), ("+300", 300), ("-1", 255), ("x", 0), ("7x", 7)]
)
def test_half_moves_beyond_a_byte(clock: str, half_moves: int) -> None:
    assert read_fen(f"{BARE} w - - {clock} 1").half_moves == half_moves
    assert read_fen(f"{BARE}").half_moves == 0


def test_messages_do_not_repeat_a_book() -> None:
    for fen in (f"{BARE} {'x' * 9999}", f"{BARE} w - - 0 1 {'x ' * 9999}", "x" * 9999, f"{BARE}{'/' * 9999}"):
        assert all(len(fault) < 200 for fault in read_fen(fen).messages())
        with pytest.raises(ValueError, match=r"^.{1,300}$"):
            strict_fen(fen, DROPPED)


def recorded_dialogues() -> list[tuple[str, str, str]]:
    """``position`` commands of the transcripts that ``getboard`` follows at once, and what it answered."""
    found: list[tuple[str, str, str]] = []
    for path in sorted((PAWNSTAR / "uci").glob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for command, ask, answer in zip(lines, lines[1:], lines[2:], strict=False):
            words = command[2:].split()
            if (
                ask == "> getboard"
                and words[:1] == ["position"]
                and words[1:2] in (["startpos"], ["fen"])
                and words[2:]
            ):
                found.append((path.name, command[2:], answer[2:]))
    return found


@pytest.mark.parametrize(("file", "command", "answer"), recorded_dialogues())
def test_recorded_position_command(file: str, command: str, answer: str) -> None:
    """FENs and moves as the siblings read them, malformed ones included: an illegal move is skipped."""
    words = command.split()[1:]
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    setup = words[: words.index("moves")] if "moves" in words else words
    position = start_position() if setup[0] == "startpos" else position_from_fen(" ".join(setup[1:7]))
    for text in moves:
        move = parse_coordinate(position, text)
        if move != 0:
            child = Position()
            make_move(position, child, move)
            position = child
    assert write_fen(position) == answer


def test_enough_dialogues_were_found() -> None:
    assert len([file for file, _, _ in recorded_dialogues() if file == "09_malformed.txt"]) == 15


def test_recorded_fens_come_back() -> None:
    """Every position of the walks, read and written."""
    for row in golden_table("facts", "walks.txt"):
        assert write_fen(position_from_fen(row[1])) == row[1]
        assert read_fen(row[1]).faults == []


@given(games(plies=60))
def test_fens_of_random_games_come_back(game: Game) -> None:
    check_fen(game)


@pytest.mark.parametrize("feature", FEATURES)
def test_fens_of_rare_games_come_back(feature: str) -> None:
    for game in rare_games(feature):
        check_fen(game)


def check_fen(game: Game) -> None:
    """Both ways, against python-chess: ours is read there, and theirs here."""
    wanted = expected_fen(game.board)
    assert write_fen(position_from_fen(wanted)) == wanted
    assert read_fen(wanted).faults == []
    assert write_fen(position_of(game.board)) == wanted
    again = chess.Board(wanted)
    assert again.piece_map() == game.board.piece_map()
    assert again.castling_rights == game.board.clean_castling_rights()
    assert again.ep_square == game.board.ep_square
    assert again.turn == game.board.turn


@given(odd_boards())
def test_fens_of_odd_boards_come_back(board: chess.Board) -> None:
    assert write_fen(position_of(board)) == expected_fen(board)


@given(st.text(max_size=100) | st.text(alphabet="kKqQrRpPnN/12345678 wb-x\t", max_size=100))
def test_reading_never_raises(text: str) -> None:
    """Whatever the text, a position comes out that can be played, and its own FEN reads without fault."""
    position = position_from_fen(text)
    legal_moves(position)
    again = read_fen(write_fen(position))
    assert write_fen(again.position) == write_fen(position)
    assert again.messages() == []


def test_counters_of_any_length_are_read() -> None:
    """Python refuses to convert texts of more than 4300 digits; reading must not."""
    assert write_fen(position_from_fen(f"{BARE} w - - {'0' * 9000}7 {'9' * 9000}")) == f"{BARE} w - - 7 255"


@pytest.mark.parametrize(
    ("text", "value", "rest"),
    [
        ("", None, ""),
        ("12", 12, ""),
        ("12abc", 12, "abc"),
        ("-12-3", -12, "-3"),
        ("+0", 0, ""),
        ("+", None, "+"),
        ("-x", None, "-x"),
        ("\u0661", None, "\u0661"),
    ],
)
def test_leading_integer(text: str, value: int | None, rest: str) -> None:
    assert leading_integer(text) == (value, rest)
