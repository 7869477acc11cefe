"""What a network of values sees in games against itself."""

import numpy as np

from spiel_bot.games.base import Floats, Game
from spiel_bot.learning.afterstate_play import AfterstatePlay, AfterstatePlayConfig
from spiel_bot.learning.targets import TargetConfig, samples_of
from spiel_bot.networks.checkpoint import Checkpoint
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.onnx_model import model_bytes
from spiel_bot.storage.records import GameRecord


def own_observations(game: Game, checkpoint: Checkpoint, games: int, seed: int) -> Floats:
    """Return the positions [S, F] after the actions of some games, each seen by who acted.

    A tenth of the actions is drawn among the better ones, so that positions vary.

    Raises:
        BadRequestError: The network does not judge rolls.
    """
    evaluator = OnnxEvaluator(model_bytes(checkpoint, "float"))
    records: list[GameRecord] = []
    config = AfterstatePlayConfig(random_share=0.1, temperature=0.05)
    worker = AfterstatePlay(game, evaluator, config, seed=seed)
    worker.play(iter(range(games)), records.append)
    found = []
    for record in sorted(records, key=lambda record: record.number):
        samples = samples_of(game, record, TargetConfig(), judges="rolls")
        seen = np.empty((len(samples.states), game.spec.observation_size), np.float32)
        game.observe_many(samples.states, samples.movers, seen)
        found.append(seen)
    return np.concatenate(found)
