from __future__ import annotations

from typing import Any

import pytest

from pawnstar.drop7 import COMPILED, Game, Rules, Source
from pawnstar.drop7.rules.board import occupied_rows, parse_board, rise_blocked
from pawnstar.drop7.rules.game import frames, play_center_games

from ..goldens import records, state_of


def test_single_moves() -> None:
    rules = Rules()
    checked = 0
    for record in records("moves.jsonl"):
        source = Source(record["mulberrySeed"])
        move = rules.play(state_of(record), record["col"], source)
        assert source.bits() == record["nextBitsAfter"]
        checked += 1
        if move is None:
            assert "board" not in (record["result"] or {})
            continue
        after = move.after
        assert record["result"] == {
            "delta": move.delta,
            "waves": [list(wave) for wave in move.waves],
            "board": after.board.text(),
            "next": after.next_disc,
            "score": after.score,
            "level": after.level,
            "movesUntilRise": after.clock,
            "movesPlayed": after.moves_played,
            "cleared": move.cleared,
            "advanced": move.advanced,
            "over": after.over,
        }
    assert checked == 3504


def row_major(rows: int) -> str:
    """A row board in the goldens' form: bit ``i`` is cell ``i`` from the top left."""
    board = 0
    for cell in range(49):
        if rows >> (8 * (6 - cell // 7) + cell % 7) & 1:
            board |= 1 << cell
    return f"{board:013x}"


def test_waves() -> None:
    checked = 0
    for record in records("waves.jsonl"):
        rules = Rules()
        board = parse_board(record["board"])
        assert board.columns() == record["cols"]
        rules.set_board(board.pair0, board.pair1, board.pair2, board.pair3)
        rules.add_disc(record["next"], record["col"])
        source = Source(record["mulberrySeed"])
        for step in record["steps"]:
            before = rules.board()
            assert before.text() == step["before"]
            rows = int(occupied_rows(before.pair0, before.pair1, before.pair2, before.pair3))
            assert row_major(rows) == step["occ"]
            rules.delta = 0
            assert rules.wave(step["depth"], source)
            after = rules.board()
            assert row_major(int(rules.popping)) == step["popping"]
            assert (rules.popped, rules.revealed, rules.delta) == (step["cleared"], step["revealed"], step["points"])
            assert (after.text(), after.columns()) == (step["after"], step["colsAfter"])
        assert not rules.wave(len(record["steps"]) + 1, source)
        assert rise_blocked(rules.pair0, rules.pair1, rules.pair2, rules.pair3) != record["riseAllowed"]
        if record["riseAllowed"]:
            rules.rise()
            assert rules.board().text() == record["afterRise"]
        checked += 1
    assert checked == 198


@pytest.mark.parametrize(("name", "games", "moves"), [("center", 128, 2620), ("ts", 32, 745)])
def test_trajectories(name: str, games: int, moves: int) -> None:
    game = Game(0)
    seen = {"game": 0, "move": 0, "end": 0}
    for record in records(f"trajectories_{name}.jsonl"):
        seen[record["rec"]] += 1
        if record["rec"] == "game":
            game = Game(record["seed"], record["driver"] == "ts")
            state = game.state
            assert (state.board.text(), state.next_disc) == (record["board"], record["next"])
            assert (state.clock, state.level) == (record["movesUntilRise"], record["level"])
        elif record["rec"] == "move":
            assert game.state.next_disc == record["disc"]
            check_move(game, record)
        else:
            state = game.state
            assert (state.score, state.moves_played, state.level) == (record["score"], record["moves"], record["level"])
            assert (state.over, state.board.text()) == (record["over"], record["board"])
    assert seen == {"game": games, "move": moves, "end": games}


def check_move(game: Game, record: dict[str, Any]) -> None:
    move = game.play(record["col"])
    after = move.after
    assert record == {
        "rec": "move",
        "n": after.moves_played,
        "col": move.column,
        "disc": move.disc,
        "delta": move.delta,
        "waves": [list(wave) for wave in move.waves],
        "board": after.board.text(),
        "next": after.next_disc,
        "score": after.score,
        "level": after.level,
        "movesUntilRise": after.clock,
        "cleared": move.cleared,
        "advanced": move.advanced,
        "over": after.over,
    }


@pytest.mark.parametrize(
    ("games", "moves", "waves", "mean"),
    [
        (64, 1297, 868, 52566),
        pytest.param(512, 10856, 7522, 55712, marks=pytest.mark.compiled_only),
        pytest.param(32768, 694929, 481838, 55689, marks=pytest.mark.compiled_only),
    ],
)
def test_center_games(games: int, moves: int, waves: int, mean: int) -> None:
    played, exploded, score = play_center_games(0xA5277000, games, 2000)
    assert (played, exploded, score // games) == (moves, waves, mean)


def test_the_pictures_of_a_move_end_where_the_move_ends() -> None:
    for seed in range(40 if COMPILED else 8):
        game = Game(seed, single_stream=True)
        while not game.state.over:
            state = game.state
            column = state.legal_columns()[0]
            source = Source(0)
            source.state = game.source.state
            pictures = frames(state, column, source)
            move = game.play(column)
            assert pictures[-1].board.text() == move.after.board.text()
            waves = [(picture.depth, picture.points) for picture in pictures if picture.event == "wave"]
            assert waves == [(wave[0], wave[3]) for wave in move.waves]
            assert any(picture.event == "rise" for picture in pictures) == move.advanced


def test_a_full_column_cannot_be_played() -> None:
    game = Game(1)
    with pytest.raises(ValueError, match="column 7 cannot be played"):
        game.play(7)
