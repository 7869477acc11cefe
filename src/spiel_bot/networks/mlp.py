"""A multilayer perceptron: the fastest network, and the default."""

from itertools import pairwise

from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.pytorch import Tensor, nn, torch


class Mlp(nn.Module):
    """Dense layers with ReLU: [B, F] -> [B, size]."""

    def __init__(self, config: NetworkConfig, num_features: int) -> None:
        super().__init__()
        sizes = (num_features, *config.hidden_sizes)
        self.layers = nn.ModuleList(
            nn.Linear(inputs, outputs) for inputs, outputs in pairwise(sizes)
        )
        self.size = sizes[-1]

    def forward(self, observations: Tensor) -> Tensor:
        """Return what the heads read."""
        for layer in self.layers:
            observations = torch.relu(layer(observations))
        return observations
