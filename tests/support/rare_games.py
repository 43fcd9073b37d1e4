"""Games that random play hardly ever leads to, one generator for each feature.

Random games bring the kings together, line sliders up or promote on the a-file so rarely that comparisons over them
prove nothing about it: an exchange value was wrong wherever both kings attacked a square and a slider stood behind one,
and thousands of random games had not shown it. Each generator throws a root with its feature on the board, has
python-chess confirm that it is legal, and plays a few moves from it, so that what is kept move by move is tried too.
``test_rare_games`` holds each generator to its name.
"""

import functools
import os
import random
from collections.abc import Callable, Iterator
from typing import Final

import chess
from modes import COMPILED
from random_games import ROOTS, Game, play

# With HYPOTHESIS_PROFILE=search, other games in every run, and more of them.
_SEARCH: Final = os.environ.get("HYPOTHESIS_PROFILE") == "search"
_GAMES: Final = 400 if _SEARCH else 60 if COMPILED else 40
_FIRST: Final = random.randrange(1 << 32) if _SEARCH else 0

Weight = Callable[[chess.Board, chess.Move], int]
_LINES: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
_DIAGONALS: Final = ((1, 1), (-1, 1), (-1, -1), (1, -1))
_CLOCKS: Final = (80, 98, 99, 100, 101, 120, 250, 255)


def _square(file: int, rank: int) -> int | None:
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


def ray(square: int, step: tuple[int, int]) -> list[int]:
    """The squares from a square on in one direction."""
    found = []
    file, rank = square % 8 + step[0], square // 8 + step[1]
    while (next_square := _square(file, rank)) is not None:
        found.append(next_square)
        file, rank = file + step[0], rank + step[1]
    return found


def put(board: chess.Board, square: int | None, letter: str) -> bool:
    """Put a piece on an empty square where such a piece may stand; False where it cannot."""
    if square is None or board.piece_at(square) is not None or (letter in "Pp" and square // 8 in (0, 7)):
        return False
    board.set_piece_at(square, chess.Piece.from_symbol(letter))
    return True


def scatter(board: chess.Board, dice: random.Random, letters: str, count: int) -> None:
    """So many pieces, each one of the letters, on random empty squares."""
    squares = [square for square in range(64) if board.piece_at(square) is None]
    for square in dice.sample(squares, min(count, len(squares))):
        put(board, square, dice.choice(letters))


def place_kings(board: chess.Board, dice: random.Random) -> None:
    """The missing kings on random squares that do not touch."""
    for color in chess.COLORS:
        if board.king(color) is None:
            other = board.king(not color)
            free = [
                square
                for square in range(64)
                if board.piece_at(square) is None and (other is None or chess.square_distance(square, other) > 1)
            ]
            board.set_piece_at(dice.choice(free), chess.Piece(chess.KING, color))


def of(color: chess.Color, letter: str) -> str:
    """A piece's letter in a colour."""
    return letter.upper() if color else letter.lower()


def is_legal(board: chess.Board) -> bool:
    """Whether python-chess lets the position be played, and there is a move. Numbers of pieces do not matter."""
    many = chess.STATUS_TOO_MANY_WHITE_PIECES | chess.STATUS_TOO_MANY_BLACK_PIECES
    many |= chess.STATUS_TOO_MANY_WHITE_PAWNS | chess.STATUS_TOO_MANY_BLACK_PAWNS
    many |= chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK
    return board.status() & ~many == 0 and any(board.legal_moves)


def evenly(board: chess.Board, move: chess.Move) -> int:
    """All moves alike, captures rather more."""
    return 4 if board.is_capture(move) else 1


# The generators: a root by random numbers (None where the dice fell badly), and how to play on from it.


def _kings_near(dice: random.Random) -> chess.Board | None:
    """Kings two squares apart and a piece that both attack; behind the kings sliders aim at it, beside them more."""
    board = chess.Board.empty()
    kings = {True: dice.randrange(64)}
    kings[False] = dice.choice([square for square in range(64) if chess.square_distance(square, kings[True]) == 2])
    put(board, kings[True], "K")
    put(board, kings[False], "k")
    between = [
        square for square in range(64) if all(chess.square_distance(square, king) == 1 for king in kings.values())
    ]
    target = dice.choice(between)
    taken = dice.choice(chess.COLORS)
    put(board, target, of(taken, dice.choice("nbrq")))
    board.turn = not taken
    for color, king in kings.items():
        step = (king % 8 - target % 8, king // 8 - target // 8)
        behind = ray(king, step)[:2]
        if behind and dice.random() < 0.9:
            put(board, dice.choice(behind), of(color, dice.choice("rq" if 0 in step else "bq")))
        # Others that attack the square: knights, pawns and sliders from other sides.
        for _ in range(dice.choice((0, 1, 1, 2))):
            kind = dice.choice("pnbrq")
            if kind == "n":
                places = list(chess.SquareSet(chess.BB_KNIGHT_ATTACKS[target]))
            elif kind == "p":
                places = list(chess.SquareSet(chess.BB_PAWN_ATTACKS[not color][target]))
            else:
                places = ray(target, dice.choice(_LINES if kind == "r" else _DIAGONALS))[:3]
            if places:
                put(board, dice.choice(places), of(color, kind))
    scatter(board, dice, "PNBRpnbr", dice.randrange(3))
    return board if any(move.to_square == target for move in board.legal_moves) else None


def _stay_near(board: chess.Board, move: chess.Move) -> int:
    """Captures, most of all by kings; kings stay near each other."""
    weight = 12 if board.is_capture(move) else 2
    if board.piece_type_at(move.from_square) == chess.KING:
        other = board.king(not board.turn)
        near = other is not None and chess.square_distance(move.to_square, other) == 2
        weight = weight * 4 if near else 1
    return weight


def _many_queens(dice: random.Random) -> chess.Board | None:
    """From three to nine queens a side."""
    board = chess.Board.empty()
    scatter(board, dice, "Q", dice.randint(3, 9))
    scatter(board, dice, "q", dice.randint(3, 9))
    scatter(board, dice, "PNBRpnbr", dice.randrange(12))
    return board


def _promotions(dice: random.Random) -> chess.Board | None:
    """Pawns about to promote on several files of both sides, with pieces to take on the last ranks."""
    board = chess.Board.empty()
    for color, rank, last in ((True, 6, 7), (False, 1, 0)):
        for file in dice.sample(range(8), dice.randint(1, 4)):
            put(board, 8 * rank + file, of(color, "p"))
        for file in dice.sample(range(8), dice.randint(1, 5)):
            put(board, 8 * last + file, of(not color, dice.choice("nbrq")))
    scatter(board, dice, "NBRQnbrq", dice.randrange(6))
    return board


def _promote(board: chess.Board, move: chess.Move) -> int:
    """Promotions first, whatever to."""
    return 6 if move.promotion is not None else 1


PINS: Final = ("rank", "diagonal", "file", "check", "captured pawn", "none")


def _en_passant(dice: random.Random) -> chess.Board | None:
    """Before a double push beside an enemy pawn, one of the two pawns pinned or the push giving check.

    The side that may capture is "ours": its pawn stands on its fifth rank.
    """
    pin = dice.choice(PINS)
    ours = dice.choice(chess.COLORS)
    forward = 1 if ours else -1
    rank = 4 if ours else 3
    pushed_file = dice.randrange(8)
    our_file = pushed_file + dice.choice((-1, 1))
    our_pawn = _square(our_file, rank)
    pushed = 8 * rank + pushed_file
    if our_pawn is None:
        return None
    board = chess.Board.empty()
    board.turn = not ours
    put(board, our_pawn, of(ours, "p"))
    # A captured pawn is never pinned after a real push: the line was open before. A FEN can say so all the same.
    begins_pushed = pin == "captured pawn"
    put(board, pushed if begins_pushed else pushed + 16 * forward, of(not ours, "p"))
    if dice.random() < 0.3:
        put(board, _square(2 * pushed_file - our_file, rank), of(ours, "p"))
    kept = {pushed + 8 * forward, pushed + 16 * forward if begins_pushed else pushed}  # must stay empty

    def pinned(square: int, step: tuple[int, int], sliders: str) -> bool:
        """Our king on one side of a square, an enemy slider on the other."""
        one = [place for place in ray(square, step) if place not in kept]
        two = [place for place in ray(square, (-step[0], -step[1])) if place not in kept]
        if not one or not two:
            return False
        return put(board, dice.choice(one), of(ours, "k")) and put(
            board, dice.choice(two), of(not ours, dice.choice(sliders))
        )

    fits = True
    if pin == "rank":
        fits = pinned(our_pawn, dice.choice(((1, 0), (-1, 0))), "rq")
    elif pin == "file":
        fits = pinned(our_pawn, dice.choice(((0, 1), (0, -1))), "rq")
    elif pin == "diagonal":
        fits = pinned(our_pawn, dice.choice(_DIAGONALS), "bq")
    elif pin == "captured pawn":
        fits = pinned(pushed, dice.choice(_DIAGONALS), "bq")
    elif pin == "check":
        fits = put(board, _square(pushed_file + dice.choice((-1, 1)), rank - forward), of(ours, "k"))
    if not fits:
        return None
    place_kings(board, dice)
    scatter(board, dice, "PNBRpnbr", dice.randrange(4))
    if any(board.piece_at(square) for square in kept):
        return None
    if begins_pushed:
        board.turn = ours
        board.ep_square = pushed + 8 * forward
        return board
    return board if chess.Move(pushed + 16 * forward, pushed) in board.legal_moves else None


def _en_passant_first(board: chess.Board, move: chess.Move) -> int:
    """Double pushes beside an enemy pawn, then the capture."""
    if board.is_en_passant(move):
        return 100
    if board.piece_type_at(move.from_square) == chess.PAWN and abs(move.to_square - move.from_square) == 16:
        rank = move.to_square // 8
        for file in (move.to_square % 8 - 1, move.to_square % 8 + 1):
            beside = _square(file, rank)
            if beside is not None and board.piece_at(beside) == chess.Piece(chess.PAWN, not board.turn):
                return 1000
    return 1


def _batteries(dice: random.Random) -> chess.Board | None:
    """Three sliders in a row aimed at a piece, sometimes behind a pawn, and three more on another line."""
    board = chess.Board.empty()
    target = dice.randrange(64)
    first = dice.choice(chess.COLORS)
    put(board, target, of(not first, dice.choice("pnbrq"))) or put(board, target, of(not first, "n"))
    steps = dice.sample(_LINES + _DIAGONALS, 2)
    for color, step in ((first, steps[0]), (dice.choice(chess.COLORS), steps[1])):
        places = ray(target, step)
        if len(places) < 3:
            if color == first and step == steps[0]:
                return None
            continue
        letters = "rqrq" if 0 in step else "bqbq"
        if step[0] != 0 and step[1] == (-1 if color else 1) and dice.random() < 0.5:
            put(board, places.pop(0), of(color, "p"))
            letters = "bq"
        for place in sorted(dice.sample(places, min(3, len(places)))):
            put(board, place, of(color, dice.choice(letters)))
    place_kings(board, dice)
    scatter(board, dice, "PNBRQpnbrq", dice.randrange(4))
    board.turn = first
    return board if any(move.to_square == target for move in board.legal_moves) else None


def _high_clock(dice: random.Random) -> chess.Board | None:
    """A clock of 80 and more, up to where the siblings' byte wraps; a few pieces, often near a mate."""
    board = chess.Board.empty()
    scatter(board, dice, dice.choice(["QRqr", "RBNrbn", "Qq", "RRr", "PPQpr"]), dice.randint(1, 5))
    edge = [square for square in range(64) if square % 8 in (0, 7) or square // 8 in (0, 7)]
    put(board, dice.choice(edge), "k")
    board.halfmove_clock = dice.choice(_CLOCKS) + dice.randrange(-3, 1)
    board.fullmove_number = dice.choice([60, 128, 254, 255])
    return board


def _quietly(board: chess.Board, move: chess.Move) -> int:
    """The clock runs on; checks."""
    if board.is_capture(move) or board.piece_type_at(move.from_square) == chess.PAWN:
        return 1
    return 40 if board.gives_check(move) else 10


def _repeating(dice: random.Random) -> chess.Board | None:
    """Any root whose side to move and opponent can move pieces to and fro."""
    return chess.Board(dice.choice(ROOTS))


def _repeated(root: chess.Board, dice: random.Random) -> Game:
    """The game so far goes round and round: each side moves a piece out and back, up to three times."""
    game = play(root.fen(en_passant="fen"), dice.getrandbits(32), dice.randrange(8))
    board = game.board
    for _ in range(dice.choice((1, 2, 3))):
        pair: list[chess.Move] = []
        for _ in range(2):
            moves = [
                move
                for move in board.legal_moves
                if not board.is_capture(move)
                and board.piece_type_at(move.from_square) != chess.PAWN
                and not board.is_castling(move)
                and not board.is_check()
            ]
            if not moves:
                return game
            pair.append(dice.choice(moves))
            board.push(pair[-1])
            game.moves.append(pair[-1])
        for _ in range(dice.choice((1, 2, 3))):
            for _ in range(4):
                last = board.move_stack[-2]
                back = chess.Move(last.to_square, last.from_square)
                if back not in board.legal_moves:
                    return game
                board.push(back)
                game.moves.append(back)
                if dice.random() < 0.02:
                    return game
    return game


_ROOTS_AND_PLAY: Final[dict[str, tuple[Callable[[random.Random], chess.Board | None], Weight, int]]] = {
    "kings near": (_kings_near, _stay_near, 5),
    "many queens": (_many_queens, evenly, 6),
    "promotions": (_promotions, _promote, 8),
    "en passant with pins": (_en_passant, _en_passant_first, 4),
    "batteries": (_batteries, evenly, 4),
    "high clock": (_high_clock, _quietly, 12),
    "repetitions": (_repeating, evenly, 0),
}
FEATURES: Final = tuple(_ROOTS_AND_PLAY)


def rare_game(feature: str, seed: int) -> Game:
    """A game with the feature; the same arguments give the same game."""
    dice = random.Random(f"{feature} {seed}")
    make_root, weight, plies = _ROOTS_AND_PLAY[feature]
    while True:
        root = make_root(dice)
        if root is None:
            continue
        if feature in ("many queens", "promotions", "high clock"):
            root.turn = dice.choice(chess.COLORS)
        place_kings(root, dice)
        if not is_legal(root):
            continue
        if feature == "repetitions":
            return _repeated(root, dice)
        return play(root.fen(en_passant="fen"), dice.getrandbits(32), plies, weight)


@functools.cache
def rare_games(feature: str) -> tuple[Game, ...]:
    """The games of one feature that comparisons run over, made once a run."""
    return tuple(rare_game(feature, _FIRST + number) for number in range(_GAMES))


def boards(game: Game) -> Iterator[chess.Board]:
    """The game's positions, the root first; one board that moves on."""
    board = chess.Board(game.root)
    yield board
    for move in game.moves:
        board.push(move)
        yield board
