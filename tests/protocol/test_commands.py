"""The commands that only look, how a ``go`` line becomes limits, and what of a clock carries over."""

import pytest
from nets import Net
from sessions import Session

from pawnstar.engine.limits import Limits

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.fixture
def session(parity: Net) -> Session:
    return Session(parity.network, megabytes=1)


def limits_of(session: Session, monkeypatch: pytest.MonkeyPatch, line: str) -> Limits:
    """The limits that a ``go`` line gives its search, which is not made."""
    found: list[Limits] = []
    monkeypatch.setattr(session.uci, "_start_search", lambda limits, *rest: found.append(limits))
    session.send(line)
    (only,) = found
    return only


@pytest.mark.parametrize(
    ("line", "limits"),
    [
        ("go", Limits(time_left=300_000)),
        ("go wtime 1000 btime 2000 winc 10 binc 20 movestogo 7", Limits(time_left=1000, increment=10, moves_to_go=7)),
        ("go btime 2000 binc 20", Limits(time_left=300_000)),
        ("go depth 7", Limits(depth=7)),
        ("go mate 3", Limits(depth=6)),
        ("go movetime 500", Limits(movetime=500)),
        ("go nodes 5000", Limits(nodes=5000)),
        ("go nodes 0", Limits()),
        ("go infinite", Limits(analysis=True)),
        # The last one wins.
        ("go depth 7 movetime 500", Limits(movetime=500)),
        ("go movetime 500 depth 7", Limits(depth=7)),
        ("go nodes 9 depth 7", Limits(depth=7, nodes=9)),
        ("go depth 7 wtime 1000", Limits(time_left=1000)),
        ("go infinite wtime 1000", Limits(time_left=1000)),
        ("go wtime 1000 infinite", Limits(analysis=True)),
        ("go ponder wtime 1000", Limits(time_left=1000, ponder=True)),
        ("go ponder", Limits(time_left=300_000, ponder=True)),
        # Unknown words are skipped; a keyword without its number is dropped.
        ("go foo depth 7 bar", Limits(depth=7)),
        ("go depth", Limits(time_left=300_000)),
        ("go depth seven movetime 9", Limits(movetime=9)),
        ("go movetime depth 7", Limits(depth=7)),
        ("go wtime -5", Limits(time_left=-5)),
    ],
)
def test_go_line(session: Session, monkeypatch: pytest.MonkeyPatch, line: str, limits: Limits) -> None:
    assert limits_of(session, monkeypatch, line) == limits


def test_black_has_blacks_clock(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.send("position startpos moves e2e4")
    found = limits_of(session, monkeypatch, "go wtime 1000 btime 2000 winc 10 binc 20")
    assert found == Limits(time_left=2000, increment=20)


def test_search_moves_end_at_the_next_keyword(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.send("position startpos")
    found = limits_of(session, monkeypatch, "go searchmoves e2e4 d2d4 depth 3 a2a3")
    assert len(found.search_moves) == 2
    assert found.depth == 3


def test_clock_carries_over_until_a_position_is_set_up(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kind of clock, time left, depth and moves to go stay; increment, nodes, moves and ponder do not."""
    limits_of(session, monkeypatch, "go wtime 5000 winc 9 movestogo 3 ponder searchmoves e2e4")
    assert limits_of(session, monkeypatch, "go") == Limits(time_left=5000, moves_to_go=3)
    limits_of(session, monkeypatch, "go depth 6")
    assert limits_of(session, monkeypatch, "go") == Limits(depth=6, moves_to_go=3)
    limits_of(session, monkeypatch, "go nodes 77")
    assert limits_of(session, monkeypatch, "go") == Limits(moves_to_go=3)
    session.send("position moves e2e4")
    assert limits_of(session, monkeypatch, "go") == Limits(moves_to_go=3), "no set-up"
    session.send("position startpos")
    assert limits_of(session, monkeypatch, "go") == Limits(time_left=300_000)
    limits_of(session, monkeypatch, "go depth 6")
    session.send("ucinewgame")
    assert limits_of(session, monkeypatch, "go") == Limits(time_left=300_000)


@pytest.mark.parametrize(
    ("line", "board"),
    [
        ("position startpos", START),
        ("position startpos moves e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        ("position junk startpos junk moves e2e4", None),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 3 9 moves e1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 4 9"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w moves h1h8", "4k2R/8/8/8/8/8/8/4K3 b - - 1 1"),
        # Behind six fields everything is a move.
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 3 9 h1h2", "4k3/8/8/8/8/8/7R/4K3 b - - 4 9"),
        ("position startpos e2e4 moves moves e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"),
    ],
)
def test_position_line(session: Session, line: str, board: str | None) -> None:
    session.send(line)
    assert session.send("getboard") == [board or "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"]


def test_perft_counts_by_move(session: Session) -> None:
    lines = session.send("go perft 3")
    assert len([line for line in lines if ": " in line]) == 21
    assert "e2e4: 600" in lines
    assert "Nodes searched: 8902" in lines
    assert session.send("getboard") == [START]
    (remark,) = session.send("go perft 0")
    assert remark.startswith("info string ")


def test_mate_is_found_within_its_moves(session: Session) -> None:
    session.send("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    lines = session.send("go mate 2")
    assert " score mate  2 " in lines[-2]
    assert lines[-1] == "bestmove a1a6 ponder b7a6"


def test_display_and_key(session: Session) -> None:
    text = "\n".join(session.send("d"))
    assert f"Fen: {START}" in text
    key = next(line for line in text.splitlines() if line.startswith("Key: ")).split()[1]
    assert session.send("zobrist")[-1].split() == ["key", key]


def test_answer_is_played_on_the_board(session: Session) -> None:
    session.send("position startpos")
    move = session.send("go depth 3")[-1].split()[1]
    told, after = session.send("getboard")
    assert told == f"info string the engine's own move {move} has been played; 'position' sets up another"
    session.send(f"position startpos moves {move}")
    assert session.send("getboard") == [after]


def test_eval_while_a_search_runs_is_of_the_game_and_not_counted(session: Session) -> None:
    session.send("position startpos moves e2e4 e7e5 g1f3")
    before = session.send("eval")
    session.send("go infinite", wait=False)
    answers = [line for line in session.send("eval", wait=False) if line.startswith("evaluation")]
    session.send("stop")
    assert answers == before


def test_handshake_keeps_current_values(session: Session) -> None:
    session.send("setoption name Threads value 3")
    session.send("setoption name Hash value 2")
    lines = session.send("uci")
    assert lines[0] == "id name Pawnstar 0.0.0"
    assert "option name Threads type spin default 3 min 1 max 256" in lines
    assert "option name Hash type spin default 64 min 1 max 4096" in lines
    assert lines[-1] == "uciok"


def test_stop_and_ponderhit_while_idle_are_forgotten(session: Session) -> None:
    """A stop that waited for the next search would end it at once; a ponderhit would let it answer too early."""
    session.send("setoption name OwnBook value false")
    assert session.send("stop") == session.send("ponderhit") == []
    lines = session.send("go depth 4")
    assert any(line.startswith("info depth  4") for line in lines)


@pytest.mark.parametrize(
    ("fen", "read", "reason"),
    [
        ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "7 squares on rank 5"),
        ("4k3/8/9/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "'9' on rank 6"),
        ("4k3/pppxpppp/8/8/8/8/8/4K3 w - - 0 1", "4k3/ppppppp1/8/8/8/8/8/4K3 w - - 0 1", "'x' on rank 7"),
        ("K6k w - - 0 1", "K6k/8/8/8/8/8/8/8 w - - 0 1", "1 rank instead of 8"),
        ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "9 ranks instead of 8"),
    ],
)
def test_malformed_board_is_played_as_the_siblings_do_and_said(
    session: Session, fen: str, read: str, reason: str
) -> None:
    """It was read in silence."""
    (remark,) = session.send(f"position fen {fen}")
    assert session.send("getboard") == [read]
    assert remark.startswith("info string ")
    assert reason in remark
    assert "read as far as it goes" in remark
