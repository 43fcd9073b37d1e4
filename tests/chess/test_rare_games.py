"""Each generator of rare games produces what it is named for: a generator that stops doing so guards nothing."""

from collections import Counter

import chess
import pytest
from packed_moves import legal_captures
from random_games import position_of
from rare_games import FEATURES, PINS, boards, is_legal, rare_game, rare_games, ray
from reference_exchange import see_reference

from pawnstar.chess.bits import BIT, lsb
from pawnstar.chess.exchange import PIECE_VALUE
from pawnstar.chess.moves import captured_piece, move_type
from pawnstar.chess.pieces import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from pawnstar.chess.position import Position, make_move


@pytest.mark.parametrize("feature", FEATURES)
def test_games_are_legal_and_repeat(feature: str) -> None:
    for game in rare_games(feature):
        assert is_legal(chess.Board(game.root)), game.root
        last = None
        for last in boards(game):
            assert last.is_valid() or is_legal(last) or not any(last.legal_moves)
        assert last is not None
        assert last.fen() == game.board.fen()
    assert rare_game(feature, 7) == rare_game(feature, 7) != rare_game(feature, 8)
    assert len({game.root for game in rare_games(feature)}) > len(rare_games(feature)) // 3


def counted(feature: str) -> list[chess.Board]:
    """All positions of the feature's games."""
    return [board.copy() for game in rare_games(feature) for board in boards(game)]


def test_kings_are_near() -> None:
    """Two squares apart, in most positions with a capture on a square that both attack."""
    near = both = 0
    positions = counted("kings near")
    for board in positions:
        white, black = board.king(True), board.king(False)
        assert white is not None
        assert black is not None
        near += chess.square_distance(white, black) == 2
        both += any(
            board.is_capture(move) and all(chess.square_distance(move.to_square, king) == 1 for king in (white, black))
            for move in board.legal_moves
        )
    assert near > len(positions) * 2 // 3
    assert both > len(positions) // 5


def test_queens_are_many() -> None:
    for game in rare_games("many queens"):
        letters = game.root.split()[0]
        assert letters.count("Q") >= 3
        assert letters.count("q") >= 3
    assert max(game.root.split()[0].count("Q") for game in rare_games("many queens")) == 9


def test_promotions_on_every_file_by_pushing_and_capturing_of_both_colours() -> None:
    found: Counter[tuple[bool, bool, int]] = Counter()
    pieces: Counter[tuple[int, bool]] = Counter()
    for game in rare_games("promotions"):
        board = chess.Board(game.root)
        for move in game.moves:
            for possible in board.legal_moves:
                if possible.promotion == chess.QUEEN:
                    found[board.turn, board.is_capture(possible), possible.to_square % 8] += 1
            if move.promotion is not None:
                pieces[move.promotion, board.is_capture(move)] += 1
            board.push(move)
    assert len(found) == 2 * 2 * 8
    assert min(found.values()) >= 3
    assert len(pieces) == 4 * 2, "each kind of promotion is played, with a capture and without"


def test_en_passant_with_pins_of_every_kind() -> None:
    """Legal and illegal captures by either colour, the capture made, and checks that only the capture answers."""
    found: Counter[str] = Counter()
    for game in rare_games("en passant with pins"):
        for board in boards(game):
            if board.ep_square is None:
                continue
            found["played"] += any(board.is_en_passant(move) for move in game.moves)
            for pawn in chess.SquareSet(
                chess.BB_PAWN_ATTACKS[not board.turn][board.ep_square] & board.pawns & board.occupied_co[board.turn]
            ):
                move = chess.Move(pawn, board.ep_square)
                color = "white" if board.turn else "black"
                found[f"{color} {'legal' if board.is_legal(move) else 'illegal'}"] += 1
                pushed = board.ep_square + (-8 if board.turn else 8)
                if board.checkers_mask() == chess.BB_SQUARES[pushed]:
                    found[f"evades a check, {'legal' if board.is_legal(move) else 'illegal'}"] += 1
                pin = board.pin(board.turn, pawn)
                if pin != chess.BB_ALL:
                    ranks = {square // 8 for square in chess.SquareSet(pin)}
                    files = {square % 8 for square in chess.SquareSet(pin)}
                    kind = "file" if len(files) == 1 else "rank" if len(ranks) == 1 else "diagonal"
                    found[f"pinned on the {kind}, {'legal' if board.is_legal(move) else 'illegal'}"] += 1
                elif not board.is_legal(move) and not board.is_check():
                    king = board.king(board.turn)
                    assert king is not None
                    found["both pawns leave the rank" if king // 8 == pawn // 8 else "captured pawn pinned"] += 1
    wanted = {
        "played",
        "white legal",
        "white illegal",
        "black legal",
        "black illegal",
        "evades a check, legal",
        "pinned on the file, illegal",
        "pinned on the diagonal, legal",
        "pinned on the diagonal, illegal",
        "both pawns leave the rank",
        "captured pawn pinned",
    }
    assert wanted <= set(found), wanted - set(found)
    assert len(PINS) == 6


def test_batteries_of_three_stand_on_lines_to_a_capture() -> None:
    lines = diagonals = 0
    for board in counted("batteries"):
        for move in board.legal_moves:
            if not board.is_capture(move):
                continue
            mover = board.color_at(move.from_square)
            to, origin = move.to_square, move.from_square
            step = ((origin % 8 > to % 8) - (origin % 8 < to % 8), (origin // 8 > to // 8) - (origin // 8 < to // 8))
            kinds = (chess.QUEEN, chess.BISHOP if 0 not in step else chess.ROOK)
            row = [board.piece_at(square) for square in ray(to, step) if board.piece_at(square) is not None][:3]
            if len(row) == 3 and all(piece and piece.color == mover and piece.piece_type in kinds for piece in row):
                lines += 0 in step
                diagonals += 0 not in step
    assert lines >= 5
    assert diagonals >= 5


def test_clocks_are_high_and_pass_the_hundredth_ply_and_the_byte() -> None:
    clocks = [board.halfmove_clock for board in counted("high clock")]
    assert sum(clock >= 77 for clock in clocks) > len(clocks) * 3 // 4
    assert sum(90 <= clock < 100 for clock in clocks) >= 20
    assert sum(clock >= 100 for clock in clocks) >= 50
    assert sum(clock >= 256 for clock in clocks) >= 5
    crossing = sum(
        chess.Board(game.root).halfmove_clock < 100 <= game.board.halfmove_clock for game in rare_games("high clock")
    )
    assert crossing >= 5
    mates = sum(board.is_checkmate() for board in counted("high clock"))
    assert mates >= 1


def test_positions_are_repeated_before_the_last() -> None:
    occurrences: Counter[int] = Counter()
    for game in rare_games("repetitions"):
        keys = [int(position_of(board).key) for board in boards(game)]
        occurrences[keys.count(keys[-1])] += 1
    assert sum(number for times, number in occurrences.items() if times >= 2) > len(rare_games("repetitions")) // 2
    assert occurrences[2] >= 2
    assert sum(number for times, number in occurrences.items() if times >= 3) >= 5


def exchange(position: Position, move: int, blind: int = 0) -> int:
    """The exchange value, or what it would be if nobody looked behind captures by the kind of piece ``blind``."""
    child = Position()
    make_move(position, child, move)
    square = move & 63

    def swap(side: int, standing: int, occupied: int, gone: int) -> int:
        attackers = child.attackers(square, side, occupied) & ~gone & ~BIT[square]
        for piece in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING):
            candidates = attackers & child.kind(piece)
            if candidates == 0:
                continue
            origin = int(BIT[lsb(candidates)])
            left = occupied if piece == blind else occupied & ~origin
            next_standing = QUEEN if piece == PAWN and square // 8 in (0, 7) else piece
            return max(0, int(PIECE_VALUE[standing]) - swap(1 - side, next_standing, left, gone | origin))
        return 0

    gain = int(PIECE_VALUE[captured_piece(move)])
    if 2 <= move_type(move) <= 5:
        gain += int(PIECE_VALUE[move_type(move)]) - 100
    return gain - swap(int(child.side), int(child.piece_at(square)), int(child.occupied()), 0)


@pytest.mark.parametrize("blind", [PAWN, BISHOP, ROOK, QUEEN, KING])
def test_exchanges_depend_on_what_stands_behind_each_kind_of_piece(blind: int) -> None:
    """A ``see`` that does not look behind one kind would be found out. It did not look behind kings, and 3,000 random
    games had not shown it.
    """
    seen = Counter[str]()
    for feature in ("kings near", "many queens", "promotions", "batteries"):
        for board in counted(feature):
            position = position_of(board)
            for move in legal_captures(position):
                value = exchange(position, move)
                assert value == see_reference(position, move)
                seen[feature] += value != exchange(position, move, blind)
    assert seen.total() >= 10, seen
    if blind == KING:
        assert seen["kings near"] >= 10, seen
    else:
        assert seen["batteries"] >= 1, seen
