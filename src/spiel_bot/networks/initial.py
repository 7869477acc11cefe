"""The first weights of a network, from a seed alone: in NumPy, so torch has no part in them."""

import numpy as np

from spiel_bot.games.base import GameSpec
from spiel_bot.networks.checkpoint import Arrays, Checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.header import Header
from spiel_bot.networks.shapes import Shapes

HEAD_SCALE = 0.1
"""The first policy is nearly even and the first values are nearly 0: a search begins unbiased."""


def initial_checkpoint(config: NetworkConfig, spec: GameSpec, seed: int) -> Checkpoint:
    """Return a network that has learned nothing; the same seed gives the same weights.

    Weights are drawn by He's rule; biases are 0, and batch norms change nothing.

    Raises:
        NetworkConfigError: The network cannot take the game's observations.
    """
    header = Header.of(config, spec)
    return Checkpoint(header, first_arrays(header.shapes(), seed))


def first_arrays(shapes: Shapes, seed: int) -> Arrays:
    """Return weights that have learned nothing, by their names."""
    rng = np.random.default_rng(seed)
    arrays: Arrays = {}
    for name, shape in shapes.items():
        if name.endswith("num_batches_tracked"):
            arrays[name] = np.zeros(shape, np.int64)
        elif len(shape) > 1:
            scale = np.sqrt(2.0 / np.prod(shape[1:])) * (HEAD_SCALE if "heads." in name else 1.0)
            arrays[name] = (rng.standard_normal(shape) * scale).astype(np.float32)
        else:
            is_factor = name.endswith(("_norm.weight", "_norm.running_var"))
            arrays[name] = np.full(shape, float(is_factor), np.float32)
    return arrays
