"""Random input: lines of commands and FENs, and what must hold for each of them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import chess
from hypothesis import strategies as st
from sessions import BESTMOVE, Session, check_answer, texts

from pawnstar.chess.fen import START_FEN, read_fen, write_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.moves import MAX_MOVES
from pawnstar.evaluation.nnue.network import Accumulators
from pawnstar.search.limits import Limits
from pawnstar.system import machine

_FENS: Final = (
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "4k3/8/8/8/8/8/8/4K3 w - - 99 80",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
)
_VOCABULARY: Final = """
    uci isready ucinewgame stop ponderhit d eval nnue getboard zobrist dbg dbgclear help bookmoves freebook
    setoption position go bench quit debug register UCI Go name value Hash Threads Ponder EvalFile Clear
    Move Overhead OwnBook UCI_AnalyseMode true false startpos fen moves w b KQkq - e3 infinite ponder searchmoves wtime
    btime winc binc movetime depth movestogo nodes mate perft e2e4 e7e5 e1g1 a7a8q 0000 e2e9 <empty> /dev/zero / .
"""
# The last: digits that are none to UCI, half a character, and a character that ends texts elsewhere.
_WORDS: Final = (*_VOCABULARY.split(), "\x00", "\xe9", "\ud800", "\U0001d7d9", "\xb2", "\u0663")
_NUMBERS: Final = st.one_of(
    st.integers(-3, 12).map(str),
    st.sampled_from(("9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e9", "+5", "--1", "0x10")),
    st.integers().map(str),
)
_WORD: Final = st.one_of(st.sampled_from(_WORDS), _NUMBERS, st.text(max_size=8))
_BLANK: Final = st.sampled_from((" ", "  ", "\t", " \t ", "\r", "\x0b"))

_GO: Final = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(
                ("wtime", "btime", "winc", "binc", "movetime", "depth", "movestogo", "nodes", "mate", "perft")
            ),
            _NUMBERS,
        ).map(" ".join),
        st.sampled_from(("infinite", "ponder", "searchmoves e2e4 d2d4 zz", "searchmoves", "depth", "movetime x")),
    ),
    max_size=4,
).map(lambda parts: " ".join(("go", *parts)))
_MOVES: Final = st.lists(
    st.one_of(
        st.sampled_from(("e2e4", "e7e5", "g1f3", "b8c6", "e1g1", "e8g8", "moves", "0000", "e7e8q")), st.text(max_size=5)
    ),
    max_size=6,
).map(" ".join)


@st.composite
def _random_board(draw: st.DrawFn) -> str:
    """A board with any number of pieces, up to all 64 squares."""
    letters = draw(st.sampled_from(("PNBRQpnbrq", "Qq", "QqRr", "Pp", "Nn", "Q", "PNBRQKpnbrqk")))
    filled = draw(st.integers(0, 64))
    squares: list[str] = ["1"] * 64
    for square in draw(st.permutations(range(64)))[:filled]:
        squares[square] = draw(st.sampled_from(letters))
    kings = draw(st.sampled_from((1, 1, 1, 1, 0, 2)))
    places = draw(st.permutations(range(64)))
    for index, king in enumerate("Kk"):
        for count in range(kings):
            squares[places[index + 2 * count]] = king
    return "/".join("".join(squares[8 * rank : 8 * rank + 8]) for rank in range(8))


@st.composite
def _mutated(draw: st.DrawFn) -> str:
    """A good FEN with a few characters changed."""
    text = list(draw(st.sampled_from(_FENS)))
    for _ in range(draw(st.integers(0, 4))):
        index = draw(st.integers(0, len(text) - 1))
        text[index] = draw(st.one_of(st.sampled_from("KQRBNPkqrbnp12345678/ -wbe3"), st.characters()))
    return "".join(text)


FENS: Final = st.one_of(
    _mutated(),
    st.builds(
        lambda board, side, rights, square, clock, number: f"{board} {side} {rights} {square} {clock} {number}",
        _random_board(),
        st.sampled_from(("w", "b", "x", "")),
        st.sampled_from(("-", "KQkq", "K", "qQ", "HAha", "kkkk")),
        st.sampled_from(("-", "e3", "e6", "a3", "h6", "e4", "zz")),
        st.one_of(st.integers(-5, 300).map(str), st.just("x")),
        st.one_of(st.integers(-5, 10**20).map(str), st.just("")),
    ),
    st.text(max_size=60),
)
LINES: Final = st.lists(
    st.one_of(
        st.lists(st.tuples(_WORD, _BLANK).map("".join), max_size=6).map("".join),
        _GO,
        _GO,
        _MOVES.map(lambda moves: f"position startpos moves {moves}"),
        st.tuples(FENS, _MOVES).map(lambda parts: f"position fen {parts[0]} moves {parts[1]}"),
        st.tuples(st.sampled_from(_WORDS), _NUMBERS).map(lambda parts: f"setoption name {parts[0]} value {parts[1]}"),
        st.text(max_size=30),
    ).map(lambda line: line.replace("\n", " ")),
    min_size=1,
    max_size=6,
)


@contextmanager
def little_memory(megabytes: int = 4) -> Iterator[None]:
    """A machine on which a table can grow to no more than about so many megabytes."""
    real = machine.available_memory
    machine.available_memory = lambda: (64 + megabytes) << 20
    try:
        yield
    finally:
        machine.available_memory = real


def check_lines(session: Session, lines: list[str]) -> None:
    """Carry out lines: nothing raised, nothing internal reported, one legal ``bestmove`` for each search begun."""
    session.started.clear()
    session.send()
    output = session.send(*lines, "stop", "isready")
    # Helpers are started behind the answer, and remarks on them come then.
    assert [line for line in output if not line.startswith("info string ")][-1] == "readyok", output
    assert not [line for line in output if "internal error" in line], output
    answers: list[list[str]] = [[]]
    for line in output:
        if BESTMOVE.fullmatch(line):
            answers[-1].append(line)
            answers.append([])
        elif line.startswith("info ") and not line.startswith("info string"):
            answers[-1].append(line)
    assert len(answers) - 1 == len(session.started), f"{len(session.started)} searches, {len(answers) - 1} answers"
    if "bench" not in " ".join(lines):
        for started, answer in zip(session.started, answers, strict=False):
            check_answer(started.position, answer)
    assert threading.active_count() <= 3
    session.send("ucinewgame")


def check_fen(session: Session, text: str, search: bool) -> bool:
    """Read a FEN: what is accepted is written and read again alike, and played rightly; True where it was accepted."""
    reading = read_fen(text)
    position = reading.position
    if reading.refusal:
        assert write_fen(position) == START_FEN
        return False
    written = write_fen(position)
    again = read_fen(written).position
    assert write_fen(again) == written
    assert again.key == position.key
    assert again.checkers == position.checkers
    moves = legal_moves(position)
    assert len(moves) <= MAX_MOVES
    board = chess.Board(written)
    if board.is_valid():
        assert sorted(texts(moves)) == sorted(move.uci() for move in board.legal_moves)
    session.engine.evaluate(position)
    session.engine.network.evaluations([position], Accumulators(), exact=True)
    if search:
        result = session.engine.search(position, limits=Limits(movetime=3))
        assert (result.best_move in moves) if moves else result.best_move == 0
    return True
