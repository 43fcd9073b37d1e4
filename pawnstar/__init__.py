"""Pawnstar: a UCI chess engine in strictly typed Python, compiled ahead of time by mypyc."""
