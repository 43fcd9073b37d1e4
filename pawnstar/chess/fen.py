"""Forsyth-Edwards Notation, read with forgiveness or without, and written strictly.

``read_fen`` never raises: missing fields take defaults, castling rights and en passant squares that cannot be are
dropped, a malformed board is read as far as it goes, and one that cannot be played is replaced by the start position.
What was wrong is said in words. ``strict_fen`` raises where a text does not say what is to be played.
"""

from typing import Final, NamedTuple

from pawnstar.chess.bits import popcount
from pawnstar.chess.castling import KING_HOME, ROOK_HOME
from pawnstar.chess.pieces import CASTLING_LETTERS, KING, NONE, PAWN, PIECE_LETTERS, ROOK, WHITE, piece_letter
from pawnstar.chess.position import Position
from pawnstar.chess.squares import parse_square, square_name

START_FEN: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# How bad a fault is:
# * WRAPPED: a counter that does not fit the siblings' bytes (clock 300, move 0);
# * DROPPED: well written, but it cannot be (a right without its rook, clock -1);
# * MISREAD: a field behind the board does not hold what it should (side "x");
# * MALFORMED: the board is not eight ranks of eight squares, or a seventh field follows;
# * REFUSED: no position that can be played.
WRAPPED: Final = 0
DROPPED: Final = 1
MISREAD: Final = 2
MALFORMED: Final = 3
REFUSED: Final = 4

_BOARD_LETTERS: Final = "PNBRQKpnbrqk"
# Characters of a word, and of a whole FEN, that a message repeats.
_LONGEST_WORD: Final = 40
_LONGEST_FEN: Final = 120


class Fault(NamedTuple):
    """Something wrong with a FEN: how bad it is, what it is, what was made of it, and what joins the two in words."""

    severity: int
    text: str
    outcome: str
    joint: str = " "

    def __str__(self) -> str:
        if self.severity == REFUSED:
            return f"FEN refused ({self.text}); {self.outcome}"
        return f"{self.text}{self.joint}{self.outcome}"


def quoted(text: str, most: int = _LONGEST_WORD) -> str:
    """A text as messages repeat it: in quotes, printable and not endless."""
    shown = repr(text[: most + 1])
    return shown if len(shown) <= most + 2 else f"{shown[: most + 1]}…{shown[-1]}"


def leading_integer(text: str) -> tuple[int | None, str]:
    """The integer that ``text`` starts with, sign allowed, and what follows it; None where there is none.

    Of more than eighteen digits only the last eighteen are taken, which changes nothing modulo 256: Python refuses to
    convert very long texts, and reading a FEN never raises.
    """
    end = 1 if text[:1] in ("+", "-") else 0
    start = end
    while end < len(text) and "0" <= text[end] <= "9":
        end += 1
    if end == start:
        return None, text
    value = int(text[max(start, end - 18) : end])
    return -value if text[0] == "-" else value, text[end:]


def _board_faults(text: str) -> list[str]:
    """What keeps a FEN's first field from being eight ranks of eight squares, one fault a rank at most.

    Two digits in a row are one of them, as in python-chess: writers put one.
    """
    ranks = text.split("/")
    faults: list[str] = []
    if len(ranks) != 8:
        faults.append(f"{len(ranks)} rank{'' if len(ranks) == 1 else 's'} instead of 8")
    for number, rank in zip(range(8, 0, -1), ranks, strict=False):
        squares = 0
        fault = ""
        digit_before = False
        for letter in rank:
            digit = "1" <= letter <= "8"
            if not digit and letter not in _BOARD_LETTERS:
                fault = f"{quoted(letter)} on rank {number} is neither a piece nor a number from 1 to 8"
                break
            if digit and digit_before:
                fault = f"two numbers in a row on rank {number}"
                break
            squares += int(letter) if digit else 1
            digit_before = digit
        if not fault and squares != 8:
            fault = f"{squares} square{'' if squares == 1 else 's'} on rank {number} instead of 8"
        if fault:
            faults.append(fault)
    return faults


def _read_board(text: str, position: Position) -> str:
    """Place the pieces of a FEN's first field; returns why they cannot be played, or an empty string."""
    square = 56
    file = 0
    for letter in text:
        if letter == "/":
            square -= 8
            file = 0
        elif "1" <= letter <= "8":
            file += int(letter)
        else:
            piece = PIECE_LETTERS.find(letter.upper()) if letter.isascii() else -1
            if piece < PAWN:
                continue  # any other character is ignored
            if square < 0:
                return "more than eight ranks"
            if file > 7:
                return f"a rank longer than eight squares (rank {square // 8 + 1})"
            if piece == PAWN and square in (0, 56):
                return f"a pawn on rank {square // 8 + 1}"
            position.put(square + file, WHITE if letter.isupper() else 1 - WHITE, piece)
            file += 1
    for color, name in ((0, "white"), (1, "black")):
        kings = int(popcount(position.kind(KING) & position.color(color)))
        if kings != 1:
            return f"{'no' if kings == 0 else kings} {name} king{'s' if kings > 1 else ''}"
    return ""


def _possible_rights(position: Position, wanted: int) -> int:
    """The castling rights among ``wanted`` whose king and rook stand where the position's layout has them."""
    rights = 0
    for index in range(4):
        color = index // 2
        home = 4 * int(position.layout_of(color)) + index
        own = int(position.color(color))
        kings = int(position.kind(KING)) & own
        rooks = int(position.kind(ROOK)) & own
        if wanted >> index & 1 and kings >> int(KING_HOME[home]) & rooks >> int(ROOK_HOME[home]) & 1:
            rights |= 1 << index
    return rights


def _possible_en_passant(position: Position, text: str) -> int:
    """The en passant square where a double push can just have passed it, else 0."""
    square = parse_square(text)
    if square < 0:
        return 0
    if square // 8 != (5 if position.side == WHITE else 2):
        return 0
    pushed = square - 8 if position.side == WHITE else square + 8
    them = position.color(1 - position.side)
    if position.piece_at(square) != NONE or position.piece_at(pushed) != PAWN or not int(them) >> pushed & 1:
        return 0
    return square


def _refused(why: str) -> tuple[Position, list[Fault]]:
    """The start position, and why it stands in."""
    start, _ = inspect_fen(START_FEN)
    return start, [Fault(REFUSED, why, "the start position stands in")]


def inspect_fen(text: str) -> tuple[Position, list[Fault]]:
    """The position that a FEN describes, and what was wrong with the text (an empty list where nothing was).

    Fields are separated by white space; any of them but the board may be missing. A clock that does not start like
    a number is 0 and the move number behind it is not read either, as in the siblings' stream. A fault that is REFUSED
    is the only one in the list.
    """
    fields = text.split()
    if not fields:
        return _refused("no board")
    position = Position()
    unplayable = _read_board(fields[0], position)
    malformed = _board_faults(fields[0])
    if unplayable:
        return _refused("; ".join([unplayable, *malformed[:1]]))

    faults = [Fault(MALFORMED, fault, "the board was read as far as it goes", "; ") for fault in malformed]
    if len(fields) > 1:
        position.side = 1 if fields[1] == "b" else 0
        if fields[1] not in ("w", "b"):
            faults.append(Fault(MISREAD, f"side to move {quoted(fields[1])}", "read as white"))

    them = 1 - int(position.side)
    king = position.king_square(them)
    if position.attackers(king, position.side, position.occupied()) != 0:
        return _refused("; ".join(["the side not to move is in check", *malformed[:1]]))

    if len(fields) > 2:
        wanted = 0
        strange = False
        for letter in fields[2]:
            if letter in CASTLING_LETTERS:
                wanted |= 1 << CASTLING_LETTERS.index(letter)
            else:
                strange = True
        position.rights = _possible_rights(position, wanted)
        read = castling_text(int(position.rights))
        if read != fields[2]:
            severity = MISREAD if strange else DROPPED
            faults.append(Fault(severity, f"castling rights {quoted(fields[2])}", f"read as '{read}'"))

    if len(fields) > 3:
        position.en_passant = _possible_en_passant(position, fields[3])
        if position.en_passant == 0 and fields[3] != "-":
            severity = MISREAD if parse_square(fields[3]) < 0 else DROPPED
            faults.append(Fault(severity, f"en passant square {quoted(fields[3])}", "ignored"))

    _read_counters(fields[4:6], position, faults)
    if len(fields) > 6:
        faults.append(Fault(MALFORMED, f"{quoted(' '.join(fields[6:]))} behind the sixth field", "ignored"))
    position.key = position.compute_key()
    position.checkers = position.compute_checkers()
    return position, faults


def _read_counters(fields: list[str], position: Position, faults: list[Fault]) -> None:
    """The clock and the move number, as a C++ stream reads two integers: what one leaves over, the next tries."""
    if not fields:
        return
    clock, rest = leading_integer(fields[0])
    if clock is None:
        faults.append(Fault(MISREAD, f"half-move clock {quoted(fields[0])}", "read as 0"))
        return
    position.clock = clock & 255
    _tell_counter("half-move clock", fields[0], clock, rest, int(position.clock), faults)
    following = [rest, *fields[1:]] if rest else fields[1:]
    if not following:
        return
    number, rest = leading_integer(following[0])
    if number is None:
        faults.append(Fault(MISREAD, f"move number {quoted(following[0])}", "read as 1"))
        return
    position.move_number = number - 1
    if number >= 0 and not _as_written(following[0], number):
        position.move_number &= 255
    _tell_counter("move number", following[0], number, rest, _shown_move_number(position), faults)


def _as_written(text: str, value: int) -> bool:
    """Whether a counter's text is the value and nothing else, and not so long that digits were left out."""
    return (text.lstrip("+").lstrip("0") or "0") == str(value)


def _tell_counter(name: str, text: str, value: int, rest: str, read: int, faults: list[Fault]) -> None:
    """Name the fault where a counter of ``value``, with ``rest`` behind it, was not read as it was written."""
    if _as_written(text, read):
        return
    severity = MISREAD
    if not rest:
        severity = WRAPPED if value >= 0 and _as_written(text, value) else DROPPED
    faults.append(Fault(severity, f"{name} {quoted(text)}", f"read as {read}"))


def half_moves(text: str) -> int:
    """The half-move clock of a FEN that ``inspect_fen`` does not refuse, before it is put into a byte.

    Where it is no number from 0 on, the byte.
    """
    fields = text.split()
    clock = leading_integer(fields[4])[0] if len(fields) > 4 else None
    if clock is None:
        return 0
    return clock if clock >= 0 and _as_written(fields[4], clock) else clock & 255


def read_fen(text: str) -> tuple[Position, list[str]]:
    """The position that a FEN describes, and in words what was wrong with the text and what was made of it.

    Never raises. The list is empty where nothing was wrong; "FEN refused (why); the start position stands in" stands
    alone in it.
    """
    position, faults = inspect_fen(text)
    return position, [str(fault) for fault in faults]


def strict_fen(text: str, worst: int = MISREAD) -> tuple[Position, list[str]]:
    """The position that a FEN describes, and what was dropped or read otherwise than it was written.

    Raises ValueError, with the reason and the text, where the FEN is refused, malformed, or has a fault worse than
    ``worst``.
    """
    position, faults = inspect_fen(text)
    refuse_worse(text, faults, worst)
    return position, [str(fault) for fault in faults]


def refuse_worse(text: str, faults: list[Fault], worst: int = MISREAD) -> None:
    """Raise ValueError, with the reason and the FEN, where one of its faults is worse than ``worst``."""
    for fault in faults:
        if fault.severity > worst:
            raise ValueError(f"{fault.text}: {quoted(text, _LONGEST_FEN)}")


def position_from_fen(text: str) -> Position:
    """The position that a FEN describes, read with forgiveness (see ``read_fen``)."""
    return read_fen(text)[0]


def start_position() -> Position:
    """The initial position."""
    return read_fen(START_FEN)[0]


def castling_text(rights: int) -> str:
    """FEN's castling field: letters in the order KQkq, or ``-``."""
    return "".join(letter for index, letter in enumerate(CASTLING_LETTERS) if rights >> index & 1) or "-"


def _shown_move_number(position: Position) -> int:
    """The full-move number as a FEN shows it: from 1 to 256, after which it begins again."""
    return (int(position.move_number) & 255) + 1


def write_fen(position: Position) -> str:
    """The position's FEN; the en passant square is written after every double push."""
    ranks: list[str] = []
    for rank in range(7, -1, -1):
        text = ""
        run = 0
        for file in range(8):
            square = file + 8 * rank
            piece = position.piece_at(square)
            if piece == NONE:
                run += 1
                continue
            if run > 0:
                text += str(run)
                run = 0
            color = int(position.black) >> square & 1
            text += piece_letter(color, piece)
        if run > 0:
            text += str(run)
        ranks.append(text)
    en_passant = square_name(position.en_passant) if position.en_passant != 0 else "-"
    side = "w" if position.side == WHITE else "b"
    return (
        f"{'/'.join(ranks)} {side} {castling_text(int(position.rights))} {en_passant} "
        f"{int(position.clock)} {_shown_move_number(position)}"
    )
