"""Drop7: exact rules, a bit-exact evaluator and a fair expectimax search, on packed boards.

>>> from pawnstar.drop7 import Game, analyze
>>> game = Game(seed=1)
>>> decision = analyze(game.state, depth=2, samples=3)
>>> move = game.play(decision.action)
>>> move.after.moves_played
1
"""

from pawnstar.drop7.api import analyze
from pawnstar.drop7.board import Board
from pawnstar.drop7.game import Game
from pawnstar.drop7.leaf import FROZEN_WEIGHTS, TERM_NAMES, Leaf
from pawnstar.drop7.plan import PlanError, Settings
from pawnstar.drop7.rng import Source
from pawnstar.drop7.rules import Move, Rules, wave_score
from pawnstar.drop7.scheduler import Decision
from pawnstar.drop7.search import ColumnValue, Counters, Searcher, UnsearchableState, WorkLimitReached
from pawnstar.drop7.state import COLUMN_ORDER, State
from pawnstar.drop7.table import PrivateTable, Table
from pawnstar.drop7.weights import WeightsError, parse_weights
from pawnstar.drop7.words import COMPILED

__all__ = [
    "COLUMN_ORDER",
    "COMPILED",
    "FROZEN_WEIGHTS",
    "TERM_NAMES",
    "Board",
    "ColumnValue",
    "Counters",
    "Decision",
    "Game",
    "Leaf",
    "Move",
    "PlanError",
    "PrivateTable",
    "Rules",
    "Searcher",
    "Settings",
    "Source",
    "State",
    "Table",
    "UnsearchableState",
    "WeightsError",
    "WorkLimitReached",
    "analyze",
    "parse_weights",
    "wave_score",
]
