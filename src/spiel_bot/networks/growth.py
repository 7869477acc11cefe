"""Larger networks that begin where a smaller one has ended.

Chen, Goodfellow and Shlens, "Net2Net" (2016): new units listen at random and are not listened to
yet, and a new layer passes on what came before it. So the larger network says the same at first,
and has room to learn more. Inputs may be added behind those it knows, in the same way.
"""

import operator

import numpy as np

from spiel_bot.errors import CheckpointError
from spiel_bot.games.base import GameSpec
from spiel_bot.networks.checkpoint import Arrays, Checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.header import Header
from spiel_bot.networks.initial import first_arrays

INPUTS = "trunk.layers.0.weight"


def grown(checkpoint: Checkpoint, network: NetworkConfig, seed: int, source: str) -> Checkpoint:
    """Return a larger network, or one of the same size, that says what a checkpoint says.

    Args:
        checkpoint: A perceptron that judges rolls, or any network of the same size.
        network: The size wanted: at least as many layers, each at least as wide, and two units
            for each output of the value in those that are new.
        seed: Of the weights of new units.
        source: What to call the checkpoint in messages.

    Raises:
        CheckpointError: It cannot grow into this.
    """
    if network == checkpoint.header.network:
        return checkpoint
    expect_growth(checkpoint.header.network, network, source)
    header = checkpoint.header.replace(network=network, ranges=())
    old, arrays = checkpoint.arrays, first_arrays(header.shapes(), seed)
    known = old["heads.value.weight"].shape[1]  # units of the last layer that are listened to
    layers = len(checkpoint.header.network.hidden_sizes)
    for i in range(layers):
        widen(arrays, old, f"trunk.layers.{i}")
    if len(network.hidden_sizes) > layers:
        deepen(arrays, old, range(layers, len(network.hidden_sizes)), known)
    else:
        widen(arrays, old, "heads.value")
    return Checkpoint(header, arrays)


def wider_header(header: Header, spec: GameSpec) -> Header:
    """Return the header of the network with the inputs of a game whose observation begins as its.

    It is returned as it is if the observations are the same, or no such two.
    """
    for option, shorter in spec.shorter_observations.items():
        if shorter.get(header.options.get(option, "")) == header.observation_version:
            return header.replace(
                options={**header.options, option: spec.options[option]},
                observation_version=spec.observation_version,
                observation_shape=tuple(spec.observation_shape),
                observation_range=spec.observation_range,
                ranges=(),
            )
    return header


def with_wider_inputs(checkpoint: Checkpoint, spec: GameSpec) -> Checkpoint:
    """Return a perceptron for an observation that begins as its own; it passes over what is new.

    Any other network, and one for another observation, is returned as it is.
    """
    if checkpoint.header.network.architecture != "mlp":
        return checkpoint
    header = wider_header(checkpoint.header, spec)
    if header is checkpoint.header:
        return checkpoint
    old = checkpoint.arrays[INPUTS]
    weight = np.zeros((len(old), spec.observation_size), np.float32)
    weight[:, : old.shape[1]] = old
    return Checkpoint(header, checkpoint.arrays | {INPUTS: weight})


def expect_growth(old: NetworkConfig, new: NetworkConfig, source: str) -> None:
    """Refuse a network that has no room for the old one, or that is of another kind.

    Raises:
        CheckpointError: It is.
    """
    for name, growing in (("architecture", "mlp"), ("judges", "rolls"), ("auxiliary", ())):
        for whose, config in (("its", old), ("the new", new)):
            value = getattr(config, name)
            if value != growing:
                raise CheckpointError(
                    f"{source} cannot grow into the network wanted: {whose} {name} is {value}, "
                    f"expected {growing}; a network of the same size needs no growing"
                )
    for name in ("value_head", "value_bins"):
        was, wanted = getattr(old, name), getattr(new, name)
        if was != wanted:
            raise CheckpointError(
                f"{source} cannot grow into the network wanted: expected {name} {was}, got {wanted}"
            )
    outputs = new.value_bins if new.value_head == "categorical" else 1
    layers = len(old.hidden_sizes)
    least = [*old.hidden_sizes, *[2 * outputs] * (len(new.hidden_sizes) - layers)]
    if len(new.hidden_sizes) < layers or any(map(operator.lt, new.hidden_sizes, least)):
        raise CheckpointError(
            f"{source} cannot grow into the network wanted: expected hidden sizes of at least "
            f"{least}, got {list(new.hidden_sizes)}"
        )


def widen(arrays: Arrays, old: Arrays, name: str) -> None:
    """Put a layer into a larger one; its units do not listen to new ones below."""
    weight, bias = arrays[f"{name}.weight"], arrays[f"{name}.bias"]
    units, inputs = old[f"{name}.weight"].shape
    weight[:units, :] = 0.0
    weight[:units, :inputs] = old[f"{name}.weight"]
    bias[:units] = old[f"{name}.bias"]


def deepen(arrays: Arrays, old: Arrays, layers: range, known: int) -> None:
    """Let new layers pass on what the value head would have read off the last old one.

    What is positive of it goes through one unit for each output, and what is negative through
    another, because units are never below 0.
    """
    head, offset = old["heads.value.weight"], old["heads.value.bias"]
    outputs = len(head)
    first = f"trunk.layers.{layers[0]}"
    rows = slice(0, 2 * outputs)
    arrays[f"{first}.weight"][rows] = 0.0
    arrays[f"{first}.weight"][rows, :known] = np.concatenate([head, -head])
    arrays[f"{first}.bias"][rows] = np.concatenate([offset, -offset])
    for i in layers[1:]:
        arrays[f"trunk.layers.{i}.weight"][rows] = 0.0
        arrays[f"trunk.layers.{i}.weight"][rows, rows] = np.eye(2 * outputs)
    last = arrays["heads.value.weight"]
    last[:] = 0.0
    last[:, rows] = np.concatenate([np.eye(outputs), -np.eye(outputs)], axis=1)
    arrays["heads.value.bias"][:] = 0.0
