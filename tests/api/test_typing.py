"""Type checkers see the package as a user installs it: py.typed, exact types, and unknown names refused."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from modes import package_folder

pytestmark = pytest.mark.processes

USER = textwrap.dedent(
    """
    import threading
    from collections.abc import Iterator

    import chess

    import pawnstar
    from pawnstar import Analysis, Book, Engine, Game, Limits, Move, Network, Position, SearchInfo, SearchResult

    position: Position = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    moves: tuple[Move, ...] = position.legal_moves
    after: Position = position.play(moves[0]).play("Kd7").play(chess.Move.from_uci("e1e2"))
    piece: str | None = after.piece_at("e2")
    converted: chess.Move = moves[0].to_chess()
    back: Move = Move.from_chess(converted)

    network_given: Network = Network.default()
    game: Game = Game(moves=["e4"])
    ended: bool = game.outcome() is not None

    def report(info: SearchInfo) -> None:
        mate: int | None = info.mate
        line: tuple[Move, ...] = info.pv

    with Engine(hash=16, threads=1, own_book=False, move_overhead=10) as engine:
        result: SearchResult = engine.search(
            chess.Board(), limits=Limits(depth=4), stop=threading.Event(), on_info=report
        )
        best: Move | None = result.best_move
        reports: Iterator[SearchInfo] = engine.analyse(position, Limits(depth=1), history=[])
        analysis: Analysis = engine.ponder(position, Limits(movetime=5))
        waited: SearchResult = analysis.wait()
        reached: int | None = waited.score.white().mate()
        engine.configure(hash=1, book=None, network=network_given)
        value: int = engine.evaluate(chess.Board())
        network: Network = engine.network
        book: Book | None = engine.book
    version: str = pawnstar.__version__
    compiled: bool = pawnstar.COMPILED

    reveal_type(engine.play(position, Limits(nodes=1)))
    Limits(depth="4")
    position.play(4)
    Engine(hsah=16)
    pawnstar.Positoin
    engine.search(position, on_info=lambda info: info.no_such_field)
    """
)
EXPECTED = [
    'note: Revealed type is "pawnstar.api.moves.Move"',
    'error: Argument "depth" to "Limits" has incompatible type "str"; expected "int | None"  [arg-type]',
    'error: Argument 1 to "play" of "Position" has incompatible type "int"; expected "MoveLike | str"  [arg-type]',
    'error: Unexpected keyword argument "hsah" for "Engine"',
    'error: Module has no attribute "Positoin"',
    'error: "SearchInfo" has no attribute "no_such_field"  [attr-defined]',
]


def test_strict_type_checker_sees_the_package(tmp_path: Path) -> None:
    """Run outside the source tree. Installed, the package is found as any user's is; else through MYPYPATH."""
    pytest.importorskip("mypy")
    script = tmp_path / "user.py"
    script.write_text(USER)
    environment = dict(os.environ)
    environment.pop("MYPYPATH", None)
    if "site-packages" not in package_folder().parts:
        environment["MYPYPATH"] = str(package_folder().parent)
    assert (package_folder() / "py.typed").exists()
    command = [sys.executable, "-m", "mypy", "--strict", "--no-pretty", "--follow-imports=silent"]
    done = subprocess.run(
        [*command, f"--cache-dir={tmp_path / 'cache'}", str(script)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        timeout=300,
        check=False,  # there are errors, as there should be
    )
    assert not done.stderr
    found = [line.split(": ", 1)[1] for line in done.stdout.splitlines() if line.startswith("user.py:")]
    errors = [line for line in found if line.startswith("error")]
    assert not [line for line in errors if not any(line.startswith(start) for start in EXPECTED)]
    for start in EXPECTED:
        assert any(line.startswith(start) for line in found), f"{start}\n{done.stdout}"
