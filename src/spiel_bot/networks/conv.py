"""A convolutional residual network, for observations with a board's shape."""

import math

from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.pytorch import Tensor, nn, torch


class ConvBlock(nn.Module):
    """Two convolutions with batch norm, added to what came in."""

    def __init__(self, channels: int, kernel_size: int, dimensions: int) -> None:
        super().__init__()
        self.first = convolution(channels, channels, kernel_size, dimensions)
        self.first_norm = norm(channels, dimensions)
        self.second = convolution(channels, channels, kernel_size, dimensions)
        self.second_norm = norm(channels, dimensions)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return as many channels as came in."""
        inner = torch.relu(self.first_norm(self.first(inputs)))
        return torch.relu(inputs + self.second_norm(self.second(inner)))


class Conv(nn.Module):
    """Convolutions over the board, then one dense layer: [B, F] -> [B, size].

    The board is flattened at the end and not averaged: an action belongs to a field.
    """

    def __init__(self, config: NetworkConfig, observation_shape: tuple[int, ...]) -> None:
        super().__init__()
        planes, *board = observation_shape
        channels, kernel_size, dimensions = config.channels, config.kernel_size, len(board)
        self.observation_shape = observation_shape
        self.stem = convolution(planes, channels, kernel_size, dimensions)
        self.stem_norm = norm(channels, dimensions)
        self.blocks = nn.ModuleList(
            ConvBlock(channels, kernel_size, dimensions) for _ in range(config.blocks)
        )
        self.dense = nn.Linear(channels * math.prod(board), config.width)
        self.size = config.width

    def forward(self, observations: Tensor) -> Tensor:
        """Return what the heads read."""
        planes = observations.reshape(-1, *self.observation_shape)
        inner = torch.relu(self.stem_norm(self.stem(planes)))
        for block in self.blocks:
            inner = block(inner)
        return torch.relu(self.dense(inner.flatten(1)))


def convolution(inputs: int, outputs: int, kernel_size: int, dimensions: int) -> nn.Module:
    """Return a convolution that keeps the board's size; its norm has the bias."""
    kind = nn.Conv1d if dimensions == 1 else nn.Conv2d
    return kind(inputs, outputs, kernel_size, padding=kernel_size // 2, bias=False)


def norm(channels: int, dimensions: int) -> nn.Module:
    """Return a batch norm over the fields of a board."""
    return nn.BatchNorm1d(channels) if dimensions == 1 else nn.BatchNorm2d(channels)
