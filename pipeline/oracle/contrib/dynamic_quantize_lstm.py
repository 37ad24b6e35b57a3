"""DynamicQuantizeLSTM: ONNX's LSTM; what weights of eight bits are multiplied by is put into eight bits by its range.

All of X at once, and the hidden state of a step for the whole batch, as DynamicQuantizeLinear does it.
"""

from __future__ import annotations

import numpy as np

from pipeline.oracle.arithmetic.curves import logistic
from pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "DynamicQuantizeLSTM"


def evaluate(invocation: Invocation) -> Outputs:
    """X [S, B, I], W [D, I, 4 · H], R [D, H, 4 · H], B, lengths, states, P, scales and zero points → Y, Y_h, Y_c."""
    said = invocation.attributes
    if (
        invocation.input(4) is not None
        or invocation.input(7) is not None
        or said.get("clip")
        or said.get("input_forget")
    ):
        raise ValueError("no LSTM but a plain one")
    if tuple(said.get("activations") or ()) not in ((), ("Sigmoid", "Tanh", "Tanh"), ("Sigmoid", "Tanh", "Tanh") * 2):
        raise ValueError("no activations but the usual ones")
    directions = len(invocation.required(1))
    turned = [said.get("direction", "forward") == "reverse", True][:directions]
    found = [_run(invocation, direction, backward) for direction, backward in enumerate(turned)]
    y, last, cell = (
        np.stack(parts, axis=axis) for parts, axis in zip(zip(*found, strict=True), (1, 0, 0), strict=True)
    )
    return tuple(each.astype(np.float32) for each in (y, last, cell))


def _run(invocation: Invocation, direction: int, backward: bool) -> tuple[Array, Array, Array]:  # noqa: FBT001
    x, bias = invocation.required(0), invocation.input(3)
    w, r = (_weights(invocation, *positions, direction) for positions in ((1, 8, 9), (2, 10, 11)))
    size = len(r)
    gates = _coded(x) @ w
    if bias is not None:
        gates = gates + bias[direction, : 4 * size] + bias[direction, 4 * size :]
    hidden, cell = (
        np.zeros((x.shape[1], size)) if state is None else state[direction].astype(np.float64)
        for state in (invocation.input(5), invocation.input(6))
    )
    y = np.empty((len(x), *hidden.shape))
    for step in range(len(x))[:: -1 if backward else 1]:
        i, o, f, c = np.split(gates[step] + _coded(hidden.astype(np.float32)) @ r, 4, axis=-1)
        cell = logistic(f) * cell + logistic(i) * np.tanh(c)
        hidden = y[step] = logistic(o) * np.tanh(cell)
    return y, hidden, cell


def _weights(invocation: Invocation, codes: int, scale: int, zero: int, direction: int) -> Array:
    less = invocation.required(codes)[direction].astype(np.float64) - invocation.required(zero)[direction]
    return np.asarray(less * invocation.required(scale)[direction])


def _coded(x: Array) -> Array:
    """`x` as eight bits by its range hold it, float64."""
    low, high = min(x.min(), np.float32(0)), max(x.max(), np.float32(0))
    scale = (high - low) / np.float32(255) or np.float32(1)
    zero = np.clip(np.rint(-low / scale), 0, 255)
    codes = np.clip(np.rint(x / scale) + zero, 0, 255)
    return np.asarray((codes - zero).astype(np.float64) * float(scale))
