"""Each command and option, in process: what is answered, what is refused, and that nothing is fatal."""

import resource
import subprocess
import sys
from pathlib import Path

import chess
import pytest
from modes import COMPILED
from nets import Net
from uci_fuzz import little_memory
from uci_process import environment
from uci_session import Session, check_answer, shipped_network

from pawnstar import resources
from pawnstar.chess.fen import START_FEN
from pawnstar.engine.book import Book, BookError
from pawnstar.engine.engine import Engine
from pawnstar.engine.reference import ReferenceSearch
from pawnstar.protocol.input import split_words
from pawnstar.protocol.options import parse_setoption, whole_integer


def shipped_path() -> Path:
    return resources.find(resources.NET)[0].resolve()


@pytest.fixture
def other_net(request: pytest.FixtureRequest) -> Path:
    """A net that is not the shipped one."""
    net: Net = request.getfixturevalue("parity")
    return net.path


def infos(lines: list[str]) -> list[str]:
    return [line.removeprefix("info string ") for line in lines]


def test_uci(session: Session) -> None:
    assert session.send("uci") == [
        "id name Pawnstar 0.0.0",
        "id author Jonny Reckless",
        "option name Hash type spin default 64 min 1 max 4096",
        "option name Threads type spin default 1 min 1 max 256",
        "option name Ponder type check default false",
        "option name EvalFile type string default <empty>",
        "option name Clear Hash type button",
        "option name Move Overhead type spin default 30 min 0 max 5000",
        "option name OwnBook type check default true",
        "option name UCI_AnalyseMode type check default false",
        "uciok",
    ]


def test_uci_shows_current_values(session: Session) -> None:
    session.send("setoption name Threads value 3", "setoption name Move Overhead value 55")
    session.send("setoption name OwnBook value false", "setoption name Hash value 2")
    lines = session.send("uci")
    assert "option name Hash type spin default 64 min 1 max 4096" in lines
    assert "option name Threads type spin default 3 min 1 max 256" in lines
    assert "option name Move Overhead type spin default 55 min 0 max 5000" in lines
    assert "option name OwnBook type check default false" in lines


@pytest.mark.parametrize("line", ["isready", "  isready  ", "isready\r", "\tisready\r\n", "isready and more"])
def test_isready(session: Session, line: str) -> None:
    assert session.send(line) == ["readyok"]


@pytest.mark.parametrize("line", ["", "   ", "\t", "\r", "\r\n", "\x0b\x0c"])
def test_empty_lines_are_passed_over(session: Session, line: str) -> None:
    assert session.send(line) == []


@pytest.mark.parametrize("line", ["UCI", "nonsense", "Go depth 3", "xyzzy " * 2000, "é\x00\ud800", "\x1b[2J"])
def test_unknown_commands_are_reported_and_ignored(session: Session, line: str) -> None:
    (answer,) = session.send(line)
    assert answer.startswith("info string unknown command '")
    assert len(answer) < 200
    assert answer.isprintable()


def test_every_output_line_is_one_write(session: Session) -> None:
    session.send("uci", "d", "zobrist", "dbg", "help")
    for line in ("uci", "d", "zobrist", "dbg", "help", "eval", "nnue", "getboard", "isready"):
        session.process_line(line)
        assert len(session.stream.writes) == 1, line
        session.stream.take()
    session.answer("position startpos")
    session.process_line("go depth 5")
    session.wait_for_search()
    assert all(write.count("\n") == 1 and write.endswith("\n") for write in session.stream.writes)


def test_eval_nnue_getboard(session: Session) -> None:
    session.send("position startpos moves e2e4")
    evaluation, raw, board = session.send("eval", "nnue", "getboard")
    assert evaluation.startswith("evaluation ")
    assert evaluation.endswith(" (nnue)")
    assert raw == f"nnue {evaluation.split()[1]}"
    assert board == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"


def test_d_shows_board_fen_key_and_checkers(session: Session) -> None:
    lines = session.send("position fen 4k3/8/8/8/8/8/4q3/4K3 w - - 3 7", "d")
    assert len([line for line in lines if line.startswith("  +---")]) == 9
    assert "1 |   |   |   |   | K |   |   |   |" in lines
    assert "Fen: 4k3/8/8/8/8/8/4q3/4K3 w - - 3 7" in lines
    assert "Checkers: e2" in lines


def test_zobrist_parts_make_the_key(session: Session) -> None:
    lines = session.send("position startpos moves e2e4", "zobrist")
    parts = {line[:12].strip(): int(line[13:], 16) for line in lines}
    key = parts.pop("key")
    total = 0
    for part in parts.values():
        total ^= part
    assert total == key
    assert len(parts) == 32 + 3
    assert f"Key: {key:016x}" in session.send("d")


def test_dbg_and_dbgclear(session: Session) -> None:
    rule = "********************* DEBUGX *********************"
    session.send("dbgclear")
    assert session.send("dbg") == [rule, "*" * 50]
    session.answer("position startpos", "go depth 4")
    lines = session.send("dbg")
    names = [line[:40].strip() for line in lines[1:-1]]
    assert names == sorted(names)
    assert "alpha beta calls" in names
    assert all(len(line) == 50 for line in lines)
    session.send("dbgclear")
    assert session.send("dbg") == [rule, "*" * 50]


def test_help_lists_every_command(session: Session) -> None:
    lines = session.send("help")
    assert lines[0] == "Available commands:"
    assert [line[:12].strip() for line in lines[1:]] == sorted(session._commands)
    assert all(line[12] == " " and line[13] != " " for line in lines[1:])


@pytest.mark.parametrize(("depth", "total"), [(1, 20), (2, 400), (3, 8902), (4, 197281)])
def test_go_perft(session: Session, depth: int, total: int) -> None:
    if depth == 4 and not COMPILED:
        pytest.skip("compiled only: too slow in plain Python")
    lines = session.send("position startpos", f"go perft {depth}")
    moves = [line for line in lines if ": " in line and not line.startswith("Nodes")]
    assert len(moves) == 20
    assert sum(int(line.split(": ")[1]) for line in moves) == total
    assert lines[-3:] == ["", f"Nodes searched: {total}", ""]


@pytest.mark.parametrize("depth", ["0", "-1", "65", "9223372036854775807"])
def test_go_perft_refuses_senseless_depths(session: Session, depth: str) -> None:
    (line,) = session.send(f"go perft {depth}")
    assert line.startswith("info string go perft: ")


@pytest.mark.parametrize("words", ["perft", "perft x", "perft 2.x", "perft infinitely", "perft perft"])
def test_go_perft_without_a_number_plays_nothing(session: Session, words: str) -> None:
    """It was taken for a plain ``go``: a search by a clock of five minutes, whose answer then stood on the board."""
    lines = session.answer("position startpos", f"go {words}")
    assert lines
    assert all(line.startswith("info string go perft: ") for line in lines)
    assert session.started == []
    assert session.answer("go perft x depth 1")[-1].startswith("bestmove "), "where there is another limit, it holds"


def test_bench(session: Session) -> None:
    lines = session.send("bench 1")
    assert lines[-1].split()[1::2] == ["nodes", "nps"]
    assert len([line for line in lines if line.startswith("info depth")]) == 16
    assert not [line for line in lines if line.startswith("bestmove")]
    assert session.send("bench 1")[-1].split()[0] == lines[-1].split()[0]
    # Options are as they were, the clock stays at the fixed depth.
    assert session.options.own_book
    assert session.clock.depth == 1


@pytest.mark.compiled_only
def test_bench_with_a_malformed_depth_takes_the_default() -> None:
    session = Session(background=True)
    session.send("bench x")
    lines = session.send("stop")
    assert "info string bench: 'x' is no whole number; depth 13 instead" in lines or session.clock.depth == 13


# position


@pytest.mark.parametrize(
    ("line", "board"),
    [
        ("position startpos", START_FEN),
        ("position nonsense startpos", START_FEN),
        ("position startpos moves e2e4 moves e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"),
        ("position startpos e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        ("position fen 8/8/8/4k3/8/8/4KR2/8 w - - 50 60 moves f2f3", "8/8/8/4k3/8/5R2/4K3/8 b - - 51 60"),
        ("position fen 8/8/8/4k3/8/8/4KR2/8 moves f2f3", "8/8/8/4k3/8/5R2/4K3/8 b - - 1 1"),
        ("position fen 8/8/8/4k3/8/8/4KR2/8 w - - 50 60 f2f3 e5e4", "8/8/8/8/4k3/5R2/4K3/8 w - - 52 61"),
        (
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1c1 e8g8",
            "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2",
        ),
        ("position fen 8/P7/8/8/8/8/k6K/8 w - - 0 1 moves a7a8n", "N7/8/8/8/8/8/k6K/8 b - - 0 1"),
        (
            "position fen rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3 moves e5f6",
            "rnbqkbnr/ppp1p1pp/5P2/3p4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3",
        ),
    ],
)
def test_position(session: Session, line: str, board: str) -> None:
    assert session.send(line, "getboard") == [board]


def test_position_moves_goes_on_from_where_it_is(session: Session) -> None:
    session.send("position startpos moves e2e4", "position moves e7e5 g1f3")
    assert session.send("getboard") == ["rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"]
    assert len(session.game.history) == 3


@pytest.mark.parametrize("line", ["position", "position fen", "position fen moves e2e4", "position nonsense"])
def test_position_without_a_position_changes_nothing(session: Session, line: str) -> None:
    session.send("position startpos moves e2e4")
    before = session.send("getboard")
    (remark,) = session.send(line)
    assert remark.startswith("info string position")
    assert session.send("getboard") == before


def test_illegal_moves_are_skipped_and_reported(session: Session) -> None:
    lines = session.send("position startpos moves e2e5 e2e4 e2e4 zz e7e5 E7E6 e7e5q", "getboard")
    assert infos(lines[:-1]) == [f"illegal move '{text}' skipped" for text in ("e2e5", "e2e4", "zz", "E7E6", "e7e5q")]
    assert lines[-1] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"


def test_many_illegal_moves_are_summed_up(session: Session) -> None:
    lines = session.send("position startpos moves " + "e7e5 " * 1000)
    assert len(lines) == 11
    assert lines[-1] == "info string 990 more illegal moves skipped"


def test_two_thousand_plies(session: Session) -> None:
    import time

    moves = "g1f3 g8f6 f3g1 f6g8 " * 500
    started = time.process_time()
    session.process_line("position startpos moves " + moves)
    took = time.process_time() - started
    assert session.send("getboard") == ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 208 233"]
    assert took < (0.2 if COMPILED else 5.0)
    check_answer(session.game.position, session.answer("go depth 4"))


@pytest.mark.parametrize(
    ("line", "more"),
    [
        ("go depth 3 searchmoves " + "e7e5 " * 1000, "info string 990 more illegal moves ignored"),
        ("go depth 3 " + "movetime x " * 1000, "info string 990 more faults in this line"),
        ("go " + "depth 3.0 " * 1000, "info string 990 more faults in this line"),
    ],
)
def test_many_faults_of_a_go_line_are_summed_up(session: Session, line: str, more: str) -> None:
    """A line of a megabyte brought two hundred thousand lines of answers."""
    lines = session.answer(line)
    assert len(lines) < 15
    assert lines[10] == more


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        (
            "setoption Hash value 16",
            "setoption: no name; nothing changed ('setoption name NAME value VALUE' sets an option)",
        ),
        ("setoption name Hash 16", "unknown option 'Hash 16' ignored ('value' goes between name and value)"),
        (
            "setoption name Move  Overhead 16",
            "unknown option 'Move Overhead 16' ignored ('value' goes between name and value)",
        ),
        ("setoption name Hashish", "unknown option 'Hashish' ignored"),
        ("setoption name Hash x value 16", "unknown option 'Hash x' ignored"),
    ],
)
def test_setoption_in_a_wrong_form_gets_a_hint(session: Session, line: str, remark: str) -> None:
    assert session.send(line) == [f"info string {remark}"]


@pytest.mark.parametrize("line", ["debug on", "debug off", "debug", "register later", "register name x code y"])
def test_commands_of_uci_that_ask_nothing_are_accepted(session: Session, line: str) -> None:
    """They were unknown commands, though UCI has them."""
    assert session.send(line, "isready") == ["readyok"]


REFUSED = {
    "8/8/8/8/8/8/8/8 w - - 0 1": "no white king",
    "garbage": "white king",
    "P3k3/8/8/8/8/8/8/4K3 w - - 0 1": "a pawn on rank 8",
    "4k3/8/8/8/8/8/8/p3K3 w - - 0 1": "a pawn on rank 1",
    "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1": "the side not to move is in check",
    "4k3/8/8/8/8/8/8/4K1K1 w - - 0 1": "2 white kings",
    "8/8/8/3kK3/8/8/8/8 w - - 0 1": "the side not to move is in check",
    "rnbqkbnrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "a rank longer than eight squares",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/Q w KQkq - 0 1": "more than eight ranks",
}


@pytest.mark.parametrize("fen", REFUSED)
def test_fens_that_cannot_be_played_are_refused_with_the_reason(session: Session, fen: str) -> None:
    lines = session.send(f"position fen {fen}", "getboard")
    assert lines[0].startswith("info string FEN refused (")
    assert REFUSED[fen] in lines[0]
    assert lines[-1] == START_FEN
    check_answer(session.game.position, session.answer("go depth 3"))


# What else a FEN may hold: the number of legal moves.
PLAYABLE = {
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1": 218,
    "QQQQQQQQ/Q7/Q7/8/8/8/7k/K7 w - - 0 1": None,
    "qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqkqqq/8/8/8/K7 b - - 0 1": None,
    "4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1": 5,
    "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1": 5,
    "4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1": None,
    "4k3/8/8/8/8/8/8/4K3 w - - 300 999": 5,
    "4k3/8/8/8/8/8/8/4K3": 5,
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QKQQQQQN/8 w - - 0 1": None,
    "NNNNNNNN/NNNNNNNN/NNNNNNNN/k7/8/8/8/4K3 b - - 0 1": None,
    "Q6Q/1Q4Q1/2Q2Q2/3QQ3/3QQ3/2Q2Q2/1Q4QK/k6Q b - - 0 1": None,
}


@pytest.mark.parametrize("fen", PLAYABLE)
def test_unusual_boards_are_played(session: Session, fen: str) -> None:
    session.send(f"position fen {fen}")
    position = session.game.position
    from pawnstar.chess.generation import legal_moves

    moves = legal_moves(position)
    if PLAYABLE[fen] is not None:
        assert len(moves) == PLAYABLE[fen]
    board = chess.Board(session.send("getboard")[-1])
    if board.is_valid():
        assert len(moves) == board.legal_moves.count()
    check_answer(position, session.answer("go movetime 200")) if position.king_square(0) >= 0 else None


# setoption


@pytest.mark.parametrize(
    ("line", "attribute", "value"),
    [
        ("setoption name Threads value 4", "threads", 4),
        ("setoption name threads value 999", "threads", 256),
        ("setoption name THREADS value -1", "threads", 1),
        ("setoption name Move Overhead value 100", "move_overhead", 100),
        ("setoption  name\tmove   overhead value +100\r", "move_overhead", 100),
        ("setoption name Move Overhead value -5", "move_overhead", 0),
        ("setoption name Move Overhead value 99999", "move_overhead", 5000),
        ("setoption name OwnBook value false", "own_book", False),
        ("setoption name ownbook value true", "own_book", True),
        ("setoption name Hash value 2", "hash", 2),
        ("setoption name hash value 0", "hash", 1),
        ("setoption name Hash value -99999999999999999999", "hash", 1),
        ("setoption name Threads value 99999999999999999999", "threads", 256),
        ("setoption name Move Overhead value 18446744073709551615", "move_overhead", 5000),
        ("setoption name UCI_AnalyseMode value true", "analyse_mode", True),
        ("setoption name uci_analysemode value TRUE", "analyse_mode", True),
        ("setoption name UCI_AnalyseMode value false", "analyse_mode", False),
    ],
)
def test_options(session: Session, line: str, attribute: str, value: object) -> None:
    assert session.send(line) == []
    assert getattr(session.options, attribute) == value


@pytest.mark.parametrize(
    "line",
    [
        *("setoption", "setoption name", "setoption name Hash", "setoption name Hash value"),
        *("setoption name Hash value abc", "setoption name Hash value 2x", "setoption name Threads value"),
        *("setoption name Move Overhead value 12x", "setoption name Move Overhead value 1.5"),
        *("setoption name Nonsense value 3", "setoption value 3", "setoption name EvalFile"),
        "setoption name Threads value \u0663",
    ],
)
def test_nonsense_options_are_reported_and_ignored(session: Session, line: str) -> None:
    before = repr(session.options)
    (remark,) = session.send(line)
    assert remark.startswith("info string ")
    assert repr(session.options) == before


def test_ponder_is_accepted(session: Session) -> None:
    assert session.send("setoption name Ponder value true") == []


def test_own_book_is_true_for_true_only(session: Session) -> None:
    (remark,) = session.send("setoption name OwnBook value True")
    assert remark == "info string option OwnBook: 'True' is neither true nor false; read as false"
    assert not session.options.own_book


def test_hash_is_rounded_down_and_says_so(session: Session) -> None:
    assert session.send("setoption name Hash value 3") == ["info string option Hash: 3 MB rounded down to 2 MB"]
    assert session.engine.table.megabytes() == 2


def test_hash_that_the_machine_cannot_give_is_refused(session: Session) -> None:
    table = session.engine.table
    with little_memory(8):
        (remark,) = session.send("setoption name Hash value 1024")
    assert remark == "info string option Hash: 1024 MB refused (72 MB are available); 1 MB stay"
    assert session.engine.table is table
    check_answer(session.game.position, session.answer("go depth 4"))


LIMITED = """
import resource
from uci_session import Session
from pawnstar import machine
session = Session()
machine.available_memory = lambda: None
resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
print(session.send("setoption name Hash value 4096"))
print(session.answer("go depth 4")[-1].split()[0], session.engine.table.megabytes())
print(session.send("setoption name Hash value 4"), session.engine.table.megabytes())
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_AS"), reason="no limits on this system")
def test_hash_beyond_a_hard_limit_is_refused(tmp_path: Path) -> None:
    """The system says that there is memory, and then does not give it."""
    support = str(Path(__file__).resolve().parents[1] / "support")
    paths = environment()["PYTHONPATH"] + ":" + support
    done = subprocess.run(
        [sys.executable, "-c", LIMITED],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(PYTHONPATH=paths),
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "['info string option Hash: 4096 MB refused (out of memory); 1 MB stay']",
        "bestmove 1",
        "[] 4",
    ]


def test_clear_hash_and_ucinewgame_forget(session: Session) -> None:
    for command in ("setoption name Clear Hash", "ucinewgame"):
        session.answer("position startpos", "go depth 5")
        assert any(session.engine.table.words)
        session.send(command)
        assert not any(session.engine.table.words)
    assert session.send("getboard") == [START_FEN]


def test_eval_file_with_blanks_in_its_path(session: Session, tmp_path: Path) -> None:
    from pawnstar import resources

    path = tmp_path / "a net with blanks.bin"
    path.write_bytes(resources.find(resources.NET)[0].read_bytes())
    assert session.send(f"setoption name EvalFile value {path}") == [f"info string NNUE: loaded net '{path}'"]
    assert session.engine.network.origin == str(path)
    check_answer(session.game.position, session.answer("go depth 3"))


def test_eval_file_that_is_no_net_is_refused(session: Session, tmp_path: Path) -> None:
    short = tmp_path / "short.bin"
    short.write_bytes(b"x" * 40)
    for path in (
        short,
        tmp_path,
        tmp_path / "missing",
        Path("/dev/zero"),
        Path("/dev/null"),
        "a\x00b",
        "\ud800",
        "x" * 9999,
    ):
        lines = session.send(f"setoption name EvalFile value {path}")
        assert lines[0].startswith("info string NNUE: ")
        assert lines[1].endswith("was refused and is not in play.")
    assert session.engine.network is shipped_network()


@pytest.mark.parametrize("name", ["dir  two/net.bin", "a\tb\t\tc.bin", "value  value.bin", "name x value y.bin"])
def test_runs_of_blanks_in_eval_file_are_kept(session: Session, tmp_path: Path, name: str) -> None:
    """``value dir  two/net.bin`` was joined by single blanks: cannot open."""
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(shipped_path())
    (line,) = session.send(f"setoption \t name  EvalFile  value \t {path} \t\r")
    assert line.startswith("info string NNUE: loaded net '")
    assert name.replace("\t", "?") in line, "a tab would garble the line"


@pytest.mark.parametrize("value", ["value", "value ", "value\t\r", "value <empty>", "value  <EMPTY> "])
def test_empty_eval_file_is_the_shipped_net(
    session: Session, monkeypatch: pytest.MonkeyPatch, value: str, other_net: Path
) -> None:
    """There was no way back: "no path; the net stays"."""
    shipped = session.send("nnue")
    session.send(f"setoption name EvalFile value {other_net}")
    assert session.send("nnue") != shipped
    monkeypatch.setenv("PAWNSTAR_EVALFILE", str(other_net))  # counts at the start only
    (line,) = session.send(f"setoption name EvalFile {value}")
    assert line == f"info string NNUE: loaded net '{shipped_network().origin}'"
    assert session.send("nnue") == shipped


def test_an_eval_file_in_quotation_marks_is_told_apart(session: Session, tmp_path: Path) -> None:
    lines = session.send(f'setoption name EvalFile value "{tmp_path}/x.bin"')
    assert lines[0].endswith("x.bin\"' (its name is written without quotation marks)")
    lines = session.send(f"setoption name EvalFile value {tmp_path}")
    assert lines[0] == f"info string NNUE: cannot open net file '{tmp_path}' (Is a directory)"


def test_a_net_told_of_on_standard_error_is_a_refused_one(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session.send(f"setoption name EvalFile value {shipped_path()}")
    assert capsys.readouterr().err == ""
    session.send(f"setoption name EvalFile value {tmp_path}/none")
    assert len(capsys.readouterr().err.splitlines()) == 2


# The engine's own move


OWN_MOVE = "info string the engine's own move {} has been played; 'position' sets up another"


@pytest.mark.parametrize("command", ["d", "eval", "getboard"])
def test_the_own_move_on_the_board_is_told(session: Session, command: str) -> None:
    """After ``go`` the board was another one than ``position`` had set up, without a word."""
    plain = len(session.send(command))
    move = session.answer("position startpos", "go depth 3")[-1].split()[1]
    told, *rest = session.send(command)
    assert told == OWN_MOVE.format(move)
    assert len(rest) == plain
    # A second go answers for the other side.
    reply = session.answer("go depth 3")[-1].split()[1]
    assert session.send(command)[0] == OWN_MOVE.format(reply)
    for line in ("position", "position fen", "setoption name Clear Hash", "stop", "isready"):
        session.send(line)
        assert session.send(command)[0] == OWN_MOVE.format(reply), line
    for line in ("position startpos", "ucinewgame", "position startpos moves e2e4"):
        session.send(line)
        assert len(session.send(command)) == plain, line


@pytest.mark.parametrize("command", ["d", "eval", "getboard"])
def test_no_own_move_where_none_was_played(session: Session, command: str) -> None:
    session.answer("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3")
    assert not any("own move" in line for line in session.send(command))
    session.send("position startpos", "go infinite")
    assert not any("own move" in line for line in session.send(command))
    session.send("stop")
    assert "own move" in session.send(command)[0]
    session.send("position moves e7e5 e7e6 a7a6")
    assert not any("own move" in line for line in session.send(command)), "the board is what position made of it"


# The book


BOOK = """
e2e4 e7e5 g1f3
e2e4 c7c5
1.d2d4 d2d4 d7d5   # a comment
# nothing but a comment

e2e4 e7e5 f2f4?
"""


def with_book(session: Session) -> Session:
    session.book = Book(BOOK.splitlines())
    return session


def test_bookmoves(session: Session) -> None:
    with_book(session)
    assert session.send("bookmoves") == ["MOVE   COUNT", "d2d4       1", "e2e4       3"]
    assert session.send("position startpos moves e2e4 e7e5", "bookmoves") == [
        "MOVE   COUNT",
        "g1f3       1",
        "f2f4?      1  (questionable, never played)",
    ]
    assert session.send("position startpos moves a2a4", "bookmoves") == []


def test_a_book_move_is_reported_like_a_search(session: Session) -> None:
    with_book(session)
    lines = session.answer("position startpos moves e2e4 e7e5", "go wtime 1000")
    assert lines[0] == "info string book move"
    assert lines[1].startswith("info depth 0 score cp ")
    assert lines[1].endswith(" pv g1f3")
    assert lines[2] == "bestmove g1f3"


def test_book_choice_is_uniform_over_all_occurrences(session: Session) -> None:
    with_book(session)
    picks = {"e2e4": 0, "d2d4": 0}
    for _ in range(400):
        picks[session.answer("position startpos", "go depth 1")[-1].split()[1]] += 1
    assert 240 < picks["e2e4"] < 360


def test_questionable_moves_are_never_played(session: Session) -> None:
    with_book(session)
    for _ in range(50):
        assert session.answer("position startpos moves e2e4 e7e5", "go depth 1")[-1] == "bestmove g1f3"


@pytest.mark.parametrize("lines", [("freebook",), ("setoption name OwnBook value false",)])
def test_no_book_move_without_the_book(session: Session, lines: tuple[str, ...]) -> None:
    with_book(session).send(*lines)
    output = session.answer("position startpos moves e2e4 e7e5", "go depth 3")
    assert output[0].startswith("info depth  3")


def test_searchmoves_go_past_the_book(session: Session) -> None:
    with_book(session)
    assert session.answer("position startpos", "go depth 1 searchmoves a2a3")[-1].startswith("bestmove a2a3")


def test_a_faulty_book_names_line_and_move() -> None:
    with pytest.raises(BookError, match=r"^Error found in book line 2 move e2e5\.$"):
        Book(["e2e4", "e2e5"])


# Faults


def test_an_internal_error_in_a_search_still_answers(session: Session) -> None:
    """A fault in the search hung the GUI: no bestmove came, and a traceback went to standard error."""

    class Broken:
        def __init__(self, engine: Engine) -> None:
            self._engine = engine

        def __getattr__(self, name: str) -> object:
            if name == "search":
                raise RuntimeError("broken\nin two lines")
            value: object = getattr(self._engine, name)
            return value

    session.engine = Broken(session.engine)  # type: ignore[assignment]
    lines = session.answer("position startpos", "go depth 3")
    assert lines[0] == "info string internal error: RuntimeError: broken?in two lines"
    assert lines[1].startswith("bestmove ")
    assert chess.Move.from_uci(lines[1].split()[1]) in chess.Board().legal_moves


def test_an_internal_error_in_a_command_ends_nothing(session: Session) -> None:
    def fail(rest: str) -> None:
        raise KeyError("x")

    session._commands["d"] = (fail, "")
    assert session.send("d", "isready") == ["info string internal error in 'd': KeyError: 'x'", "readyok"]


# Small parts


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("+7", 7), ("-7", -7), ("007", 7), (str(2**63 - 1), 2**63 - 1), (str(-(2**63)), -(2**63))],
)
def test_whole_integers(text: str, value: int) -> None:
    assert whole_integer(text) == value


@pytest.mark.parametrize("text", ["", "+", "-", "1.5", "1e3", "0x10", "--1", " 1", "1 ", "1_0", "\u0663", "\xb2"])
def test_what_is_no_whole_integer(text: str) -> None:
    assert whole_integer(text) is None


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("name Hash value 5", "Hash", "5"),
        ("name Clear Hash", "Clear Hash", None),
        ("name EvalFile value a  b value c", "EvalFile", "a  b value c"),
        ("rubbish name Hash value", "Hash", ""),
        ("", "", None),
    ],
)
def test_setoption_is_split_at_its_keywords(line: str, name: str, value: str | None) -> None:
    assert parse_setoption(line) == (name, value)


def test_only_ascii_blanks_separate_words() -> None:
    assert split_words(" a\tb\r\x0bc\xa0d\u2003e\x1cf \n") == ["a", "b", "c\xa0d\u2003e\x1cf"]


def test_quiescence_hears_a_stop(session: Session) -> None:
    """On boards overfull of queens quiescence ran for hours between two nodes, and no stop was heard."""
    board = "qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1"
    output = session.answer(f"position fen {board}", "go movetime 50")
    check_answer(session.game.history[-1], output)
    assert isinstance(session.engine._search, ReferenceSearch)
