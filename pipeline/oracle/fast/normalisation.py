"""Evaluates normalisations by the statistics of channels, groups of channels or axes, and Softmax and its kin.

All map X → the same shape. Softmax and its kin work along one axis, or below opset 13 along the flattened last ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs
from texelscope.pipeline.arithmetic.window_axes import WindowAxis


def batch_normalization(invocation: Invocation) -> Outputs | None:
    """Evaluates BatchNormalization: Y = (X - mean) · scale / √(var + epsilon) + B, per channel.

    Before opset 14 a node is in inference mode when it has one output (opset 7 on) or when `is_test` is set (before);
    onnx.reference takes its training path for all of those. In training the mean and variance are those of the batch;
    before opset 14 onnx.reference mixes the running ones in, and gives one output. Maps X [N, C, spatial…], scale, B,
    mean, var [C] ([C, spatial…] if `spatial` is 0) → Y of X's shape. In training also the running mean and variance,
    and before opset 14 those of the batch.
    """
    if not invocation.is_real:
        return None
    x, mean, variance = (invocation.required(i) for i in (0, 3, 4))
    per_element = invocation.opset < 9 and invocation.attribute("spatial") == 0
    if _is_inference(invocation):
        return (_normalised(invocation, (mean, variance), per_element=per_element),)
    if per_element:
        return None
    axes = tuple(axis for axis in range(x.ndim) if axis != 1)
    batch = x.mean(axis=axes, dtype=np.float64), x.var(axis=axes, dtype=np.float64)
    momentum = float(invocation.attribute("momentum"))
    running = (old * momentum + new * (1.0 - momentum) for old, new in zip((mean, variance), batch, strict=True))
    y = _normalised(invocation, batch, per_element=False)
    return (y, *(each.astype(x.dtype) for each in (*running, *batch)))[: invocation.output_count]


def _normalised(invocation: Invocation, statistics: tuple[Array, Array], *, per_element: bool) -> Array:
    x, scale, bias = (invocation.required(i) for i in range(3))
    mean, variance = (each.astype(x.dtype, copy=False) for each in statistics)

    def per_channel(parameter: Array) -> Array:
        return parameter[None] if per_element else parameter.reshape(1, -1, *(1,) * (x.ndim - 2))

    epsilon = variance.dtype.type(invocation.attribute("epsilon"))
    y = np.asarray(x - per_channel(mean))
    y *= per_channel(scale / np.sqrt(variance + epsilon))
    y += per_channel(bias)
    return y.astype(x.dtype, copy=False)


def _is_inference(invocation: Invocation) -> bool:
    if invocation.opset >= 14:
        return not invocation.attribute("training_mode")
    if invocation.opset >= 7:
        return invocation.output_count == 1
    return bool(invocation.attribute("is_test"))


def group_normalization(invocation: Invocation) -> Outputs | None:
    """Evaluates GroupNormalization: groups of channels by their own mean and variance, then scale and bias.

    The definition's function casts to `stash_type` on the way, by which onnx.reference rounds doubles to float32. Maps
    X [N, C, spatial…] → the same shape; scale and bias are [C] since opset 21, before [number of groups].
    """
    x, scale, bias = (invocation.required(i) for i in range(3))
    groups = int(invocation.attribute("num_groups"))
    if not invocation.is_real or scale.size != (groups if invocation.opset < 21 else x.shape[1]):
        return None
    view = x.reshape(x.shape[0], groups, x.shape[1] // groups, -1)

    def aligned(parameter: Array) -> Array:
        return parameter.reshape(1, groups, -1, 1)

    centred = view - view.mean(axis=(2, 3), keepdims=True, dtype=np.float64)
    deviation = np.sqrt(np.square(centred).mean(axis=(2, 3), keepdims=True) + float(invocation.attribute("epsilon")))
    return ((centred / deviation * aligned(scale) + aligned(bias)).astype(x.dtype).reshape(x.shape),)


def mean_variance_normalization(invocation: Invocation) -> Outputs | None:
    """Evaluates MeanVarianceNormalization: (X - mean) / (deviation + 1e-9) over some axes.

    The definition's function has constants of float32, so that onnx.reference refuses float64, and takes the variance
    as a difference of squares, which may come out negative. Maps X → the same shape.
    """
    x = invocation.required(0)
    if not invocation.is_real:
        return None
    axes = tuple(invocation.attribute("axes") or (0, 2, 3))
    centred = x - x.mean(axis=axes, keepdims=True, dtype=np.float64)
    deviation = np.sqrt(np.square(centred).mean(axis=axes, keepdims=True))
    return ((centred / (deviation + 1e-9)).astype(x.dtype),)


def lp_normalization(invocation: Invocation) -> Outputs | None:
    """Evaluates LpNormalization: X / (Σ|X|^p)^(1/p) along an axis; for p = 1 onnx.reference keeps signs in the sum.

    Maps X → the same shape; zeros where the norm is 0.
    """
    x, p = invocation.required(0), int(invocation.attribute("p"))
    if p not in (1, 2):
        return None
    norm = np.linalg.norm(x.astype(np.float64), ord=p, axis=invocation.attribute("axis"), keepdims=True)
    return ((x / np.where(norm == 0.0, 1.0, norm)).astype(x.dtype),)


def lrn(invocation: Invocation) -> Outputs | None:
    """Evaluates LRN: Y = X / (bias + alpha / size · S)^beta, S the sum of X² over `size` neighbouring channels.

    Channel c sums channels max(0, c - ⌊(size - 1) / 2⌋) to min(C - 1, c + ⌈(size - 1) / 2⌉). onnx.reference does so for
    the first N channels only (N the batch) and takes S = 0 for the others; this follows the specification. Maps X [N,
    C, spatial…] → the same shape.
    """
    x = invocation.required(0)
    if not invocation.is_real:
        return None
    size = invocation.attribute("size")
    channels = x.shape[1]
    begin = (size - 1) // 2
    window = WindowAxis(channels, channels, kernel=size, begin=begin)
    squares = x * x
    sums = np.zeros_like(squares)
    for tap in range(max(begin - channels + 1, 0), min(begin + channels, size)):  # others read no channel
        written, read = window.reads(tap)
        sums[:, written] += squares[:, read]
    sums *= x.dtype.type(invocation.attribute("alpha") / size)
    sums += x.dtype.type(invocation.attribute("bias"))
    np.power(sums, x.dtype.type(invocation.attribute("beta")), out=sums)
    return (np.divide(x, sums, out=sums),)


def softmax(invocation: Invocation) -> Outputs | None:
    """Evaluates Softmax: exp(x - max x) / Σ exp(x - max x)."""
    x, axis = one_axis(invocation)
    if not invocation.is_real or not x.size:
        return None
    y = np.exp(x - x.max(axis=axis, keepdims=True))
    y /= y.sum(axis=axis, keepdims=True)
    return (y.reshape(invocation.required(0).shape),)


def log_softmax(invocation: Invocation) -> Outputs | None:
    """Evaluates LogSoftmax: (x - max x) - log Σ exp(x - max x).

    onnx.reference takes the logarithm of Softmax, which is -inf where the exponential underflows.
    """
    x, axis = one_axis(invocation)
    if not invocation.is_real or not x.size:
        return None
    y = x - x.max(axis=axis, keepdims=True)
    y = y - np.log(np.exp(y).sum(axis=axis, keepdims=True))
    return (y.reshape(invocation.required(0).shape),)


def hardmax(invocation: Invocation) -> Outputs | None:
    """Evaluates Hardmax: one for the first largest element, zero for the others."""
    x, axis = one_axis(invocation)
    if not x.size:
        return None
    y = np.zeros_like(x)
    np.put_along_axis(y, np.expand_dims(x.argmax(axis=axis), axis), 1, axis)
    return (y.reshape(invocation.required(0).shape),)


def one_axis(invocation: Invocation) -> tuple[Array, int]:
    """Arranges the input so that the operator works along one axis; returns it with that axis.

    From opset 13 on it is `axis` itself. Before, the input is seen as a matrix whose rows are all axes
    before `axis` and whose columns are the others; the operator works along the columns. onnx.reference
    implements the new rule alone. Results must be reshaped to the input's shape.
    """
    x = invocation.required(0)
    axis = invocation.attribute("axis")
    if invocation.opset >= 13:
        return x, axis
    if axis < 0:
        axis += x.ndim
    rows = math.prod(x.shape[:axis])
    return x.reshape(rows, x.size // rows if rows else 0), 1


OPERATORS: Mapping[str, Evaluate] = {
    "BatchNormalization": batch_normalization,
    "GroupNormalization": group_normalization,
    "MeanVarianceNormalization": mean_variance_normalization,
    "LpNormalization": lp_normalization,
    "LRN": lrn,
    "Softmax": softmax,
    "LogSoftmax": log_softmax,
    "Hardmax": hardmax,
}
