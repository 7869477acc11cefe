"""What a network did wrong on a batch: losses to learn from, and figures to look at."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from spiel_bot.networks.config import AuxiliaryHead
from spiel_bot.networks.heads import Outputs
from spiel_bot.networks.pytorch import Tensor, torch

CALIBRATION_BINS = 10


class Targets(NamedTuple):
    """A `Batch` of replay as tensors."""

    observations: Tensor  # [S, F]
    policies: Tensor  # [S, A]
    is_legal: Tensor  # [S, A]
    values: Tensor  # [S]
    auxiliary: Mapping[str, Tensor] = MappingProxyType({})  # [S, ...] by head
    odds: Tensor | None = None  # [S, 2] slopes and shifts, if chances of winning are learned


def policy_loss(outputs: Outputs, targets: Targets) -> tuple[Tensor, Tensor, Tensor]:
    """Return cross-entropy, entropy of the network and KL from the target, each a mean.

    Illegal actions are left out before the softmax. Decisions without a policy do not count, and
    a network without one has zeros.
    """
    if outputs.logits is None:
        nothing = torch.zeros((), device=targets.values.device)
        return nothing, nothing, nothing
    has_policy = targets.policies.sum(dim=1) > 0
    logits = outputs.logits.masked_fill(~targets.is_legal, float("-inf"))
    log_policy = torch.log_softmax(logits, dim=1).masked_fill(~targets.is_legal, 0.0)
    count = has_policy.sum().clamp(min=1)
    cross_entropy = -(targets.policies * log_policy).sum(dim=1)
    entropy = -(log_policy.exp() * targets.is_legal * log_policy).sum(dim=1)
    target_entropy = -(torch.xlogy(targets.policies, targets.policies)).sum(dim=1)
    kl = cross_entropy - target_entropy
    return tuple(  # type: ignore[return-value]
        torch.where(has_policy, figure, 0.0).sum() / count
        for figure in (cross_entropy, entropy, kl)
    )


SMALLEST_SHARE = 1e-6
"""Of the range of returns: what is nearer to its ends has no odds in single precision."""


def result(value: Tensor, odds: Tensor, centre: float, spread: float) -> Tensor:
    """Return the expected results [S], from -1 to 1, that returns stand for (`chances`).

    Args:
        value: [S] returns.
        odds: [S, 2] slopes and shifts.
        centre: Middle of the range of returns.
        spread: How far it goes from there.
    """
    share = ((value - centre) / spread + 1.0) / 2.0
    log_odds = torch.logit(share, eps=SMALLEST_SHARE)
    return torch.tanh((odds[:, 0] * log_odds + odds[:, 1]) / 2.0)


def value_loss(outputs: Outputs, values: Tensor, bins: Tensor) -> Tensor:
    """Return the squared error, or the cross-entropy where the value is categorical.

    A target between two bins is shared by them, so that its mean is right.
    """
    if outputs.value_logits is None:
        return torch.nn.functional.mse_loss(outputs.value, values)
    step = bins[1] - bins[0]
    place = ((values - bins[0]) / step).clamp(0, len(bins) - 1)
    lower = place.floor().long().clamp(max=len(bins) - 2)
    share = (place - lower).unsqueeze(1)
    log_policy = torch.log_softmax(outputs.value_logits, dim=1)
    below = log_policy.gather(1, lower.unsqueeze(1))
    above = log_policy.gather(1, lower.unsqueeze(1) + 1)
    return -((1 - share) * below + share * above).mean()


def auxiliary_loss(head: AuxiliaryHead, outputs: Outputs, targets: Targets) -> Tensor:
    """Return the cross-entropy of classes, or the squared error of numbers."""
    predicted, wanted = outputs.auxiliary[head.name], targets.auxiliary[head.name]
    if head.kind == "classes":
        return torch.nn.functional.cross_entropy(predicted, wanted[:, 0].long())
    return torch.nn.functional.mse_loss(predicted, wanted)


def calibration_error(predicted: Tensor, values: Tensor) -> float:
    """Return how far predictions are from what came, on average over groups of like predictions."""
    order = predicted.argsort()
    groups = order.tensor_split(CALIBRATION_BINS)
    gaps = [
        (predicted[group].mean() - values[group].mean()).abs() for group in groups if len(group)
    ]
    return float(torch.stack(gaps).mean())
