"""The player at the foot of the ladder: every legal action alike."""

import numpy as np

from spiel_bot.games.base import Actions, Game, States
from spiel_bot.games.sampling import choose_actions_many
from spiel_bot.rng import Streams


class RandomPlayer:
    """Plays at random."""

    name = "random"

    def __init__(self, game: Game) -> None:
        self._game = game

    def choose(self, states: States, streams: Streams) -> Actions:
        """Return an action drawn from the legal ones in each position."""
        legal = np.empty((len(states), self._game.spec.max_legal_actions), np.int32)
        counts = np.empty(len(states), np.int32)
        chosen = np.empty(len(states), np.int32)
        self._game.legal_actions_many(states, legal, counts)
        choose_actions_many(streams, legal, counts, chosen)
        return chosen
