"""Pawnstar: a UCI chess engine in strictly typed Python, compiled ahead of time by mypyc."""

from pawnstar.freshness import warn_if_stale

warn_if_stale()
