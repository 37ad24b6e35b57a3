"""Evaluates layers: fused with their neighbours, or of eight-bit codes, perhaps with channels in the last axis."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs
from texelscope.pipeline.oracle.contrib.activations import activation
from texelscope.pipeline.oracle.contrib.quantised import by_range, offset, quantised, real
from texelscope.pipeline.oracle.fast.convolutions import conv, conv_transpose
from texelscope.pipeline.oracle.fast.pools import average_pool, max_pool

_X, _W, _R, _B, _LENGTHS, _H, _C, _P, _W_SCALE, _W_ZERO, _R_SCALE, _R_ZERO = range(12)


def fused_conv(invocation: Invocation) -> Outputs:
    """Evaluates FusedConv: "the same as Conv besides it includes an attribute activation"; Z is added before that.

    Maps X, W, B or None, Z of the output's shape or None → [N, O, spatial…].
    """
    found = conv(dataclasses.replace(invocation, inputs=invocation.inputs[:3]))
    if found is None:
        raise ValueError("no convolution of these shapes and types")
    y, z = found[0], invocation.input(3)
    total = y if z is None else y + z
    parameters = invocation.attribute("activation_params") or ()
    return (activation(invocation.attribute("activation"), total, parameters).astype(y.dtype),)


def fused_gemm(invocation: Invocation) -> Outputs:
    """Evaluates FusedGemm: "the same as Gemm besides it includes attributes activation" and its parameters.

    Maps A [M, K] and B [K, N], or turned over; C that broadcasts to [M, N] or None → [M, N].
    """
    a, b, c = invocation.required(0), invocation.required(1), invocation.input(2)
    said = invocation.attributes
    left = a.T if said.get("transA", 0) else a
    right = b.T if said.get("transB", 0) else b
    y = float(said.get("alpha", 1.0)) * (left.astype(np.float64) @ right.astype(np.float64))
    if c is not None:
        y = y + float(said.get("beta", 1.0)) * c
    given = [said[f"activation_{name}"] for name in ("alpha", "beta", "gamma") if f"activation_{name}" in said]
    return (activation(said.get("activation"), y, given).astype(a.dtype),)


def conv_transpose_with_dynamic_pads(invocation: Invocation) -> Outputs | None:
    """Maps X, W, pads or None, bias or None → [N, O, spatial…]: ConvTranspose whose pads are an input."""
    pads, said = invocation.input(2), dict(invocation.attributes)
    if pads is not None:
        said["pads"] = tuple(int(pad) for pad in pads.reshape(-1))
    inputs = (*invocation.inputs[:2], invocation.input(3))
    return conv_transpose(dataclasses.replace(invocation, inputs=inputs, attributes=said))


def qlinear_conv(invocation: Invocation) -> Outputs:
    """Evaluates QLinearConv of com.microsoft: a convolution of quantised tensors (`channels_last`: [N, spatial…, C]).

    Maps x, scale, zero point, w [O, C/group, kernel…], its scales and zero points, those of y, bias or None → y.
    """
    turned = bool(invocation.attribute("channels_last"))
    x, w = offset(invocation, 0, 2), invocation.required(3) - _by_output(invocation, 5)
    x, bias = np.moveaxis(x, -1, 1) if turned else x, invocation.input(8)
    inputs = (x, w, None if bias is None else bias.astype(np.float64))
    found = conv(dataclasses.replace(invocation, inputs=inputs))
    if found is None:
        raise ValueError("no convolution of these shapes")
    scales = invocation.required(1).reshape(()) * invocation.required(4).astype(np.float64)
    y = found[0] * (scales if scales.size == 1 else scales.reshape(-1, *(1,) * (x.ndim - 2)))
    y = np.moveaxis(y, 1, -1) if turned else y
    return (quantised(invocation, y, 6, 7, invocation.required(7)),)


def _by_output(invocation: Invocation, position: int) -> Array:
    """Returns a zero point of the weights, in a shape that broadcasts to them, float64."""
    zero = invocation.required(position).astype(np.float64)
    return zero.reshape(-1, *(1,) * (invocation.required(3).ndim - 1)) if zero.size > 1 else zero.reshape(())


def qlinear_average_pool(invocation: Invocation) -> Outputs:
    """Evaluates QLinearAveragePool: Dequantize(Input) -> AveragePool on fp32 data -> Quantize(output).

    Maps X [N, C, spatial…] (`channels_last`: [N, spatial…, C]), scale, zero point, those of Y → Y.
    """
    x, turned = real(invocation, 0, 1, 2), bool(invocation.attribute("channels_last"))
    pooled = average_pool(dataclasses.replace(invocation, inputs=(np.moveaxis(x, -1, 1) if turned else x,)))
    if pooled is None:
        raise ValueError("no pool of this shape")
    y = np.moveaxis(pooled[0], 1, -1) if turned else pooled[0]
    return (quantised(invocation, y, 3, 4, invocation.required(0)),)


def qlinear_global_average_pool(invocation: Invocation) -> Outputs:
    """Evaluates QLinearGlobalAveragePool: the mean over all axes but those of batch and channel.

    Maps X [N, C, spatial…] (`channels_last`: [N, spatial…, C]), scale, zero point, those of Y → Y.
    """
    x = real(invocation, 0, 1, 2)
    spatial = range(1, x.ndim - 1) if invocation.attribute("channels_last") else range(2, x.ndim)
    mean = x.mean(axis=tuple(spatial), keepdims=True)
    return (quantised(invocation, mean, 3, 4, invocation.required(0)),)


def nhwc_max_pool(invocation: Invocation) -> Outputs:
    """Maps X [N, spatial…, C] → [N, spatial…, C]: the largest code of each window; padding never wins."""
    x = invocation.required(0)
    real = np.moveaxis(x, -1, 1).astype(np.float64)
    found = max_pool(dataclasses.replace(invocation, inputs=(real,), output_count=1))
    if found is None:
        raise ValueError("no pool of this shape")
    return (np.moveaxis(found[0], 1, -1).astype(x.dtype),)


def dynamic_quantize_lstm(invocation: Invocation) -> Outputs:
    """Evaluates DynamicQuantizeLSTM: ONNX's LSTM with quantised weights; X, and each step's first state, in eight bits.

    As ONNX Runtime's ContribOperators.md has it; where it quantises, DynamicQuantizeLinear's formula holds. Maps X [n,
    b, i], W [d, i, 4h], R [d, h, 4h], B [d, 8h], first states → Y [n, d, b, h], Y_h, Y_c [d, b, h].
    """
    x, weights = invocation.required(_X), invocation.required(_W)
    (n, b, _), (directions, _, wide) = x.shape, weights.shape
    h = wide // 4
    y = np.zeros((n, directions, b, h), x.dtype)
    last_h, last_c = np.zeros((2, directions, b, h), x.dtype)
    for d in range(directions):
        bias = invocation.input(_B)
        added = 0.0 if bias is None else bias[d].reshape(2, wide).astype(np.float64).sum(axis=0)
        shares = _in_codes(x) @ _matrix(invocation, _W, d) + added
        first_h, first_c = invocation.input(_H), invocation.input(_C)
        state = np.zeros((b, h), x.dtype) if first_h is None else first_h[d]
        cell = np.zeros((b, h)) if first_c is None else first_c[d].astype(np.float64)
        backward = d == 1 or invocation.attributes.get("direction", "forward") == "reverse"
        for t in reversed(range(n)) if backward else range(n):
            sums = shares[t] + _in_codes(state) @ _matrix(invocation, _R, d)
            given, output, forget = (1.0 / (1.0 + np.exp(-sums[:, k * h : (k + 1) * h])) for k in range(3))
            cell = forget * cell + given * np.tanh(sums[:, 3 * h :])
            state = (output * np.tanh(cell)).astype(x.dtype)
            y[t, d] = state
        last_h[d], last_c[d] = state, cell
    return y, last_h, last_c


def _in_codes(x: Array) -> Array:
    """Rounds to eight bits over the tensor's own range, float64."""
    steps, scale = by_range(x)
    return steps * scale


def _matrix(invocation: Invocation, position: int, direction: int) -> Array:
    """Returns a direction's weights as real numbers; scale and zero point are for all, or for a column."""
    scales, zeros = (_W_SCALE, _W_ZERO) if position == _W else (_R_SCALE, _R_ZERO)
    codes = invocation.required(position)[direction].astype(np.float64)
    zero = invocation.input(zeros)
    shifted = codes if zero is None else codes - zero[direction].astype(np.float64)
    return np.asarray(shifted * invocation.required(scales)[direction].astype(np.float64))


OPERATORS: Mapping[str, Evaluate] = {
    "FusedConv": fused_conv,
    "FusedGemm": fused_gemm,
    "ConvTransposeWithDynamicPads": conv_transpose_with_dynamic_pads,
    "QLinearConv": qlinear_conv,
    "QLinearAveragePool": qlinear_average_pool,
    "QLinearGlobalAveragePool": qlinear_global_average_pool,
    "NhwcMaxPool": nhwc_max_pool,
    "DynamicQuantizeLSTM": dynamic_quantize_lstm,
}
