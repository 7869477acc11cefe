"""The algorithms that a run can be trained with, by their name in its configuration."""

from spiel_bot.cluster.config import TrainConfig
from spiel_bot.games.base import Game
from spiel_bot.learning.alphazero import AlphaZero
from spiel_bot.learning.td import Td


def new_algorithm(game: Game, config: TrainConfig) -> AlphaZero | Td:
    """Return the algorithm of a run at its beginning."""
    total_steps = config.iterations * config.steps
    if config.algorithm == "td":
        return Td(game, config.td, seed=config.seed, total_steps=total_steps)
    return AlphaZero(game, config.alphazero, seed=config.seed, total_steps=total_steps)
