"""Runs: games, learning, matches and the store joined to one loop."""
