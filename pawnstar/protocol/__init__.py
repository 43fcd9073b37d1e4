"""How others talk to the engine: UCI."""
