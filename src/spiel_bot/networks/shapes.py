"""Names and shapes of a network's arrays, known without torch, so that a file can be checked."""

import math

from spiel_bot.networks.config import NetworkConfig

Shapes = dict[str, tuple[int, ...]]


def array_shapes(
    config: NetworkConfig, observation_shape: tuple[int, ...], num_actions: int
) -> Shapes:
    """Return the shape of every array of a network, by its name in torch's state dict."""
    shapes: Shapes = {}
    trunk = {"mlp": _mlp, "resnet": _resnet, "conv": _conv}[config.architecture]
    size = trunk(shapes, config, observation_shape)
    bins = config.value_bins if config.value_head == "categorical" else 1
    if config.has_policy:
        _linear(shapes, "heads.policy", size, num_actions)
    _linear(shapes, "heads.value", size, bins)
    for head in config.heads:
        _linear(shapes, f"heads.auxiliary.{head.name}", size, head.size)
    return shapes


def num_layers(config: NetworkConfig) -> int:
    """Return how many layers are rounded in 8 bits: the observation, and what each layer gives."""
    if config.architecture == "mlp":
        return 1 + len(config.hidden_sizes)
    # A block ends with a sum, which is rounded too; a conv has one more layer behind its blocks.
    return 2 + 3 * config.blocks + (config.architecture == "conv")


def _mlp(shapes: Shapes, config: NetworkConfig, observation_shape: tuple[int, ...]) -> int:
    size = math.prod(observation_shape)
    for i, units in enumerate(config.hidden_sizes):
        _linear(shapes, f"trunk.layers.{i}", size, units)
        size = units
    return size


def _resnet(shapes: Shapes, config: NetworkConfig, observation_shape: tuple[int, ...]) -> int:
    width = config.width
    _linear(shapes, "trunk.stem", math.prod(observation_shape), width)
    for i in range(config.blocks):
        for layer in ("first", "second"):
            shapes[f"trunk.blocks.{i}.{layer}.weight"] = (width, width)
            _norm(shapes, f"trunk.blocks.{i}.{layer}_norm", width)
    return width


def _conv(shapes: Shapes, config: NetworkConfig, observation_shape: tuple[int, ...]) -> int:
    planes, *board = observation_shape
    window = (config.kernel_size,) * len(board)
    channels = config.channels
    shapes["trunk.stem.weight"] = (channels, planes, *window)
    _norm(shapes, "trunk.stem_norm", channels)
    for i in range(config.blocks):
        for layer in ("first", "second"):
            shapes[f"trunk.blocks.{i}.{layer}.weight"] = (channels, channels, *window)
            _norm(shapes, f"trunk.blocks.{i}.{layer}_norm", channels)
    _linear(shapes, "trunk.dense", channels * math.prod(board), config.width)
    return config.width


def _linear(shapes: Shapes, name: str, inputs: int, outputs: int) -> None:
    shapes[f"{name}.weight"] = (outputs, inputs)
    shapes[f"{name}.bias"] = (outputs,)


def _norm(shapes: Shapes, name: str, size: int) -> None:
    for part in ("weight", "bias", "running_mean", "running_var"):
        shapes[f"{name}.{part}"] = (size,)
    shapes[f"{name}.num_batches_tracked"] = ()
