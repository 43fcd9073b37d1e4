"""Forsyth-Edwards Notation, read with forgiveness and written strictly.

Reading never raises: missing fields take defaults, castling rights and en passant squares that cannot be are dropped,
and a board that cannot be played is replaced by the start position. ``read_fen`` says in words what was wrong.
"""

from typing import Final

from pawnstar.chess.bits import popcount
from pawnstar.chess.castling import KING_HOME, ROOK_HOME
from pawnstar.chess.pieces import CASTLING_LETTERS, KING, NONE, PAWN, PIECE_LETTERS, ROOK, WHITE, piece_letter
from pawnstar.chess.position import Position
from pawnstar.chess.squares import parse_square, square_name

START_FEN: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


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


def _read_board(text: str, position: Position) -> str:
    """Place the pieces of a FEN's first field; returns what is wrong, or an empty string."""
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
    """The castling rights among ``wanted`` whose king and rook stand on their home squares."""
    rights = 0
    for index in range(4):
        own = position.color(index // 2)
        if (
            wanted >> index & 1
            and position.kind(KING) & own & (1 << int(KING_HOME[index]))
            and int(position.kind(ROOK) & own) >> int(ROOK_HOME[index]) & 1
        ):
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


def read_fen(text: str) -> tuple[Position, list[str]]:
    """The position that a FEN describes, and what was wrong with the text (an empty list where nothing was).

    Fields are separated by white space; any of them but the board may be missing. A clock that does not start like
    a number is 0 and the move number behind it is not read either, as in the siblings' stream.
    """
    fields = text.split()
    position = Position()
    trouble = _read_board(fields[0], position) if fields else "no board"
    if trouble:
        start, _ = read_fen(START_FEN)
        return start, [f"FEN refused ({trouble}); the start position stands in"]

    faults: list[str] = []
    if len(fields) > 1:
        position.side = 1 if fields[1] == "b" else 0
        if fields[1] not in ("w", "b"):
            faults.append(f"side to move '{fields[1]}' read as white")

    them = 1 - int(position.side)
    king = position.king_square(them)
    if position.attackers(king, position.side, position.occupied()) != 0:
        start, _ = read_fen(START_FEN)
        return start, ["FEN refused (the side not to move is in check); the start position stands in"]

    if len(fields) > 2:
        wanted = 0
        for letter in fields[2]:
            if letter in CASTLING_LETTERS:
                wanted |= 1 << CASTLING_LETTERS.index(letter)
        position.rights = _possible_rights(position, wanted)
        if castling_text(int(position.rights)) != fields[2]:
            faults.append(f"castling rights '{fields[2]}' read as '{castling_text(int(position.rights))}'")

    if len(fields) > 3:
        position.en_passant = _possible_en_passant(position, fields[3])
        if position.en_passant == 0 and fields[3] != "-":
            faults.append(f"en passant square '{fields[3]}' ignored")

    _read_counters(fields[4:], position, faults)
    position.key = position.compute_key()
    position.checkers = position.compute_checkers()
    return position, faults


def _read_counters(fields: list[str], position: Position, faults: list[str]) -> None:
    """The clock and the move number, as a C++ stream reads two integers: what one leaves over, the next tries."""
    if not fields:
        return
    clock, rest = leading_integer(fields[0])
    if clock is None:
        faults.append(f"half-move clock '{fields[0]}' read as 0")
        return
    position.clock = clock & 255
    if clock != int(position.clock) or rest:
        faults.append(f"half-move clock '{fields[0]}' read as {int(position.clock)}")
    following = [rest, *fields[1:]] if rest else fields[1:]
    if not following:
        return
    number, rest = leading_integer(following[0])
    if number is None:
        faults.append(f"move number '{following[0]}' read as 1")
        return
    position.move_number = (number - 1) & 255
    if number != int(position.move_number) + 1 or rest:
        faults.append(f"move number '{following[0]}' read as {int(position.move_number) + 1}")


def position_from_fen(text: str) -> Position:
    """The position that a FEN describes, read with forgiveness (see ``read_fen``)."""
    return read_fen(text)[0]


def start_position() -> Position:
    """The initial position."""
    return read_fen(START_FEN)[0]


def castling_text(rights: int) -> str:
    """FEN's castling field: letters in the order KQkq, or ``-``."""
    return "".join(letter for index, letter in enumerate(CASTLING_LETTERS) if rights >> index & 1) or "-"


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
        f"{int(position.clock)} {int(position.move_number) + 1}"
    )
