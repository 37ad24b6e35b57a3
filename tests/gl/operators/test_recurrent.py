"""RNN, GRU and LSTM step by step, against the definition as a whole; what ONNX's own cases leave out."""

from __future__ import annotations

import re

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import Array, NodeCase, assert_matches, ints, normal
from texelscope import pipeline

N, B, I, H = 3, 2, 4, 3  # noqa: E741 - steps, batch, input, hidden: the specification's letters
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def weights(op_type: str, directions: int = 1) -> tuple[Array, Array, Array]:
    rows = GATES[op_type] * H
    shapes = ((directions, rows, I), (directions, rows, H), (directions, 2 * rows))
    return tuple(0.5 * normal(*shape, seed=i + 1) for i, shape in enumerate(shapes))  # type: ignore[return-value]


def sigmoid(x: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-x))


def gru(x: Array, w: Array, r: Array, bias: Array, h: Array) -> Array:
    """Y [n, 1, b, h] with linear_before_reset; the gates are z, r, h."""
    (wz, wr, wh), (rz, rr, rh) = np.split(w[0], 3), np.split(r[0], 3)
    bwz, bwr, bwh, bz, br, bh = np.split(bias[0], 6)
    states = []
    for step in x.astype(np.float64):
        z = sigmoid(step @ wz.T + h @ rz.T + bwz + bz)
        reset = sigmoid(step @ wr.T + h @ rr.T + bwr + br)
        h = (1.0 - z) * np.tanh(step @ wh.T + bwh + reset * (h @ rh.T + bh)) + z * h
        states.append(h)
    return np.stack(states)[:, None]


@pytest.mark.parametrize("known", [True, False], ids=["weights known", "weights as inputs"])
def test_a_gru_that_resets_after_the_product_begins_with_a_given_state(known: bool, gl: moderngl.Context) -> None:
    x, first = normal(N, B, I), normal(1, B, H, seed=9)
    w, r, bias = weights("GRU")
    inputs = (x, w, r, bias, None, first)
    attributes = {"hidden_size": H, "linear_before_reset": 1}
    case = NodeCase("GRU", inputs, attributes, constant=(1, 2, 3) if known else (), outputs=2, opset=22)
    y, last = assert_matches(case, "channel_tiles_rgba", gl)
    expected = gru(x, w, r, bias, first[0].astype(np.float64))
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(last, expected[-1], rtol=1e-5, atol=1e-6)


def test_both_directions_walk_the_sequence_and_clipping_comes_before_the_activation(gl: moderngl.Context) -> None:
    x, (w, r, bias) = 3.0 * normal(N, B, I), weights("RNN", 2)
    attributes = {"hidden_size": H, "direction": "bidirectional", "activations": ["Tanh", "Relu"], "clip": 0.7}
    case = NodeCase("RNN", (x, w, r, bias), attributes, constant=(1, 2, 3), outputs=2, opset=22)
    y, last = assert_matches(case, "channel_tiles", gl)
    expected = np.zeros((N, 2, B, H))
    for d in range(2):
        h = np.zeros((B, H))
        for t in range(N) if d == 0 else reversed(range(N)):
            total = x[t].astype(np.float64) @ w[d].T + h @ r[d].T + bias[d, :H] + bias[d, H:]
            total = np.clip(total, -0.7, 0.7)
            h = expected[t, d] = np.tanh(total) if d == 0 else np.maximum(total, 0.0)
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(last, np.stack((expected[-1, 0], expected[0, 1])), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("attributes", "lengths", "message"),
    [
        ({"activations": ["Affine", "Tanh", "Tanh"]}, None, r"expected an activation of Sigmoid, Tanh, .*got 'Affine'"),
        ({"input_forget": 1}, None, "expected gates of their own, got input_forget"),
        ({"activation_alpha": [0.5]}, None, "expected activations with their own parameters, got other ones"),
        ({}, ints(3, 2).astype(np.int32), "expected sequences of one length, got some that are shorter"),
    ],
    ids=["activation", "coupled", "parameters", "lengths"],
)
def test_what_is_not_done_is_refused_by_name(
    attributes: dict[str, object], lengths: Array | None, message: str
) -> None:
    w, r, bias = weights("LSTM")
    inputs = (normal(N, B, I), w, r, bias, lengths)
    constant = (3,) if lengths is None else (3, 4)
    case = NodeCase("LSTM", inputs, {"hidden_size": H, **attributes}, constant=constant, opset=22)
    assert re.search(message, pipeline.plan_of(case.model()).not_run[0].reason)


def test_states_in_front_of_a_batch_that_comes_first_and_very_long_sequences_are_refused() -> None:
    w, r, bias = weights("RNN")
    inputs = (normal(B, N, I), w, r, bias, None, normal(B, 1, H))
    first = NodeCase("RNN", inputs, {"hidden_size": H, "layout": 1}, (3,), 1, 22)
    assert "expected states in front of the batch" in pipeline.plan_of(first.model()).not_run[0].reason
    long = NodeCase("RNN", (normal(300, B, I), w, r, bias), {"hidden_size": H}, (3,), 1, 22)
    assert "expected at most 256 steps, got 300" in pipeline.plan_of(long.model()).not_run[0].reason
