"""Options: whole numbers, names and values of ``setoption`` lines, and what setting them does."""

import pytest
from nets import Net
from sessions import Session

from pawnstar.protocol.options import Options, parse_setoption, whole_integer, whole_part


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("12", 12),
        ("+12", 12),
        ("-12", -12),
        ("007", 7),
        ("-0", 0),
        (str(2**63 - 1), 2**63 - 1),
        (str(-(2**63)), -(2**63)),
        # A number that 64 bits do not hold was "no whole number", and a search for so many nodes got five minutes.
        (str(2**63), 2**63 - 1),
        (str(2**64 - 1), 2**63 - 1),
        (str(-(2**63) - 1), -(2**63)),
        ("9" * 5000, 2**63 - 1),  # longer than Python converts, too
        ("-" + "9" * 5000, -(2**63)),
        ("0" * 5000 + "7", 7),
        ("-" + "0" * 5000, 0),
        ("", None),
        ("+", None),
        ("-", None),
        ("--1", None),
        ("1.0", None),
        ("1e3", None),
        ("12x", None),
        ("x12", None),
        ("0x10", None),
        ("1_000", None),  # what int() accepts and no engine does
        ("\u0663", None),  # a digit, not an ASCII one
        ("\u00b2", None),
        (" 1", None),
        ("1 ", None),
    ],
)
def test_whole_integer(text: str, value: int | None) -> None:
    assert whole_integer(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1500.5", 1500), ("0.9", 0), ("-7.5", -7), ("5.", 5), ("9" * 30 + ".0", 2**63 - 1)),
        *(("5", None), (".", None), ("", None), ("1.x", None), ("1.-5", None), ("1.5.5", None), ("1,5", None)),
    ],
)
def test_whole_part(text: str, value: int | None) -> None:
    assert whole_part(text) == value


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("name Hash value 16", "Hash", "16"),
        ("name Clear Hash", "Clear Hash", None),
        ("name   Move   Overhead  value  3 ", "Move Overhead", "3"),
        ("name EvalFile value /a b/c  d.bin", "EvalFile", "/a b/c  d.bin"),
        (" name\tEvalFile \t value \t a\t\tb   c value  d.bin \t\r", "EvalFile", "a\t\tb   c value  d.bin"),
        ("name\tvalueX\tvalue\tY", "valueX", "Y"),
        ("names X name Y values value Z", "Y values", "Z"),
        ("name X value", "X", ""),
        ("name X value value value", "X", "value value"),
        ("name X value a name b", "X", "a name b"),
        ("junk name X value 1", "X", "1"),
        ("value 1", "", None),
        ("name", "", None),
        ("name value 1", "", "1"),
        ("", "", None),
    ],
)
def test_setoption_words(line: str, name: str, value: str | None) -> None:
    assert parse_setoption(line) == (name, value)


def test_option_lines_show_current_values_but_the_default_hash() -> None:
    options = Options(threads=7, hash=16, move_overhead=4, own_book=False)
    assert options.lines() == [
        "option name Hash type spin default 64 min 1 max 4096",
        "option name Threads type spin default 7 min 1 max 256",
        "option name Ponder type check default false",
        "option name EvalFile type string default <empty>",
        "option name Clear Hash type button",
        "option name Move Overhead type spin default 4 min 0 max 5000",
        "option name OwnBook type check default false",
        "option name UCI_AnalyseMode type check default false",
    ]


@pytest.fixture
def session(parity: Net) -> Session:
    return Session(parity.network, megabytes=1)


@pytest.mark.parametrize(("value", "megabytes"), [("0", 1), ("-7", 1), ("2", 2), ("3", 2), ("7", 4)])
def test_hash_is_clamped_and_rounded_down(session: Session, value: str, megabytes: int) -> None:
    remarks = session.send(f"setoption name Hash value {value}")
    assert session.uci.engine.table.megabytes() == session.uci.options.hash == megabytes
    clamped = max(1, int(value))
    assert len(remarks) == (clamped != megabytes)
    assert not remarks or f"{clamped} MB rounded down to {megabytes} MB" in remarks[0]


def test_new_hash_is_empty(session: Session) -> None:
    session.send("go depth 4")
    assert any(session.uci.engine.table.words)
    session.send("setoption name Hash value 1")
    assert not any(session.uci.engine.table.words)


def test_clear_hash_keeps_the_position(session: Session) -> None:
    session.send("position startpos moves e2e4")
    session.send("go depth 4")
    board = session.send("getboard")
    session.send("setoption name Clear Hash")
    assert not any(session.uci.engine.table.words)
    assert session.uci.engine.table.generation == 0
    assert session.send("getboard") == board


@pytest.mark.parametrize(
    ("value", "threads"), [("0", 1), ("1", 1), ("200", 200), ("256", 256), ("999", 256), ("-1", 1)]
)
def test_threads_are_clamped(session: Session, value: str, threads: int) -> None:
    assert session.send(f"setoption name Threads value {value}") == []
    assert session.uci.options.threads == threads


@pytest.mark.parametrize(("value", "overhead"), [("0", 0), ("77", 77), ("5000", 5000), ("5001", 5000), ("-5", 0)])
def test_move_overhead_reaches_the_clock(session: Session, value: str, overhead: int) -> None:
    assert session.send(f"setoption name Move Overhead value {value}") == []
    session.send("go depth 3")
    assert session.uci.options.move_overhead == session.uci.engine.overhead == overhead


@pytest.mark.parametrize("name", ["hash", "HASH", "Hash"])
def test_names_are_compared_without_regard_to_case(session: Session, name: str) -> None:
    session.send(f"setoption name {name} value 2")
    assert session.uci.options.hash == 2


@pytest.mark.parametrize(
    "line",
    [
        "setoption name Hash value two",
        "setoption name Threads value 1.5",
        "setoption name Move Overhead value",
        "setoption name Move Overhead",
        "setoption name Nonsense value 1",
        "setoption value 3",
        "setoption name EvalFile",
        "setoption name UCI_AnalyseMode",
        "setoption name UCI_AnalyseMode value",
        "setoption name UCI_AnalyseMode value 1",
    ],
)
def test_nonsense_changes_nothing_and_is_reported_once(session: Session, line: str) -> None:
    before = (str(session.uci.options), session.uci.engine.network)
    (remark,) = session.send(line)
    assert remark.startswith("info string ")
    assert (str(session.uci.options), session.uci.engine.network) == before


def test_new_net_empties_the_evaluation_cache(session: Session, requant: Net, capfd: object) -> None:
    session.send("position startpos moves e2e4 e7e5")
    old = session.send("eval")
    assert session.send(f"setoption name EvalFile value {requant.path}") == [
        f"info string NNUE: loaded net '{requant.path}'"
    ]
    session.send("dbgclear")
    assert session.send("eval") != old
    assert not any(line.startswith("eval hash hits") for line in session.send("dbg"))
