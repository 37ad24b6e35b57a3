"""Fast versions compute in the dtype of their inputs: doubles stay doubles, for bounds that must be exact."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pure.oracle.nodes import Array, assert_close, fast, node, plain, random
from texelscope.pipeline.graph import Node

X = random(1, 4, 6, 6, dtype=np.float64)
W = random(4, 4, 3, 3, dtype=np.float64, seed=1)

CASES: dict[str, tuple[Node, list[Array]]] = {
    "Conv": (node("Conv", 2, pads=(1, 1, 1, 1)), [X, W]),
    "depthwise Conv": (node("Conv", 2, group=4), [X, W[:, :1]]),
    "ConvTranspose": (node("ConvTranspose", 2, strides=(2, 2)), [X, W]),
    "MaxPool": (node("MaxPool", 1, kernel_shape=(3, 3), strides=(2, 2)), [X]),
    "AveragePool": (node("AveragePool", 1, kernel_shape=(3, 3), strides=(2, 2)), [X]),
    "GlobalMaxPool": (node("GlobalMaxPool", 1), [X]),
    "BatchNormalization": (
        node("BatchNormalization", 5, opset=15),
        [X, *np.abs(random(4, 4, dtype=np.float64))],
    ),
    "Softmax": (node("Softmax", 1, axis=1), [X]),
    "LogSoftmax": (node("LogSoftmax", 1, axis=1), [X]),
    "Hardmax": (node("Hardmax", 1, axis=1), [X]),
}


@pytest.mark.parametrize(("made", "inputs"), CASES.values(), ids=CASES.keys())
def test_doubles_are_computed_in_double_precision(made: Node, inputs: list[Array]) -> None:
    assert_close(fast(made, *inputs), plain(made, *inputs), within=1e-12)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_doubles_are_resized_in_double_precision(mode: str) -> None:
    # For cubic the reference has weights in single precision.
    made = node("Resize", 3, omitted={1}, mode=mode)
    inputs = [X, None, np.array([1, 1, 2, 1.5], np.float32)]
    assert_close(fast(made, *inputs), plain(made, *inputs), within=1e-12)


def test_doubles_are_normalised_in_double_precision() -> None:
    y = fast(node("LRN", 1, size=1, alpha=1.0, beta=0.5, bias=1.0), X)
    assert_close(y, X / np.sqrt(1 + X * X), within=1e-12)
    assert_close(fast(node("LpPool", 1, kernel_shape=(1, 1), p=2), X), np.abs(X), within=1e-12)
    assert_close(fast(node("GlobalLpPool", 1, p=2), X).ravel(), np.sqrt((X * X).sum((0, 2, 3))), within=1e-12)


def test_groups_are_normalised_in_double_precision() -> None:
    per_group = X.reshape(1, 2, -1)
    mean, variance = per_group.mean(axis=-1, keepdims=True), per_group.var(axis=-1, keepdims=True)
    one, zero = np.ones(4), np.zeros(4)
    y = fast(node("GroupNormalization", 3, num_groups=2, epsilon=1e-5), X, one, zero)
    assert_close(y, ((per_group - mean) / np.sqrt(variance + 1e-5)).reshape(X.shape), within=1e-12)
    y = fast(node("MeanVarianceNormalization", 1, axes=(2, 3)), X)
    deviation = X.std(axis=(2, 3), keepdims=True) + 1e-9
    assert_close(y, (X - X.mean(axis=(2, 3), keepdims=True)) / deviation, within=1e-12)
