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

# Where each name above lives. Type checkers read the imports above, Python this table; a test compares the two.
_HOMES: Final = {
    name: module
    for module, names in {
        "pawnstar.api.analysis": ("Analysis",),
        "pawnstar.api.boards": ("BoardLike", "PositionLike"),
        "pawnstar.api.book": ("Book",),
        "pawnstar.api.engine": ("Engine",),
        "pawnstar.api.game": ("Game",),
        "pawnstar.api.info": ("SearchInfo", "SearchResult"),
        "pawnstar.api.limits": ("Limits",),
        "pawnstar.api.moves": ("Move", "MoveLike"),
        "pawnstar.api.network": ("Network",),
        "pawnstar.api.outcome": ("Outcome",),
        "pawnstar.api.position": ("Position",),
        "pawnstar.api.score": ("Color", "Score", "WinDrawLoss"),
        "pawnstar.chess.bits": ("COMPILED",),
        "pawnstar.chess.moves": ("AmbiguousMoveError", "IllegalMoveError", "InvalidMoveError"),
        "pawnstar.engine.book": ("BookError",),
        "pawnstar.evaluation.nnue.net_file": ("NetRefused",),
        "pawnstar.search.worker": ("StopSignal",),
    }.items()
    for name in names
}

if not TYPE_CHECKING:  # so that type checkers refuse names that do not exist
    __all__ = list(_HOMES)
    __all__ += ["__version__"]

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
