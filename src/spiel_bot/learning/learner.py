"""The learner: gradient steps on batches of replay, and everything needed to go on after a kill."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import LearningError, SettingsError
from spiel_bot.games.base import Floats
from spiel_bot.learning.losses import (
    Targets,
    auxiliary_loss,
    calibration_error,
    policy_loss,
    result,
    value_loss,
)
from spiel_bot.learning.replay import Batch
from spiel_bot.networks.checkpoint import Checkpoint
from spiel_bot.networks.heads import Outputs
from spiel_bot.networks.network import Network
from spiel_bot.networks.pytorch import Tensor, torch

Arrays = dict[str, npt.NDArray[Any]]
Schedule = Literal["constant", "cosine", "step"]

STEPS_DOWN = (0.5, 0.75)
"""Where in a run the step schedule divides the rate by ten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerConfig:
    """How weights are changed. The sentence under a field is also its help text."""

    batch_size: int = 512
    """Decisions of one gradient step."""

    learning_rate: float = 1e-3
    """Rate of Adam at the start."""

    schedule: Schedule = "cosine"
    """How the rate falls over the run: constant, cosine, or step (a tenth at 1/2 and 3/4)."""

    weight_decay: float = 1e-4
    """Pull of all weights towards zero, apart from the loss."""

    gradient_clip: float = 1.0
    """Largest norm of a gradient; larger ones are scaled down."""

    ema: float = 0.995
    """Share of the old in the averaged weights that play, at each step; 0 plays the newest."""

    value_weight: float = 1.0
    """Weight of the value in the loss."""

    policy_weight: float = 1.0
    """Weight of the policy in the loss."""

    auxiliary_weight: float = 0.2
    """Weight of each auxiliary head in the loss."""

    device: str = "auto"
    """Where to compute: auto (a GPU if there is one), cpu, cuda."""

    def __post_init__(self) -> None:
        """Refuse what cannot be learned with.

        Raises:
            SettingsError: A value is outside its range.
        """
        if self.batch_size < 2:  # batch norm needs two
            raise SettingsError(f"batch_size: expected at least 2, got {self.batch_size}")
        for name in ("learning_rate", "gradient_clip"):
            if not getattr(self, name) > 0:
                raise SettingsError(f"{name}: expected above 0, got {getattr(self, name)}")
        for name in ("weight_decay", "value_weight", "policy_weight", "auxiliary_weight"):
            if not getattr(self, name) >= 0:
                raise SettingsError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        if not 0 <= self.ema < 1:
            raise SettingsError(f"ema: expected 0 up to 1, got {self.ema}")


class Learner:
    """A network, its optimiser and the averaged weights that play."""

    def __init__(self, network: Network, config: LearnerConfig, total_steps: int) -> None:
        """Take over a network; `total_steps` is the length of the schedule."""
        torch.set_num_threads(1)  # the workers fill the other cores
        self.config = config
        self.step = 0
        self._total_steps = max(total_steps, 1)
        self._device = device_of(config.device)
        self._network = network.to(self._device)
        self._network.train()
        self._optimiser = torch.optim.AdamW(
            self._network.parameters(),
            lr=config.learning_rate,
            weight_decay=config.weight_decay,
            fused=True,
        )
        self._average = {
            name: tensor.detach().clone() for name, tensor in self._network.state_dict().items()
        }

    def begin_with(self, checkpoint: Checkpoint) -> None:
        """Take over weights before the first step.

        Raises:
            CheckpointError: They are those of another network.
        """
        self._network.load_arrays(checkpoint)
        for name, tensor in self._network.state_dict().items():
            self._average[name].copy_(tensor)

    @property
    def rate(self) -> float:
        """Learning rate of the next step."""
        config = self.config
        done = min(self.step / self._total_steps, 1.0)
        if config.schedule == "cosine":
            return config.learning_rate * (0.01 + 0.99 * 0.5 * (1.0 + math.cos(math.pi * done)))
        if config.schedule == "step":
            return config.learning_rate * 0.1 ** sum(done >= bound for bound in STEPS_DOWN)
        return config.learning_rate

    def learn(self, batch: Batch) -> dict[str, float]:
        """Take one gradient step; return losses and figures.

        Raises:
            LearningError: The loss is not finite; the weights are those before the step.
        """
        config = self.config
        targets = self._tensors(batch)
        for group in self._optimiser.param_groups:
            group["lr"] = self.rate
        outputs = self._network(targets.observations)
        if targets.odds is not None:
            outputs, targets = self._as_results(outputs, targets, targets.odds)
        policy, entropy, kl = policy_loss(outputs, targets)
        value = value_loss(outputs, targets.values, self._network.heads.bins)
        loss = config.policy_weight * policy + config.value_weight * value
        auxiliary = {
            head.name: auxiliary_loss(head, outputs, targets)
            for head in self._network.header.network.heads
        }
        for head_loss in auxiliary.values():
            loss = loss + config.auxiliary_weight * head_loss
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(self._network.parameters(), config.gradient_clip)
        if not (torch.isfinite(loss.detach()) and torch.isfinite(norm)):
            raise LearningError(
                f"the loss became {float(loss.detach())} at step {self.step}; the last checkpoint "
                "is whole: resume with a lower learning_rate"
            )
        self._optimiser.step()
        self.step += 1
        self._update_average()
        return {
            "loss": float(loss.detach()),
            "policy_loss": float(policy.detach()),
            "value_loss": float(value.detach()),
            "policy_entropy": float(entropy.detach()),
            "policy_kl": float(kl.detach()),
            "value_calibration": calibration_error(outputs.value.detach(), targets.values),
            "gradient_norm": float(norm),
            "learning_rate": self.rate,
        } | {f"{name}_loss": float(head_loss.detach()) for name, head_loss in auxiliary.items()}

    def _as_results(
        self, outputs: Outputs, targets: Targets, odds: Tensor
    ) -> tuple[Outputs, Targets]:
        """Return what the network said and should have said, values as results they stand for."""
        heads = self._network.heads
        said = result(outputs.value, odds, heads.centre, heads.spread)
        wanted = result(targets.values, odds, heads.centre, heads.spread)
        return outputs._replace(value=said), targets._replace(values=wanted)

    def _tensors(self, batch: Batch) -> Targets:
        """Return a batch as tensors on the device."""

        def tensor(array: npt.NDArray[Any]) -> Tensor:
            return torch.from_numpy(array).to(self._device)

        return Targets(
            observations=tensor(batch.observations),
            policies=tensor(batch.policies),
            is_legal=tensor(batch.is_legal),
            values=tensor(batch.values),
            auxiliary={name: tensor(array) for name, array in batch.auxiliary.items()},
            odds=None if batch.odds is None else tensor(batch.odds),
        )

    def _update_average(self) -> None:
        """Move the averaged weights towards the newest; early on, faster."""
        keep = min(self.config.ema, (1.0 + self.step) / (10.0 + self.step))
        for name, tensor in self._network.state_dict().items():
            average = self._average[name]
            if tensor.is_floating_point() and self.config.ema > 0:
                average.lerp_(tensor, 1.0 - keep)
            else:
                average.copy_(tensor)

    def checkpoint(self, sample: Floats) -> Checkpoint:
        """Return the averaged weights, ready to play.

        Args:
            sample: [S, F] typical observations, for models of 8 bits.
        """
        newest = {name: tensor.clone() for name, tensor in self._network.state_dict().items()}
        self._network.load_state_dict(self._average)
        try:
            return self._network.checkpoint(step=self.step, sample=sample)
        finally:
            self._network.load_state_dict(newest)

    def state(self) -> Arrays:
        """Return everything that the next step depends on."""
        arrays: Arrays = {"step": np.array(self.step)}
        for name, tensor in self._network.state_dict().items():
            arrays[f"network/{name}"] = tensor.detach().cpu().numpy().copy()
            arrays[f"average/{name}"] = self._average[name].cpu().numpy().copy()
        for number, values in self._optimiser.state_dict()["state"].items():
            for name, tensor in values.items():
                arrays[f"adam/{number}/{name}"] = tensor.detach().cpu().numpy().copy()
        return arrays

    def restore(self, arrays: Arrays) -> None:
        """Go on from a state.

        Raises:
            LearningError: It is the state of another network.
        """
        network, average = part_of(arrays, "network/"), part_of(arrays, "average/")
        expected = self._network.state_dict()
        if network.keys() != expected.keys() or any(
            network[name].shape != tuple(tensor.shape) for name, tensor in expected.items()
        ):
            raise LearningError("the saved state belongs to a network of another shape")
        self._network.load_state_dict(
            {name: torch.from_numpy(np.array(array)) for name, array in network.items()}
        )
        for name, array in average.items():
            self._average[name].copy_(torch.from_numpy(np.array(array)))
        adam: dict[int, dict[str, Any]] = {}
        for key, array in part_of(arrays, "adam/").items():
            number, name = key.split("/")
            adam.setdefault(int(number), {})[name] = torch.from_numpy(np.array(array))
        whole = self._optimiser.state_dict()
        self._optimiser.load_state_dict({"state": adam, "param_groups": whole["param_groups"]})
        self.step = int(arrays["step"])


def part_of(arrays: Arrays, prefix: str) -> Arrays:
    """Return the arrays whose name begins so, without that beginning."""
    return {name[len(prefix) :]: array for name, array in arrays.items() if name.startswith(prefix)}


def device_of(name: str) -> Any:
    """Return the device of this name; auto is a GPU if there is one.

    Raises:
        SettingsError: There is no such device here.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise SettingsError(f"device: {name!r} is not available here; try auto or cpu") from error
    return device
