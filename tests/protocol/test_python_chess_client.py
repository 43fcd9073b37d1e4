"""The client that lichess-bot and many tools are made of: ``chess.engine``, synchronous and asynchronous."""

import asyncio
import itertools
from collections.abc import Iterator

import chess
import chess.engine
import pytest
from chess.engine import Limit
from modes import COMPILED
from programs import PATIENCE, command, environment

pytestmark = pytest.mark.processes

LIMITS = {
    "time": Limit(time=0.05),
    "depth": Limit(depth=4),
    "nodes": Limit(nodes=2000),
    "mate": Limit(mate=2),
    "clock": Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01),
    "one clock": Limit(white_clock=1.0),
    "moves to go": Limit(white_clock=1.0, black_clock=1.0, remaining_moves=5),
    "tiny clock": Limit(white_clock=0.001, black_clock=0.001),
    "zero clock": Limit(white_clock=0, black_clock=0),
    "no time": Limit(time=0),
    "no depth": Limit(depth=0),
    "no nodes": Limit(nodes=1),
}


def is_legal(board: chess.Board, move: chess.Move | None) -> bool:
    """Whether the engine answered, and with a legal move."""
    return move is not None and move in board.legal_moves


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    client = chess.engine.SimpleEngine.popen_uci(command(), env=environment(), timeout=PATIENCE)
    client.configure({"OwnBook": False, "Hash": 8})
    yield client
    client.quit()
    assert client.protocol.returncode.done()
    assert client.protocol.returncode.result() == 0
    client.close()


def test_what_it_says_of_itself(engine: chess.engine.SimpleEngine) -> None:
    assert engine.id["name"].startswith("Pawnstar ")
    assert engine.id["author"] == "Jonny Reckless"
    names = {"Hash", "Threads", "Ponder", "EvalFile", "Clear Hash", "Move Overhead", "OwnBook", "UCI_AnalyseMode"}
    assert set(engine.options) == names
    option = engine.options["Hash"]
    assert (option.type, option.default, option.min, option.max) == ("spin", 64, 1, 4096)


def test_options(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"Hash": 4, "Move Overhead": 50, "Clear Hash": None})
    engine.configure({"Move Overhead": 30})
    engine.ping()


@pytest.mark.parametrize("name", LIMITS)
def test_play_with_every_limit(engine: chess.engine.SimpleEngine, name: str) -> None:
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    result = engine.play(board, LIMITS[name], info=chess.engine.INFO_ALL)
    assert is_legal(board, result.move)
    assert "score" in result.info
    assert result.info["pv"][0] == result.move
    if name == "depth":
        assert result.ponder is not None
    if result.ponder is not None:
        assert result.move is not None
        board.push(result.move)
        assert result.ponder in board.legal_moves


@pytest.mark.parametrize(
    ("first", "second"), list(itertools.combinations(("time", "depth", "nodes", "mate", "clock"), 2))
)
def test_play_with_limits_combined(engine: chess.engine.SimpleEngine, first: str, second: str) -> None:
    merged = {**vars(LIMITS[first]), **{key: value for key, value in vars(LIMITS[second]).items() if value is not None}}
    board = chess.Board()
    assert is_legal(board, engine.play(board, Limit(**merged)).move)


def test_play_with_all_limits(engine: chess.engine.SimpleEngine) -> None:
    limit = Limit(
        time=0.05, depth=3, nodes=100, mate=1, white_clock=1, black_clock=1, white_inc=0, black_inc=0, remaining_moves=3
    )
    board = chess.Board()
    result = engine.play(board, limit, root_moves=[chess.Move.from_uci("a2a3"), chess.Move.from_uci("b2b3")])
    assert result.move in (chess.Move.from_uci("a2a3"), chess.Move.from_uci("b2b3"))


def test_play_a_game_with_pondering(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    game = object()
    for _ in range(12 if COMPILED else 4):
        result = engine.play(board, Limit(time=0.02), game=game, ponder=True)
        assert is_legal(board, result.move)
        assert result.move is not None
        board.push(result.move)
        # Now and then the move pondered on is played (ponderhit), else another one (stop).
        expected = result.ponder if result.ponder is not None and board.ply() % 4 < 2 else None
        board.push(expected or next(iter(board.legal_moves)))
    engine.ping()


@pytest.mark.parametrize("name", ["time", "depth", "nodes", "mate"])
def test_analyse(engine: chess.engine.SimpleEngine, name: str) -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    info = engine.analyse(board, LIMITS[name])
    assert info["pv"]
    for move in info["pv"]:
        assert move in board.legal_moves
        board.push(move)
    if name in ("depth", "mate"):  # the others may end before the first iteration does
        assert {"depth", "seldepth", "score", "time", "nodes", "nps", "hashfull"} <= set(info)
    if name == "mate":
        assert info["score"].white() == chess.engine.Mate(1)


def test_analysis_without_end_is_stopped(engine: chess.engine.SimpleEngine) -> None:
    seen = 0
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            seen += "score" in info
            if seen == 4:
                break
    assert seen == 4
    assert analysis.wait().move is not None
    engine.ping()


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", chess.engine.MateGiven),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", chess.engine.Cp(0)),
    ],
)
def test_finished_games(engine: chess.engine.SimpleEngine, fen: str, score: chess.engine.Score) -> None:
    board = chess.Board(fen)
    result = engine.play(board, Limit(time=0.1), info=chess.engine.INFO_ALL)
    assert result.move is None
    expected = score if isinstance(score, chess.engine.Cp) else -score
    assert result.info["score"].relative == expected


def test_restart() -> None:
    for _ in range(3):
        with chess.engine.SimpleEngine.popen_uci(command(), env=environment(), timeout=PATIENCE) as client:
            assert client.play(chess.Board(), Limit(nodes=1)).move is not None


def test_asynchronous() -> None:
    async def use() -> None:
        transport, client = await chess.engine.popen_uci(command(), env=environment())
        await client.configure({"OwnBook": False})
        board = chess.Board()
        result = await client.play(board, Limit(time=0.05))
        assert is_legal(board, result.move)
        info = await client.analyse(board, Limit(depth=4))
        assert info["depth"] == 4
        with await client.analysis(board) as analysis:
            async for report in analysis:
                if report.get("depth", 0) >= 4:
                    break
        # A new command cancels a search that still runs.
        task = asyncio.create_task(client.play(board, Limit(depth=60)))
        await asyncio.sleep(0.1)
        result = await client.play(board, Limit(time=0.05))
        assert is_legal(board, result.move)
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.play(board, Limit(depth=60)), 0.2)
        await client.ping()
        await client.quit()
        assert await client.returncode == 0
        transport.close()

    asyncio.run(use())
