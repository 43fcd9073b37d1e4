"""What a position is worth. It knows the rules, and nothing of a search."""
