"""Learning: games a network plays against itself, and what it learns from them."""
