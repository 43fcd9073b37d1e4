"""Draws (specification, section 10): material, fifty moves, repetition; held to the rules written out in full."""

import random
from collections import Counter

import chess
import pytest
from nets import Net
from rare_games import FEATURES, boards, rare_games

from pawnstar.chess.coordinate import parse_coordinate
from pawnstar.chess.fen import position_from_fen, write_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import captured_piece, from_square, to_square
from pawnstar.chess.position import Position, make_move, make_null_move
from pawnstar.engine.engine import Engine, keys_and_clocks
from pawnstar.evaluation.cache import EvalCache
from pawnstar.search.limits import Limits
from pawnstar.search.tables.transposition_table import TranspositionTable
from pawnstar.search.worker import Worker


def line_of(fen: str, *moves: str) -> list[Position]:
    """All positions of a game, the root first."""
    line = [position_from_fen(fen)]
    for text in moves:
        move = parse_coordinate(line[-1], text)
        assert move != 0, text
        line.append(Position())
        make_move(line[-2], line[-1], move)
    return line


def drawn_by(engine: Engine, line: list[Position]) -> str | None:
    """The counter of the draw that an evaluation of the line's last position finds."""
    engine.reset_counters()
    value = engine.evaluate(line[-1], line[:-1])
    found = [name for name, count in engine.counters().items() if name.startswith("draws") and count]
    assert not found or value == 0
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(
    ("board", "drawn"),
    [
        ("4k3/8/8/8/8/8/8/4K3", 2),
        ("4k3/8/8/8/8/8/8/4KB2", 3),
        ("4k1n1/8/8/8/8/8/8/4K3", 3),
        ("4k3/8/8/8/8/8/8/4KR2", None),
        ("4k3/7p/8/8/8/8/8/4K3", None),
        ("4k3/8/8/8/8/8/8/3QK3", None),
        ("4kb2/8/8/8/8/8/8/2B1K3", 4),  # both on dark squares
        ("2b1k3/8/8/8/8/8/8/4KB2", 4),  # both on light ones
        ("4kb2/8/8/8/8/8/8/4KB2", None),  # one on each colour
        ("4k3/8/8/8/8/8/8/2B1KB2", None),  # one side's pair
        ("4k3/8/8/8/8/8/8/B1B1K3", None),
        ("4kn2/8/8/8/8/8/8/4KN2", None),
        ("4k3/8/8/8/8/8/8/3NKN2", None),  # cannot be forced; yet not a draw by rule
        ("4kb2/8/8/8/8/8/8/4KN2", None),
        ("4kb2/8/8/8/8/8/8/4KR2", None),
    ],
)
@pytest.mark.parametrize("side", "wb")
def test_material(engine: Engine, board: str, drawn: int | None, side: str) -> None:
    expected = None if drawn is None else f"draws by material ({drawn})"
    assert drawn_by(engine, line_of(f"{board} {side} - - 0 1")) == expected


SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_third_occurrence_is_a_draw(engine: Engine) -> None:
    line = line_of(START, *SHUFFLE, *SHUFFLE)
    repetitions = [drawn_by(engine, line[: length + 1]) for length in range(len(line))]
    assert repetitions == [None] * 8 + ["draws by repetition SS"]


def test_other_rights_are_another_position(engine: Engine) -> None:
    """The first time White may still castle; only three more times are a threefold repetition."""
    king = ("e1f1", "e8d8", "f1e1", "d8e8")
    line = line_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", *king, *king, *king)
    assert [drawn_by(engine, line[: length + 1]) for length in (4, 8, 9, 12)] == [
        None,
        None,
        "draws by repetition SS",  # after Kf1, the rights are gone from the start
        "draws by repetition SS",
    ]


def test_en_passant_square_is_part_of_the_position(engine: Engine) -> None:
    """After a double push it is hashed, whether or not a pawn can capture."""
    line = line_of(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", *("g8f6", "g1f3", "f6g8", "f3g1") * 2
    )
    assert drawn_by(engine, line) is None
    line = line_of(write_fen(line[1]), *("g8f6", "g1f3", "f6g8", "f3g1") * 3)
    assert drawn_by(engine, line) == "draws by repetition SS"


@pytest.mark.parametrize(
    ("fen", "drawn"),
    [
        ("8/8/8/4k3/8/8/8/4KR2 w - - 99 80", False),
        ("8/8/8/4k3/8/8/8/4KR2 w - - 100 80", True),
        ("8/8/8/4k3/8/8/8/4KR2 b - - 255 80", True),
        # Mate comes before the hundredth ply's draw; check alone and stalemate do not.
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80", False),
        ("R5k1/5pp1/8/8/8/8/8/4K3 b - - 100 80", True),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 80", True),
    ],
)
def test_fifty_moves(engine: Engine, fen: str, drawn: bool) -> None:
    """Evaluations are scaled to nothing at 100, so it is asked of the search's own test."""
    search = Worker(engine.network, engine.table, EvalCache())
    search.prepare(position_from_fen(fen), [])
    assert search.is_drawn_root() == drawn


def test_mate_on_the_hundredth_ply_is_mate(engine: Engine) -> None:
    result = engine.search(position_from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80"), limits=Limits(depth=4))
    assert (result.best_move, result.score) == (
        parse_coordinate(position_from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80"), "a1a8"),
        31899,
    )


def test_search_avoids_the_repetition_when_it_is_winning(engine: Engine) -> None:
    """A rook up, with the position before each retreat twice on the board already: the score is not a draw's."""
    line = line_of("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", *("a1b1", "e8d8", "b1a1", "d8e8") * 2)
    result = engine.search(line[-1], line[:-1], Limits(depth=5))
    assert result.score > 100
    # The side that is losing plays for it: …Kd8 twice before allows a third.
    result = engine.search(line[-2], line[:-2], Limits(depth=5))
    assert result.score == 0


def oracle(line: list[tuple[int, int]], key: int) -> bool:
    """Section 10 to the letter: the walk down the stack of earlier (key, clock) pairs."""
    found = 0
    index = len(line) - 4
    while index >= 0:
        if line[index][0] == key:
            found += 1
            if found == 2:
                return True
        if line[index][1] == 0:
            return False
        index -= 2
    return False


def shuffled(dice: random.Random, position: Position, before: list[int]) -> int:
    """A move for a game that repeats itself: often the way back of the side's last move; 0 where there is none."""
    moves = legal_moves(position)
    if len(before) >= 2 and before[-2] != 0 and dice.random() < 0.7:
        last = before[-2]
        back = [
            move
            for move in moves
            if (from_square(move), to_square(move)) == (to_square(last), from_square(last))
            and captured_piece(move) == 0
        ]
        if back:
            return back[0]
    quiet = [move for move in moves if captured_piece(move) == 0]
    if quiet and dice.random() < 0.98:
        return dice.choice(quiet)
    return dice.choice(moves) if moves else 0


ROOTS = [
    "7k/8/8/8/8/8/8/K6R w - - 0 1",
    "7k/8/8/8/8/8/8/K6R w - - 90 60",
    "1r5k/8/8/8/8/8/8/K5R1 w - - 240 60",
    "1r5k/8/8/8/8/8/8/K5R1 b - - 253 60",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 97 60",
    "n6k/p7/8/8/8/8/P7/K6N w - - 98 255",
]


# Eight plies more and the clock, a byte, is 0 again.
WRAPPING = ["1r5k/8/8/8/8/8/8/K5R1 w - - 247 60"]


def test_repetition_of_games_and_lines_is_found_as_the_rules_say(parity: Net) -> None:
    """Guards the short cut by the clock: two earlier occurrences need four reversible moves, passes not counted,
    unless the game has wrapped its clock (a byte), which only a game can.

    Random shuffling games, long ones beyond 255 reversible plies too, and search lines behind them with passes.
    """
    search = Worker(parity.network, TranspositionTable(1), EvalCache())
    dice = random.Random(17)
    drawn = wrapped = passes = 0
    for root in ROOTS * 6 + WRAPPING * 60:
        game = [position_from_fen(root)]
        moves: list[int] = []
        for _ in range(dice.choice([6, 20, 40])):
            move = shuffled(dice, game[-1], moves)
            if move == 0:
                break
            moves.append(move)
            game.append(Position())
            make_move(game[-2], game[-1], move)
            past = keys_and_clocks(game[:-1])
            search.prepare(game[-1], past)
            search.counters.reset()
            search.is_drawn_root()
            found = search.counters.by_name()["draws by repetition SS"] == 1
            last = game[-1]
            if (
                not any(count for name, count in search.counters.by_name().items() if "material" in name)
                and last.clock < 100
            ):
                assert found == oracle(past, int(last.key)), (root, write_fen(last))
                drawn += found
                wrapped += found and any(clock > 200 for _, clock in past)
        # A line of the search from the game's end.
        search.prepare(game[-1], keys_and_clocks(game[:-1]))
        line = keys_and_clocks(game[:-1])
        for ply in range(40):
            node, child = search.stack[ply], search.stack[ply + 1]
            line.append((int(node.key), int(node.clock)))
            search.enter_line(node)
            if node.checkers == 0 and node.null_move == 0 and dice.random() < 0.3:
                make_null_move(node, child)
                moves.append(0)
                passes += 1
            else:
                move = shuffled(dice, node, moves)
                if move == 0:
                    break
                moves.append(move)
                make_move(node, child, move)
            if child.clock >= 100:
                break  # drawn, so that no search goes on
            search.counters.reset()
            search.evaluate(child)
            counters = search.counters.by_name()
            if not any(count for name, count in counters.items() if "material" in name):
                found = counters["draws by repetition SS"] == 1
                assert found == oracle(line, int(child.key)), (root, ply, write_fen(child))
                drawn += found
    assert drawn > 100
    assert wrapped > 5
    assert passes > 50


def drawn_by_python_chess(board: chess.Board) -> bool:
    """Material and fifty moves as section 10 has them, asked of python-chess."""
    pieces = chess.popcount(board.occupied)
    # python-chess also draws any number of bishops on one colour.
    alone = chess.popcount(board.bishops & board.occupied_co[chess.WHITE]) == 1
    material = board.is_insufficient_material() and (pieces <= 3 or (pieces == 4 and alone))
    return material or (board.halfmove_clock % 256 >= 100 and not board.is_checkmate())


@pytest.mark.parametrize("feature", FEATURES)
def test_draws_in_rare_games_equal_python_chess(parity: Net, feature: str) -> None:
    """High clocks, mates on the hundredth ply, positions that came twice and three times before."""
    search = Worker(parity.network, TranspositionTable(1), EvalCache())
    drawn = 0
    for game in rare_games(feature):
        line = line_of(game.root, *(move.uci() for move in game.moves))
        seen: Counter[str] = Counter()
        pushed_twice = False
        for number, board in enumerate(boards(game)):
            # The en passant square belongs to the key after every double push, also where nobody can capture.
            place = " ".join(board.fen(en_passant="fen").split()[:4])
            pushed_twice = pushed_twice or board.ep_square is not None
            repeated = seen[place] >= 2
            seen[place] += 1
            if not pushed_twice:
                assert repeated == board.is_repetition(3), game
            search.prepare(line[number], keys_and_clocks(line[:number]))
            if board.halfmove_clock < 256:  # the walk ends where the byte has become 0
                assert search.is_drawn_root() == (drawn_by_python_chess(board) or repeated), (
                    write_fen(line[number]),
                    game,
                )
            drawn += search.is_drawn_root()
    if feature in ("high clock", "repetitions"):
        assert drawn >= 10
