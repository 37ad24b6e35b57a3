"""Expands experimental operators, which compute, fill tensors or take a part of one."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from onnx import TensorProto, helper

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.model_file.contrib.writer import Write, Writer


def affine(node: Writer) -> None:
    """Expands Affine: y = α·x + β. Takes X of any shape."""
    scaled = node.add("Mul", node.x(0), node.constant(node.attribute("alpha", 1.0), label="alpha"), label="scaled")
    node.result(0, node.add("Add", scaled, node.constant(node.attribute("beta", 0.0), label="beta")))


def scale(node: Writer) -> None:
    """Expands Scale: y = scale · x. Takes X of any shape."""
    node.result(0, node.add("Mul", node.x(0), node.constant(node.attribute("scale", 1.0), label="scale")))


def image_scaler(node: Writer) -> None:
    """Expands ImageScaler: y = scale · x + bias of the channel. Takes X [N, C, H, W]; without a bias it is 0."""
    bias = np.asarray(node.attribute("bias", (0.0,) * node.given(0).shape[1]), dtype=np.float32)
    scaled = node.add("Mul", node.x(0), node.constant(node.attribute("scale", 1.0), label="scale"), label="scaled")
    node.result(0, node.add("Add", scaled, node.constant(bias.reshape(1, -1, 1, 1), label="bias")))


def parametric_softplus(node: Writer) -> None:
    """Expands ParametricSoftplus: y = α · ln(1 + e^(β·x)).

    Takes X of any shape. Raises UnsupportedError without α or β, which have no documented default.
    """
    alpha, beta = (node.constant(node.required(name), label=name) for name in ("alpha", "beta"))
    node.result(0, node.add("Mul", node.add("Softplus", node.add("Mul", node.x(0), beta, label="scaled")), alpha))


def scaled_tanh(node: Writer) -> None:
    """Expands ScaledTanh: y = α · tanh(β·x).

    Takes X of any shape. Raises UnsupportedError without α or β, which have no documented default.
    """
    alpha, beta = (node.constant(node.required(name), label=name) for name in ("alpha", "beta"))
    node.result(0, node.add("Mul", node.add("Tanh", node.add("Mul", node.x(0), beta, label="scaled")), alpha))


def thresholded_relu(node: Writer) -> None:
    """Expands ThresholdedRelu before opset 10: the same as since. Takes X of any shape."""
    node.result(0, node.add("ThresholdedRelu", node.x(0), alpha=float(node.attribute("alpha", 1.0))))


def mean_variance_normalization(node: Writer) -> None:
    """Expands MeanVarianceNormalization before opset 9: a channel, or the whole, by mean and deviation over the batch.

    Takes X [N, C, H, W]; with `normalize_variance` of 0 only the mean is subtracted.
    """
    axes = (0, 1, 2, 3) if node.attribute("across_channels", 0) else (0, 2, 3)
    if node.attribute("normalize_variance", 1):
        node.result(0, node.add("MeanVarianceNormalization", node.x(0), axes=list(axes)))
        return
    mean = node.add("ReduceMean", node.x(0), node.whole(*axes, label="axes"), label="mean")
    node.result(0, node.add("Sub", node.x(0), mean))


def fc(node: Writer) -> None:
    """Expands FC: y = x · Wᵀ + b of matrices with the axes before and after an axis.

    Takes X and W, viewed as matrices by their `axis` and `axis_w` (default 1), b [N].
    """
    matrices = []
    for position, name in ((0, "axis"), (1, "axis_w")):
        axis = int(node.attribute(name, 1))
        rows = math.prod(node.given(position).shape[:axis])
        matrices.append(node.reshape(node.x(position), rows, -1, label=f"matrix{position}"))
    node.result(0, node.add("Gemm", *matrices, node.x(2), transB=1))


def filled_shape(node: Writer) -> Shape:
    """Returns the shape of the node's output. Raises UnsupportedError if it depends on the run."""
    if not node.has(0):
        return tuple(int(size) for size in node.required("shape"))
    given = node.value(0, "a shape") if node.attribute("input_as_shape", 0) else node.given(0).shape
    return (*(int(size) for size in given), *(int(size) for size in node.attribute("extra_shape", ())))


def constant_fill(node: Writer) -> None:
    """Expands ConstantFill: one value everywhere. Takes the shape from an attribute or from the input."""
    dtype = np.dtype(helper.tensor_dtype_to_np_dtype(int(node.attribute("dtype", TensorProto.FLOAT))))
    value = helper.make_tensor("value", helper.np_dtype_to_tensor_dtype(dtype), [1], [node.attribute("value", 0.0)])
    shape = node.whole(*filled_shape(node), label="shape")
    node.result(0, node.add("ConstantOfShape", shape, value=value))


def given_tensor_fill(node: Writer) -> None:
    """Expands GivenTensorFill: the node's own values, in a shape. Takes that from an attribute or the input."""
    values = np.asarray(node.required("values"), dtype=np.float32)
    node.result(0, node.constant(values.reshape(filled_shape(node))))


def crop(node: Writer) -> None:
    """Expands Crop: the plane without its border, or a part of a given size that begins inside the border.

    Takes X [N, C, H, W]; `border` is left, top, right, bottom, `scale` height and width. Raises UnsupportedError for a
    border or a size that is not within the plane.
    """
    left, top, right, bottom = (int(size) for size in node.attribute("border", (0, 0, 0, 0)))
    height, width = node.given(0).shape[-2:]
    if "scale" in node.attributes:
        rows, columns = (int(size) for size in node.attributes["scale"])
    else:
        rows, columns = height - top - bottom, width - left - right
    if min(left, top) < 0 or min(rows, columns) < 1 or top + rows > height or left + columns > width:
        raise node.refusal("a part of the picture", f"{rows}x{columns} from {top}, {left} of {height}x{width}")
    starts, ends = node.whole(top, left, label="starts"), node.whole(top + rows, left + columns, label="ends")
    node.result(0, node.add("Slice", node.x(0), starts, ends, node.whole(2, 3, label="axes")))


def dynamic_slice(node: Writer) -> None:
    """Expands DynamicSlice: Slice with starts, ends and axes as inputs, as in opset 10. Takes data before them."""
    node.result(0, node.add("Slice", *(node.x(position) for position in range(4 if node.has(3) else 3))))


OPERATORS: Mapping[str, Write] = {
    "Affine": affine,
    "Scale": scale,
    "ImageScaler": image_scaler,
    "ParametricSoftplus": parametric_softplus,
    "ScaledTanh": scaled_tanh,
    "ThresholdedRelu": thresholded_relu,
    "MeanVarianceNormalization": mean_variance_normalization,
    "FC": fc,
    "ConstantFill": constant_fill,
    "GivenTensorFill": given_tensor_fill,
    "Crop": crop,
    "DynamicSlice": dynamic_slice,
}
