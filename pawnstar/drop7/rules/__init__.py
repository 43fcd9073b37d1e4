"""The rules: packed boards, positions, moves, random sources, games. Nothing here judges or searches."""
