"""Observations of random games: what to calibrate a network with that has not played yet."""

import numpy as np

from spiel_bot.games.base import TERMINAL, Floats, Game
from spiel_bot.games.sampling import choose_actions_many, draw_outcomes_many
from spiel_bot.rng import Purpose, streams

NUM_GAMES = 64

PLIES_BETWEEN = 7
"""A sample is taken every so many plies, so that early and late positions are in it. Odd, so
that it does not always meet the same player."""


def random_observations(game: Game, count: int = 1024, seed: int = 0) -> Floats:
    """Return observations [count, F] of decisions in random games, each by its mover."""
    spec = game.spec
    states = game.new_states(NUM_GAMES)
    dice = streams(seed, Purpose.DICE, np.arange(NUM_GAMES))
    choices = streams(seed, Purpose.PLAY, np.arange(NUM_GAMES))
    legal = np.empty((NUM_GAMES, spec.max_legal_actions), np.int32)
    counts, chosen = np.empty(NUM_GAMES, np.int32), np.empty(NUM_GAMES, np.int32)
    chances = np.empty((NUM_GAMES, spec.num_chance_outcomes))
    players = np.empty(NUM_GAMES, np.int8)
    found: list[Floats] = []
    ply = 0
    while sum(map(len, found)) < count:
        game.current_player_many(states, players)
        deciding = players >= 0
        if ply % PLIES_BETWEEN == 0 and deciding.any():
            seen = np.empty((int(deciding.sum()), spec.observation_size), np.float32)
            game.observe_many(states[deciding], players[deciding], seen)
            found.append(seen)
        game.legal_actions_many(states, legal, counts)
        choose_actions_many(choices, legal, counts, chosen)
        game.apply_many(states, chosen)
        if game.chance_probabilities_many is not None and game.apply_chance_many is not None:
            game.chance_probabilities_many(states, chances)
            draw_outcomes_many(dice, chances, chosen)
            game.apply_chance_many(states, chosen)
        game.current_player_many(states, players)
        states[players == TERMINAL] = game.initial_state
        ply += 1
    return np.concatenate(found)[:count]
