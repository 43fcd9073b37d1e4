"""``pawnstar match``: two engines play games, and what the games say of their strengths."""
