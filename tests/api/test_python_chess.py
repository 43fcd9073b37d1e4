"""What users of python-chess expect: their names, their objects, and words where they are mistaken."""

from collections.abc import Callable
from typing import Any

import chess
import chess.engine
import pytest
from hypothesis import given, settings
from random_games import Game as RandomGame
from random_games import games

import pawnstar
from pawnstar import Analysis, Engine, Game, Limits, Move, Network, Position, Score, SearchResult
from pawnstar.api import hints

START = Position.initial()
# Searched to the end in no time, in plain Python too.
LITTLE = Position.from_fen("8/8/4k3/8/4P3/4K3/8/8 w - - 0 1")


@pytest.fixture(scope="module")
def network() -> Network:
    return Network.default()


@settings(max_examples=40, deadline=None)
@given(games(24))
def test_boards_agree(random_game: RandomGame) -> None:
    board = random_game.board
    position = Position.from_chess(board)
    assert position.board_fen() == board.board_fen()
    assert position.epd() == board.epd()
    assert position.piece_map() == {square: piece.symbol() for square, piece in sorted(board.piece_map().items())}
    assert position.unicode() == board.unicode()
    assert position.unicode(invert_color=True, empty_square=".") == board.unicode(invert_color=True, empty_square=".")
    assert position.mirror() == Position.from_fen(board.mirror().fen(en_passant="fen"))
    assert position.mirror().mirror() == position
    assert position.to_chess().fen(en_passant="fen") == board.fen(en_passant="fen")
    assert position.checkers() == tuple(board.checkers())
    for square in range(64):
        for color in chess.COLORS:
            assert position.attackers(color, square) == tuple(board.attackers(color, square))
    assert position.attackers("white", "e4") == position.attackers(chess.WHITE, chess.E4)
    for move in board.legal_moves:
        assert move in position.legal_moves
        ours = position.legal_moves[position.legal_moves.index(Move.from_chess(move))]
        assert ours == move
        assert move == ours
        assert hash(ours) == hash(move)
        assert len({ours, move}) == 1
    assert chess.Move.null() not in position.legal_moves
    assert position.variation_san([]) == ""


def test_lines_in_algebraic_notation_agree() -> None:
    for fen, line in (
        (START.fen, ["e2e4", "c7c5", "g1f3"]),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", ["d8h4"]),
        ("4k3/P7/8/8/8/8/8/4K2R w K - 0 40", ["a7a8q", "e8e7", "e1g1"]),
    ):
        board = chess.Board(fen)
        expected = board.variation_san([chess.Move.from_uci(text) for text in line])
        assert Position.from_fen(fen).variation_san(line) == expected
    with pytest.raises(ValueError, match="illegal"):
        START.variation_san(["e2e4", "e2e4"])
    with pytest.raises(TypeError, match="not one str"):
        START.variation_san("e2e4")


def test_moves_are_not_equal_to_what_only_looks_alike() -> None:
    move = Move.from_uci("e2e4")
    assert move != "e2e4"
    assert move != chess.Move(12, 28, drop=chess.PAWN)
    assert move != chess.Move.from_uci("e2e3")
    assert Move.from_uci("e7e8q") != chess.Move.from_uci("e7e8r")
    with pytest.raises(TypeError):
        _ = move < "e2e4"  # type: ignore[operator]


def test_boards_take_our_moves() -> None:
    board = chess.Board()
    board.push(START.legal_moves[0].to_chess())
    board.push(Position.from_chess(board).legal_moves[0])  # type: ignore[arg-type]  # as it is, too
    assert len(board.move_stack) == 2
    assert isinstance(board.peek(), chess.Move)
    assert Position.from_chess(board).legal_moves[0] in board.legal_moves  # type: ignore[operator]


def test_attackers_of_nothing() -> None:
    for color in ("w", "White", None, 2):
        with pytest.raises(ValueError, match="a side is 'white' or 'black'"):
            START.attackers(color, "e4")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no such square"):
        START.attackers("white", 64)
    with pytest.raises(TypeError, match="a square is"):
        START.attackers("white", None)  # type: ignore[arg-type]


def test_notebooks_see_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = START._repr_svg_()
    assert svg is not None
    assert svg.startswith("<svg")
    import sys

    monkeypatch.setitem(sys.modules, "chess", None)  # not installed
    assert START._repr_svg_() is None
    with pytest.raises(ImportError):
        START.to_chess()


# One order of arguments, and words for other habits.


def test_arguments_come_in_one_order(network: Network) -> None:
    history = [LITTLE, LITTLE.play("Kd4")]
    position = history[-1].play("Kd6")
    limits = Limits(depth=3)
    with Engine(hash=1, network=network) as engine:
        assert engine.search(position, limits, history).best_move is not None
        assert engine.play(position, limits, history) in position.legal_moves
        assert engine.analyse(position, limits, history).wait().best_move is not None
        assert engine.ponder(position, limits, history).wait().best_move is not None


@pytest.mark.parametrize("method", ["search", "play", "analyse", "ponder"])
def test_other_orders_are_told_the_right_one(network: Network, method: str) -> None:
    limits = Limits(depth=1)
    order = "the order is position, limits, history"
    with Engine(hash=1, network=network) as engine:
        call = getattr(engine, method)
        for arguments, message in (
            ((START, [START], limits), f"limits must be Limits, not list; {order}"),
            ((START, (), limits), f"limits must be Limits, not tuple; {order}"),
            ((START, limits, limits), f"history holds the game's earlier positions, not Limits; {order}"),
            ((limits, START), f"a position is wanted first, not Limits; {order}"),
            ((limits, limits), f"a position is wanted first, not Limits; {order}"),
            ((START, chess.engine.Limit(time=1)), "not python-chess's Limit: time=0.5 is movetime=500"),
            ((START, 5), r"such as Limits\(movetime=1000\), not int"),
            ((START, limits, START), "not one Position"),
            ((START, limits, START.fen), "not one str"),
            ((START, limits, 5), "not int"),
            ((None, limits), "a position is a pawnstar.Position or Game, a chess.Board or a FEN, not NoneType"),
        ):
            with pytest.raises(TypeError, match=message):
                call(*arguments)
        with pytest.raises(TypeError, match="a position is wanted first"):
            engine.search(limits)  # type: ignore[arg-type]
        assert engine.search(LITTLE, limits).best_move is not None, "nothing is left running"


def test_stop_signals_are_checked(network: Network) -> None:
    with Engine(hash=1, network=network) as engine, pytest.raises(TypeError, match=r"stop must have is_set\(\)"):
        engine.search(START, Limits(depth=1), None, lambda: False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "position",
    [LITTLE, LITTLE.fen, LITTLE.epd(), chess.Board(LITTLE.fen), pawnstar.Game(LITTLE)],
    ids=lambda value: type(value).__name__,
)
def test_positions_of_every_kind_are_accepted_everywhere(network: Network, position: Any) -> None:
    limits = Limits(depth=1)
    with Engine(hash=1, network=network) as engine:
        results = [
            engine.search(position, limits).best_move,
            engine.play(position, limits),
            engine.analyse(position, limits).wait().best_move,
            engine.ponder(position, limits).wait().best_move,
        ]
        assert all(move in LITTLE.legal_moves for move in results)
        assert engine.evaluate(position) == network.evaluate(position) == network.evaluate_many([position])[0]
    assert pawnstar.Book(["e2e4"]).pick(position) is None
    assert pawnstar.Game(position).position == LITTLE


# Names of python-chess and of UCI.


@pytest.mark.parametrize(
    ("guess", "hint"),
    [
        (lambda my: my.Board, r"no attribute 'Board'; Position never changes, Game has push and pop"),
        (lambda my: my.Limit, "see Limits"),
        (
            lambda my: my.Position(),
            r"use Position.initial\(\), Position.from_fen\(fen\) or Position.from_chess\(board\)",
        ),
        (lambda my: my.Position(START.fen), "use Position.initial"),
        (lambda my: my.Position.initial().push("e4"), r"never changes: play\(move\) returns the next one"),
        (lambda my: my.Position.initial().is_game_over, r"outcome\(\) is not None"),
        (lambda my: my.Game().push_san("e4"), "'Game' object has no attribute 'push_san'; push takes"),
        (lambda my: my.Game().fen(), "see position.fen"),
        (lambda my: my.Score(3).pov(chess.WHITE), r"see white\(\) and black\(\)"),
        (lambda my: my.SearchResult(None).bestmove, "see best_move"),
        (lambda my: my.Limits(time=1), r"Limits has no 'time': it is movetime, in milliseconds"),
        (
            lambda my: my.Limits(depth=1, wtime=5000, btime=5000),
            "Limits has no 'wtime': it is time_left, of the side to move",
        ),
        (lambda my: my.Engine("pawnstar"), r"by keyword, such as Engine\(hash=64, threads=2\)"),
        (lambda my: my.Engine(network="net.bin"), "not str; eval_file takes a path"),
    ],
)
def test_names_of_others_are_told_ours(guess: Callable[[Any], object], hint: str) -> None:
    """Whoever knows python-chess guesses its names; the bare AttributeError or TypeError did not help."""
    with pytest.raises((AttributeError, TypeError), match=hint):
        guess(pawnstar)


def test_names_of_others_at_an_engine(network: Network) -> None:
    with Engine(hash=1, network=network) as engine:
        with pytest.raises(TypeError, match=r"by keyword, such as configure\(hash=64, threads=2\)"):
            engine.configure({"Hash": 16})  # type: ignore[arg-type]
        with pytest.raises(AttributeError, match="see analyse"):
            engine.analysis(START)  # type: ignore[attr-defined]
        with pytest.raises(AttributeError, match=r"wait\(\) for the result"):
            engine.analyse(LITTLE, Limits(depth=1)).score  # type: ignore[attr-defined]  # noqa: B018
        with pytest.raises(AttributeError, match=r"^'Engine' object has no attribute 'colour'$"):
            engine.colour  # type: ignore[attr-defined]  # noqa: B018


def test_hints_name_what_there_is_and_hide_nothing() -> None:
    for kind, hints_of in (
        (Position, hints.POSITION),
        (Game, hints.GAME),
        (Engine, hints.ENGINE),
        (Analysis, hints.ANALYSIS),
        (Score, hints.SCORE),
        (SearchResult, hints.RESULT),
        (pawnstar, hints.PACKAGE),
    ):
        assert not [name for name in hints_of if name in dir(kind)]
    assert not set(hints.LIMITS) & set(Limits.__dataclass_fields__)
