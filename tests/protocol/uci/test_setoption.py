"""Options: names and values of ``setoption`` lines, and what setting them does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from nets import ROOT, Net
from programs import environment
from sessions import Session, check_answer, shipped_network
from transcripts import ADDED_OPTIONS
from uci_fuzz import little_memory

from pawnstar import resources
from pawnstar.chess.fen import START_FEN
from pawnstar.protocol.uci.setoption import parse_setoption


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


def test_what_uci_lists_first(session: Session) -> None:
    """The siblings' options in their order, behind them what only this engine has; its Hash is always the default."""
    assert [line for line in session.send("uci") if line not in ADDED_OPTIONS] == [
        "id name Pawnstar 0.0.0",
        "id author Jonny Reckless",
        "option name Hash type spin default 64 min 1 max 4096",
        "option name Threads type spin default 1 min 1 max 256",
        "option name Ponder type check default false",
        "option name EvalFile type string default <empty>",
        "option name Clear Hash type button",
        "option name Move Overhead type spin default 30 min 0 max 5000",
        "option name OwnBook type check default true",
        "uciok",
    ]
    assert "option name UCI_AnalyseMode type check default false" in ADDED_OPTIONS


def test_uci_lists_current_values_but_the_default_hash(session: Session) -> None:
    text = "\n".join(session.send("uci"))
    session.send("setoption name Threads value 3", "setoption name Move Overhead value 55")
    session.send("setoption name OwnBook value false", "setoption name Hash value 2")
    session.send("setoption name UCI_AnalyseMode value true")
    for name, old, new in (
        ("Threads type spin", "1", "3"),
        ("Move Overhead type spin", "30", "55"),
        ("OwnBook type check", "true", "false"),
    ):
        assert f"name {name} default {old}" in text
        text = text.replace(f"name {name} default {old}", f"name {name} default {new}")
    assert session.send("uci") == text.splitlines()


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        ("Threads value 4", "Threads", 4),
        ("threads value 999", "Threads", 256),
        ("THREADS value -1", "Threads", 1),
        ("Threads value 0", "Threads", 1),
        ("Threads value 256", "Threads", 256),
        ("Threads value 99999999999999999999", "Threads", 256),
        ("Move Overhead value 100", "Move Overhead", 100),
        (" name\tmove   overhead value +100\r", "Move Overhead", 100),
        ("Move Overhead value -5", "Move Overhead", 0),
        ("Move Overhead value 0", "Move Overhead", 0),
        ("Move Overhead value 5000", "Move Overhead", 5000),
        ("Move Overhead value 5001", "Move Overhead", 5000),
        ("Move Overhead value 18446744073709551615", "Move Overhead", 5000),
        ("OwnBook value false", "OwnBook", False),
        ("ownbook value true", "OwnBook", True),
        ("Hash value 2", "Hash", 2),
        ("hash value 0", "Hash", 1),
        ("HASH value -99999999999999999999", "Hash", 1),
        ("UCI_AnalyseMode value true", "UCI_AnalyseMode", True),
        ("uci_analysemode value TRUE", "UCI_AnalyseMode", True),
        ("UCI_AnalyseMode value false", "UCI_AnalyseMode", False),
    ],
)
def test_values_are_clamped_and_names_have_no_case(session: Session, words: str, name: str, value: object) -> None:
    other = {"OwnBook": "false" if value else "true", "UCI_AnalyseMode": "false" if value else "true"}.get(name, "7")
    session.send(f"setoption name {name} value {other}")
    before = session.settings()
    assert before[name] != value
    line = f"setoption {words}" if " name" in words else f"setoption name {words}"
    assert session.send(line) == []
    assert session.settings() == {**before, name: value}


@pytest.mark.parametrize(
    "line",
    [
        *("setoption", "setoption name", "setoption name Hash", "setoption name Hash value"),
        *("setoption name Hash value abc", "setoption name Hash value 2x", "setoption name Threads value"),
        *("setoption name Threads value 1.5", "setoption name Threads value \u0663"),
        *("setoption name Move Overhead value 12x", "setoption name Move Overhead value 1.5"),
        *("setoption name Move Overhead", "setoption name Move Overhead value"),
        *("setoption name Nonsense value 3", "setoption value 3", "setoption name EvalFile"),
        *("setoption name UCI_AnalyseMode", "setoption name UCI_AnalyseMode value"),
        "setoption name UCI_AnalyseMode value 1",
    ],
)
def test_nonsense_changes_nothing_and_is_reported_once(session: Session, line: str) -> None:
    before = session.settings()
    (remark,) = session.send(line)
    assert remark.startswith("info string ")
    assert session.settings() == before


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


def test_ponder_is_accepted(session: Session) -> None:
    assert session.send("setoption name Ponder value true") == []


@pytest.mark.parametrize(
    ("setting", "used"), [("true", True), ("false", False), ("True", False), ("", False), ("true x", False)]
)
def test_own_book_is_true_only_for_exactly_true(session: Session, setting: str, used: bool) -> None:
    session.give_book("a2a3")
    remarks = session.send(f"setoption name OwnBook value {setting}")
    told = f"info string option OwnBook: '{setting}' is neither true nor false; read as false"
    assert remarks == ([] if setting in ("true", "false") else [told])
    assert session.settings()["OwnBook"] is used
    assert (session.answer("go depth 3")[0] == "info string book move") == used


# Hash.


@pytest.mark.parametrize(("value", "megabytes"), [("0", 1), ("-7", 1), ("2", 2), ("3", 2), ("7", 4)])
def test_hash_is_rounded_down_and_says_so(session: Session, value: str, megabytes: int) -> None:
    clamped = max(1, int(value))
    told = f"info string option Hash: {clamped} MB rounded down to {megabytes} MB"
    assert session.send(f"setoption name Hash value {value}") == ([] if clamped == megabytes else [told])
    assert session.engine.table.megabytes() == session.settings()["Hash"] == megabytes


def test_hash_that_the_machine_cannot_give_is_refused(session: Session) -> None:
    table = session.engine.table
    with little_memory(8):
        (remark,) = session.send("setoption name Hash value 1024")
    assert remark == "info string option Hash: 1024 MB refused (72 MB are available); 1 MB stay"
    assert session.engine.table is table
    check_answer(session.position, session.answer("go depth 4"))


LIMITED = """
import resource
from sessions import Session
from pawnstar.system import machine
session = Session()
machine.available_memory = lambda: None
resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
print(session.send("setoption name Hash value 4096"))
print(session.answer("go depth 4")[-1].split()[0], session.engine.table.megabytes())
print(session.send("setoption name Hash value 4"), session.engine.table.megabytes())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the address space has no hard limit that holds")
def test_hash_beyond_a_hard_limit_is_refused(tmp_path: Path) -> None:
    """The system says that there is memory, and then does not give it."""
    support = str(ROOT / "tests" / "support")
    paths = environment()["PYTHONPATH"] + os.pathsep + support
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


@pytest.mark.parametrize("command", ["setoption name Clear Hash", "ucinewgame", "setoption name Hash value 1"])
def test_what_forgets(session: Session, command: str) -> None:
    session.answer("position startpos moves e2e4", "go depth 5")
    assert any(session.engine.table.words)
    board = session.send("getboard")[-1]
    session.send(command)
    assert not any(session.engine.table.words)
    assert session.engine.table.generation == 0
    assert session.send("getboard")[-1] == (START_FEN if command == "ucinewgame" else board)


# EvalFile.


def shipped_path() -> Path:
    return resources.find(resources.NET)[0].resolve()


@pytest.mark.parametrize(
    "path", ["short.bin", ".", "missing", "/dev/zero", "/dev/null", "a\x00b", "\ud800", "x" * 9999]
)
def test_eval_file_that_is_no_net_is_refused(session: Session, tmp_path: Path, path: str) -> None:
    (tmp_path / "short.bin").write_bytes(b"x" * 40)
    told, kept = session.send(f"setoption name EvalFile value {tmp_path / path}")
    assert told.startswith("info string NNUE: ")
    assert kept.startswith(f"info string NNUE: keeping the net already loaded ('{shipped_network().origin}')")
    assert kept.endswith("was refused and is not in play.")
    assert session.engine.network is shipped_network()


@pytest.mark.skipif(os.name == "nt", reason="no tabs in names; symbolic links need a privilege")
@pytest.mark.parametrize(
    "name",
    ["a net with blanks.bin", "dir  two/net.bin", "a\tb\t\tc.bin", "value  value.bin", "name x value y.bin"],
)
def test_runs_of_blanks_in_eval_file_are_kept(session: Session, tmp_path: Path, name: str) -> None:
    """``value dir  two/net.bin`` was joined by single blanks: cannot open."""
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(shipped_path())
    (line,) = session.send(f"setoption \t name  EvalFile  value \t {path} \t\r")
    told = str(path).replace("\t", "?")  # a tab would garble the line
    assert line == f"info string NNUE: loaded net '{told}'"
    assert session.engine.network is not shipped_network()
    assert session.engine.network.origin == told
    check_answer(session.position, session.answer("go depth 3"))


@pytest.mark.parametrize("value", ["value", "value ", "value\t\r", "value <empty>", "value  <EMPTY> "])
def test_empty_eval_file_is_the_shipped_net(
    session: Session, monkeypatch: pytest.MonkeyPatch, value: str, parity: Net
) -> None:
    """There was no way back: "no path; the net stays"."""
    shipped = session.send("nnue")
    session.send(f"setoption name EvalFile value {parity.path}")
    assert session.send("nnue") != shipped
    monkeypatch.setenv("PAWNSTAR_EVALFILE", str(parity.path))  # counts at the start only
    (line,) = session.send(f"setoption name EvalFile {value}")
    assert line == f"info string NNUE: loaded net '{shipped_network().origin}'"
    assert session.send("nnue") == shipped


def test_an_eval_file_in_quotation_marks_is_told_apart(session: Session, tmp_path: Path) -> None:
    lines = session.send(f'setoption name EvalFile value "{tmp_path}/x.bin"')
    assert lines[0].endswith("x.bin\"' (its name is written without quotation marks)")
    lines = session.send(f"setoption name EvalFile value {tmp_path}")
    assert lines[0] == f"info string NNUE: cannot open net file '{tmp_path}' (Is a directory)"


def test_new_net_empties_the_evaluation_cache(session: Session, requant: Net) -> None:
    session.send("position startpos moves e2e4 e7e5")
    old = session.send("eval")
    assert session.send(f"setoption name EvalFile value {requant.path}") == [
        f"info string NNUE: loaded net '{requant.path}'"
    ]
    session.send("dbgclear")
    assert session.send("eval") != old
    assert not any(line.startswith("eval hash hits") for line in session.send("dbg"))


def test_a_net_told_of_on_standard_error_is_a_refused_one(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session.send(f"setoption name EvalFile value {shipped_path()}")
    assert capsys.readouterr().err == ""
    session.send(f"setoption name EvalFile value {tmp_path}/none")
    assert len(capsys.readouterr().err.splitlines()) == 2
