"""Expands operators on tensors of eight-bit codes, each meaning scale · (code − zero point), element by element.

Each tensor of codes is followed by its scale and its zero point; those of the result come last.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.model_file.contrib.writer import Write, Writer

_FLOAT = 1  # TensorProto.FLOAT


def per_tensor(node: Writer, position: int) -> str:
    """Returns a scale or zero point; one of a single element as a scalar, so that it broadcasts with any rank."""
    given = node.given(position)
    if given.shape in ((), (1,)) and given.value is not None:
        return node.constant(given.value.reshape(()), given.dtype, given.name) if given.shape else given.name
    return node.reshape(given.name) if given.shape == (1,) else given.name


def as_float(node: Writer, position: int) -> str:
    """Returns an input in float32."""
    given = node.given(position)
    return (
        given.name if given.dtype == "float32" else node.add("Cast", given.name, to=_FLOAT, label=f"{given.name}/float")
    )


def shifted(node: Writer, position: int, zero: int) -> str:
    """Returns codes less their zero point, float32: whole numbers."""
    codes = as_float(node, position)
    if not node.has(zero):
        return codes
    return node.add("Sub", codes, as_float(node, zero), label=f"{node.x(position)}/shifted")


def real(node: Writer, position: int, scale: int, zero: int) -> str:
    """Returns the numbers of the codes at `position`, float32; one scale for all."""
    zeros = (per_tensor(node, zero),) if node.has(zero) else ()
    codes = node.given(position).name
    return node.add("DequantizeLinear", codes, per_tensor(node, scale), *zeros, label=f"{codes}/real")


def codes(node: Writer, y: str, scale: int, zero: int, dtype: str) -> str:
    """Returns codes of `y`: round(y / scale) + zero point, saturated; of type `dtype` if the zero point is omitted."""
    return _coded(node, y, per_tensor(node, scale), zero, dtype)


def codes_of_quotient(node: Writer, y: str, zero: int, dtype: str) -> str:
    """Returns codes, as `codes`, of numbers already divided by the scale."""
    return _coded(node, y, node.constant(1.0, label="one"), zero, dtype)


def _coded(node: Writer, y: str, scale: str, zero: int, dtype: str) -> str:
    zeros = per_tensor(node, zero) if node.has(zero) else node.constant(np.zeros(()), dtype, "zero")
    return node.add("QuantizeLinear", y, scale, zeros, label="codes")


def quantize_linear(node: Writer) -> None:
    """Expands QuantizeLinear of com.microsoft: as ONNX's, with one scale for all unless an axis is named."""
    if node.given(1).shape in ((), (1,)):
        node.result(0, codes(node, node.x(0), 1, 2, "uint8"))
        return
    inputs = [node.x(position) for position in range(3) if node.has(position)]
    node.result(0, node.add("QuantizeLinear", *inputs, axis=int(node.attribute("axis", 1))))


def dequantize_linear(node: Writer) -> None:
    """Expands DequantizeLinear of com.microsoft: as ONNX's, with one scale for all unless an axis is named."""
    if node.given(1).shape in ((), (1,)):
        node.result(0, real(node, 0, 1, 2))
        return
    inputs = [node.x(position) for position in range(3) if node.has(position)]
    node.result(0, node.add("DequantizeLinear", *inputs, axis=int(node.attribute("axis", 1))))


def qlinear_add(node: Writer) -> None:
    """Expands QLinearAdd: the sum of two quantised tensors, quantised."""
    total = node.add("Add", real(node, 0, 1, 2), real(node, 3, 4, 5), label="sum")
    node.result(0, codes(node, total, 6, 7, node.given(0).dtype))


def qlinear_mul(node: Writer) -> None:
    """Expands QLinearMul: the product of two quantised tensors, quantised. The scales are multiplied first."""
    product = node.add("Mul", shifted(node, 0, 2), shifted(node, 3, 5), label="product")
    both = node.add("Mul", per_tensor(node, 1), per_tensor(node, 4), label="scales")
    ratio = node.add("Div", both, per_tensor(node, 6), label="ratio")
    scaled = node.add("Mul", product, ratio, label="scaled")
    node.result(0, codes_of_quotient(node, scaled, 7, node.given(0).dtype))


def qlinear_where(node: Writer) -> None:
    """Expands QLinearWhere: of two quantised tensors the one that a condition selects, quantised."""
    chosen = node.add("Where", node.x(0), real(node, 1, 2, 3), real(node, 4, 5, 6))
    node.result(0, codes(node, chosen, 7, 8, node.given(1).dtype))


def qlinear_concat(node: Writer) -> None:
    """Expands QLinearConcat: quantised tensors side by side, quantised alike. Takes scale and zero point of Y first."""
    parts = [real(node, position, position + 1, position + 2) for position in range(2, len(node.inputs), 3)]
    joined = node.add("Concat", *parts, axis=int(node.required("axis")))
    node.result(0, codes(node, joined, 0, 1, node.given(2).dtype))


def qlinear_leaky_relu(node: Writer) -> None:
    """Expands QLinearLeakyRelu: a quantised tensor, its negative numbers times α, quantised."""
    y = node.add("LeakyRelu", real(node, 0, 1, 2), alpha=float(node.attribute("alpha", 0.01)))
    node.result(0, codes(node, y, 3, 4, node.given(0).dtype))


def qlinear_sigmoid(node: Writer) -> None:
    """Expands QLinearSigmoid: the sigmoid of a quantised tensor, quantised."""
    node.result(0, codes(node, node.add("Sigmoid", real(node, 0, 1, 2)), 3, 4, node.given(0).dtype))


def qlinear_softmax(node: Writer) -> None:
    """Writes QLinearSoftmax: the softmax of a quantised tensor, quantised; by one axis, or from one on before opset 13.

    Takes X with scale and zero point, then those of Y.
    """
    x, axis, given = real(node, 0, 1, 2), int(node.attribute("axis", -1)), node.given(0)
    if int(node.required("opset")) < 13:
        flat = node.add("Flatten", x, axis=axis)
        y = node.reshape(node.add("Softmax", flat, axis=-1), *given.shape)
    else:
        y = node.add("Softmax", x, axis=axis)
    node.result(0, codes(node, y, 3, 4, given.dtype))


def qlinear_reduce_mean(node: Writer) -> None:
    """Expands QLinearReduceMean: means of a quantised tensor, quantised."""
    axes = node.whole(*node.required("axes"), label="axes")
    mean = node.add("ReduceMean", real(node, 0, 1, 2), axes, keepdims=int(node.attribute("keepdims", 1)), label="mean")
    node.result(0, codes(node, mean, 3, 4, node.given(0).dtype))


OPERATORS: Mapping[str, Write] = {
    "QuantizeLinear": quantize_linear,
    "DequantizeLinear": dequantize_linear,
    "QLinearAdd": qlinear_add,
    "QLinearMul": qlinear_mul,
    "QLinearWhere": qlinear_where,
    "QLinearConcat": qlinear_concat,
    "QLinearLeakyRelu": qlinear_leaky_relu,
    "QLinearSigmoid": qlinear_sigmoid,
    "QLinearSoftmax": qlinear_softmax,
    "QLinearReduceMean": qlinear_reduce_mean,
}
