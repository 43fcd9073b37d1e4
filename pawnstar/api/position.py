"""A position as its user sees it: immutable, comparable, and asked in the field's terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from pawnstar.api import hints
from pawnstar.api.checks import side_number, square_number
from pawnstar.api.moves import Move, MoveLike, unpacked
from pawnstar.api.outcome import Outcome
from pawnstar.api.score import Color
from pawnstar.chess.bits import bits_of, unsigned
from pawnstar.chess.draws import FIFTY_MOVE_PLIES, material_draw
from pawnstar.chess.exchange import see
from pawnstar.chess.fen import WRAPPED, read_fen, start_position, strict_fen, write_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import EN_PASSANT, IllegalMoveError, captured_piece, move_type, moving_piece
from pawnstar.chess.notation import parse_san, san
from pawnstar.chess.perft import perft, perft_divide
from pawnstar.chess.pieces import NONE, PAWN, piece_letter
from pawnstar.chess.position import Position as RulesPosition
from pawnstar.chess.position import gives_check, make_move

if TYPE_CHECKING:
    import chess

    from pawnstar.api.boards import BoardLike


_FIGURES: Final = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))


class Position:
    """A chess position. It never changes: ``play`` returns a new one.

    Squares are numbered 0 (a1), 1 (b1), … 63 (h8) or named (``"e4"``). Moves are given as ``Move``, as ``chess.Move``
    or as text in coordinate or algebraic notation. Two positions are equal where their FENs are, clocks included.
    Clocks count on beyond 255 here; a search takes the half-move clock modulo 256, as the sibling engines do.

    >>> import pawnstar
    >>> position = pawnstar.Position.initial()
    >>> len(position.legal_moves)
    20
    >>> position.play("e4").play("c7c5").fen
    'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2'
    """

    __slots__ = ("_clock", "_moves", "_rules")

    def __init__(self, rules: RulesPosition | None = None, clock: int | None = None) -> None:
        """For ``from_fen`` and ``initial``: wrap a position of the rules, which must not be changed afterwards.

        ``clock`` is its half-move clock where that is no byte.
        """
        if not isinstance(rules, RulesPosition):
            raise TypeError("use Position.initial(), Position.from_fen(fen) or Position.from_chess(board)")
        self._rules = rules
        self._clock = int(rules.clock) if clock is None else clock
        self._moves: dict[Move, int] | None = None

    # Where positions come from.

    @classmethod
    def initial(cls) -> Position:
        """The position in which games begin.

        >>> import pawnstar
        >>> pawnstar.Position.initial().fen
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
        """
        return cls(start_position())

    @classmethod
    def from_fen(cls, fen: str, *, forgiving: bool = False) -> Position:
        """The position that a FEN describes; fields behind the board may be missing.

        Raises ValueError, with the reason, where it cannot be played (kings missing, pawns on the last ranks, the side
        not to move in check), where the board is not eight ranks of eight squares, and where more than six fields are
        given. ``forgiving`` reads it as the UCI command does: a malformed board as far as it goes, and the initial
        position stands in for one that cannot be played. Castling rights and en passant squares that cannot be are
        dropped in either case; what was wrong ``fen_faults`` tells.

        >>> import pawnstar
        >>> pawnstar.Position.from_fen("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1").is_stalemate()
        True
        >>> pawnstar.Position.from_fen("8/8/8/8/8/4k3/4p3/8 w - - 0 1")
        Traceback (most recent call last):
        ...
        ValueError: no white king: '8/8/8/8/8/4k3/4p3/8 w - - 0 1'
        """
        text = _checked_fen(fen)
        reading = read_fen(text) if forgiving else strict_fen(text)
        rules = reading.position
        if rules.move_number < -1:
            rules.move_number &= 255  # as the fault says
        return cls(rules, reading.half_moves)

    @staticmethod
    def fen_faults(fen: str) -> list[str]:
        """What is wrong with a FEN, in words, and what it was read as; empty where nothing is.

        >>> import pawnstar
        >>> pawnstar.Position.fen_faults("4k3/8/8/8/8/8/8/4K3 w KQ e3 0 1")
        ["castling rights 'KQ' read as '-'", "en passant square 'e3' ignored"]
        """
        reading = read_fen(_checked_fen(fen))
        return reading.messages() if reading.refusal else [str(f) for f in reading.faults if f.severity != WRAPPED]

    @classmethod
    def from_chess(cls, board: BoardLike) -> Position:
        """The position on a ``chess.Board`` of python-chess.

        Raises ValueError for variants, for Chess960, and for boards that cannot be played.

        >>> import chess
        >>> import pawnstar
        >>> pawnstar.Position.from_chess(chess.Board()) == pawnstar.Position.initial()
        True
        """
        from pawnstar.api.boards import is_board, replayed

        if not is_board(board):
            raise TypeError(f"a chess.Board is wanted, not {type(board).__name__}")
        return replayed(board)[0]

    def to_chess(self) -> chess.Board:
        """A ``chess.Board`` of python-chess, without earlier moves. Raises ImportError where it is not installed.

        >>> import pawnstar
        >>> pawnstar.Position.initial().play("e4").to_chess().fen()
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
        """
        import chess

        return chess.Board(self.fen)

    # What stands where.

    @property
    def fen(self) -> str:
        """The FEN. The en passant square is written after every double push, as the FEN standard asks.

        >>> import pawnstar
        >>> pawnstar.Position.initial().play("d4").fen
        'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1'
        """
        return f"{' '.join(write_fen(self._rules).split()[:4])} {self.halfmove_clock} {self.fullmove_number}"

    def board_fen(self) -> str:
        """The FEN's first field, the pieces alone.

        >>> import pawnstar
        >>> pawnstar.Position.initial().board_fen()
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
        """
        return self.fen.split()[0]

    def epd(self) -> str:
        """The FEN without clocks, and with an en passant square only where a pawn may capture there.

        >>> import pawnstar
        >>> pawnstar.Position.initial().play("d4").epd()
        'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -'
        """
        board, side, rights, passed = self.fen.split()[:4]
        possible = any(move_type(move) == EN_PASSANT for move in self._packed_moves().values())
        return f"{board} {side} {rights} {passed if possible else '-'}"

    @property
    def turn(self) -> Color:
        """The side to move.

        >>> import pawnstar
        >>> pawnstar.Position.initial().turn
        'white'
        """
        return "black" if self._rules.side else "white"

    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move.

        >>> import pawnstar
        >>> pawnstar.Position.initial().play("Nf3").halfmove_clock
        1
        """
        return self._clock

    @property
    def fullmove_number(self) -> int:
        """The number of the move to be played, from 1; 0 where a FEN says so.

        >>> import pawnstar
        >>> pawnstar.Position.initial().play("e4").play("e5").fullmove_number
        2
        """
        return int(self._rules.move_number) + 1

    @property
    def en_passant(self) -> int | None:
        """The square that a pawn's double push has just passed, 0 to 63, or None.

        >>> import pawnstar
        >>> pawnstar.Position.initial().play("e4").en_passant
        20
        """
        return int(self._rules.en_passant) or None

    @property
    def key(self) -> int:
        """The Zobrist key, 0 to 2**64 - 1, which the search takes for the position, whatever the clocks.

        The square behind a double push counts even where nobody can capture there: ``is_repetition`` knows better.

        >>> import pawnstar
        >>> there_and_back = pawnstar.Position.initial().play("Nf3").play("Nf6").play("Ng1").play("Ng8")
        >>> there_and_back.key == pawnstar.Position.initial().key
        True
        """
        return unsigned(self._rules.key)

    def piece_at(self, square: int | str) -> str | None:
        """The piece on a square: FEN's letter, upper case for White, or None. Raises ValueError for no such square.

        >>> import pawnstar
        >>> position = pawnstar.Position.initial()
        >>> position.piece_at("g8"), position.piece_at(0), position.piece_at("e4")
        ('n', 'R', None)
        """
        return self._letter(square_number(square))

    def _letter(self, square: int) -> str | None:
        piece = self._rules.piece_at(square)
        if piece == NONE:
            return None
        return piece_letter(unsigned(self._rules.black) >> square & 1, piece)

    def piece_map(self) -> dict[int, str]:
        """The pieces by square, from a1 to h8: FEN's letters, upper case for White.

        >>> import pawnstar
        >>> pawnstar.Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").piece_map()
        {4: 'K', 7: 'R', 60: 'k'}
        """
        letters = ((square, self._letter(square)) for square in range(64))
        return {square: letter for square, letter in letters if letter is not None}

    def attackers(self, color: Color | bool, square: int | str) -> tuple[int, ...]:
        """The squares of a side's pieces that attack a square, ascending; pinned pieces attack too.

        ``color`` is ``"white"`` or ``"black"`` (or python-chess's True and False). Raises ValueError for no such side
        or square.

        >>> import pawnstar
        >>> pawnstar.Position.initial().attackers("white", "f3")
        (6, 12, 14)
        """
        number, side = square_number(square), side_number(color)
        return _squares(self._rules.attackers(number, side, self._rules.occupied()))

    def checkers(self) -> tuple[int, ...]:
        """The squares of the pieces that give check, ascending.

        >>> import pawnstar
        >>> pawnstar.Position.from_fen("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1").checkers()
        (52,)
        """
        return _squares(self._rules.checkers)

    def mirror(self) -> Position:
        """The position with the sides exchanged: turned over along the board's middle, the other side to move.

        >>> import pawnstar
        >>> pawnstar.Position.initial().play("e4").mirror().fen
        'rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1'
        """
        board, side, rights, passed, clock, number = self.fen.split()
        board = "/".join(reversed(board.swapcase().split("/")))
        rights = "".join(sorted(rights.swapcase()))
        if passed != "-":
            passed = f"{passed[0]}{9 - int(passed[1])}"
        return Position.from_fen(f"{board} {'b' if side == 'w' else 'w'} {rights} {passed} {clock} {number}")

    def unicode(self, *, invert_color: bool = False, empty_square: str = "⭘") -> str:
        """The board as text with chess figures, White below; ``invert_color`` for light text on a dark ground.

        >>> import pawnstar
        >>> print(pawnstar.Position.initial().unicode(empty_square="."))
        ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
        ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙
        ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖
        """

        def figure(square: int) -> str:
            letter = self._letter(square)
            if letter is None:
                return empty_square
            return _FIGURES[letter.swapcase() if invert_color else letter]

        return _rows(figure)

    def _repr_svg_(self) -> str | None:
        """For notebooks: the board as python-chess draws it; None where that is not installed."""
        return notebook_picture(self.to_chess)

    # Moves.

    def _packed_moves(self) -> dict[Move, int]:
        moves = self._moves
        if moves is None:
            moves = {unpacked(move): move for move in legal_moves(self._rules)}
            self._moves = moves
        return moves

    def _packed(self, move: MoveLike | str) -> int:
        """The legal move meant, as one integer; raises the errors of ``parse_san`` where there is none."""
        if isinstance(move, str):
            return parse_san(self._rules, move)
        key = move if isinstance(move, Move) else Move.from_chess(move)
        packed = self._packed_moves().get(key)
        if packed is None:
            raise IllegalMoveError(f"{key} is illegal in {self.fen}")
        return packed

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, in the engine's own fixed order.

        >>> import pawnstar
        >>> position = pawnstar.Position.from_fen("7k/8/8/8/8/8/6q1/7K w - - 0 1")
        >>> position.legal_moves
        (Move.from_uci('h1g2'),)
        """
        return tuple(self._packed_moves())

    def is_legal(self, move: MoveLike | str) -> bool:
        """Whether the move can be played here; a text that names no move cannot.

        >>> import pawnstar
        >>> pawnstar.Position.initial().is_legal("e2e5")
        False
        """
        try:
            self._packed(move)
        except ValueError:
            return False
        return True

    def play(self, move: MoveLike | str) -> Position:
        """The position after a move.

        Raises InvalidMoveError where the move is a text that is none, AmbiguousMoveError where it fits several moves,
        IllegalMoveError where it cannot be played here. Each is a ValueError.

        >>> import pawnstar
        >>> pawnstar.Position.initial().play("Nf3").piece_at("f3")
        'N'
        >>> pawnstar.Position.initial().play("Nf4")
        Traceback (most recent call last):
        ...
        pawnstar.chess.moves.IllegalMoveError: 'Nf4' is illegal in this position
        """
        child = RulesPosition()
        packed = self._packed(move)
        make_move(self._rules, child, packed)
        counts_on = captured_piece(packed) == NONE and moving_piece(packed) != PAWN
        return Position(child, self._clock + 1 if counts_on else 0)

    def san(self, move: MoveLike | str) -> str:
        """Standard algebraic notation of a legal move. Raises IllegalMoveError where it is illegal.

        >>> import pawnstar
        >>> pawnstar.Position.initial().san("g1f3")
        'Nf3'
        """
        return san(self._rules, self._packed(move))

    def variation_san(self, moves: Iterable[MoveLike | str]) -> str:
        """A line of moves from here in algebraic notation, numbered. Raises IllegalMoveError where one is illegal.

        >>> import pawnstar
        >>> pawnstar.Position.initial().play("e4").variation_san(["e7e5", "g1f3", "b8c6"])
        '1...e5 2. Nf3 Nc6'
        """
        if isinstance(moves, str):
            raise TypeError("a variation is several moves, in a list for example, not one str")
        position = self
        words: list[str] = []
        for move in moves:
            number = ""
            if position.turn == "white":
                number = f"{position.fullmove_number}. "
            elif not words:
                number = f"{position.fullmove_number}..."
            words.append(number + position.san(move))
            position = position.play(move)
        return " ".join(words)

    def parse_san(self, text: str) -> Move:
        """The legal move that a text means, in algebraic notation of any common style or in coordinate notation.

        Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError, each a ValueError.

        >>> import pawnstar
        >>> position = pawnstar.Position.initial()
        >>> position.parse_san("Nf3!")
        Move.from_uci('g1f3')
        >>> position.parse_san("knight to f3")
        Traceback (most recent call last):
        ...
        pawnstar.chess.moves.InvalidMoveError: 'knight to f3' is not understood as a move
        >>> position.play("Nf3").play("e6").parse_san("N1d4")
        Traceback (most recent call last):
        ...
        pawnstar.chess.moves.IllegalMoveError: 'N1d4' is illegal in this position
        """
        return unpacked(parse_san(self._rules, text))

    def uci(self, move: MoveLike | str) -> str:
        """Coordinate notation of a legal move. Raises IllegalMoveError where it is illegal.

        >>> import pawnstar
        >>> pawnstar.Position.initial().uci("Nf3")
        'g1f3'
        """
        return unpacked(self._packed(move)).uci()

    def parse_uci(self, text: str) -> Move:
        """The legal move of a text in coordinate notation.

        Raises InvalidMoveError where it is none, IllegalMoveError where it cannot be played here.

        >>> import pawnstar
        >>> pawnstar.Position.initial().parse_uci("e2e4")
        Move.from_uci('e2e4')
        """
        return unpacked(self._packed(Move.from_uci(text)))

    def is_capture(self, move: MoveLike | str) -> bool:
        """Whether a legal move captures, en passant included. Raises IllegalMoveError where it is illegal.

        >>> import pawnstar
        >>> pawnstar.Position.initial().play("e4").play("d5").is_capture("exd5")
        True
        """
        return captured_piece(self._packed(move)) != NONE

    def gives_check(self, move: MoveLike | str) -> bool:
        """Whether a legal move gives check. Raises IllegalMoveError where it is illegal.

        >>> import pawnstar
        >>> pawnstar.Position.from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").gives_check("Ra8")
        True
        """
        return gives_check(self._rules, self._packed(move))

    def see(self, move: MoveLike | str) -> int:
        """Static exchange evaluation: what a legal move wins in centipawns once both sides have captured back.

        Pawn 100, knight and bishop 300, rook 500, queen 900; either side may stop capturing. Pins are not seen.
        Raises IllegalMoveError where the move is illegal.

        >>> import pawnstar
        >>> position = pawnstar.Position.from_fen("4k3/8/3p4/4p3/8/8/4R3/4K3 w - - 0 1")
        >>> position.see("Rxe5+")
        -400
        """
        return int(see(self._rules, self._packed(move)))

    def perft(self, depth: int) -> int:
        """The number of leaves of the legal move tree ``depth`` plies deep.

        A Ctrl-C or another signal with a handler ends it. Raises ValueError for a depth below 0 or beyond 64.

        >>> import pawnstar
        >>> pawnstar.Position.initial().perft(3)
        8902
        """
        return perft(self._rules, depth)

    def perft_divide(self, depth: int) -> dict[Move, int]:
        """The leaves behind each legal move, ``depth`` plies deep in all.

        Raises ValueError for a depth below 1 or beyond 64.

        >>> import pawnstar
        >>> pawnstar.Position.initial().perft_divide(2)[pawnstar.Move.from_uci("e2e4")]
        20
        """
        return {unpacked(move): count for move, count in perft_divide(self._rules, depth)}

    # Is the game over?

    def is_check(self) -> bool:
        """Whether the side to move is in check.

        >>> import pawnstar
        >>> pawnstar.Position.from_fen("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1").is_check()
        True
        """
        return self._rules.checkers != 0

    def is_checkmate(self) -> bool:
        """Whether the side to move is checkmated.

        >>> import pawnstar
        >>> position = pawnstar.Position.initial()
        >>> for move in ("f3", "e5", "g4", "Qh4"):
        ...     position = position.play(move)
        >>> position.is_checkmate()
        True
        """
        return self.is_check() and not self._packed_moves()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move and is not in check.

        >>> import pawnstar
        >>> pawnstar.Position.from_fen("7k/5Q2/8/8/8/8/8/K7 b - - 0 1").is_stalemate()
        True
        """
        return not self.is_check() and not self._packed_moves()

    def is_insufficient_material(self) -> bool:
        """Whether nobody can mate: bare kings, a single minor piece, or one bishop each on squares of one colour.

        >>> import pawnstar
        >>> pawnstar.Position.from_fen("4k3/8/8/8/8/8/8/4KN2 w - - 0 1").is_insufficient_material()
        True
        """
        return material_draw(self._rules) != 0

    def is_fifty_moves(self) -> bool:
        """Whether fifty moves by each side have passed without capture or pawn move, and this is not checkmate.

        >>> import pawnstar
        >>> pawnstar.Position.from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 100 90").is_fifty_moves()
        True
        """
        return self._clock >= FIFTY_MOVE_PLIES and not self.is_checkmate()

    def _repeated(self) -> tuple[int, ...]:
        """What a repetition repeats: pieces, side to move, castling rights, and a legal capture en passant."""
        rules = self._rules
        passed = int(rules.en_passant)
        if passed and not any(move_type(move) == EN_PASSANT for move in self._packed_moves().values()):
            passed = 0
        return (
            int(rules.plane0),
            int(rules.plane1),
            int(rules.plane2),
            int(rules.white),
            int(rules.side),
            int(rules.rights),
            passed,
        )

    def is_repetition(self, history: Sequence[Position], count: int = 3) -> bool:
        """Whether this position has occurred ``count`` times, this time included.

        Positions are the same where the same moves can be played: the square behind a double push counts only where a
        pawn may legally be taken there (FIDE's laws of chess, 9.2.3). ``history`` holds the game's earlier positions,
        oldest first. Raises ValueError for a count below 1.

        >>> import pawnstar
        >>> position, history = pawnstar.Position.initial(), []
        >>> for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        ...     history.append(position)
        ...     position = position.play(move)
        >>> position.is_repetition(history), position.is_repetition(history, 4)
        (True, False)
        """
        if count < 1:
            raise ValueError(f"a position occurs at least once, not {count} times")
        wanted = self._repeated()
        return 1 + sum(earlier._repeated() == wanted for earlier in history) >= count

    def is_draw(self, history: Sequence[Position] = ()) -> bool:
        """Whether the game is drawn: stalemate, insufficient material, fifty moves, or the third occurrence.

        >>> import pawnstar
        >>> pawnstar.Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").is_draw()
        True
        """
        return (
            self.is_insufficient_material()
            or self.is_fifty_moves()
            or self.is_repetition(history)
            or self.is_stalemate()
        )

    def outcome(self, history: Sequence[Position] = ()) -> Outcome | None:
        """How the game has ended here, or None where it goes on; ``history`` as in ``is_repetition``.

        Checkmate, then the draws as ``is_draw`` sees them: repetition and fifty moves end a game without being claimed.

        >>> import pawnstar
        >>> pawnstar.Position.from_fen("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").outcome()
        Outcome(termination='checkmate', winner='white')
        """
        if self.is_checkmate():
            return Outcome("checkmate", "black" if self.turn == "white" else "white")
        if self.is_insufficient_material():
            return Outcome("insufficient material")
        if self.is_stalemate():
            return Outcome("stalemate")
        if self.is_fifty_moves():
            return Outcome("fifty moves")
        if self.is_repetition(history):
            return Outcome("threefold repetition")
        return None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            raise hints.missing(self, name, hints.POSITION)

    # As a value.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._rules.key == other._rules.key and self.fen == other.fen

    def __hash__(self) -> int:
        return hash(int(self._rules.key))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles go through the FEN."""
        return Position.from_fen, (self.fen,)

    def __repr__(self) -> str:
        return f"Position.from_fen({self.fen!r})"

    def __str__(self) -> str:
        """The board as text, White below, ``.`` for empty squares."""
        return _rows(lambda square: self._letter(square) or ".")


def notebook_picture(to_chess: Callable[[], chess.Board]) -> str | None:
    """A board as python-chess draws it; None where that is not installed."""
    try:
        svg: str = to_chess()._repr_svg_()
    except ImportError:
        return None
    return svg


def _rows(figure: Callable[[int], str]) -> str:
    """The board as text, White below."""
    return "\n".join(" ".join(figure(8 * rank + file) for file in range(8)) for rank in range(7, -1, -1))


def _checked_fen(fen: object) -> str:
    """What must be a str; raises TypeError otherwise."""
    if not isinstance(fen, str):
        raise TypeError(f"a FEN is a str, not {type(fen).__name__}")
    return fen


def _squares(bits: int) -> tuple[int, ...]:
    """The squares of a bitboard, ascending."""
    return tuple(bits_of(bits))
