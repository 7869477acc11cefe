"""A checkpoint as an ONNX model: the same outputs as torch, in milliseconds, without torch.

Written with `onnx.helper`: `torch.onnx` takes seconds and more packages, for networks this plain.
"""

from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import onnx

from spiel_bot import __version__
from spiel_bot.errors import BadRequestError, CheckpointError
from spiel_bot.networks.checkpoint import HEADER_KEY, Arrays, Checkpoint
from spiel_bot.networks.graph import OBSERVATIONS, VALUE, Graph
from spiel_bot.networks.shapes import num_layers

Precision = Literal["int8", "float"]

PRECISION_KEY = "precision"
NORM_EPSILON = 1e-5  # torch's default

Float32s = npt.NDArray[np.float32]


def model_bytes(
    checkpoint: Checkpoint, precision: Precision = "int8", *, auxiliary: bool = False
) -> bytes:
    """Return the ONNX model of a checkpoint.

    Args:
        checkpoint: With ranges (`ranges.with_ranges`) if it is to be int8.
        precision: ``int8``, or ``float`` for the same outputs as torch.
        auxiliary: Whether it also has the outputs that are only learned from.

    Raises:
        CheckpointError: An int8 model is asked for, and the checkpoint has no ranges.
    """
    expect_precision(precision)
    header = checkpoint.header
    if precision == "int8" and len(header.ranges) != num_layers(header.network):
        raise CheckpointError(
            f"int8 expects the ranges of {num_layers(header.network)} layers, the checkpoint has "
            f"{len(header.ranges)}; save it with a sample of observations, or use precision float"
        )
    model, _ = new_model(checkpoint, precision, auxiliary=auxiliary)
    model.producer_name, model.producer_version = "spiel_bot", __version__
    return bytes(model.SerializeToString())


def new_model(
    checkpoint: Checkpoint, precision: Precision, *, auxiliary: bool
) -> tuple[onnx.ModelProto, list[str]]:
    """Return the model, and the names of the tensors behind its layers."""
    header, arrays = checkpoint.header, checkpoint.arrays
    graph = Graph(header.ranges if precision == "int8" else None)
    trunk = {"mlp": mlp, "resnet": resnet, "conv": conv}[header.network.architecture]
    inner = trunk(graph, checkpoint)
    add_value(graph, checkpoint, inner)
    outputs: dict[str, tuple[int, ...]] = {VALUE: ()}
    if header.network.has_policy:
        graph.output(graph.dense(inner, *affine(arrays, "heads.policy")), "logits")
        outputs = {"logits": (header.num_actions,)} | outputs
    for head in header.network.heads if auxiliary else ():
        name = f"auxiliary_{head.name}"
        weights = affine(arrays, f"heads.auxiliary.{head.name}")
        graph.output(graph.dense(inner, *weights), name)
        outputs[name] = (head.size,)
    metadata = {HEADER_KEY: header.as_json(), PRECISION_KEY: precision}
    num_features = int(np.prod(header.observation_shape))
    return graph.model(num_features, outputs, metadata), graph.layers


def mlp(graph: Graph, checkpoint: Checkpoint) -> str:
    """Write the layers of `mlp.py`."""
    inner = graph.layer(OBSERVATIONS)
    for i in range(len(checkpoint.header.network.hidden_sizes)):
        weights = affine(checkpoint.arrays, f"trunk.layers.{i}")
        inner = graph.layer(graph.node("Relu", graph.dense(inner, *weights)))
    return inner


def resnet(graph: Graph, checkpoint: Checkpoint) -> str:
    """Write the layers of `resnet.py`."""
    arrays = checkpoint.arrays
    stem = graph.dense(graph.layer(OBSERVATIONS), *affine(arrays, "trunk.stem"))
    inner = graph.layer(graph.node("Relu", stem))
    for i in range(checkpoint.header.network.blocks):
        block = f"trunk.blocks.{i}"
        first = graph.dense(inner, *folded(arrays, f"{block}.first"))
        first = graph.layer(graph.node("Relu", first))
        second = graph.layer(graph.dense(first, *folded(arrays, f"{block}.second")))
        inner = graph.layer(graph.node("Relu", graph.node("Add", inner, second)))
    return inner


def conv(graph: Graph, checkpoint: Checkpoint) -> str:
    """Write the layers of `conv.py`; a board of one dimension becomes one of a single row.

    ONNX Runtime has faster kernels for two dimensions: half as much again (float, batch 256).
    """
    arrays, header = checkpoint.arrays, checkpoint.header
    planes, *board = header.observation_shape
    height, width = board if len(board) == 2 else (1, *board)
    inner = graph.layer(graph.reshape(OBSERVATIONS, planes, height, width))
    stem = graph.convolve(inner, *on_rows(*folded(arrays, "trunk.stem")))
    inner = graph.layer(graph.node("Relu", stem))
    for i in range(header.network.blocks):
        block = f"trunk.blocks.{i}"
        first = graph.convolve(inner, *on_rows(*folded(arrays, f"{block}.first")))
        first = graph.layer(graph.node("Relu", first))
        second = on_rows(*folded(arrays, f"{block}.second"))
        outer = graph.layer(graph.convolve(first, *second))
        inner = graph.layer(graph.node("Relu", graph.node("Add", inner, outer)))
    flat = graph.reshape(inner, header.network.channels * height * width)
    dense = graph.dense(flat, *affine(arrays, "trunk.dense"))
    return graph.layer(graph.node("Relu", dense))


def add_value(graph: Graph, checkpoint: Checkpoint, inner: str) -> None:
    """Write the value head of `heads.py`."""
    header = checkpoint.header
    least, most = header.return_range
    scores = graph.dense(inner, *affine(checkpoint.arrays, "heads.value"))
    if header.network.value_head == "categorical":
        bins = np.linspace(least, most, header.network.value_bins)
        chances = graph.node("Softmax", scores, axis=1)
        graph.output(graph.node("MatMul", chances, graph.constant(bins)), VALUE)
        return
    value = graph.reshape(graph.node("Tanh", scores))
    if (least, most) != (-1.0, 1.0):
        value = graph.node("Mul", value, graph.constant((most - least) / 2))
        value = graph.node("Add", value, graph.constant((most + least) / 2))
    graph.output(value, VALUE)


def affine(arrays: Arrays, name: str) -> tuple[Float32s, Float32s]:
    """Return weight and bias of a layer."""
    return arrays[f"{name}.weight"], arrays[f"{name}.bias"]


def folded(arrays: Arrays, name: str) -> tuple[Float32s, Float32s]:
    """Return weight and bias of a layer together with the batch norm behind it."""
    norm: dict[str, Any] = {
        part: arrays[f"{name}_norm.{part}"].astype(np.float64)
        for part in ("weight", "bias", "running_mean", "running_var")
    }
    factor = norm["weight"] / np.sqrt(norm["running_var"] + NORM_EPSILON)
    weight = arrays[f"{name}.weight"]
    scaled = weight * factor.reshape(-1, *[1] * (weight.ndim - 1))
    bias = norm["bias"] - norm["running_mean"] * factor
    return scaled.astype(np.float32), bias.astype(np.float32)


def on_rows(weight: Float32s, bias: Float32s) -> tuple[Float32s, Float32s]:
    """Return a convolution in two dimensions; one in a single dimension gets a height of 1."""
    return (weight[:, :, None, :] if weight.ndim == 3 else weight), bias


def expect_precision(precision: str) -> None:
    """Refuse a precision that does not exist.

    Raises:
        BadRequestError: It does not.
    """
    if precision not in get_args(Precision):
        raise BadRequestError(f"expected precision int8 or float, got {precision!r}")
