"""Who acts, and the action that does nothing. Below every other file about games."""

WHITE = 0
BLACK = 1

CHANCE = -1
"""Current player where the next event is a roll."""

TERMINAL = -2
"""Current player where the game is over."""

NO_ACTION = -1
"""Action or outcome that leaves a row of a batch as it is."""
