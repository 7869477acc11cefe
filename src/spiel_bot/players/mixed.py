"""Weaker players: any player that now and then plays at random."""

import numpy as np

from spiel_bot.games.base import Actions, Game, States
from spiel_bot.players.base import Player
from spiel_bot.players.uniform import RandomPlayer
from spiel_bot.rng import Streams, uniform

LEVELS = {1: 0.5, 2: 0.3, 3: 0.15, 4: 0.05, 5: 0.0}
"""Share of random actions by level, from beginner to full strength."""


class MixedPlayer:
    """Plays at random with some chance at each decision, and like another player otherwise."""

    def __init__(self, game: Game, player: Player, share: float, *, name: str) -> None:
        """Prepare a player; `share` is the chance of a random action."""
        self.name = name
        self._player = player
        self._random = RandomPlayer(game)
        self._share = share

    def choose(self, states: States, streams: Streams) -> Actions:
        """Return an action for each position."""
        points = np.array([uniform(stream) for stream in streams])
        is_random = points < self._share
        actions = np.empty(len(states), np.int32)
        for rows, player in ((is_random, self._random), (~is_random, self._player)):
            if rows.any():
                own = streams[rows]
                actions[rows] = player.choose(states[rows], own)
                streams[rows] = own
        return actions
