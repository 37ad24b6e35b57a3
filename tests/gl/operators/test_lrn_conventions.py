"""Each framework's reading of LRN's parameters, against its definition in a few lines of numpy."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import Array, NodeCase, normal
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.operators.conventions import convention_of, conventions, with_conventions

ALPHA, BETA, BIAS = 0.7, 0.75, 1.5
X = normal(2, 9, 5, 6)


def across(x: Array, first: int, last: int, factor: float) -> Array:
    """x / (bias + factor · Σ x²)^β over the channels c + first … c + last."""
    sums = np.zeros_like(x)
    for c in range(x.shape[1]):
        sums[:, c] = (x[:, max(c + first, 0) : max(c + last + 1, 0)] ** 2).sum(axis=1)
    return x / (BIAS + factor * sums) ** BETA


def within(x: Array, first: int, last: int, factor: float, bias: float) -> Array:
    """The same over rows h + first … h + last and columns w + first … w + last of each channel."""
    sums = np.zeros_like(x)
    for h in range(x.shape[2]):
        for w in range(x.shape[3]):
            window = x[:, :, max(h + first, 0) : h + last + 1, max(w + first, 0) : w + last + 1]
            sums[:, :, h, w] = (window**2).sum(axis=(2, 3))
    return x / (bias + factor * sums) ** BETA


# By size n: onnx, Core ML and DirectML keep ⌊(n − 1) / 2⌋ before and ⌈(n − 1) / 2⌉ after; Caffe allows odd n alone.
DEFINITIONS: dict[str, Callable[[Array, int], Array]] = {
    "onnx": lambda x, n: across(x, -((n - 1) // 2), n // 2, ALPHA / n),
    # tf.nn.local_response_normalization: sqr_sum = sum(input[d - r : d + r + 1] ** 2), alpha as it is
    "tensorflow": lambda x, n: across(x, -(n // 2), n // 2, ALPHA),
    # torch.nn.functional.local_response_norm: pad(x², (n // 2, (n - 1) // 2)), then the mean of n
    "pytorch": lambda x, n: across(x, -(n // 2), (n - 1) // 2, ALPHA / n),
    "caffe_across": lambda x, n: across(x, -((n - 1) // 2), n // 2, ALPHA / n),
    # AVE pooling of n × n with padding counted, then (1 + alpha · mean)^-beta
    "caffe_within": lambda x, n: within(x, -((n - 1) // 2), n // 2, ALPHA / n**2, 1.0),
    "coreml": lambda x, n: across(x, -((n - 1) // 2), n // 2, ALPHA / n),
    # for (p = q - n / 2; p <= q + n / 2; p++), alpha / n
    "ncnn": lambda x, n: across(x, -(n // 2), n // 2, ALPHA / n),
    # bordered by n / 2 before and n - n / 2 - 1 after, alpha / n²
    "ncnn_within": lambda x, n: within(x, -(n // 2), n - n // 2 - 1, ALPHA / n**2, BIAS),
    "directml": lambda x, n: across(x, -((n - 1) // 2), n // 2, ALPHA / n),
    # Output = Input / (Bias + (Alpha / LocalSize) * sum(Input^2 in the local region))^Beta
    "directml_within": lambda x, n: within(x, -((n - 1) // 2), n // 2, ALPHA / n, BIAS),
}


def lrn(size: int) -> NodeCase:
    return NodeCase("LRN", (X,), {"size": size, "alpha": ALPHA, "beta": BETA, "bias": BIAS})


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("name", DEFINITIONS)
def test_every_convention_is_what_its_framework_computes(name: str, size: int, gl: moderngl.Context) -> None:
    with pipeline.open(lrn(size).model(), context=gl, conventions={"LRN": name}) as session:
        session.set_input("in0", X)
        session.run()
        (each,) = session.compare().passes
        assert each.verdict == "match", each
        np.testing.assert_allclose(session.tensor("out0"), DEFINITIONS[name](X.astype(np.float64), size), rtol=1e-5)


def test_every_convention_that_can_be_chosen_has_its_definition_here() -> None:
    assert [each.name for each in conventions()["LRN"]] == list(DEFINITIONS)
    assert all(each.formula for each in conventions()["LRN"])


def test_conventions_can_be_switched_back_and_forth() -> None:
    graph = load(lrn(5).model())
    switched = with_conventions(graph, {"LRN": "tensorflow"})
    assert [convention_of(node) for node in (*graph.nodes, *switched.nodes)] == ["onnx", "tensorflow"]
    assert with_conventions(with_conventions(switched, {"LRN": "ncnn"}), {"LRN": "onnx"}).nodes == graph.nodes


def test_operators_without_a_choice_are_left_alone() -> None:
    tensors = {name: TensorInfo(name, (1, 2, 3, 3)) for name in ("x", "y")}
    node = Node("relu", "Relu", ("x",), ("y",))
    graph = Graph("model", (node,), tensors, ("x",), ("y",), {})
    assert convention_of(node) == ""
    assert with_conventions(graph, {"LRN": "pytorch"}).nodes == (node,)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (
            {"LRN": "tensorflov"},
            r"LRN: expected a convention that is known, got 'tensorflov'. Did you mean 'tensorflow'\?",
        ),
        ({"LNR": "onnx"}, r"conventions: expected an operator that frameworks define differently, got 'LNR'"),
    ],
)
def test_an_unknown_choice_is_refused_by_name(chosen: dict[str, str], message: str) -> None:
    with pytest.raises(TexelscopeError, match=message):
        pipeline.plan_of(lrn(5).model(), conventions=chosen)


def test_a_window_over_the_picture_needs_a_picture() -> None:
    flat = NodeCase("LRN", (normal(2, 9, 5),), {"size": 3})
    (missing,) = pipeline.plan_of(flat.model(), conventions={"LRN": "caffe_within"}).not_run
    expected = "LRN 'node' (LRN): expected an input of N, C, H, W for a window over the picture, got [2, 9, 5]. Reshape"
    assert missing.reason.startswith(expected)
