"""Forsyth-Edwards Notation, read with forgiveness or without, and written strictly.

``read_fen`` never raises: missing fields take defaults, castling rights and en passant squares that cannot be are
dropped, a malformed board is read as far as it goes, and one that cannot be played is replaced by the start position.
What was wrong stands in the result. ``strict_fen`` raises where a text does not say what is to be played.
"""

from typing import Final, NamedTuple

from pawnstar.chess.bits import popcount
from pawnstar.chess.castling import KING_HOME, ROOK_HOME, layout_of
from pawnstar.chess.pieces import CASTLING_LETTERS, KING, NONE, PAWN, PIECE_LETTERS, ROOK, WHITE, piece_letter
from pawnstar.chess.position import Position
from pawnstar.chess.squares import parse_square, square_name

START_FEN: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# How bad a fault is:
# * WRAPPED: a counter that does not fit the siblings' bytes (clock 300, move 0);
# * DROPPED: well written, but it cannot be (a right without its rook, clock -1);
# * MISREAD: a field behind the board does not hold what it should (side "x");
# * MALFORMED: the board is not eight ranks of eight squares, or a seventh field follows.
WRAPPED: Final = 0
DROPPED: Final = 1
MISREAD: Final = 2
MALFORMED: Final = 3

# The fields, as faults name them.
BOARD: Final = "board"
SIDE: Final = "side to move"
RIGHTS: Final = "castling rights"
EN_PASSANT: Final = "en passant square"
CLOCK: Final = "half-move clock"
MOVE_NUMBER: Final = "move number"
SURPLUS: Final = "surplus"

_BOARD_LETTERS: Final = "PNBRQKpnbrqk"
# Characters of a word, and of a whole FEN, that a message repeats.
_LONGEST_WORD: Final = 40
_LONGEST_FEN: Final = 120


class Fault(NamedTuple):
    """Something wrong with a field of a FEN that can be played.

    ``severity`` and ``field`` are of those above; ``text`` says what is wrong, ``outcome`` what was made of it. As a
    str: both, with ``joint`` between them.
    """

    severity: int
    field: str
    text: str
    outcome: str
    joint: str = " "

    def __str__(self) -> str:
        return f"{self.text}{self.joint}{self.outcome}"


class Reading(NamedTuple):
    """What a FEN was read as.

    ``refusal`` says why the text cannot be played; then ``position`` is the start position, and there are no faults. It
    is empty otherwise. ``half_moves`` is the half-move clock as the FEN has it, where ``position.clock`` is one byte.
    """

    position: Position
    refusal: str
    faults: list[Fault]
    half_moves: int = 0

    def messages(self) -> list[str]:
        """What was wrong and what was made of it, in words; empty where nothing was."""
        if self.refusal:
            return [f"FEN refused ({self.refusal}); the start position stands in"]
        return [str(fault) for fault in self.faults]


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
        home = 4 * int(layout_of(position.layout, color)) + index
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


def _refused(why: str) -> Reading:
    """The start position, and why it stands in."""
    return Reading(start_position(), why, [])


def read_fen(text: str) -> Reading:
    """The position that a FEN describes, and what was wrong with the text. Never raises.

    Fields are separated by white space; any of them but the board may be missing. A clock that does not start like
    a number is 0 and the move number behind it is not read either, as in the siblings' stream.
    """
    fields = text.split()
    if not fields:
        return _refused("no board")
    position = Position()
    unplayable = _read_board(fields[0], position)
    malformed = _board_faults(fields[0])
    if unplayable:
        return _refused("; ".join([unplayable, *malformed[:1]]))

    faults = [Fault(MALFORMED, BOARD, fault, "the board was read as far as it goes", "; ") for fault in malformed]
    if len(fields) > 1:
        position.side = 1 if fields[1] == "b" else 0
        if fields[1] not in ("w", "b"):
            faults.append(_misread(MISREAD, SIDE, fields[1], "read as white"))

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
            faults.append(_misread(MISREAD if strange else DROPPED, RIGHTS, fields[2], f"read as '{read}'"))

    if len(fields) > 3:
        position.en_passant = _possible_en_passant(position, fields[3])
        if position.en_passant == 0 and fields[3] != "-":
            severity = MISREAD if parse_square(fields[3]) < 0 else DROPPED
            faults.append(_misread(severity, EN_PASSANT, fields[3], "ignored"))

    half_moves = _read_counters(fields[4:6], position, faults)
    if len(fields) > 6:
        surplus = f"{quoted(' '.join(fields[6:]))} behind the sixth field"
        faults.append(Fault(MALFORMED, SURPLUS, surplus, "ignored"))
    position.key = position.compute_key()
    position.checkers = position.compute_checkers()
    return Reading(position, "", faults, half_moves)


def _misread(severity: int, field: str, text: str, outcome: str) -> Fault:
    """The fault of a field that was not read as it is written."""
    return Fault(severity, field, f"{field} {quoted(text)}", outcome)


def _read_counters(fields: list[str], position: Position, faults: list[Fault]) -> int:
    """The clock and the move number, as a C++ stream reads two integers: what one leaves over, the next tries.

    Returns the half-move clock before it is put into a byte; where it is no number from 0 on, the byte.
    """
    if not fields:
        return 0
    clock, rest = leading_integer(fields[0])
    if clock is None:
        faults.append(_misread(MISREAD, CLOCK, fields[0], "read as 0"))
        return 0
    position.clock = clock & 255
    half_moves = clock if clock >= 0 and _as_written(fields[0], clock) else clock & 255
    _tell_counter(CLOCK, fields[0], clock, rest, int(position.clock), faults)
    following = [rest, *fields[1:]] if rest else fields[1:]
    if not following:
        return half_moves
    number, rest = leading_integer(following[0])
    if number is None:
        faults.append(_misread(MISREAD, MOVE_NUMBER, following[0], "read as 1"))
        return half_moves
    position.move_number = number - 1
    if number >= 0 and not _as_written(following[0], number):
        position.move_number &= 255
    _tell_counter(MOVE_NUMBER, following[0], number, rest, _shown_move_number(position), faults)
    return half_moves


def _as_written(text: str, value: int) -> bool:
    """Whether a counter's text is the value and nothing else, and not so long that digits were left out."""
    return (text.lstrip("+").lstrip("0") or "0") == str(value)


def _tell_counter(field: str, text: str, value: int, rest: str, read: int, faults: list[Fault]) -> None:
    """Name the fault where a counter of ``value``, with ``rest`` behind it, was not read as it was written."""
    if _as_written(text, read):
        return
    severity = MISREAD
    if not rest:
        severity = WRAPPED if value >= 0 and _as_written(text, value) else DROPPED
    faults.append(_misread(severity, field, text, f"read as {read}"))


def strict_fen(text: str, worst: int = MISREAD) -> Reading:
    """The position that a FEN describes, and what was dropped or read otherwise than it was written.

    Raises ValueError, with the reason and the text, where the FEN is refused, or has a fault worse than ``worst``.
    """
    reading = read_fen(text)
    reasons = [reading.refusal] if reading.refusal else []
    reasons += [fault.text for fault in reading.faults if fault.severity > worst]
    if reasons:
        raise ValueError(f"{reasons[0]}: {quoted(text, _LONGEST_FEN)}")
    return reading


def position_from_fen(text: str) -> Position:
    """The position that a FEN describes, read with forgiveness (see ``read_fen``)."""
    return read_fen(text).position


def start_position() -> Position:
    """The initial position."""
    return read_fen(START_FEN).position


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
