"""Games of the API, held against python-chess in random games."""

import chess
import pytest
from hypothesis import given, settings
from random_games import Game as RandomGame
from random_games import games

from pawnstar import Engine, Game, Limits, Move, Network, Outcome, Position

THERE_AND_BACK = ["Nf3", "Nf6", "Ng1", "Ng8"]


@settings(max_examples=40, deadline=None)
@given(games(24))
def test_game_agrees_with_python_chess(random_game: RandomGame) -> None:
    board, game = chess.Board(random_game.root), Game(random_game.root)
    for move in random_game.moves:
        game.push(move)
        board.push(move)
        assert game.position.fen == board.fen(en_passant="fen")
    assert game.to_chess().move_stack == board.move_stack
    assert game.to_chess() == board
    assert Game.from_chess(board) == game == Game(board)
    assert game.san() == chess.Board(random_game.root).variation_san(random_game.moves)
    assert len(game) == len(random_game.moves) == len(game.history)
    for move in reversed(random_game.moves):
        assert game.pop() == move == board.pop()
        assert game.position.fen == board.fen(en_passant="fen")
    with pytest.raises(IndexError, match="no move to take back"):
        game.pop()


def test_game_brings_its_history_to_the_engine() -> None:
    game = Game(moves=THERE_AND_BACK * 2)
    with Engine(hash=1, network=Network.default()) as engine:
        assert engine.evaluate(game) == 0
        assert engine.evaluate(game.position) != 0
        assert engine.search(game, Limits(depth=3)).best_move in game.legal_moves
        game.push(engine.play(game, Limits(depth=3)))
    assert len(game) == 9


def test_outcomes() -> None:
    assert Game().outcome() is None
    assert Game(moves=["f3", "e5", "g4", "Qh4"]).outcome() == Outcome("checkmate", "black")
    assert Game(moves=THERE_AND_BACK).outcome() is None
    assert Game(moves=THERE_AND_BACK * 2).outcome() == Outcome("threefold repetition")
    assert Position.from_fen("7k/5Q2/8/8/8/8/8/K7 b - - 0 1").outcome() == Outcome("stalemate")
    assert Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").outcome() == Outcome("insufficient material")
    assert Position.from_fen("7k/8/8/8/8/8/8/R6K b - - 100 90").outcome() == Outcome("fifty moves")
    outcomes = Outcome("checkmate", "white"), Outcome("checkmate", "black"), Outcome("stalemate")
    assert [outcome.result() for outcome in outcomes] == ["1-0", "0-1", "1/2-1/2"]


@settings(max_examples=30, deadline=None)
@given(games(60))
def test_outcome_agrees_with_python_chess(random_game: RandomGame) -> None:
    board = random_game.board
    theirs, ours = board.outcome(), Game(random_game.root, random_game.moves).outcome()
    if theirs is not None and theirs.termination in (chess.Termination.CHECKMATE, chess.Termination.STALEMATE):
        assert ours is not None
        assert (ours.termination, ours.result()) == (theirs.termination.name.lower(), theirs.result())
    else:
        assert (ours is not None) == (
            board.is_fifty_moves() or board.is_repetition(3) or board.is_insufficient_material()
        )
        assert ours is None or ours.result() == "1/2-1/2"


def test_faulty_moves_leave_the_game_as_it_is() -> None:
    game = Game(moves=["e4"])
    for move in ("e4", "what", Move.from_uci("e2e4"), chess.Move.null(), chess.Move.from_uci("a1a2")):
        with pytest.raises(ValueError, match=r"illegal|not understood|one square to another"):
            game.push(move)
    with pytest.raises(TypeError, match="a move is a Move"):
        game.push(5)  # type: ignore[arg-type]
    assert game == Game(moves=["e4"])
    with pytest.raises(TypeError, match="not one str"):
        Game(moves="e4")
    with pytest.raises(ValueError, match="illegal"):
        Game(moves=["e4", "e4"])
    with pytest.raises(TypeError, match="a position is"):
        Game(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a chess\.Board is wanted"):
        Game.from_chess("startpos")  # type: ignore[arg-type]


def test_games_from_boards_with_null_moves_begin_behind_them() -> None:
    board = chess.Board()
    board.push_san("e4")
    board.push(chess.Move.null())
    board.push_san("d4")
    game = Game(board)
    assert game.moves == (Move.from_uci("d2d4"),)
    assert game.position.fen == board.fen(en_passant="fen")


def test_games_are_values_that_change() -> None:
    game = Game(moves=["e4"])
    assert game == game.copy()
    assert Game(game, ["e5"]) != game
    assert game != Position.initial()
    assert Game(Position.initial().play("e4")) != game, "another start"
    assert bool(Game())
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)
    assert str(game) == str(game.position)
    history = game.history
    game.push("e5")
    assert len(history) == 1
    svg = game._repr_svg_()
    assert svg is not None
    assert svg.startswith("<svg")
