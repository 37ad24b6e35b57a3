"""Tiny ONNX graphs, one a kind of layer, with inputs on which every operation shows.

Inputs have negatives and values above one, so that a clamp, an activation or a lost sign is visible, and no
two channels, rows or filters alike, so that a read from the wrong place is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

Array = NDArray[Any]
Shape = tuple[int, ...]

OPSET = 20


@dataclass(frozen=True, eq=False)
class Model:
    """A graph with its inputs in logical shape; `output` is the tensor that is asked for."""

    title: str
    proto: onnx.ModelProto
    inputs: Mapping[str, Array]
    output: str = "y"


@dataclass(frozen=True)
class Layer:
    """One node: inputs and outputs by tensor name; attributes as ONNX has them."""

    op_type: str
    inputs: tuple[str, ...]
    output: str = "y"
    attributes: tuple[tuple[str, Any], ...] = ()


def layer(op_type: str, *inputs: str, to: str = "y", **attributes: Any) -> Layer:
    """A node that writes the tensor `to`; tuples become lists of integers or floats."""
    return Layer(op_type, inputs, to, tuple(attributes.items()))


def model(title: str, layers: Sequence[Layer], inputs: Mapping[str, Array], constants: Mapping[str, Array]) -> Model:
    """The graph of `layers`; nodes are named after what they write, the last one's tensor is the output."""
    graph = helper.make_graph(
        [
            helper.make_node(each.op_type, list(each.inputs), [each.output], name=each.output, **dict(each.attributes))
            for each in layers
        ],
        title,
        [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, x.shape) for name, x in inputs.items()],
        [onnx.ValueInfoProto(name=layers[-1].output)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    return Model(title, proto, dict(inputs), layers[-1].output)


def noise(*shape: int, seed: int = 0, scale: float = 1.0, shift: float = 0.0) -> NDArray[np.float32]:
    """float32 of that shape: normal, `scale` wide, around `shift`."""
    values = np.random.default_rng([seed, *shape]).standard_normal(shape)
    return (values * scale + shift).astype(np.float32)


def _activated(layers: list[Layer], activation: str, **attributes: Any) -> list[Layer]:
    """Adds `activation` as the last node, if there is one."""
    if not activation:
        return layers
    last = layers[-1]
    before = Layer(last.op_type, last.inputs, "sum", last.attributes)
    return [*layers[:-1], before, layer(activation, "sum", **attributes)]


@cache
def conv(
    shape: Shape = (1, 5, 9, 12),
    outputs: int = 6,
    kernel: int = 3,
    *,
    stride: int = 1,
    pads: Shape = (),
    dilation: int = 1,
    group: int = 1,
    bias: bool = True,
    activation: str = "",
    scale: float = 1.0,
) -> Model:
    """Convolution, with an activation if asked; `pads` default to half the kernel on every side."""
    weights = noise(outputs, shape[1] // group, kernel, kernel, seed=1, scale=scale / kernel)
    constants = {"w": weights} | ({"b": noise(outputs, seed=2, scale=1.5)} if bias else {})
    pads = pads or (kernel // 2 * dilation,) * 4
    node = layer(
        "Conv", "x", *constants, pads=pads, strides=(stride,) * 2, dilations=(dilation,) * 2, group=group,
        kernel_shape=(kernel,) * 2,
    )  # fmt: skip
    extra = {"alpha": 0.2} if activation == "LeakyRelu" else {}
    title = f"Conv {_text(shape)} to {outputs}, {kernel}x{kernel}, stride {stride}, pads {_text(pads)}"
    title += f", dilation {dilation}, group {group}{', bias' if bias else ''} {activation} x{scale}"
    return model(title, _activated([node], activation, **extra), {"x": noise(*shape, scale=1.5)}, constants)


@cache
def conv_transpose(
    shape: Shape = (1, 4, 5, 6),
    outputs: int = 3,
    kernel: int = 4,
    *,
    stride: int = 2,
    pad: int = 1,
    group: int = 1,
    bias: bool = True,
    activation: str = "",
) -> Model:
    """Builds transposed convolution; by default the one that doubles width and height."""
    weights = noise(shape[1], outputs // group, kernel, kernel, seed=1, scale=1.0 / kernel)
    constants = {"w": weights} | ({"b": noise(outputs, seed=2, scale=1.5)} if bias else {})
    node = layer(
        "ConvTranspose", "x", *constants, pads=(pad,) * 4, strides=(stride,) * 2, group=group,
        kernel_shape=(kernel,) * 2,
    )  # fmt: skip
    title = f"ConvTranspose {_text(shape)} to {outputs}, {kernel}x{kernel}, stride {stride}, pad {pad}, group {group}"
    title += f"{', bias' if bias else ''} {activation}"
    return model(title, _activated([node], activation), {"x": noise(*shape, scale=1.5)}, constants)


@cache
def pool(
    op_type: str,
    shape: Shape = (1, 5, 9, 12),
    kernel: int = 3,
    *,
    stride: int = 2,
    pads: Shape = (1, 1, 1, 1),
    count_include_pad: int = 0,
) -> Model:
    """Builds MaxPool or AveragePool."""
    extra: dict[str, Any] = {"count_include_pad": count_include_pad} if op_type == "AveragePool" else {}
    node = layer(op_type, "x", kernel_shape=(kernel,) * 2, strides=(stride,) * 2, pads=pads, **extra)
    title = f"{op_type} {_text(shape)}, {kernel}x{kernel}, stride {stride}, pads {_text(pads)}, {extra}"
    return model(title, [node], {"x": noise(*shape, scale=1.5)}, {})


@cache
def batch_norm(
    shape: Shape = (1, 5, 6, 7), *, epsilon: float = 1e-5, variance: float = 0.02, slope: float = 0.0
) -> Model:
    """Batch normalisation with small variances, so that epsilon counts; LeakyRelu of `slope` after it if not zero."""
    channels = shape[1]
    random = np.random.default_rng([7, *shape])
    constants = {
        "scale": noise(channels, seed=1, scale=0.6, shift=0.5),
        "shift": noise(channels, seed=2),
        "mean": noise(channels, seed=3, scale=0.5),
        "var": (variance * (0.5 + random.random(channels))).astype(np.float32),
    }
    node = layer("BatchNormalization", "x", *constants, epsilon=epsilon)
    layers = _activated([node], "LeakyRelu", alpha=slope) if slope else [node]
    title = f"BatchNormalization {_text(shape)}, epsilon {epsilon}, variance {variance}, slope {slope}"
    return model(title, layers, {"x": noise(*shape, scale=1.5)}, constants)


@cache
def instance_norm(
    shape: Shape = (1, 3, 6, 7), *, epsilon: float = 1e-5, spread: float = 1.5, shift: float = 0.0
) -> Model:
    """Builds instance normalisation of values `spread` wide around `shift`."""
    constants = {"scale": noise(shape[1], seed=1, shift=1.0, scale=0.3), "shift": noise(shape[1], seed=2)}
    node = layer("InstanceNormalization", "x", *constants, epsilon=epsilon)
    title = f"InstanceNormalization {_text(shape)}, epsilon {epsilon}, spread {spread}, shift {shift}"
    return model(title, [node], {"x": noise(*shape, scale=spread, shift=shift)}, constants)


@cache
def softmax(shape: Shape = (2, 10), *, axis: int = -1, scale: float = 2.0) -> Model:
    """Builds Softmax along an axis."""
    title = f"Softmax {_text(shape)}, axis {axis}, scale {scale}"
    return model(title, [layer("Softmax", "x", axis=axis)], {"x": noise(*shape, scale=scale)}, {})


@cache
def concat(channels: Shape = (3, 2, 4), size: Shape = (5, 6)) -> Model:
    """Inputs a, b, c … of those channel counts, joined along the channels."""
    inputs = {
        name: noise(1, count, *size, seed=i) for i, (name, count) in enumerate(zip("abcde", channels, strict=False))
    }
    return model(f"Concat {_text(channels)} of {_text(size)}", [layer("Concat", *inputs, axis=1)], inputs, {})


@cache
def gemm(
    rows: int = 3, inner: int = 10, columns: int = 7, *, bias: bool = True, scale: float = 1.5, shift: float = 0.0
) -> Model:
    """x · w + b, x [rows, inner], w [inner, columns], b around `shift` as far as `scale` says."""
    biases = {"b": noise(columns, seed=2, scale=scale, shift=shift)} if bias else {}
    constants = {"w": noise(inner, columns, seed=1)} | biases
    title = f"Gemm {rows}x{inner}x{columns}{f' bias {shift} {scale}' if bias else ''}"
    return model(title, [layer("Gemm", "x", *constants)], {"x": noise(rows, inner)}, constants)


@cache
def resize(shape: Shape = (1, 3, 5, 6), *, mode: str = "nearest", scale: float = 2) -> Model:
    """Resize by a factor: nearest (asymmetric, floor) or linear (half a pixel)."""
    where = {"mode": mode, "coordinate_transformation_mode": "asymmetric" if mode == "nearest" else "half_pixel"}
    node = layer("Resize", "x", "", "scales", **where, **({"nearest_mode": "floor"} if mode == "nearest" else {}))
    scales = {"scales": np.array([1, 1, scale, scale], dtype=np.float32)}
    return model(f"Resize {_text(shape)} {mode} by {scale}", [node], {"x": noise(*shape)}, scales)


@cache
def pointwise(op_type: str, shape: Shape = (1, 5, 6, 7), *, scale: float = 1.5, **attributes: Any) -> Model:
    """A function of one tensor, element by element (or Pad, Transpose … whose operands are attributes)."""
    title = f"{op_type} {_text(shape)} x{scale} {attributes}"
    return model(title, [layer(op_type, "x", **attributes)], {"x": noise(*shape, scale=scale)}, {})


@cache
def pad(shape: Shape = (1, 3, 5, 6), pads: Shape = (0, 0, 2, 1, 0, 0, 1, 2), mode: str = "constant") -> Model:
    """Pad, with zeros or by `mode`."""
    node = layer("Pad", "x", "pads", mode=mode)
    title = f"Pad {_text(shape)} {mode} by {_text(pads)}"
    return model(title, [node], {"x": noise(*shape)}, {"pads": np.array(pads, dtype=np.int64)})


@cache
def binary(op_type: str, shape: Shape = (1, 5, 6, 7)) -> Model:
    """Builds a function of the two inputs a and b, of one shape."""
    inputs = {"a": noise(*shape, seed=1, scale=1.5), "b": noise(*shape, seed=2, scale=1.5)}
    return model(f"{op_type} {_text(shape)}", [layer(op_type, "a", "b")], inputs, {})


@cache
def prelu(shape: Shape = (1, 6, 6, 6)) -> Model:
    """Builds PRelu with a slope a channel."""
    slope = noise(shape[1], 1, 1, seed=1, scale=0.3, shift=0.2)
    return model(f"PRelu {_text(shape)}", [layer("PRelu", "x", "slope")], {"x": noise(*shape)}, {"slope": slope})


@cache
def branches(shape: Shape = (1, 4, 6, 7), outputs: int = 3) -> Model:
    """Two activations of one input, p and q, of which a 3x3 convolution joins both: p convolved, q added."""
    constants = {"w": noise(outputs, shape[1], 3, 3, seed=1, scale=0.4), "k": noise(outputs, shape[1], 1, 1, seed=3)}
    layers = [
        layer("Tanh", "x", to="p"),
        layer("LeakyRelu", "x", to="q", alpha=0.3),
        layer("Conv", "p", "w", to="r", pads=(1, 1, 1, 1)),
        layer("Conv", "q", "k", to="s"),
        layer("Add", "r", "s"),
    ]
    return model(f"Two branches of {_text(shape)}", layers, {"x": noise(*shape, scale=1.5)}, constants)


def single(
    op_type: str,
    shape: Shape,
    constants: Mapping[str, Array] | None = None,
    *,
    seed: int = 0,
    scale: float = 1.5,
    shift: float = 0.0,
    **attributes: Any,
) -> Model:
    """Builds one node of the input x, normal, `scale` wide around `shift`, and of `constants` in order."""
    known = constants or {}
    inputs = {"x": noise(*shape, seed=seed, scale=scale, shift=shift)}
    operands = ", ".join(f"{name} {'x'.join(map(str, value.shape))}" for name, value in known.items())
    title = f"{op_type} {'x'.join(map(str, shape))} x{scale} + {shift} [{operands}] {attributes}"
    return model(title, [layer(op_type, "x", *known, **attributes)], inputs, known)


def conv_of(shape: Shape, weights: Shape, *, bias: bool = True, op_type: str = "Conv", **attributes: Any) -> Model:
    """A convolution (or ConvTranspose) whose weights have that shape; `attributes` as ONNX has them."""
    fan_in = int(np.prod(weights[1:]))
    constants: dict[str, Array] = {"w": noise(*weights, seed=1, scale=2.0 / fan_in**0.5)}
    if bias:
        outputs = weights[0] if op_type == "Conv" else weights[1] * attributes.get("group", 1)
        constants["b"] = noise(outputs, seed=2, scale=1.5)
    return single(op_type, shape, constants, kernel_shape=weights[2:], **attributes)


@cache
def group_norm(shape: Shape, groups: int, *, epsilon: float = 1e-5, scale: float = 1.5, shift: float = 0.0) -> Model:
    """Group normalisation, a scale and a shift a channel, of the nodes that exporters write for it."""
    batch, channels, *rest = shape
    constants = {
        "split": whole(batch, groups, -1),
        "ones": np.ones(groups, np.float32),
        "zeros": np.zeros(groups, np.float32),
        "whole": whole(*shape),
        "scale": noise(channels, *(1 for _ in rest), seed=1, shift=1.0, scale=0.4),
        "shift": noise(channels, *(1 for _ in rest), seed=2),
    }
    layers = [
        layer("Reshape", "x", "split", to="groups"),
        layer("InstanceNormalization", "groups", "ones", "zeros", to="normal", epsilon=epsilon),
        layer("Reshape", "normal", "whole", to="again"),
        layer("Mul", "again", "scale", to="scaled"),
        layer("Add", "scaled", "shift"),
    ]
    title = f"Group normalisation {'x'.join(map(str, shape))} in {groups}, epsilon {epsilon}, x{scale} + {shift}"
    return model(title, layers, {"x": noise(*shape, scale=scale, shift=shift)}, constants)


def whole(*values: int) -> Array:
    """Axes, sizes or starts as ONNX wants them: int64."""
    return np.array(values, dtype=np.int64)


def _text(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape))
