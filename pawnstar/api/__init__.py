"""What ``import pawnstar`` offers: positions, moves, and an engine without input and output.

Not compiled: these classes are how people meet the compiled ones, and no loop runs in them. They hold the packed
integers of the rules and the search behind names, check every argument, and translate from and to python-chess.
"""
