"""How one thread searches a tree: the siblings' search, its root, and what any search needs."""
