"""Writes an ONNX graph layer by layer, in float or with 8-bit numbers.

The 8-bit form puts a pair QuantizeLinear, DequantizeLinear behind every layer and before every
weight. These are standard operators that say exactly how each number is rounded; ONNX Runtime
fuses each layer into one integer kernel. Its results do not depend on the other rows of a
batch, as they would if each batch chose a scale of its own (`docs/decisions/0010`).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper, numpy_helper

Range = tuple[float, float]

OPSET = 17
IR_VERSION = 8  # of the same time as the opset, so that older runtimes read the file too

WEIGHT_LIMIT = 127
"""Greatest 8-bit weight, and greatest sum of two neighbours (`round_weight`)."""

LEVELS = 255
OBSERVATIONS = "observations"
VALUE = "value"


class Graph:
    """Nodes and constants of a model in the making. A tensor is known by its name."""

    def __init__(self, ranges: Sequence[Range] | None) -> None:
        """Begin a graph.

        Args:
            ranges: Least and greatest number after each layer, for 8 bits; None for float.
        """
        self.layers: list[str] = []
        """The tensor after each layer, in the order of `ranges`."""

        self._ranges = None if ranges is None else list(ranges)
        self._scales: dict[str, float] = {}  # of tensors in 8 bits
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add a node with one output, and return the output."""
        output = f"{operator.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def constant(self, array: npt.ArrayLike, dtype: npt.DTypeLike = np.float32) -> str:
        """Add a constant."""
        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.asarray(array, dtype), name))
        return name

    def output(self, tensor: str, name: str) -> None:
        """Give a tensor the name of an output."""
        self._nodes.append(helper.make_node("Identity", [tensor], [name]))

    def layer(self, tensor: str) -> str:
        """End a layer: in 8 bits, round what it gives."""
        number = len(self.layers)
        self.layers.append(tensor)
        if self._ranges is None:
            return tensor
        scale, zero = scale_of(self._ranges[number])
        pair = (self.constant(scale), self.constant(zero, np.uint8))
        rounded = self.node("DequantizeLinear", self.node("QuantizeLinear", tensor, *pair), *pair)
        self._scales[rounded] = scale
        return rounded

    def reshape(self, tensor: str, *shape: int) -> str:
        """Give the rows of a batch another shape."""
        reshaped = self.node("Reshape", tensor, self.constant([-1, *shape], np.int64))
        if tensor in self._scales:
            self._scales[reshaped] = self._scales[tensor]
        return reshaped

    def dense(self, tensor: str, weight: npt.NDArray[Any], bias: npt.NDArray[Any]) -> str:
        """Multiply by a weight [outputs, inputs], and add a bias."""
        return self.node("Gemm", tensor, *self._weights(tensor, weight.T, bias, axis=1))

    def convolve(self, tensor: str, weight: npt.NDArray[Any], bias: npt.NDArray[Any]) -> str:
        """Convolve [B, C, H, W] with a weight [outputs, C, h, w], keeping the board's size."""
        height, width = (size // 2 for size in weight.shape[2:])
        weights = self._weights(tensor, weight, bias, axis=0)
        return self.node("Conv", tensor, *weights, pads=[height, width, height, width])

    def _weights(
        self, tensor: str, weight: npt.NDArray[Any], bias: npt.NDArray[Any], *, axis: int
    ) -> tuple[str, str]:
        """Add weight and bias; in 8 bits with a scale for each output, along `axis`."""
        if tensor not in self._scales:
            return self.constant(weight), self.constant(bias)
        rounded, scales = round_weight(weight, axis)
        bias_scales = scales * self._scales[tensor]
        limit = np.iinfo(np.int32).max
        rounded_bias = np.clip(np.rint(bias / bias_scales), -limit, limit)
        return (
            self._dequantised(rounded, scales, np.int8, axis),
            self._dequantised(rounded_bias, bias_scales, np.int32, 0),
        )

    def _dequantised(
        self, array: npt.ArrayLike, scales: npt.NDArray[Any], dtype: npt.DTypeLike, axis: int
    ) -> str:
        zeros = self.constant(np.zeros(len(scales)), dtype)
        rounded = self.constant(array, dtype)
        return self.node("DequantizeLinear", rounded, self.constant(scales), zeros, axis=axis)

    def model(
        self, num_features: int, outputs: dict[str, tuple[int, ...]], metadata: dict[str, str]
    ) -> onnx.ModelProto:
        """Return the model from observations [B, F] to outputs [B, ...]."""
        graph = helper.make_graph(
            self._nodes,
            "spiel_bot",
            [value_info(OBSERVATIONS, (num_features,))],
            [value_info(name, shape) for name, shape in outputs.items()],
            self._constants,
        )
        opsets = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
        helper.set_model_props(model, metadata)
        return model


def value_info(name: str, shape: tuple[int, ...]) -> onnx.ValueInfoProto:
    """Describe an input or output with a row for each observation."""
    return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch", *shape])


def scale_of(values: Range) -> tuple[float, int]:
    """Return what one step of 8 bits is worth, and the step that means 0."""
    low, high = min(values[0], 0.0), max(values[1], 0.0)
    scale = float(np.float32((high - low) / LEVELS)) or 1.0  # 1 for a layer that only gives 0
    return scale, round(-low / scale)


def round_weight(
    weight: npt.NDArray[Any], axis: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Return a weight in 8 bits, and what a step is worth for each output along `axis`.

    Processors without VNNI add two neighbouring products in 16 bits, in silence beyond them. So
    two neighbours together stay within one weight's limit: 255 * 127 fits. A dense weight
    [inputs, outputs] has the neighbours in its rows; of a convolution nobody says which they are.
    """
    sizes = np.abs(weight).reshape(weight.shape[0], -1)
    if axis == 0:
        largest = 2 * sizes.max(axis=1)
    else:
        largest = (sizes + np.roll(sizes, -1, axis=0))[::2].max(axis=0)
    scales = (largest / WEIGHT_LIMIT).astype(np.float32)
    scales[scales == 0] = 1.0
    rounded = np.rint(weight / scales.reshape([-1 if i == axis else 1 for i in range(weight.ndim)]))
    return rounded.astype(np.int8), scales
