"""What a position is worth, and the search of one process: evaluator, tables, expectimax, the frontier."""
