"""What a network says at its end: policy, value, and what it learns besides."""

from typing import NamedTuple

from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.pytorch import Tensor, nn, torch


class Outputs(NamedTuple):
    """What a network says of B observations, each from the side of its observer."""

    logits: Tensor | None  # [B, A] over all actions, legal or not; None without a policy
    value: Tensor  # [B] expected return
    value_logits: Tensor | None  # [B, bins] of a categorical value: its loss needs them
    auxiliary: dict[str, Tensor]  # [B, size] by name: logits of classes, or numbers


class Heads(nn.Module):
    """The heads over a trunk of some size."""

    bins: Tensor

    def __init__(
        self,
        config: NetworkConfig,
        size: int,
        num_actions: int,
        return_range: tuple[float, float],
    ) -> None:
        super().__init__()
        least, most = return_range
        self.is_categorical = config.value_head == "categorical"
        self.centre, self.spread = (most + least) / 2, (most - least) / 2
        self.policy = nn.Linear(size, num_actions) if config.has_policy else None
        self.value = nn.Linear(size, config.value_bins if self.is_categorical else 1)
        # Follows from the configuration, so it is not part of a checkpoint.
        bins = torch.linspace(least, most, config.value_bins)
        self.register_buffer("bins", bins, persistent=False)
        self.auxiliary = nn.ModuleDict(
            {head.name: nn.Linear(size, head.size) for head in config.heads}
        )

    def forward(self, inner: Tensor) -> Outputs:
        """Return what the network says."""
        scores = self.value(inner)
        if self.is_categorical:
            value = torch.softmax(scores, dim=1) @ self.bins
        else:
            value = self.centre + self.spread * torch.tanh(scores.squeeze(1))
        return Outputs(
            logits=None if self.policy is None else self.policy(inner),
            value=value,
            value_logits=scores if self.is_categorical else None,
            auxiliary={name: head(inner) for name, head in self.auxiliary.items()},
        )
