"""Drop7: exact rules, a bit-exact evaluator and a fair expectimax search, on packed boards.

>>> from pawnstar.drop7 import Game, analyze
>>> game = Game(seed=1)
>>> decision = analyze(game.state, depth=2, samples=3)
>>> move = game.play(decision.action)
>>> move.after.moves_played
1
"""

from pawnstar.drop7.api import analyze
from pawnstar.drop7.parallel.decision import Decision
from pawnstar.drop7.parallel.plan import Settings
from pawnstar.drop7.rules.board import Board
from pawnstar.drop7.rules.game import Game
from pawnstar.drop7.rules.rng import Source
from pawnstar.drop7.rules.rules import Move, Rules, wave_score
from pawnstar.drop7.rules.state import COLUMN_ORDER, State
from pawnstar.drop7.rules.words import COMPILED
from pawnstar.drop7.search.bounds import PlanError
from pawnstar.drop7.search.leaf import FROZEN_WEIGHTS, TERM_NAMES, Leaf
from pawnstar.drop7.search.search import ColumnValue, Counters, Searcher, UnsearchableState, WorkLimitReached
from pawnstar.drop7.search.table import PrivateTable, Table
from pawnstar.drop7.search.weights import WeightsError, parse_weights

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
