"""Several perceptrons of values as one, which says the mean of what they say.

Networks that learned apart err apart, so their mean errs less than each of them.
"""

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import CheckpointError
from spiel_bot.games.base import Floats
from spiel_bot.networks.checkpoint import Checkpoint
from spiel_bot.networks.config import NetworkConfig

FIRST = "trunk.layers.0"
HEAD = "heads.value"


def joined(checkpoints: Sequence[Checkpoint]) -> Checkpoint:
    """Return one network that has the units of all; they meet in the value alone.

    What is averaged is what the head says before its tanh. One alone is returned as it is.

    Args:
        checkpoints: As `expect_joinable` wants them.
    """
    first = checkpoints[0]
    if len(checkpoints) == 1:
        return first
    networks = [checkpoint.header.network for checkpoint in checkpoints]
    sizes = joined_sizes(networks)
    header = first.header.replace(network=_resized(networks[0], sizes), ranges=(), step=0)
    layers = [f"trunk.layers.{i}" for i in range(len(sizes))]
    arrays = {}
    for name in layers:
        weights = [one.arrays[f"{name}.weight"] for one in checkpoints]
        # All see the observation; after that each listens to its own units.
        weight = np.concatenate(weights) if name == FIRST else side_by_side(weights)
        arrays[f"{name}.weight"] = weight
        arrays[f"{name}.bias"] = np.concatenate([one.arrays[f"{name}.bias"] for one in checkpoints])
    heads = [one.arrays[f"{HEAD}.weight"] for one in checkpoints]
    arrays[f"{HEAD}.weight"] = np.concatenate(heads, axis=1) / np.float32(len(heads))
    offsets = [one.arrays[f"{HEAD}.bias"] for one in checkpoints]
    arrays[f"{HEAD}.bias"] = np.stack(offsets).mean(axis=0)
    return Checkpoint(header, arrays)


def joined_sizes(networks: Sequence[NetworkConfig]) -> tuple[int, ...]:
    """Return the units of each layer of the joined network."""
    return tuple(map(sum, zip(*(network.hidden_sizes for network in networks), strict=True)))


def expect_joinable(first: NetworkConfig, other: NetworkConfig, source: str) -> None:
    """Refuse a network that cannot be joined with the first of several.

    Args:
        first: A perceptron that judges rolls, its value behind a tanh.
        other: One with as many layers.
        source: What to call them in messages.

    Raises:
        CheckpointError: One of them is something else.
    """
    for network in (first, other):
        for name, expected in (
            ("architecture", "mlp"),
            ("judges", "rolls"),
            ("auxiliary", ()),
            ("value_head", "tanh"),
        ):
            value = getattr(network, name)
            if value != expected:
                raise CheckpointError(
                    f"{source} cannot be joined: expected {name} {expected}, got {value}"
                )
    layers, others = len(first.hidden_sizes), len(other.hidden_sizes)
    if layers != others:
        raise CheckpointError(
            f"{source} cannot be joined: expected as many layers each, got {layers} and {others}"
        )


def narrowed(checkpoint: Checkpoint, width: int, seen: Floats) -> Checkpoint:
    """Return the network with so many units of its first layer: those that speak most often.

    Noisy targets silence many units (`docs/decisions/0010`). Without those that say nothing about
    any of the positions, the network says the same about all of them, and is quicker. If more
    speak than there is room for, what is left of the others is what they say on average.

    Args:
        checkpoint: A perceptron.
        width: Units to keep, in their order.
        seen: [S, F] positions of its own games.
    """
    weight, bias = checkpoint.arrays[f"{FIRST}.weight"], checkpoint.arrays[f"{FIRST}.bias"]
    spoken = np.maximum(seen @ weight.T + bias, 0.0)
    order = np.argsort(-np.count_nonzero(spoken, axis=0), kind="stable")
    kept, lost = np.sort(order[:width]), order[width:]
    network = checkpoint.header.network
    header = checkpoint.header.replace(
        network=_resized(network, (width, *network.hidden_sizes[1:])), ranges=()
    )
    above = HEAD if len(network.hidden_sizes) == 1 else "trunk.layers.1"
    listening = checkpoint.arrays[f"{above}.weight"]
    on_average = listening[:, lost] @ spoken[:, lost].mean(axis=0)
    arrays = checkpoint.arrays | {
        f"{FIRST}.weight": weight[kept],
        f"{FIRST}.bias": bias[kept],
        f"{above}.weight": np.ascontiguousarray(listening[:, kept]),
        f"{above}.bias": checkpoint.arrays[f"{above}.bias"] + on_average,
    }
    return Checkpoint(header, arrays)


def side_by_side(weights: Sequence[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    """Return the weights of layers that do not listen to each other, as one layer's.

    >>> side_by_side([np.ones((1, 2)), np.ones((2, 1))]).astype(int).tolist()
    [[1, 1, 0], [0, 0, 1], [0, 0, 1]]
    """
    units, inputs = np.sum([weight.shape for weight in weights], axis=0)
    out = np.zeros((units, inputs), np.float32)
    unit, place = 0, 0
    for weight in weights:
        out[unit : unit + weight.shape[0], place : place + weight.shape[1]] = weight
        unit += weight.shape[0]
        place += weight.shape[1]
    return out


def _resized(network: NetworkConfig, sizes: tuple[int, ...]) -> NetworkConfig:
    return dataclasses.replace(network, hidden_sizes=sizes)
