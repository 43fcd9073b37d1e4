"""Evaluation and search. No input or output; one way in, ``engine.Engine``."""
