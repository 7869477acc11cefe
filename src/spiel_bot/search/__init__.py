"""Search: batched trees with chance nodes, lookahead, and what they found. Knows no game."""
