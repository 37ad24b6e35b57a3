"""The steps of TensorFlow.js that a model becomes: pairs become one call, images have their channels last."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from benchmarks.network_parts import NetworkParts
from benchmarks.peers.channels_last import UnknownOperatorError, steps_of
from tests.benchmark_networks import SMALL
from tests.pure.models import array, model, node, value


def test_a_convolution_takes_its_bias_and_what_clips_it() -> None:
    parts = NetworkParts(0)
    tensor = parts.convolution("image", "wide", (6, 3, 1), rectifier="relu6")
    tensor = parts.convolution(tensor, "each", (6, 6, 3), stride=2, group=6, rectifier="relu")
    parts.add("Add", [tensor, tensor], "sum")
    made = parts.model("small", ("image", [1, 3, 8, 8]), ("sum", [1, 6, 4, 4]))
    steps, weights = steps_of(made)
    wide, each, total = steps.steps
    assert (wide.kind, wide.options) == ("conv2d", {"stride": [1, 1], "pad": 0, "activation": "relu6"})
    assert (each.kind, each.options) == ("depthwiseConv2d", {"stride": [2, 2], "pad": 1, "activation": "relu"})
    assert each.inputs == ("wide.relu6", "each.weight", "each.bias")
    assert (total.kind, total.inputs) == ("add", ("each.relu", "each.relu"))
    assert steps.weights["wide.weight"] == (1, 1, 3, 6)
    assert steps.weights["each.weight"] == (3, 3, 6, 1)
    assert [array.shape for array in weights] == list(steps.weights.values())
    assert all(array.flags["C_CONTIGUOUS"] for array in weights)
    assert steps.scalars == {}


def test_a_product_takes_a_bias_alone_and_only_if_nothing_else_reads_it() -> None:
    nodes = [
        node("MatMul", "x w", "p", "p"),
        node("Add", "p b", "q", "q"),
        node("MatMul", "q w", "r", "r"),
        node("Add", "r q", "y", "y"),
    ]
    weights = {"w": array(5, 5), "b": array(5)}
    steps, _ = steps_of(model(nodes, [value("x", (1, 5))], [value("y", (1, 5))], weights=weights))
    assert [(step.kind, step.inputs) for step in steps.steps] == [
        ("matMul", ("x", "w", "b")),
        ("matMul", ("q", "w")),
        ("add", ("r", "q")),
    ]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("mobilenet", {"depthwiseConv2d": 3, "add": 1, "matMul": 1}),
        ("resnet50", {"maxPool": 1, "relu": 3, "add": 3, "matMul": 1}),
        ("encoder", {"matMul": 8, "softmax": 1, "erf": 1, "square": 2, "mean": 4}),
    ],
)
def test_a_network_becomes_as_few_calls_as_its_users_make(name: str, kinds: dict[str, int]) -> None:
    steps, weights = steps_of(SMALL[name]())
    counted = Counter(step.kind for step in steps.steps)
    assert {kind: counted[kind] for kind in kinds} == kinds
    read = {given for step in steps.steps for given in step.inputs}
    assert set(steps.weights) | set(steps.scalars) <= read
    assert all(array.dtype == np.float32 for array in weights)


def test_an_operator_without_a_step_is_named() -> None:
    made = model([node("Sin", "x", "y", "wave")], [value("x")], [value("y")])
    with pytest.raises(UnknownOperatorError, match="wave: expected an operator that has a step, got Sin"):
        steps_of(made)
