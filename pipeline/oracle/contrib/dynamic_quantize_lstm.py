"""DynamicQuantizeLSTM: ONNX's LSTM with quantised weights; X, and the state before each step, in eight bits.

As ONNX Runtime's ContribOperators.md has it; where it quantises, DynamicQuantizeLinear's formula holds.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "DynamicQuantizeLSTM"
_X, _W, _R, _B, _LENGTHS, _H, _C, _P, _W_SCALE, _W_ZERO, _R_SCALE, _R_ZERO = range(12)


def evaluate(invocation: Invocation) -> Outputs:
    """X [n, b, i], W [d, i, 4h], R [d, h, 4h], B [d, 8h], first states → Y [n, d, b, h], Y_h, Y_c [d, b, h]."""
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
    """What eight bits over the tensor's own range make of it, float64."""
    low, high = min(x.min(), x.dtype.type(0)), max(x.max(), x.dtype.type(0))
    scale = (high - low) / x.dtype.type(255) or x.dtype.type(1)
    zero = np.clip(np.rint(-low / scale), 0, 255)
    codes = np.clip(np.rint(x / scale) + zero, 0, 255)
    return np.asarray((codes - zero).astype(np.float64) * float(scale))


def _matrix(invocation: Invocation, position: int, direction: int) -> Array:
    """The weights of a direction as the real numbers that they stand for; scale and zero point for all, or a column."""
    scales, zeros = (_W_SCALE, _W_ZERO) if position == _W else (_R_SCALE, _R_ZERO)
    codes = invocation.required(position)[direction].astype(np.float64)
    zero = invocation.input(zeros)
    shifted = codes if zero is None else codes - zero[direction].astype(np.float64)
    return np.asarray(shifted * invocation.required(scales)[direction].astype(np.float64))
