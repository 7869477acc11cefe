"""Networks for tests: small ones, with weights and statistics as after some training."""

from dataclasses import replace

import numpy as np

from spiel_bot import load
from spiel_bot.games.base import Floats, GameSpec
from spiel_bot.networks.checkpoint import Checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.initial import initial_checkpoint

HEADS = ("next_hole", "next_points", "corner:3:numbers")

CONFIGS = {
    "mlp": NetworkConfig(hidden_sizes=(24, 16)),
    "resnet": NetworkConfig(architecture="resnet", width=24, blocks=2),
    "conv": NetworkConfig(architecture="conv", channels=6, blocks=2, width=20),
    "categorical": NetworkConfig(hidden_sizes=(16,), value_head="categorical", value_bins=11),
    "auxiliary": NetworkConfig(hidden_sizes=(16,), auxiliary=HEADS),
    "all": NetworkConfig(
        architecture="conv",
        channels=5,
        blocks=1,
        width=12,
        kernel_size=5,
        value_head="categorical",
        auxiliary=HEADS,
    ),
}


def spec_of(shape: tuple[int, ...] = (3, 3, 3)) -> GameSpec:
    """Return the numbers of tic-tac-toe, with an observation of another shape."""
    return replace(load("tic_tac_toe").spec, observation_shape=shape)


def trained(config: NetworkConfig, spec: GameSpec, seed: int = 0) -> Checkpoint:
    """Return a network whose arrays are all random, batch norms included."""
    checkpoint = initial_checkpoint(config, spec, seed)
    rng = np.random.default_rng(seed)
    for name, array in checkpoint.arrays.items():
        if name.endswith("running_var"):
            array[...] = rng.uniform(0.5, 2.0, array.shape)
        elif array.ndim == 1:
            array[...] = rng.uniform(-0.5, 0.5, array.shape) + name.endswith("norm.weight")
        elif name.startswith("heads."):
            array[...] = 10.0 * array
    return checkpoint


def observations(spec: GameSpec, count: int, seed: int = 0) -> Floats:
    """Return random observations [count, F] in the game's range."""
    rng = np.random.default_rng(seed)
    return rng.uniform(*spec.observation_range, (count, spec.observation_size)).astype(np.float32)
