"""A residual network of dense layers: slower than the perceptron, and can learn more."""

from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.pytorch import Tensor, nn, torch


class Block(nn.Module):
    """Two dense layers with batch norm, added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        # Batch norm has a bias of its own.
        self.first = nn.Linear(width, width, bias=False)
        self.first_norm = nn.BatchNorm1d(width)
        self.second = nn.Linear(width, width, bias=False)
        self.second_norm = nn.BatchNorm1d(width)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return as many numbers as came in."""
        inner = torch.relu(self.first_norm(self.first(inputs)))
        return torch.relu(inputs + self.second_norm(self.second(inner)))


class ResNet(nn.Module):
    """A dense layer, then residual blocks: [B, F] -> [B, size]."""

    def __init__(self, config: NetworkConfig, num_features: int) -> None:
        super().__init__()
        self.stem = nn.Linear(num_features, config.width)
        self.blocks = nn.ModuleList(Block(config.width) for _ in range(config.blocks))
        self.size = config.width

    def forward(self, observations: Tensor) -> Tensor:
        """Return what the heads read."""
        inner = torch.relu(self.stem(observations))
        for block in self.blocks:
            inner = block(inner)
        return inner
