"""Matches between engines: players, games, openings, the file of games, the runner, and what the games say."""
