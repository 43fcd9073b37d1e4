"""Legal moves: the siblings' order, python-chess's sets, and the cases that generators get wrong."""

from collections import Counter

import chess
import pytest
from golden_files import golden_table
from hypothesis import given
from librt.vecs import vec
from modes import plain_twin
from mypy_extensions import i64
from packed_moves import legal_captures
from random_games import ROOTS, Game, games, odd_boards, play, position_of, texts
from rare_games import FEATURES, boards, rare_games

from pawnstar.chess.fen import position_from_fen, write_fen
from pawnstar.chess.generation import generate, legal_moves
from pawnstar.chess.moves import DOUBLE_PUSH, EN_PASSANT, MAX_MOVES, captured_piece, is_castling, is_loud, move_type
from pawnstar.chess.pieces import PAWN
from pawnstar.chess.position import Position, make_move

ORDERS = golden_table("facts", "move_order.tsv")


@pytest.mark.parametrize(("name", "count"), [("move_order.tsv", 200), ("move_order_kings.tsv", 206)])
def test_recorded_move_order(name: str, count: int) -> None:
    """All moves of recorded positions in the siblings' order, and captures and promotions in theirs."""
    rows = golden_table("facts", name)
    assert len(rows) == count
    for fen, all_moves, captures in rows:
        position = position_from_fen(fen)
        assert ["ALL", *texts(legal_moves(position))] == all_moves.split(), fen
        wanted = [entry.split(":")[0] for entry in captures.split()]
        assert ["CAPS", *texts(legal_captures(position))] == wanted, fen


def expected_moves(board: chess.Board) -> set[str]:
    """python-chess's legal moves, less those that section 5 leaves out.

    An en passant capture that blocks a check is not generated: no game can lead to one.
    """
    moves = set(board.legal_moves)
    checkers = board.checkers_mask()
    if board.ep_square is not None and checkers:
        pushed = board.ep_square + (-8 if board.turn else 8)
        if checkers != chess.BB_SQUARES[pushed]:
            moves = {move for move in moves if not board.is_en_passant(move)}
    return {move.uci() for move in moves}


def check_moves(board: chess.Board, position: Position) -> None:
    found = legal_moves(position)
    names = texts(found)
    assert set(names) == expected_moves(board), write_fen(position)
    assert len(names) == len(set(names)), "no move twice"
    captures = legal_captures(position)
    assert captures == [move for move in found if is_loud(move)], "captures come in the same order"
    for move, name in zip(found, names, strict=True):
        played = chess.Move.from_uci(name)
        assert (captured_piece(move) != 0) == board.is_capture(played)
        assert (move_type(move) == EN_PASSANT) == board.is_en_passant(played)
        assert is_castling(move) == board.is_castling(played)
        if captured_piece(move) != 0 and move_type(move) != EN_PASSANT:
            assert captured_piece(move) == board.piece_type_at(played.to_square)
        pushed_twice = (
            board.piece_type_at(played.from_square) == PAWN and abs(played.to_square - played.from_square) == 16
        )
        assert (move_type(move) == DOUBLE_PUSH) == pushed_twice


def test_random_games_hold_the_rare_moves() -> None:
    """Property tests over random games prove nothing about moves that are not in them."""
    counts: Counter[str] = Counter()
    for seed, root in enumerate(ROOTS):
        board = chess.Board(root)
        for move in play(root, seed, 60).moves:
            counts["castling"] += board.is_castling(move)
            counts["en passant"] += board.is_en_passant(move)
            counts["promotion"] += move.promotion is not None
            counts["capturing promotion"] += move.promotion is not None and board.is_capture(move)
            board.push(move)
            counts["check"] += board.is_check()
            counts["double check"] += chess.popcount(board.checkers_mask()) > 1
    assert set(counts) == {"castling", "en passant", "promotion", "capturing promotion", "check", "double check"}
    assert all(count >= (3 if kind == "double check" else 30) for kind, count in counts.items()), counts


@given(games(plies=40))
def test_random_games_have_python_chess_moves_in_every_position(game: Game) -> None:
    board = chess.Board(game.root)
    check_moves(board, position_from_fen(game.root))
    for played in game.moves:
        board.push(played)
        check_moves(board, position_of(board))


@pytest.mark.parametrize("feature", FEATURES)
def test_rare_games_have_python_chess_moves_in_every_position(feature: str) -> None:
    for game in rare_games(feature):
        for board in boards(game):
            check_moves(board, position_of(board))


@given(odd_boards())
def test_odd_boards_have_python_chess_moves(board: chess.Board) -> None:
    """Positions that no game leads to: many checkers, pins of every kind, impossible en passant squares."""
    check_moves(board, position_of(board))


@pytest.mark.parametrize(
    ("fen", "text", "legal"),
    [
        # Both pawns leave the fifth rank at once and uncover the rook.
        ("8/8/8/K1pP3r/8/8/8/7k w - c6 0 1", "d5c6", False),
        ("8/8/8/K1pPP2r/8/8/8/7k w - c6 0 1", "d5c6", True),
        ("8/8/8/K1pP3b/8/8/8/7k w - c6 0 1", "d5c6", True),
        # The capturing pawn is pinned on a diagonal, along it and across it.
        ("6b1/8/8/2pP4/8/1K6/8/7k w - c6 0 1", "d5c6", False),
        ("b7/8/8/2pP4/4K3/8/8/7k w - c6 0 1", "d5c6", True),
        # The pushed pawn gives check and may be taken.
        ("8/8/8/2pP4/1K6/8/8/7k w - c6 0 1", "d5c6", True),
        # A bishop behind the pushed pawn: only a FEN can set that up; the capture would leave the king in check.
        ("4k3/1b6/8/3pP3/8/8/6K1/8 w - d6 0 1", "e5d6", False),
        ("4k3/2p5/8/3pP3/8/8/6K1/8 w - d6 0 1", "e5d6", True),
        # Castling out of, through and into check; b1 may be attacked.
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "e1g1", False),
        ("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", "e1g1", False),
        ("4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", "e1g1", False),
        ("4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1", "e1c1", True),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1", False),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "e1c1", False),
        # A king cannot step back along the line of the rook that checks it.
        ("4k3/8/8/8/4r3/4K3/8/8 w - - 0 1", "e3e2", False),
        ("4r3/8/8/8/8/4K3/8/k7 w - - 0 1", "e3e2", False),
    ],
)
def test_hard_case(fen: str, text: str, legal: bool) -> None:
    assert (text in texts(legal_moves(position_from_fen(fen)))) is legal


def test_king_is_never_left_in_check_from_an_odd_fen() -> None:
    """Guards the en passant capture above: the reply would have taken the king, and looking for it ended the search."""
    position = position_from_fen("4k3/1b6/8/3pP3/8/8/6K1/8 w - d6 0 1")
    for move in legal_moves(position):
        child = Position()
        make_move(position, child, move)
        assert child.attackers(child.king_square(0), 1, child.occupied()) == 0


def test_board_full_of_queens_has_room() -> None:
    """271 moves, the most that a search for such boards found; a list of 256 overflowed."""
    fen = "KQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q5RB/BQQQQQBk w - - 0 1"
    moves = legal_moves(position_from_fen(fen))
    assert len(moves) == 271 <= MAX_MOVES
    assert set(texts(moves)) == {move.uci() for move in chess.Board(fen).legal_moves}


def test_moves_are_written_from_the_start_given() -> None:
    """The search keeps the lists of all plies in one vector."""
    position = position_from_fen(chess.STARTING_FEN)
    moves = vec[i64]([i64(-7)] * (2 * MAX_MOVES))
    assert generate(position, moves, 5, True) == 25
    assert [moves[index] for index in range(5)] == [-7] * 5
    assert [moves[index] for index in range(5, 25)] == legal_moves(position)
    assert moves[25] == -7


@pytest.mark.parametrize("seed", range(12))
def test_plain_and_compiled_generate_the_same_game(seed: int) -> None:
    check_twins(play(write_fen(position_from_fen(ORDERS[seed * 16][0])), seed, 60))


@pytest.mark.parametrize("feature", FEATURES)
def test_plain_and_compiled_generate_the_same_rare_games(feature: str) -> None:
    for game in rare_games(feature)[::4]:
        check_twins(game)


def check_twins(game: Game) -> None:
    """Both modes in one run: the same packed moves in the same order, the same keys and checkers."""
    plain_fen = plain_twin("pawnstar.chess.fen")
    plain_generation = plain_twin("pawnstar.chess.generation")
    plain_position = plain_twin("pawnstar.chess.position")
    ours = position_from_fen(game.root)
    twin = plain_fen.position_from_fen(game.root)
    assert type(twin) is not Position
    for played in game.moves:
        found = legal_moves(ours)
        assert plain_generation.legal_moves(twin) == found
        assert legal_captures(twin, plain_generation.generate) == legal_captures(ours)
        move = found[texts(found).index(played.uci())]
        child = Position()
        make_move(ours, child, move)
        twin_child = plain_position.Position()
        plain_position.make_move(twin, twin_child, move)
        ours, twin = child, twin_child
        assert (twin.key, twin.checkers) == (ours.key, ours.checkers)
        assert (twin.plane0, twin.plane1, twin.plane2) == (ours.plane0, ours.plane1, ours.plane2)
        assert plain_fen.write_fen(twin) == write_fen(ours)
