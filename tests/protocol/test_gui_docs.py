"""What docs/gui.md tells people to enter is accepted by the engine and by python-chess, which lichess-bot uses."""

import re
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest
from programs import PATIENCE, command, environment
from sessions import Session

pytestmark = pytest.mark.processes

GUI = Path(__file__).resolve().parents[2] / "docs" / "gui.md"
# What lichess-bot's config.yml.default has under uci_options.
LICHESS_DEFAULT: dict[str, int | bool | str | None] = {
    "Move Overhead": 100,
    "Threads": 4,
    "Hash": 512,
    "SyzygyPath": "./syzygy/",
    "UCI_ShowWDL": True,
}
MUST_GO = ("SyzygyPath", "UCI_ShowWDL")


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(command(), env=environment(), timeout=PATIENCE) as client:
        yield client


def value(text: str) -> int | bool | str:
    if text.isdigit():
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def lichess_options() -> dict[str, int | bool | str]:
    """The ``uci_options`` of the YAML in the docs."""
    block = re.search(r"\n( +)uci_options:\n((?:\1  .*\n)+)", GUI.read_text(encoding="utf-8"))
    assert block is not None
    pairs = (line.strip().split(": ", 1) for line in block[2].splitlines())
    return {name: value(text) for name, text in pairs}


def test_lichess_bots_options_are_accepted(engine: chess.engine.SimpleEngine) -> None:
    options = lichess_options()
    assert set(options) == {"Threads", "Hash", "Move Overhead", "OwnBook"}
    engine.configure(options)
    limit = chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.1, black_inc=0.1)
    board = chess.Board()
    assert engine.play(board, limit, ponder=True).move in [*board.legal_moves]
    engine.ping()


@pytest.mark.parametrize("name", MUST_GO)
def test_lichess_bots_default_options_that_must_go(engine: chess.engine.SimpleEngine, name: str) -> None:
    """With lichess-bot's own ``uci_options`` the bot did not start, and nothing said which lines were to blame."""
    text = GUI.read_text(encoding="utf-8")
    assert f"`{name}`" in text
    with pytest.raises(chess.engine.EngineError, match=f"engine does not support option {name}"):
        engine.configure({name: LICHESS_DEFAULT[name]})
    # What stays of the default file works.
    engine.configure({key: each for key, each in LICHESS_DEFAULT.items() if key not in (*MUST_GO, "Threads", "Hash")})
    assert {"Threads", "Hash"} <= set(engine.options)


def test_documented_engine_options_exist(session: Session) -> None:
    """On cutechess-cli's line for Pawnstar, in Nibbler's ``engines.json``."""
    text = GUI.read_text(encoding="utf-8")
    ours = text[text.index("cutechess-cli ") : text.index("cmd=stockfish")]
    pairs = re.findall(r"option\.(\w+)=(\w+)", ours) + re.findall(r'"(\w+)": (\w+)', text)
    assert len(pairs) == 5
    for name, setting in pairs:
        assert session.send(f"setoption name {name} value {setting}") == []
