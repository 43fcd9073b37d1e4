"""Drop7: rules, evaluation and fair expectimax search on packed boards."""

from pawnstar.drop7.words import COMPILED as COMPILED
