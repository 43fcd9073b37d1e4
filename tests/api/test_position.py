"""Positions and moves of the API, held against python-chess in random games."""

import copy
import pickle

import chess
import pytest
from hypothesis import given, settings
from random_games import Game, games
from reference_exchange import see_reference

from pawnstar import AmbiguousMoveError, IllegalMoveError, InvalidMoveError, Move, Position
from pawnstar.chess.fen import position_from_fen
from pawnstar.chess.generation import legal_moves

MATE = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


@settings(max_examples=60)
@given(games(24))
def test_position_agrees_with_python_chess_through_games(game: Game) -> None:
    board = chess.Board(game.root)
    position = Position.from_fen(game.root)
    history: list[Position] = []
    for move in game.moves:
        assert {m.uci() for m in position.legal_moves} == {m.uci() for m in board.legal_moves}
        assert position.san(move) == board.san(move)
        assert position.parse_san(board.san(move)).to_chess() == move
        assert position.uci(board.san(move)) == move.uci()
        assert position.parse_uci(move.uci()) == Move.from_chess(move)
        assert position.is_capture(move) == board.is_capture(move)
        assert position.gives_check(move) == board.gives_check(move)
        history.append(position)
        position = position.play(move)
        board.push(move)
        assert position.fen == board.fen(en_passant="fen")
        assert position.is_check() == board.is_check()
        assert position.is_checkmate() == board.is_checkmate()
        assert position.is_stalemate() == board.is_stalemate()
        assert (position.turn == "white") == board.turn
        assert [position.piece_at(s) for s in range(64)] == [
            piece.symbol() if (piece := board.piece_at(s)) is not None else None for s in range(64)
        ]
        assert str(position) == str(board)
    assert Position.from_chess(board) == position


def test_clocks_count_on_where_the_engine_s_bytes_wrap() -> None:
    """The half-move clock and the move number wrapped at 256: fifty moves were forgotten, and a pickled position's
    engine planned its time as at the game's start.
    """
    board = chess.Board("7k/8/8/8/8/8/8/K7 w - - 250 252")
    position = Position.from_chess(board)
    for _ in range(3):
        for move in ("a1b1", "h8g8", "b1a1", "g8h8"):
            board.push_uci(move)
            position = position.play(move)
            assert position.fen == board.fen()
            assert (position.halfmove_clock, position.fullmove_number) == (board.halfmove_clock, board.fullmove_number)
            assert position.is_fifty_moves()
            assert position == Position.from_fen(position.fen) == Position.from_chess(chess.Board(board.fen()))
    assert (position.halfmove_clock, position.fullmove_number) == (262, 258)
    assert position._rules.clock == 262 % 256, "searches go on as the siblings' do"
    board.set_fen("7k/8/8/8/8/8/P7/K7 w - - 300 70000")
    position = Position.from_chess(board)
    board.push_uci("a2a3")
    assert position.play("a3").fen == board.fen(), "a pawn move starts the clock again"


@pytest.mark.parametrize("counters", ["0 0", "0 1", "255 255", "256 256", "257 257", "300 65536", f"{10**17} {10**17}"])
def test_counters_survive(counters: str) -> None:
    """All of a FEN's, a copy's and a pickle's; there is nothing to tell."""
    fen = f"7k/8/8/8/8/8/8/K6R b - - {counters}"
    assert Position.fen_faults(fen) == []
    for position in (Position.from_fen(fen), Position.from_fen(fen, forgiving=True)):
        assert position.fen == fen
        for twin in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
            assert twin == position
            assert twin.fen == fen
            assert twin._rules.move_number == position._rules.move_number
        assert position.mirror().mirror() == position


@pytest.mark.parametrize(
    ("counters", "read"),
    [
        ("-1 1", "255 1"),
        ("0 -5", "0 251"),
        ("-300 -300", "212 212"),
        ("1" + 30 * "0" + "5 7", "5 7"),
        ("5 1" + 30 * "0" + "7", "5 7"),
        ("0 300x", "0 44"),
    ],
)
def test_strange_counters_are_read_as_the_faults_say(counters: str, read: str) -> None:
    """A clock of thirty digits, of which the last few are small, was read as those in silence."""
    fen = f"7k/8/8/8/8/8/8/K6R b - - {counters}"
    position = Position.from_fen(fen)
    assert position.fen.endswith(f" {read}")
    assert pickle.loads(pickle.dumps(position))._rules.move_number == position._rules.move_number
    told = " ".join(Position.fen_faults(fen))
    for before, after in zip(counters.split(), read.split(), strict=True):
        assert before == after or f"'{before}' read as {after}" in told


def test_faults_of_something_else_are_a_type_error() -> None:
    for wrong in (None, 5, b"x", ["x"]):
        for read in (Position.fen_faults, Position.from_fen):
            with pytest.raises(TypeError, match="a FEN is a str"):
                read(wrong)  # type: ignore[arg-type]


def test_refused_fen_has_the_initial_position_s_clock() -> None:
    assert Position.from_fen("8/8/8/8/8/8/8/8 w - - 70 90", forgiving=True) == Position.initial()


def test_exchange_value_is_the_rules() -> None:
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    position, rules = Position.from_fen(fen), position_from_fen(fen)
    for move, packed in zip(position.legal_moves, legal_moves(rules), strict=True):
        assert position.see(move) == see_reference(rules, packed), move


def test_positions_are_values() -> None:
    start = Position.initial()
    other = Position.from_fen(start.fen)
    assert start == other
    assert hash(start) == hash(other)
    assert start is not other
    assert start != start.play("e4")
    assert start != "a position"
    # A transposition repeats the position, but its clock is another.
    there_and_back = start.play("Nf3").play("Nf6").play("Ng1").play("Ng8")
    assert there_and_back.key == start.key
    assert there_and_back != start
    assert len({start, other, there_and_back}) == 2
    assert eval(repr(start)) == start
    after = start.play("e4")
    assert start.fen.startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP"), "playing a move changes nothing"
    for twin in (copy.copy(after), copy.deepcopy(after), pickle.loads(pickle.dumps(after))):
        assert twin == after
        assert twin.en_passant == 20


def test_repetition_and_draws() -> None:
    position = Position.initial()
    history: list[Position] = []
    for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        assert not position.is_draw(history)
        history.append(position)
        position = position.play(move)
    assert position.is_repetition(history)
    assert position.is_draw(history)
    assert not position.is_draw()
    assert position.is_repetition([], 1)
    assert not position.is_repetition([], 2)
    with pytest.raises(ValueError, match="at least once"):
        position.is_repetition(history, 0)
    assert Position.from_fen("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1").is_draw()
    fifty = "7k/8/8/8/8/8/8/R6K b - - {} 90"
    assert Position.from_fen(fifty.format(100)).is_draw()
    assert not Position.from_fen(fifty.format(99)).is_draw()
    mated = Position.from_fen("R5k1/5ppp/8/8/8/8/8/K7 b - - 100 90")
    assert mated.is_checkmate()
    assert not mated.is_draw(), "mate goes before the fifty-move rule"
    assert Position.from_fen(MATE).is_checkmate()
    assert not Position.from_fen(MATE).legal_moves


def after(line: str, fen: str | None = None) -> tuple[Position, list[Position], chess.Board]:
    """The position behind a line of moves, the earlier ones, and python-chess's board."""
    board = chess.Board() if fen is None else chess.Board(fen)
    position = Position.initial() if fen is None else Position.from_fen(fen)
    history: list[Position] = []
    for text in line.split():
        history.append(position)
        position = position.play(text)
        board.push_san(text)
    return position, history, board


# A double push, then the position behind it twice more; and whether en passant could be taken.
SHUFFLE_BLACK = " Nc6 Nc3 Nb8 Nb1 Nc6 Nc3 Nb8 Nb1"


@pytest.mark.parametrize(
    ("fen", "line", "third"),
    [
        # Nobody stands beside the pawn.
        (None, "c4" + SHUFFLE_BLACK, True),
        (None, "a4" + SHUFFLE_BLACK, True),
        # A pawn stands there and may take: the first occurrence was another position.
        (None, "a3 d5 a4 d4 c4" + SHUFFLE_BLACK, False),
        (None, "a3 d5 a4 d4 c4" + SHUFFLE_BLACK + " Nc6 Nc3 Nb8 Nb1", True),
        # It may not take: it is pinned to its king, on the file or along the rank.
        ("3k4/8/8/8/3p4/8/2P5/1N1RK1n1 w - - 0 1", "c4 Ne2 Nc3 Ng1 Nb1 Ne2 Nc3 Ng1 Nb1", True),
        ("8/8/8/8/k2p3R/8/2P5/1N2K1n1 w - - 0 1", "c4 Ne2 Na3 Ng1 Nb1 Ne2 Na3 Ng1 Nb1", True),
        # Pinned along the diagonal on which it takes: it may.
        ("7k/8/8/8/3p4/8/2P5/B3K3 w - - 0 1", "c4 Kg8 Kd2 Kh8 Ke1 Kg8 Kd2 Kh8 Ke1", False),
        # The double push uncovers a check, and taking does not answer it.
        ("8/7k/8/8/3p4/8/2P5/1B2K3 w - - 0 1", "c4+ Kg8 Ba2 Kh7 Bb1+ Kg8 Ba2 Kh7 Bb1+", True),
    ],
)
def test_repetition_after_a_double_push(fen: str | None, line: str, third: bool) -> None:
    """c4 Nc6 Nc3 Nb8 Nb1 Nc6 Nc3 Nb8 Nb1 was no third occurrence, though nobody could have taken en passant.

    The square that was passed counts only where a capture is legal (FIDE's laws, 9.2.3; python-chess).
    """
    position, history, board = after(line, fen)
    assert board.is_repetition(3) == third
    assert position.is_repetition(history) == third
    assert position.is_draw(history) == (third or board.is_insufficient_material())


@settings(max_examples=60)
@given(games(plies=80))
def test_repetitions_are_python_chess_s(game: Game) -> None:
    """In random games, lengthened by moves there and back so that there are some."""
    board = chess.Board(game.root)
    position = Position.from_fen(game.root)
    history: list[Position] = []
    for move in game.moves:
        history.append(position)
        position = position.play(Move.from_chess(move))
        board.push(move)
    for _ in range(8 if len(game.moves) > 1 else 0):
        own = board.move_stack[-2]
        back = chess.Move(own.to_square, own.from_square)
        if not board.is_legal(back):
            break
        history.append(position)
        position = position.play(Move.from_chess(back))
        board.push(back)
    for count in (2, 3, 4):
        assert position.is_repetition(history, count) == board.is_repetition(count)


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("", "no board"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "no black king"),
        ("4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", "2 white kings"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn on rank 8"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "the side not to move is in check"),
        ("4k4/8/8/8/8/8/8/4K3p w - - 0 1", "a rank longer than eight squares"),
    ],
)
def test_unplayable_fen_says_why(fen: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Position.from_fen(fen)
    assert Position.from_fen(fen, forgiving=True) == Position.initial()
    assert Position.fen_faults(fen)


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "7 squares on rank 7"),
        ("rnbqkbnr/pppppppp/8/8/9/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'9' on rank 4"),
        ("rnbqkbnr/pppxpppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'x' on rank 7"),
        ("K6k w - - 0 1", "1 rank instead of 8"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 more", "behind the sixth field"),
    ],
)
def test_malformed_fen_is_refused(fen: str, reason: str) -> None:
    """They were read in silence, as boards that nobody had meant."""
    with pytest.raises(ValueError, match=reason):
        Position.from_fen(fen)
    assert [fault for fault in Position.fen_faults(fen) if reason in fault]
    assert Position.from_fen(fen, forgiving=True).fen


def test_faulty_fields_are_read_and_named() -> None:
    fen = "4k3/8/8/8/8/8/8/4K3 x KQ e3 y 1"
    assert Position.from_fen(fen).fen == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    assert len(Position.fen_faults(fen)) == 4
    assert Position.fen_faults("4k3/8/8/8/8/8/8/4K3") == []


def test_bad_arguments() -> None:
    start = Position.initial()
    with pytest.raises(IllegalMoveError, match="e2e5 is illegal"):
        start.play(Move.from_uci("e2e5"))
    with pytest.raises(IllegalMoveError, match="e2e4q"):
        start.play(Move.from_uci("e2e4q"))
    with pytest.raises(InvalidMoveError, match="not understood"):
        start.play("what")
    with pytest.raises(AmbiguousMoveError, match="ambiguous"):
        Position.from_fen("4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1").play("Ne4")
    with pytest.raises(TypeError, match="a move is a Move"):
        start.play(796)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one square to another"):
        start.play(chess.Move.null())
    with pytest.raises(ValueError, match="no such square"):
        start.piece_at(64)
    with pytest.raises(ValueError, match="no such square"):
        start.piece_at("e9")
    with pytest.raises(TypeError, match="a square is"):
        start.piece_at(1.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a FEN is a str"):
        Position.from_fen(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="from_fen"):
        Position("8/8/8/8/8/8/8/8")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="negative"):
        start.perft(-1)
    for squares in ((64, 0), (-1, 3), (5, 5)):
        with pytest.raises(ValueError, match="0 to 63"):
            Move(*squares)
    with pytest.raises(ValueError, match="promotes to"):
        Move(52, 60, 6)
    for text in ("e2", "e2e2", "e7e8k", "e2e4 ", "E2E4", ""):
        with pytest.raises(ValueError, match="coordinate notation"):
            Move.from_uci(text)
    assert not start.is_legal("what")
    assert start.is_legal("Nf3")
    assert start.is_legal(chess.Move.from_uci("e2e4"))


def test_moves_are_values_that_sort() -> None:
    moves = [Move.from_uci(text) for text in ("h7h8q", "a2a3", "h7h8n", "a2a4")]
    assert len({*moves, Move.from_uci("a2a3")}) == 4
    assert [move.uci() for move in sorted(moves, key=str)] == ["a2a3", "a2a4", "h7h8n", "h7h8q"]
    assert pickle.loads(pickle.dumps(moves)) == moves
    assert [move.uci() for move in sorted(moves)] == ["a2a3", "a2a4", "h7h8n", "h7h8q"]
    assert Move(52, 60) < Move(52, 60, 2), "None and a number once did not compare"


def test_perft_of_the_api() -> None:
    start = Position.initial()
    assert [start.perft(depth) for depth in range(4)] == [1, 20, 400, 8902]
    assert sum(start.perft_divide(3).values()) == 8902


# python-chess's boards.


def test_board_with_history() -> None:
    board = chess.Board()
    for text in ("Nf3", "Nf6", "Ng1", "Ng8"):
        board.push_san(text)
    position = Position.from_chess(board)
    assert position.fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3"


def test_board_with_a_null_move() -> None:
    board = chess.Board()
    board.push_san("e4")
    board.push(chess.Move.null())
    board.push_san("d4")
    position = Position.from_chess(board)
    assert position.fen == board.fen(en_passant="fen")


@pytest.mark.parametrize("clocks", ["0 1", "99 60", "255 255", "700 900"])
def test_a_pass_is_python_chess_s(clocks: str) -> None:
    """Clocks run on, beyond a byte too, and what the search remembers of a pass is not there."""
    board = chess.Board(f"4k3/8/8/3pP3/8/8/8/4K2R w K d6 {clocks}")
    for _ in range(2):
        board.push(chess.Move.null())
        position = Position.from_chess(board)
        assert position.fen == board.fen(en_passant="fen")
        assert position == Position.from_fen(position.fen)
        assert position._rules.null_move == 0
        assert position._rules.key == position._rules.compute_key()


def test_a_side_in_check_cannot_pass() -> None:
    board = chess.Board("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1")
    board.push(chess.Move.null())
    with pytest.raises(ValueError, match=r"^the side not to move is in check: '4k3/4R3/8/8/8/8/8/4K3 w - - 1 2'$"):
        Position.from_chess(board)


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (chess.Board(chess960=True), "chess960"),
        (chess.Board("8/8/8/8/8/8/8/8 w - - 0 1"), "no white king"),
    ],
)
def test_boards_that_cannot_be_played(board: chess.Board, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Position.from_chess(board)


def test_variant_board_is_refused() -> None:
    import chess.variant

    with pytest.raises(ValueError, match="standard chess only, not atomic"):
        Position.from_chess(chess.variant.AtomicBoard())


def test_illegal_move_in_a_boards_stack_is_named() -> None:
    board = chess.Board()
    board.push_san("e4")
    board.push(chess.Move.from_uci("e7e3"))
    with pytest.raises(IllegalMoveError, match="move 2 of the board's stack: e7e3 is illegal"):
        Position.from_chess(board)


def test_something_else_is_no_position() -> None:
    with pytest.raises(TypeError, match=r"a chess\.Board is wanted, not str"):
        Position.from_chess("startpos")  # type: ignore[arg-type]
