"""Pawnstar: a UCI chess engine in strictly typed Python, compiled ahead of time by mypyc.

>>> import pawnstar
>>> with pawnstar.Engine(hash=1) as engine:
...     position = pawnstar.Position.initial().play("f3").play("e5").play("g4")
...     result = engine.search(position, pawnstar.Limits(depth=3))
>>> result.best_move, result.mate
(Move.from_uci('d8h4'), 1)

The names below are loaded when first used: the ``pawnstar`` command starts without them.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final

from pawnstar.freshness import warn_if_hiding, warn_if_stale

if TYPE_CHECKING:
    from pawnstar.api.analysis import Analysis as Analysis
    from pawnstar.api.boards import BoardLike as BoardLike
    from pawnstar.api.boards import PositionLike as PositionLike
    from pawnstar.api.book import Book as Book
    from pawnstar.api.engine import Engine as Engine
    from pawnstar.api.game import Game as Game
    from pawnstar.api.info import SearchInfo as SearchInfo
    from pawnstar.api.info import SearchResult as SearchResult
    from pawnstar.api.limits import Limits as Limits
    from pawnstar.api.moves import Move as Move
    from pawnstar.api.moves import MoveLike as MoveLike
    from pawnstar.api.network import Network as Network
    from pawnstar.api.outcome import Outcome as Outcome
    from pawnstar.api.position import Position as Position
    from pawnstar.api.score import Color as Color
    from pawnstar.api.score import Score as Score
    from pawnstar.api.score import WinDrawLoss as WinDrawLoss
    from pawnstar.chess.moves import AmbiguousMoveError as AmbiguousMoveError
    from pawnstar.chess.moves import IllegalMoveError as IllegalMoveError
    from pawnstar.chess.moves import InvalidMoveError as InvalidMoveError
    from pawnstar.engine.book import BookError as BookError
    from pawnstar.evaluation.nnue.net_file import NetRefused as NetRefused
    from pawnstar.search.worker import StopSignal as StopSignal

    # Whether the compiled modules run, or plain Python.
    COMPILED: bool
    # MAJOR.MINOR.BUILD; MAJOR.MINOR where no tag was there to count from.
    __version__: str

__all__ = [
    "COMPILED",
    "AmbiguousMoveError",
    "Analysis",
    "BoardLike",
    "Book",
    "BookError",
    "Color",
    "Engine",
    "Game",
    "IllegalMoveError",
    "InvalidMoveError",
    "Limits",
    "Move",
    "MoveLike",
    "NetRefused",
    "Network",
    "Outcome",
    "Position",
    "PositionLike",
    "Score",
    "SearchInfo",
    "SearchResult",
    "StopSignal",
    "WinDrawLoss",
    "__version__",
]

_HOMES: Final = {
    "COMPILED": "pawnstar.chess.bits",
    "AmbiguousMoveError": "pawnstar.chess.moves",
    "Analysis": "pawnstar.api.analysis",
    "BoardLike": "pawnstar.api.boards",
    "Book": "pawnstar.api.book",
    "BookError": "pawnstar.engine.book",
    "Color": "pawnstar.api.score",
    "Engine": "pawnstar.api.engine",
    "Game": "pawnstar.api.game",
    "IllegalMoveError": "pawnstar.chess.moves",
    "InvalidMoveError": "pawnstar.chess.moves",
    "Limits": "pawnstar.api.limits",
    "Move": "pawnstar.api.moves",
    "MoveLike": "pawnstar.api.moves",
    "NetRefused": "pawnstar.evaluation.nnue.net_file",
    "Network": "pawnstar.api.network",
    "Outcome": "pawnstar.api.outcome",
    "Position": "pawnstar.api.position",
    "PositionLike": "pawnstar.api.boards",
    "Score": "pawnstar.api.score",
    "SearchInfo": "pawnstar.api.info",
    "SearchResult": "pawnstar.api.info",
    "StopSignal": "pawnstar.search.worker",
    "WinDrawLoss": "pawnstar.api.score",
}

if not TYPE_CHECKING:  # so that type checkers refuse names that do not exist

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from pawnstar.version import version

            value = version()
        elif name in _HOMES:
            value = getattr(import_module(_HOMES[name]), name)
        else:
            from pawnstar.api.hints import PACKAGE

            hint = f"; {PACKAGE[name]}" if name in PACKAGE else ""
            raise AttributeError(
                f"module 'pawnstar' has no attribute {name!r}{hint}", name=name, obj=sys.modules[__name__]
            )
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


warn_if_stale()
warn_if_hiding()
