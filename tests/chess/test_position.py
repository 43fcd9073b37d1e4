"""Making moves: the recorded walks of the siblings, python-chess on random games, the null move and material draws."""

import chess
import pytest
from golden_files import golden_table
from hypothesis import given
from hypothesis import strategies as st
from modes import COMPILED
from random_games import Game, expected_fen, games, mask_of, odd_boards, position_of
from rare_games import FEATURES, rare_games

from pawnstar.chess.bits import unsigned
from pawnstar.chess.coordinate import parse_coordinate
from pawnstar.chess.draws import material_draw
from pawnstar.chess.fen import position_from_fen, start_position, write_fen
from pawnstar.chess.position import Position, make_move, make_null_move


def read_walks() -> list[list[list[str]]]:
    walks: list[list[list[str]]] = []
    for row in golden_table("facts", "walks.txt"):
        if row[0] == "START":
            walks.append([])
        walks[-1].append(row)
    return walks


WALKS = read_walks()


def fields_of(position: Position) -> tuple[int, ...]:
    return (
        position.plane0,
        position.plane1,
        position.plane2,
        position.white,
        position.black,
        position.checkers,
        position.key,
        position.en_passant,
        position.clock,
        position.move_number,
        position.rights,
        position.null_move,
        position.side,
    )


def assert_words_in_normal_form(position: Position) -> None:
    """In plain Python nothing else would notice a word that left 64 bits."""
    for word in fields_of(position):
        assert -(2**63) <= word < 2**63


@pytest.mark.parametrize("walk", WALKS, ids=[walk[0][1].replace("/", "|") for walk in WALKS])
def test_recorded_walk(walk: list[list[str]]) -> None:
    """FEN, incremental key, key from scratch and checkers after every move, as the siblings have them."""
    position = position_from_fen(walk[0][1])
    assert f"{unsigned(position.key):016x}" == walk[0][2]
    for text, fen, key, checkers in walk[1:]:
        move = parse_coordinate(position, text)
        assert move != 0, f"{text} not found in {write_fen(position)}"
        child = Position()
        make_move(position, child, move)
        assert write_fen(child) == fen
        assert f"{unsigned(child.key):016x}" == key
        assert child.compute_key() == child.key
        assert f"{unsigned(child.checkers):016x}" == checkers
        assert child.compute_checkers() == child.checkers
        assert_words_in_normal_form(child)
        assert fields_of(position_from_fen(fen)) == fields_of(child)
        position = child


@given(games(plies=80))
def test_random_games_equal_python_chess(game: Game) -> None:
    check_game(game)


@pytest.mark.parametrize("feature", FEATURES)
def test_rare_games_equal_python_chess(feature: str) -> None:
    for game in rare_games(feature):
        check_game(game)


def check_game(game: Game) -> None:
    """After every move: FEN, checkers, key, pieces by square, colour and kind."""
    board = chess.Board(game.root)
    position = position_from_fen(game.root)
    other = Position()
    for played in game.moves:
        before = fields_of(position)
        make_move(position, other, parse_coordinate(position, played.uci()))
        assert fields_of(position) == before, "the source of a move changes nothing"
        position, other = other, position
        board.push(played)
        assert write_fen(position) == expected_fen(board)
        assert mask_of(position.checkers) == board.checkers_mask()
        assert position.key == position.compute_key()
        assert_words_in_normal_form(position)
    for kind in chess.PIECE_TYPES:
        assert mask_of(position.kind(kind)) == board.pieces_mask(kind, True) | board.pieces_mask(kind, False)
    assert mask_of(position.kind(0)) == ~board.occupied & chess.BB_ALL
    assert mask_of(position.color(0)) == board.occupied_co[chess.WHITE]
    assert mask_of(position.color(1)) == board.occupied_co[chess.BLACK]
    assert mask_of(position.occupied()) == board.occupied
    assert position.king_square(0) == board.king(chess.WHITE)
    assert position.king_square(1) == board.king(chess.BLACK)
    for square in range(64):
        assert position.piece_at(square) == (board.piece_type_at(square) or 0)


@given(odd_boards())
def test_attackers_equal_python_chess(board: chess.Board) -> None:
    position = position_of(board)
    for square in range(64):
        for color in (chess.WHITE, chess.BLACK):
            found = position.attackers(square, 0 if color else 1, position.occupied())
            assert mask_of(found) == board.attackers_mask(color, square)


def test_target_of_a_move_may_hold_anything() -> None:
    """Positions are reused ply by ply: no field of what stood there before may survive."""
    source = position_from_fen("4k3/8/8/8/8/8/P7/4K3 w - - 3 9")
    clean = Position()
    dirty = position_from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 77 88")
    dirty.null_move = 1
    move = parse_coordinate(source, "a2a3")
    make_move(source, clean, move)
    make_move(source, dirty, move)
    assert fields_of(dirty) == fields_of(clean)


def test_copies_are_equal_and_apart() -> None:
    position = position_from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 77 88")
    twin = position.copy()
    assert twin is not position
    assert fields_of(twin) == fields_of(position)
    twin.clock = 5
    assert position.clock == 77


def test_null_move_passes_and_keeps_the_counters() -> None:
    """The en passant square leaves position and key; clock, move number and checkers stay (section 4)."""
    position = position_from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 12 34")
    passed = Position()
    make_null_move(position, passed)
    assert write_fen(passed) == "4k3/8/8/3pP3/8/8/8/4K3 b - - 12 34"
    assert passed.null_move == 1
    assert passed.checkers == position.checkers
    assert passed.key == passed.compute_key()
    again = Position()
    make_move(passed, again, parse_coordinate(passed, "e8e7"))
    assert again.null_move == 0
    assert again.clock == 13
    assert again.move_number + 1 == 35


def test_clock_and_move_number_wrap_at_256() -> None:
    """Both are a byte in the siblings; FEN and the fifty-move draw see the wrapped values."""
    position = position_from_fen("4k3/8/8/8/8/8/8/4K3 b - - 255 256")
    child = Position()
    make_move(position, child, parse_coordinate(position, "e8e7"))
    assert write_fen(child) == "8/4k3/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "clock"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 20", "e1g1", 8),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 20", "a1a8", 0),
        ("r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 7 20", "a2a3", 0),
        ("r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 7 20", "a2a4", 0),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 7 20", "a7a8n", 0),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 7 20", "e5d6", 0),
    ],
)
def test_clock_counts_from_the_last_capture_or_pawn_move(fen: str, text: str, clock: int) -> None:
    """Castling does not restart the clock."""
    position = position_from_fen(fen)
    child = Position()
    make_move(position, child, parse_coordinate(position, text))
    assert child.clock == clock


@st.composite
def bare_boards(draw: st.DrawFn) -> chess.Board:
    """Two kings and a few pieces, mostly minor ones."""
    squares = draw(st.permutations(range(64)))
    pieces = draw(st.lists(st.sampled_from("BBBbbbNnNnPpRq"), max_size=4))
    board = chess.Board.empty()
    for square, letter in zip(squares, ["K", "k", *pieces], strict=False):
        if letter not in "Pp" or square // 8 not in (0, 7):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = draw(st.booleans())
    return board


@given(bare_boards().filter(lambda board: not board.was_into_check()))
def test_material_draws_equal_python_chess_but_for_bishops_in_number(board: chess.Board) -> None:
    """python-chess also draws any number of bishops on one colour; section 10 only one for each side."""
    count = chess.popcount(board.occupied)
    ours = chess.popcount(board.bishops & board.occupied_co[chess.WHITE])
    drawn = board.is_insufficient_material() and (count <= 3 or (count == 4 and ours == 1))
    assert material_draw(position_of(board)) == (count if drawn else 0)


@pytest.mark.parametrize(
    ("fen", "pieces"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 2),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 3),
        ("4k3/8/8/8/8/8/8/4Kb2 w - - 0 1", 3),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 0),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", 4),  # f8 and c1 are both dark
        ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", 4),  # c8 and f1 are both light
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", 0),  # one of each colour
        ("4k3/8/8/8/8/4B3/8/2B1K3 w - - 0 1", 0),  # two bishops of one side
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", 0),  # two knights can be mated with help
    ],
)
def test_material_draw_cases(fen: str, pieces: int) -> None:
    assert material_draw(position_from_fen(fen)) == pieces


@pytest.mark.compiled_only
@given(games(plies=300))
def test_long_games_keep_their_keys(game: Game) -> None:
    """Rights, en passant squares and promotions over whole games; only the last key is computed from scratch."""
    assert COMPILED
    position = position_from_fen(game.root)
    for played in game.moves:
        child = Position()
        make_move(position, child, parse_coordinate(position, played.uci()))
        position = child
    assert write_fen(position) == expected_fen(game.board)
    assert fields_of(position_from_fen(write_fen(position))) == fields_of(position)


def test_start_position_has_its_known_key() -> None:
    assert write_fen(start_position()) == chess.STARTING_FEN
    assert start_position().key == start_position().compute_key()
