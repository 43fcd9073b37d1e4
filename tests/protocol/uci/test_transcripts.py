"""The siblings' dialogues: every line of every answer, but for times and what section 23 adds.

All of them are played within this process, though plain Python leaves out the long searches. The program in a process
of its own is held to those in which more than searches happens, both of its streams and its exit status included.
"""

import random
import re
import time
from pathlib import Path

import pytest
from golden_files import PAWNSTAR
from modes import COMPILED
from nets import Net
from programs import Program, run
from sessions import Session, masked
from transcripts import DRAWING, REMARKS, Step, bestmove, is_go, read_transcript, without_additions

SEARCHES = [
    "02_diagnostics",
    pytest.param("04_depth6_40", marks=pytest.mark.compiled_only),
    pytest.param("05_carry_over", marks=pytest.mark.compiled_only),
    "06_searchmoves_nodes",
    pytest.param("07_mates_stalemates_forced", marks=pytest.mark.compiled_only),
    "08_draws_clocks",
    "09_malformed",
    pytest.param("11_hash", marks=pytest.mark.compiled_only),
    pytest.param("14_kings_near", marks=pytest.mark.compiled_only),
    pytest.param("15_random_220", marks=[pytest.mark.compiled_only, pytest.mark.slow]),
]
# Plain Python plays those searches of the longest dialogues whose last report is below so many nodes.
PLAIN_NODES = 2000


def held_to(session: Session, steps: list[Step]) -> None:
    for number, step in enumerate(steps, 1):
        received = without_additions(step, masked(session.answer(step.command)))
        assert received == step.answer, f"step {number}: {step.command!r}"


@pytest.mark.parametrize("name", SEARCHES)
def test_dialogue(name: str, parity: Net) -> None:
    transcript = read_transcript(name)
    session = Session(parity.network, 64)
    held_to(session, transcript.steps)
    assert transcript.steps[-1].command == "quit"
    assert not session.running
    assert transcript.status in (0, None)


@pytest.mark.skipif(COMPILED, reason="compiled, the whole dialogues are played")
@pytest.mark.parametrize(
    ("name", "count"),
    [("04_depth6_40", 4), ("05_carry_over", 18), ("07_mates_stalemates_forced", 7), ("11_hash", 4)],
)
def test_start_of_dialogue(name: str, count: int, parity: Net) -> None:
    """What plain Python has the time for, of the long ones."""
    held_to(Session(parity.network, 64), read_transcript(name).steps[:count])


def games(steps: list[Step]) -> list[list[Step]]:
    """A dialogue cut in front of each ``ucinewgame``: parts that stand alone, as nothing is carried over."""
    parts: list[list[Step]] = [[]]
    for step in steps:
        if step.command == "ucinewgame":
            parts.append([])
        parts[-1].append(step)
    return [part for part in parts if any(is_go(step.command) for step in part)]


def reported_nodes(part: list[Step]) -> int:
    """The nodes of the last report."""
    counts = [
        int(line.split()[line.split().index("nodes") + 1]) for step in part for line in step.answer if " nodes " in line
    ]
    return max(counts, default=0)


@pytest.mark.skipif(COMPILED, reason="compiled, the whole dialogues are played")
@pytest.mark.parametrize(("name", "count"), [("14_kings_near", 7), ("15_random_220", 33)])
def test_small_searches_of_dialogue(name: str, count: int, parity: Net) -> None:
    small = [part for part in games(read_transcript(name).steps) if reported_nodes(part) < PLAIN_NODES]
    assert len(small) == count
    session = Session(parity.network, 64)
    session.send("setoption name OwnBook value false")
    for part in small:
        held_to(session, part)


def test_every_remark_belongs_to_a_recorded_line() -> None:
    """Guards the guard: a remark whose line of input is misspelt would be expected nowhere."""
    commands = {step.command for name in ("06_searchmoves_nodes", "09_malformed", "11_hash") for step in steps(name)}
    assert set(REMARKS) <= commands


def steps(name: str) -> list[Step]:
    return read_transcript(name).steps


@pytest.mark.parametrize(
    ("answer", "received"),
    [
        (["bestmove e2e4"], ["bestmove e2e4"]),  # no score before it
        (["bestmove e2e4"], ["info depth 0 score cp 3 time 0 nodes 0 nps 0 hashfull 0 pv e2e3", "bestmove e2e4"]),
        (["bestmove e2e4"], ["info depth 0 score cp 3 time 1 nodes 0 nps 0 hashfull 0 pv e2e4", "bestmove e2e4"]),
        ([], []),
        ([], ["bestmove (none)"]),
        ([], ["info depth 0 score cp 0", "info depth 0 score mate 0", "bestmove (none)"]),
    ],
)
def test_comparison_sees_missing_additions(answer: list[str], received: list[str]) -> None:
    """Guards the guard."""
    with pytest.raises(AssertionError):
        without_additions(Step("go depth 3", answer), received)


@pytest.mark.parametrize(
    "received", [[], ["8/8 w - - 0 1"], ["info string the engine's own move a2a4 has been played; x", "8/8 w - - 0 1"]]
)
def test_comparison_sees_that_the_own_move_is_not_told(received: list[str]) -> None:
    """Guards the guard."""
    with pytest.raises(AssertionError):
        without_additions(Step("getboard", ["8/8 w - - 0 1"], answered="a2a3"), received)


def test_recorded_handshake(parity: Net) -> None:
    """``uci``, ``isready`` and ``help``; this project's help has two commands more."""
    session = Session(parity.network, 64)
    for step in steps("01_handshake"):
        received = without_additions(step, session.answer(step.command))
        if step.command == "help":
            more = [line for line in received if line.split()[0] in ("d", "zobrist")]
            assert len(more) == 2
            assert received == [received[0], *sorted(received[1:])]
            received = [line for line in received if line not in more]
        assert received == step.answer


def test_bookmoves_have_the_recorded_shape(parity: Net) -> None:
    """The book is the project's own, so only the shape is compared: this book makes the recorded answers."""
    expected = steps("03_bookmoves")
    counts = {"c2c4": 53, "d2d4": 186, "e2e4": 61 - 17, "g1f3": 84, "g2g3": 1}
    lines = [move for move, count in counts.items() for _ in range(count)]
    lines += ["1. e2e4 e7e5 2. g1f3 # the main line"] * 15 + ["e2e4 e7e5 b1c3", "e2e4 e7e5 f2f4?"]
    random.Random(1).shuffle(lines)
    session = Session(parity.network, 64)
    session.give_book(*lines)
    for step in expected:
        # The recorded rows are sorted together; questionable ones come last.
        head, rows = (received := session.answer(step.command))[:1], received[1:]
        assert [*head, *sorted(rows)] == step.answer, step.command
        marked = [row.endswith("(questionable, never played)") for row in rows]
        assert marked == sorted(marked)


def test_stop_and_ponder_have_the_recorded_shape(parity: Net) -> None:
    """The moves depend on time; what comes when does not."""
    session = Session(parity.network, 64)
    commands = [step.command for step in steps("10_stop_ponder_shape")]
    assert commands[2:] == [
        "go infinite",
        "stop",
        "position startpos moves e2e4",
        "go ponder wtime 1000 btime 1000",
        "ponderhit",
        "position startpos moves e2e4",
        "go ponder depth 3",
        "ponderhit",
        "position startpos",
        "go movetime 50",
        "position startpos",
        "go wtime 300 btime 300 winc 0 binc 0 movestogo 10",
        "position startpos",
        "go infinite",
        "quit",
    ]
    for step in steps("10_stop_ponder_shape"):
        held_back = step.command.startswith(("go infinite", "go ponder"))
        lines = session.send(step.command) if held_back else session.answer(step.command)
        if step.notes:
            assert step.notes == ["(no bestmove yet)"]
            deadline = time.monotonic() + 30
            while not any(line.startswith("info depth  3") for line in lines) and time.monotonic() < deadline:
                time.sleep(0.01)
                lines += session.taken()
            assert lines[-1].startswith("info depth  3"), "the search has come to its end"
            time.sleep(0.1)
            assert session.taken() == [], "and must wait for ponderhit"
        if bestmove(step.answer) is None:
            assert bestmove(lines) is None, step.command
        else:
            assert len([line for line in lines if line.startswith("bestmove ")]) == 1, step.command
            assert lines[-1].startswith("bestmove ")
    assert not session.running


# The program, in a process of its own: both streams and the exit status.


IN_THE_PROGRAM = [
    "02_diagnostics",
    *(
        pytest.param(name, marks=pytest.mark.compiled_only)
        for name in ("05_carry_over", "07_mates_stalemates_forced", "09_malformed", "11_hash")
    ),
]


def started(net: Net) -> Program:
    """The program with a net, on one thread: what several find depends on the machine."""
    return Program(PAWNSTAR_EVALFILE=str(net.path), PAWNSTAR_THREADS="1")


def normal(line: str, net: Path, folder: Path | None = None) -> str:
    """Paths, versions and dates as goldens name them."""
    line = line.replace(str(net), "NET")
    if folder is not None:
        line = line.replace(str(folder), "DIR")
    line = re.sub(r"^id name Pawnstar \d+\.\d+(\.\d+)?$", "id name Pawnstar 0.0.0", line)
    return re.sub(r"^Version \d+\.\d+(\.\d+)? Compiled .+$", "Version V Compiled D", line)


def recorded_errors(name: str) -> list[str]:
    """The recorded standard error, less what is no error: which net was loaded is told on standard output alone."""
    lines = PAWNSTAR.joinpath("uci", f"{name}.txt").read_text().splitlines()
    return [line for line in lines if line != "NNUE: loaded net 'NET'"]


@pytest.mark.processes
@pytest.mark.parametrize("name", IN_THE_PROGRAM)
def test_dialogue_with_the_program(name: str, parity: Net) -> None:
    transcript = read_transcript(name)
    with started(parity) as program:
        for number, step in enumerate(transcript.steps, 1):
            answer = [normal(line, parity.path) for line in program.answer(step.command)]
            received = without_additions(step, masked(answer))
            assert received == step.answer, f"step {number}: {step.command!r}"
        assert program.wait() == transcript.status


@pytest.mark.processes
def test_handshake_with_the_program(parity: Net) -> None:
    """The start without its drawing, the net's one line and none for the book, options and help, exactly.

    The siblings draw, repeat the net's line on standard error, and tell that the book is the embedded one as a failure:
    a newcomer took the start for a broken one.
    """
    transcript = read_transcript("01_handshake")
    with started(parity) as program:
        banner = [normal(line, parity.path) for line in program.banner]
        assert banner == transcript.banner[DRAWING:]
        for step in transcript.steps:
            received = [normal(line, parity.path) for line in program.answer(step.command)]
            received = without_additions(step, received)
            assert [line for line in received if not re.match(r"(d|zobrist) +", line)] == step.answer
        status, errors = program.wait(), program.errors()
    assert status == transcript.status
    assert [normal(line, parity.path) for line in errors] == recorded_errors("01_stderr") == []


def faulty_nets(folder: Path, good: bytes) -> None:
    """The files that the recorded dialogue tries, with the faults that its messages speak of."""
    head = bytearray(good)
    head[9] ^= 1  # the header's checksum speaks before the field does
    flip = bytearray(good)
    flip[1000] ^= 1
    folder.joinpath("short.bin").write_bytes(good[:40])
    folder.joinpath("magic.bin").write_bytes(b"XNNUE1\0\0" + good[8:])
    folder.joinpath("head.bin").write_bytes(head)
    folder.joinpath("trunc.bin").write_bytes(good[:-2])
    folder.joinpath("flip.bin").write_bytes(flip)


@pytest.mark.processes
def test_refused_nets_leave_the_old_one_in_play(parity: Net, tmp_path: Path) -> None:
    transcript = read_transcript("12_evalfile")
    faulty_nets(tmp_path, parity.path.read_bytes())
    with started(parity) as program:
        for step in transcript.steps:
            command = step.command.replace("DIR", str(tmp_path)).replace("NET", str(parity.path))
            received = [normal(line, parity.path, tmp_path) for line in program.answer(command)]
            assert received == step.answer, step.command
        status, errors = program.wait(), program.errors()
    assert status == transcript.status
    assert [normal(line, parity.path, tmp_path) for line in errors] == recorded_errors("12_stderr")


@pytest.mark.processes
def test_refused_net_at_the_start_is_fatal(parity: Net, tmp_path: Path) -> None:
    """A match on weights that nobody asked for would be worth nothing: FATAL on both streams, exit status 1."""
    transcript = read_transcript("13_refused_at_start")
    assert transcript.steps == []
    faulty_nets(tmp_path, parity.path.read_bytes())
    result = run(given="uci\nquit\n", PAWNSTAR_EVALFILE=str(tmp_path / "flip.bin"))
    *expected, last = transcript.banner[DRAWING:]
    assert last == "(end of output)"
    assert [normal(line, parity.path, tmp_path) for line in result.stdout.splitlines()] == expected
    assert result.returncode == transcript.status == 1
    assert [f"info string {line}" for line in result.stderr.splitlines()] == [
        line.replace("DIR", str(tmp_path)) for line in expected if line.startswith("info string ")
    ]
