"""Evaluates operators on tensors of eight-bit codes, where real = scale · (code − zero point), element by element.

Each tensor of codes is followed by its scale and its zero point; those of the result come last. Tensors broadcast.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs
from texelscope.pipeline.oracle.contrib.activations import logistic, softmax


def offset(invocation: Invocation, codes: int, zero: int) -> Array:
    """Returns the codes at that position less their zero point: whole numbers in float64."""
    return invocation.required(codes).astype(np.float64) - _zero(invocation, zero)


def real(invocation: Invocation, codes: int, scale: int, zero: int) -> Array:
    """Returns the numbers that codes stand for, float64; scale and zero point are for the whole tensor."""
    return offset(invocation, codes, zero) * invocation.required(scale).reshape(()).astype(np.float64)


def quantised(invocation: Invocation, y: Array, scale: int, zero: int, like: Array) -> Array:
    """Quantises `y` to codes of the type of `like`: rounded to the nearest, ties to even, and saturated."""
    steps = y / invocation.required(scale).reshape(()).astype(np.float64)
    limits = np.iinfo(like.dtype)
    shifted: Array = np.clip(np.rint(steps) + _zero(invocation, zero), limits.min, limits.max)
    return shifted.astype(like.dtype)


def by_range(x: Array) -> tuple[Array, float]:
    """Quantises to eight bits by the tensor's own range: codes less their zero point, float64, and the scale."""
    low, high = min(x.min(), x.dtype.type(0)), max(x.max(), x.dtype.type(0))
    scale = (high - low) / x.dtype.type(255) or x.dtype.type(1)
    zero = np.clip(np.rint(-low / scale), 0, 255)
    codes = np.clip(np.rint(x / scale) + zero, 0, 255)
    return (codes - zero).astype(np.float64), float(scale)


def _zero(invocation: Invocation, position: int) -> Array:
    zero = invocation.input(position)
    return np.zeros(()) if zero is None else zero.astype(np.float64).reshape(() if zero.size == 1 else zero.shape)


def along(invocation: Invocation, parameter: Array, rank: int) -> Array:
    """Returns a scale or zero point in float64: one for all, or one per place of the attribute `axis` (default 1)."""
    if parameter.size == 1:
        return parameter.reshape(()).astype(np.float64)
    axis = int(invocation.attributes.get("axis", 1)) % rank
    return parameter.astype(np.float64).reshape([-1 if each == axis else 1 for each in range(rank)])


def quantize_linear(invocation: Invocation) -> Outputs:
    """Evaluates QuantizeLinear: y = saturate(x / y_scale + y_zero_point), ties to even; for all or along `axis`."""
    x, scale, zero = invocation.required(0), invocation.required(1), invocation.input(2)
    zeros = np.zeros(scale.shape, dtype=np.uint8) if zero is None else zero
    limits = np.iinfo(zeros.dtype)
    steps = np.rint(x / along(invocation, scale, x.ndim)) + along(invocation, zeros, x.ndim)
    return (np.clip(steps, limits.min, limits.max).astype(zeros.dtype),)


def dequantize_linear(invocation: Invocation) -> Outputs:
    """Evaluates DequantizeLinear: y = (x − x_zero_point) · x_scale; for all or along `axis`."""
    x, scale, zero = invocation.required(0), invocation.required(1), invocation.input(2)
    steps = x.astype("float64") - (0.0 if zero is None else along(invocation, zero, x.ndim))
    return ((steps * along(invocation, scale, x.ndim)).astype(scale.dtype),)


def qlinear_add(invocation: Invocation) -> Outputs:
    """Evaluates QLinearAdd: C = (A_scale·(A − A_zero) + B_scale·(B − B_zero)) / C_scale + C_zero."""
    total = real(invocation, 0, 1, 2) + real(invocation, 3, 4, 5)
    return (quantised(invocation, total, 6, 7, invocation.required(0)),)


def qlinear_mul(invocation: Invocation) -> Outputs:
    """Evaluates QLinearMul: C = ((A − A_zero)·(B − B_zero))·(A_scale·B_scale) / C_scale + C_zero."""
    product = real(invocation, 0, 1, 2) * real(invocation, 3, 4, 5)
    return (quantised(invocation, product, 6, 7, invocation.required(0)),)


def qlinear_where(invocation: Invocation) -> Outputs:
    """Evaluates QLinearWhere: X where the condition, the first input, holds, Y where it does not, in the scale of Z."""
    chosen = np.where(invocation.required(0), real(invocation, 1, 2, 3), real(invocation, 4, 5, 6))
    return (quantised(invocation, chosen, 7, 8, invocation.required(1)),)


def qlinear_concat(invocation: Invocation) -> Outputs:
    """Evaluates QLinearConcat: tensors with different scales, side by side along `axis`, in the scale of Y.

    Maps scale and zero point of Y, then a tensor, its scale and its zero point for each tensor → Y.
    """
    starts = range(2, len(invocation.inputs), 3)
    joined = np.concatenate([real(invocation, i, i + 1, i + 2) for i in starts], axis=invocation.attribute("axis"))
    return (quantised(invocation, joined, 0, 1, invocation.required(2)),)


def qlinear_leaky_relu(invocation: Invocation) -> Outputs:
    """Evaluates QLinearLeakyRelu: quantize(alpha · dequantize(x)) below 0, else x; alpha is 0.01 unless given."""
    alpha = invocation.attribute("alpha")
    x = real(invocation, 0, 1, 2)
    y = np.where(x >= 0.0, x, x * (0.01 if alpha is None else alpha))
    return (quantised(invocation, y, 3, 4, invocation.required(0)),)


def qlinear_sigmoid(invocation: Invocation) -> Outputs:
    """Evaluates QLinearSigmoid: f(x) = quantize(Sigmoid(dequantize(x)))."""
    return (quantised(invocation, logistic(real(invocation, 0, 1, 2)), 3, 4, invocation.required(0)),)


def qlinear_softmax(invocation: Invocation) -> Outputs:
    """Evaluates QLinearSoftmax: e^x over its sum along `axis` since opset 13, over all axes from `axis` on before."""
    x, axis = real(invocation, 0, 1, 2), invocation.attribute("axis")
    first = (-1 if axis is None else int(axis)) % x.ndim
    axes = (first,) if invocation.attribute("opset") >= 13 else tuple(range(first, x.ndim))
    return (quantised(invocation, softmax(x, axes), 3, 4, invocation.required(0)),)


def qlinear_reduce_mean(invocation: Invocation) -> Outputs:
    """Evaluates QLinearReduceMean: Dequantize(Input) -> ReduceMean on fp32 data -> Quantize(output)."""
    axes, keepdims = tuple(invocation.attribute("axes")), bool(invocation.attributes.get("keepdims", 1))
    mean = real(invocation, 0, 1, 2).mean(axis=axes, keepdims=keepdims)
    return (quantised(invocation, mean, 3, 4, invocation.required(0)),)


OPERATORS: Mapping[str, Evaluate] = {
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
