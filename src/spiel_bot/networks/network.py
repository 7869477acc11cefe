"""A whole network in torch: trunk and heads joined, built from a seed, saved and loaded."""

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from spiel_bot.games.base import Floats, Game, GameSpec
from spiel_bot.networks.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.conv import Conv
from spiel_bot.networks.header import Header
from spiel_bot.networks.heads import Heads, Outputs
from spiel_bot.networks.initial import initial_checkpoint
from spiel_bot.networks.mlp import Mlp
from spiel_bot.networks.pytorch import Tensor, nn, torch
from spiel_bot.networks.ranges import with_ranges
from spiel_bot.networks.resnet import ResNet


class PolicyValueNet(Protocol):
    """What learning asks of a network, whatever is inside."""

    header: Header

    def forward(self, observations: Tensor) -> Outputs:
        """Return what the network says of observations [B, F]."""

    def save(self, path: Path, *, step: int = 0, sample: Floats | None = None) -> None:
        """Write a checkpoint."""

    @staticmethod
    def load(path: Path, game: Game | None = None) -> "PolicyValueNet":
        """Read a checkpoint."""


class Network(nn.Module):
    """A trunk and its heads. Knows the game it is for, so that a checkpoint can say so."""

    def __init__(self, header: Header) -> None:
        super().__init__()
        self.header = header
        config, shape = header.network, header.observation_shape
        self.trunk = new_trunk(config, shape)
        self.heads = Heads(config, self.trunk.size, header.num_actions, header.return_range)

    def forward(self, observations: Tensor) -> Outputs:
        """Return what the network says of observations [B, F]."""
        outputs: Outputs = self.heads(self.trunk(observations))
        return outputs

    def checkpoint(self, *, step: int = 0, sample: Floats | None = None) -> Checkpoint:
        """Return the weights as arrays of their own, for a file or for a model to play with.

        Args:
            step: Gradient steps so far.
            sample: [S, F] a few hundred typical observations; int8 models need them to know how
                large the numbers between the layers become.
        """
        arrays = {
            name: tensor.detach().cpu().numpy().copy() for name, tensor in self.state_dict().items()
        }
        checkpoint = Checkpoint(self.header.replace(step=step, ranges=()), arrays)
        return checkpoint if sample is None else with_ranges(checkpoint, sample)

    def save(self, path: Path, *, step: int = 0, sample: Floats | None = None) -> None:
        """Write a checkpoint; arguments as in `checkpoint`.

        Raises:
            CheckpointError: The weights are not finite, or the file cannot be written.
        """
        write_checkpoint(path, self.checkpoint(step=step, sample=sample))

    @staticmethod
    def load(path: Path, game: Game | None = None) -> "Network":
        """Read a checkpoint, and make sure that it fits a game if one is given.

        Raises:
            CheckpointError: The file is damaged, or does not fit.
        """
        checkpoint = read_checkpoint(path)
        if game is not None:
            checkpoint.header.expect_fits(game, str(path))
        return from_checkpoint(checkpoint)

    def load_arrays(self, checkpoint: Checkpoint, source: str = "the checkpoint") -> None:
        """Take over the weights of a checkpoint of the same architecture.

        Raises:
            CheckpointError: The architecture differs, or arrays are missing.
        """
        checkpoint.header.expect_network(self.header.network, source)
        checkpoint.expect_whole(source)
        self.load_state_dict(
            {name: torch.from_numpy(np.array(array)) for name, array in checkpoint.arrays.items()}
        )


def build(config: NetworkConfig, spec: GameSpec, seed: int) -> Network:
    """Return a new network for a game; the same seed gives the same weights.

    Raises:
        NetworkConfigError: The network cannot take the game's observations.
    """
    return from_checkpoint(initial_checkpoint(config, spec, seed))


def from_checkpoint(checkpoint: Checkpoint) -> Network:
    """Return the network of a checkpoint."""
    # Torch draws weights from its global random numbers, only to have them replaced.
    with torch.random.fork_rng(devices=[]):
        network = Network(checkpoint.header)
    network.load_arrays(checkpoint)
    return network


def new_trunk(config: NetworkConfig, observation_shape: tuple[int, ...]) -> Any:
    """Return the part below the heads; its `size` is how many numbers it gives them."""
    if config.architecture == "conv":
        return Conv(config, observation_shape)
    kind = Mlp if config.architecture == "mlp" else ResNet
    return kind(config, int(np.prod(observation_shape)))
