"""Algebraic notation, written strictly and read forgivingly."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import Game, games, odd_boards, position_of
from rare_games import FEATURES, rare_games

from pawnstar.chess.coordinate import move_text, parse_coordinate
from pawnstar.chess.fen import position_from_fen, start_position
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.notation import parse_san, san

# One position for most styles: castling both ways, en passant, promotion by push and capture, four knights.
RICH = "1r6/P5k1/N4N2/3pP3/8/N4N2/8/R3K2R w KQ d6 0 1"


def read(fen: str, text: str) -> str:
    return move_text(parse_san(position_from_fen(fen), text))


@pytest.mark.parametrize(
    ("fen", "move", "written"),
    [
        (chess.STARTING_FEN, "e2e4", "e4"),
        (chess.STARTING_FEN, "g1f3", "Nf3"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("1r6/P7/8/8/8/8/8/K6k w - - 0 1", "a7b8q", "axb8=Q"),
        ("1r6/P7/8/8/8/8/7p/K6k w - - 0 1", "a7a8n", "a8=N"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8r", "a8=R+"),
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Re8#"),
        # Told apart by file, by rank where the file is shared, by both where neither is enough.
        ("6k1/8/8/8/8/8/8/R4R1K w - - 0 1", "a1c1", "Rac1"),
        ("7k/8/8/R7/8/8/8/R6K w - - 0 1", "a5a3", "R5a3"),
        ("6k1/8/8/8/Q6Q/8/8/Q6K w - - 0 1", "a4d4", "Qa4d4"),
        ("6k1/8/8/8/Q6Q/8/8/Q6K w - - 0 1", "h4d4", "Qhd4"),
        ("6k1/8/8/8/Q6Q/8/8/Q6K w - - 0 1", "a1d4", "Q1d4"),
        # A pinned rival cannot go there, so it takes no letter; nor does a piece of another kind.
        ("4r2k/8/8/8/8/4N3/8/4K1N1 w - - 0 1", "g1f3", "Nf3"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("7k/8/8/8/8/8/B7/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        # Castling is not a rook's or king's move to be told apart from.
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1d1", "Rd1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1f1", "Rf1"),
    ],
)
def test_written(fen: str, move: str, written: str) -> None:
    position = position_from_fen(fen)
    packed = parse_coordinate(position, move)
    assert packed != 0
    assert san(position, packed) == written
    assert san(position, packed | -1 << 41) == written, "whatever score the move carries"
    assert parse_san(position, written) == packed


def test_illegal_moves_are_not_written() -> None:
    with pytest.raises(ValueError, match="e2e5 is not legal"):
        san(start_position(), parse_coordinate(start_position(), "e2e4") + 8)
    with pytest.raises(ValueError, match="0000 is not legal"):
        san(start_position(), 0)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        # Castling: letters or zeros, either case, with check and comment, or as the king's move.
        *[(text, "e1g1") for text in ("O-O", "0-0", "o-o", "OO", "O-O+", "0-0!?", "Kg1", "Ke1g1", "e1g1", "e1-g1")],
        *[(text, "e1c1") for text in ("O-O-O", "0-0-0", "o-o-o", "OOO", "O-O-O#", "0-0-0 !", "Kc1", "e1c1")],
        # Promotions.
        *[(text, "a7a8q") for text in ("a8=Q", "a8Q", "a8(Q)", "a8(=Q)", "a8/Q", "a8q", "a8=q+", "a7a8q", "a7-a8=Q")],
        *[(text, "a7a8n") for text in ("a8=N", "a8N", "a8(N)!", "a7a8n", "Pa8=N", "aa8=N")],
        *[(text, "a7b8b") for text in ("axb8=B", "ab8B", "axb8(B)", "a7xb8=B+", "a7b8b", "b8=B", "a:b8B")],
        # En passant.
        *[(text, "e5d6") for text in ("exd6", "ed6", "e5d6", "exd6e.p.", "exd6 e.p.", "exd6ep", "e5xd6 e.p.!?", "d6")],
        *[(text, "e5d6") for text in ("e:d6", "Pexd6", "P5xd6", "exd6+ e.p.", "exd6 e.p. +", "xd6")],
        # Needless or missing signs, more origin than needed, dashes, coordinates.
        *[(text, "e5e6") for text in ("e6", "e5e6", "e5-e6", "e5xe6", "e6+", "e6#", "e6!!", "e6??", "Pe6", "ee6")],
        *[(text, "a1d1") for text in ("Rd1", "Rad1", "R1d1", "Ra1d1", "Ra1-d1", "Rxd1", "Ra1xd1", "a1d1", " Rd1 ")],
        *[(text, "f3g5") for text in ("Ng5", "Nfg5", "N3g5", "Nf3g5", "Nf3-g5", "N-g5", "f3g5", "f3-g5", "Ng5?!+")],
        # Two knights on one file.
        *[(text, "f3d4") for text in ("Nd4", "Nfd4")],
        *[(text, "f6e4") for text in ("Ne4", "N6e4", "Nf6e4")],
    ],
)
def test_read_forgivingly(text: str, move: str) -> None:
    assert read(RICH, text) == move


@pytest.mark.parametrize(
    "text", ["", " ", "e9", "i4", "xyz", "N", "Nf", "=Q", "+", "0", "O", "O-O-O-O", "e4e", "e2e4e6"]
)
@pytest.mark.parametrize("wrap", ["{}", "{}!", " {}"])
def test_nonsense_is_not_understood(text: str, wrap: str) -> None:
    with pytest.raises(ValueError, match="is not understood as a move"):
        read(chess.STARTING_FEN, wrap.format(text))


@pytest.mark.parametrize(
    "text", ["0000", "--", "e-4", "-e4-", "e4--e5", "Zf3", "bb3c4", "nf3", "e2\u2013e4", "e4\n e5", "e8=K"]
)
def test_near_misses_are_not_understood(text: str) -> None:
    """Lower-case piece letters are refused: ``b`` is also a file."""
    with pytest.raises(ValueError, match="is not understood as a move"):
        read(chess.STARTING_FEN, text)


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        (chess.STARTING_FEN, "e5"),
        (chess.STARTING_FEN, "Ke2"),
        (chess.STARTING_FEN, "O-O"),
        (chess.STARTING_FEN, "Nd2"),
        (chess.STARTING_FEN, "e7e5"),
        (chess.STARTING_FEN, "e4=Q"),
        (chess.STARTING_FEN, "Nf3=Q"),
        (chess.STARTING_FEN, "Nbf3"),
        (chess.STARTING_FEN, "Ng2f3"),
        (RICH, "Bd1"),
        ("4r2k/8/8/8/8/4N3/8/4K3 w - - 0 1", "Nd5"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "Kg8"),
    ],
)
def test_illegal(fen: str, text: str) -> None:
    with pytest.raises(ValueError, match="is illegal in this position"):
        read(fen, text)


@pytest.mark.parametrize(
    ("fen", "text", "choice"),
    [
        ("6k1/8/8/8/8/8/8/R4R1K w - - 0 1", "Rc1", "Rac1, Rfc1"),
        ("7k/8/8/R7/8/8/8/R6K w - - 0 1", "Raa3", "R1a3, R5a3"),
        ("6k1/8/8/8/Q6Q/8/8/Q6K w - - 0 1", "Qad4", "Q1d4, Qa4d4"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8", "a8=Q, a8=R, a8=B, a8=N"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", "a8=Q, a8=R, a8=B, a8=N"),
        ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "d6", "cxd6, exd6"),
    ],
)
def test_ambiguous(fen: str, text: str, choice: str) -> None:
    """The message names the moves that it may be, as they would be written."""
    with pytest.raises(ValueError, match="is ambiguous in this position: it may be ") as raised:
        read(fen, text)
    assert str(raised.value).endswith(choice)


def check_notation(board: chess.Board) -> None:
    """Every move of a position: written as python-chess writes it, and read back from both libraries' texts."""
    position = position_of(board)
    for move in legal_moves(position):
        played = chess.Move.from_uci(move_text(move))
        written = san(position, move)
        assert written == board.san(played)
        assert parse_san(position, written) == move
        assert parse_san(position, board.lan(played)) == move
        assert parse_san(position, played.uci()) == move
        assert parse_coordinate(position, played.uci()) == move
        assert board.parse_san(written) == played


@given(games(plies=60))
def test_notation_of_random_games_equals_python_chess(game: Game) -> None:
    check_notation(game.board)


@pytest.mark.parametrize("feature", FEATURES)
def test_notation_of_rare_games_equals_python_chess(feature: str) -> None:
    for game in rare_games(feature)[::4]:
        check_notation(game.board)


@given(odd_boards())
def test_notation_of_odd_boards_equals_python_chess(board: chess.Board) -> None:
    """An en passant capture that blocks a check is legal there and not generated here; it would change the letters."""
    if board.ep_square is None:
        check_notation(board)


@given(st.text(max_size=12) | st.text(alphabet="NBRQKPabcdefgh12345678xO0o-=+#!?().ep ", max_size=9))
def test_any_text_is_a_legal_move_or_a_value_error(text: str) -> None:
    position = position_from_fen(RICH)
    try:
        move = parse_san(position, text)
    except ValueError as error:
        move = 0
        message = str(error)
    assert move in legal_moves(position) if move != 0 else repr(text) in message
