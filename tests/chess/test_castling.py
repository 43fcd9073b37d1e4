"""Castling from every layout of king and rooks: classical, Chess960, and each side its own."""

import itertools
import json
from pathlib import Path

import chess
import pytest
from layouts import castling_boards, layout_on, position_with_layout, random_boards
from modes import COMPILED, plain_twin
from reference_exchange import gives_check_reference

from pawnstar.chess import castling
from pawnstar.chess.bits import bits_of
from pawnstar.chess.castling import layout_of
from pawnstar.chess.coordinate import move_text, parse_coordinate
from pawnstar.chess.fen import castling_text
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import from_square, is_castling, move_type, moving_piece, to_square
from pawnstar.chess.notation import parse_san, san
from pawnstar.chess.perft import perft
from pawnstar.chess.pieces import KING
from pawnstar.chess.position import Position, gives_check, make_move

LAYOUT_NUMBERS = range(56)
SEEDS = range(16 if COMPILED else 4)

# Leaves at depth 3 and 4, as Stockfish 15.1 counts them (go perft, with UCI_Chess960), of random positions in which
# castling is possible. Shredder's FEN: the rights are the files of the rooks.
RECORDED = [
    ("nrqb1nkr/pppbpppp/8/3p4/8/P3N3/1PPPPPPP/NRQBB1KR w HBhb - 2 3", 12222, 320905),
    ("qrbbkr1n/pppppppp/7n/8/3P4/5N2/PPP1PPPP/BRQKRN1B b EBfb d3 0 2", 11983, 342693),
    ("bnrkqnrb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQNRB w GCgc - 0 1", 10206, 235086),
    ("qr1kbr1b/1p1p1pp1/pnp4p/3p1nP1/7P/PP6/B1PQPP2/R1K1NRBN b FAfb - 2 9", 17763, 567186),
    ("nrkr3b/1ppppqpp/4npb1/p7/P3P3/1N3N1P/1PPP1P2/1BRQBK1R b HCdb - 2 8", 16180, 403358),
    ("1nnkbbrq/rppppp1p/p5p1/8/7P/NN6/PPPPPPP1/R2KBBRQ w GAg - 2 4", 16931, 486572),
    ("r2kqrbb/pp1npppp/3p4/2p4P/n1PPP3/2N5/PP3PP1/R1NKQRBB b FAfa - 2 6", 16534, 455161),
    ("bnrknrqb/pppppppp/8/8/6P1/8/PPPPPP1P/QRBBNKNR b HBfc g3 0 1", 10213, 233593),
    ("bbqrnknr/pppppppp/8/8/8/8/PPPPPPPP/BNRKRBNQ w EChd - 0 1", 9616, 215230),
    ("nqrbnkbr/pppppppp/8/8/8/8/PPPPPPPP/NRNBBKRQ w GBhc - 0 1", 8440, 181669),
    ("nrqnkr1b/pp1pp1p1/4b3/2p2p1p/5P1P/2P3P1/PP1PP1Q1/BRKBRN1N b EBfb - 2 5", 18273, 494867),
    ("brkrnn1q/ppppppb1/6p1/3PP2p/8/3R4/PPP2PPP/BRK1NNQB w Bdb - 2 6", 19974, 471567),
    ("bbrkrnqn/pppppppp/8/8/8/7P/PPPPPPP1/RKNBNRBQ b FAec - 0 1", 9350, 219554),
    ("rbknbnrq/pppppppp/8/8/8/8/PPPPPPPP/BNQRNKRB w GDga - 0 1", 9738, 216564),
    ("brnbknrq/1ppppppp/p7/8/8/4N3/PPPPPPPP/BRNBK1RQ w GBgb - 0 2", 12143, 268730),
    ("qbnnrk1r/pppp1ppb/8/4p3/P7/2P5/1P1PPPPP/Q1NNRKBR b HEhe a3 0 3", 19973, 445152),
    ("rbbkrnnq/pppppppp/8/8/8/8/PPPPPPPP/NNRKQRBB w FCea - 0 1", 8838, 195932),
    ("qbrnbkrn/pppppppp/8/8/8/8/PPPPPPPP/QBRNBKRN w GCgc - 0 1", 8932, 197710),
    ("1r4kr/8/8/8/N7/8/8/q1RK3R w HChb - 0 1", 12949, 432535),
    ("2rk2r1/8/8/8/6B1/1N6/8/R3KR2 w FAgc - 0 1", 24010, 504393),
    ("2r1kr2/8/8/8/8/5N2/2B5/3RK1R1 w GDfc - 0 1", 24450, 494349),
    ("r1B2k1r/3R4/8/8/8/8/8/1RK1R3 w EBha - 0 1", 26599, 523160),
    ("3nr1kr/8/7b/8/8/8/8/3R1K1R w HDhe - 0 1", 10352, 264545),
    ("4rknr/1R6/8/8/8/8/8/2R2K1R w HChe - 0 1", 23658, 506337),
    ("rk1Nr3/6R1/8/8/8/8/8/4RK1R w HEea - 0 1", 24964, 511448),
    ("1Qr1k2r/8/8/8/8/8/8/1BR1K1R1 w GChc - 0 1", 31268, 568855),
    ("1r2k1r1/3N4/8/8/8/8/1B6/RR3KR1 w GBgb - 0 1", 25718, 539698),
    ("r2kr3/1R6/8/8/8/8/2N5/RKR5 b CAea - 0 1", 12149, 368824),
    ("1r3k1r/1b6/8/8/8/8/8/1R1K2RR w HBhb - 0 1", 19091, 480003),
    ("1rkr4/3rb3/8/8/8/8/8/3R1KR1 w GDdb - 0 1", 14866, 470929),
    ("2r3kr/6r1/8/8/8/7n/8/R2K3R b HAhc - 0 1", 20880, 395913),
    ("2rk1r2/b7/8/8/8/8/6N1/RK2R3 b EAfc - 0 1", 17492, 418424),
    ("r2kr3/8/8/8/q7/8/6b1/R1K3R1 w GAea - 0 1", 8185, 339251),
    ("5rkr/8/5n2/3b4/8/8/8/R1KR4 w DAhf - 0 1", 16015, 522799),
    ("2rk1r2/2b1R3/8/8/1n6/8/8/1RK2R2 w FBfc - 0 1", 15239, 381730),
    ("r1kr4/n7/8/8/8/R6N/8/1R2KR2 w FBda - 0 1", 19122, 350504),
]


def test_every_layout_has_its_king_between_its_rooks() -> None:
    assert sorted(castling.LAYOUTS) == list(itertools.combinations(range(8), 3))
    assert castling.LAYOUTS[0] == (0, 4, 7)


def test_castling_rights_that_survive_a_move(goldens: Path) -> None:
    facts = json.loads((goldens / "facts" / "constants.json").read_text())
    kept = [int(castling.RIGHTS_KEPT[square] & castling.RIGHTS_KEPT[64 + square]) for square in range(64)]
    assert kept == facts["castling_mask_low4"]
    flags = facts["castling_flags"]
    assert castling_text(flags["white_kingside"]) == "K"
    assert castling_text(flags["white_queenside"]) == "Q"
    assert castling_text(flags["black_kingside"]) == "k"
    assert castling_text(flags["black_queenside"]) == "q"


def test_squares_that_classical_castling_needs_empty_and_safe() -> None:
    """On the queen's side b1 must be empty but may be attacked."""

    def names(word: int) -> str:
        return " ".join(chess.square_name(square) for square in bits_of(word))

    assert [names(castling.MUST_BE_EMPTY[index]) for index in range(4)] == ["f1 g1", "b1 c1 d1", "f8 g8", "b8 c8 d8"]
    assert [names(castling.MUST_BE_SAFE[index]) for index in range(4)] == ["f1 g1", "c1 d1", "f8 g8", "c8 d8"]
    assert [names(castling.ROOK_MOVE[index]) for index in range(4)] == ["f1 h1", "a1 d1", "f8 h8", "a8 d8"]


@pytest.mark.parametrize(("fen", "three", "four"), RECORDED, ids=[row[0].split()[0] for row in RECORDED])
def test_recorded_counts(fen: str, three: int, four: int) -> None:
    position = position_with_layout(chess.Board(fen, chess960=True))
    assert perft(position, 3) == three
    if COMPILED:
        assert perft(position, 4) == four


def words(position: Position) -> list[int]:
    """Everything that a position holds but its counters."""
    return [
        int(word)
        for word in (
            *(position.plane0, position.plane1, position.plane2, position.white, position.black),
            *(position.side, position.rights, position.en_passant, position.key, position.checkers),
        )
    ]


def check_moves(board: chess.Board, layouts: int | None = None) -> None:
    """Every move of a position against python-chess: its texts, and what it makes."""
    position = position_with_layout(board, layouts)
    layout = layout_of(position.layout, position.side)
    moves = legal_moves(position)
    assert {move_text(move, layout, True) for move in moves} == {move.uci() for move in board.legal_moves}
    assert len(set(moves)) == len(moves)
    for move in moves:
        text = move_text(move, layout, True)
        played = chess.Move.from_uci(text)
        where = f"{text} in {board.fen()}"
        assert is_castling(move) == board.is_castling(played), where
        if moving_piece(move) == KING:
            assert parse_coordinate(position, text, True) == move, where
            assert san(position, move) == board.san(played), where
            assert parse_san(position, board.san(played)) == move, where
        assert gives_check(position, move) is gives_check_reference(position, move), where
        child = Position()
        make_move(position, child, move)
        after = board.copy(stack=False)
        after.push(played)
        expected = position_with_layout(after)
        assert child.layout == position.layout
        assert words(child) == words(expected), where


@pytest.mark.parametrize("seed", SEEDS)
def test_moves_of_random_games(seed: int) -> None:
    for board in random_boards(seed, 24):
        check_moves(board)


@pytest.mark.parametrize("layout", LAYOUT_NUMBERS)
def test_moves_of_every_layout(layout: int) -> None:
    """Few pieces, so that castling is possible, or fails by an attack, often from behind the rook that leaves."""
    for board, layouts in castling_boards(layout)[: 10 if COMPILED else 3]:
        check_moves(board, layouts)


def test_boards_hold_the_rare_cases() -> None:
    """Kings that stay, that change places with their rook, and that castling would uncover."""
    stay = swap = uncovered = two_layouts = 0
    castle: set[tuple[int, int]] = set()
    for layout in LAYOUT_NUMBERS:
        for board, layouts in castling_boards(layout):
            position = position_with_layout(board, layouts)
            two_layouts += position.layout & 63 != position.layout >> 6
            for move in legal_moves(position):
                if is_castling(move):
                    castle.add((layout_of(position.layout, position.side), move_type(move)))
                    text = move_text(move, layout_of(position.layout, position.side), True)
                    stay += int(from_square(move) == to_square(move))
                    swap += text[2:] == chess.square_name(int(to_square(move)))
            rooks = board.clean_castling_rights() & chess.BB_BACKRANKS & board.occupied_co[board.turn]
            king = board.king(board.turn)
            assert king is not None
            for rook in chess.scan_forward(rooks):
                uncovered += hidden_by(board, king, rook)
    assert len(castle) == 2 * 56
    assert min(stay, swap, uncovered, two_layouts) > 20


def hidden_by(board: chess.Board, king: int, rook: int) -> bool:
    """Whether castling with this rook fails by nothing but a slider behind it."""
    move = chess.Move(king, rook)
    if board.is_check() or move in board.legal_moves:
        return False
    without = board.copy(stack=False)
    sliders = board.occupied_co[not board.turn] & (board.rooks | board.queens)
    for square in chess.SquareSet(chess.BB_BACKRANKS & sliders):
        if not chess.between(king, square) & ~chess.BB_SQUARES[rook] & board.occupied:
            without.remove_piece_at(square)
    return move in without.legal_moves and without.piece_map() != board.piece_map()


def test_the_kings_move_means_an_ordinary_move_where_there_is_one() -> None:
    """King on f1, rook on h1: by its target's name castling and one step to the right are the same."""
    board = chess.Board("4k3/8/8/8/8/8/8/5K1R w H - 0 1", chess960=True)
    position = position_with_layout(board)
    assert position.layout == layout_on(board, chess.WHITE) != 0
    step = parse_coordinate(position, "f1g1")
    castles = parse_coordinate(position, "f1h1", chess960=True)
    assert not is_castling(step)
    assert is_castling(castles)
    assert parse_coordinate(position, "f1h1") == 0
    assert (parse_san(position, "Kg1"), parse_san(position, "O-O")) == (step, castles)
    assert parse_san(position, "f1g1") == step


def test_plain_and_compiled_agree() -> None:
    """Both modes in one run, on positions of every layout."""
    twin = plain_twin("pawnstar.chess.position")
    generation = plain_twin("pawnstar.chess.generation")
    for layout in range(0, 56, 5):
        for board, layouts in castling_boards(layout)[:10]:
            ours = position_with_layout(board, layouts)
            theirs = twin.Position()
            for name in ("plane0", "plane1", "plane2", "white", "black", "side", "rights", "layout", "key", "checkers"):
                setattr(theirs, name, getattr(ours, name))
            moves = legal_moves(ours)
            assert generation.legal_moves(theirs) == moves
            for move in moves:
                child, other = Position(), twin.Position()
                make_move(ours, child, move)
                twin.make_move(theirs, other, move)
                assert words(child) == words(other)
                assert gives_check(ours, move) is twin.gives_check(theirs, move)
