"""How others talk to the engine: a session that all protocols stand on, and UCI."""
