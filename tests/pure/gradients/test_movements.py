"""Operators that move elements: what nothing flows back through, and parts that are used together."""

from __future__ import annotations

import re

import numpy as np
import onnx
import pytest

from tests.gl.operators.single_node import NodeCase, ints
from tests.gradient_cases.numbers import real
from tests.pure.gradients.checked import of_case
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.gradients.reverse import differentiated
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.oracle.graph_oracle import GraphOracle

_REFUSED = (
    (
        NodeCase("GridSample", (real(1, 1, 4, 4), real(1, 2, 2, 2)), {"mode": "cubic"}),
        "GridSample 'node/backward': expected mode nearest or linear where gradients flow back, got 'cubic'. "
        "Ask for gradients with respect to tensors after it.",
    ),
    (
        NodeCase("CumProd", (real(2, 3), np.array(1)), opset=26),
        "CumProd 'node/backward': expected an axis known before the run, got 'in1', which depends on the input. "
        "Make it an initializer.",
    ),
    (
        NodeCase("Pad", (real(3, 5), ints(1, 0, 0, 1)), {"mode": "symmetric"}, constant=(1,)),
        "Pad 'node/backward': expected a mode of constant, edge, reflect, wrap, got 'symmetric'. Re-export the model.",
    ),
)


@pytest.mark.parametrize(("case", "text"), _REFUSED, ids=str)
def test_what_has_no_derivative_here_says_why(case: NodeCase, text: str) -> None:
    with pytest.raises(UnsupportedError, match=re.escape(text)):
        of_case(case)


def test_nothing_flows_back_through_a_place() -> None:
    model = onnx.parser.parse_model(
        """<ir_version: 10, opset_import: ["": 23]>
        places (float[2, 7] x) => (float[2, 1] y) {
            place = ArgMax<axis = 1>(x)
            y = Cast<to = 1>(place)
        }"""
    )
    with pytest.raises(
        TexelscopeError, match="expected a tensor that depends on a float input or weight, got one that"
    ):
        differentiated(load(model), "y")


def test_parts_that_are_used_together_have_their_gradients_put_together() -> None:
    model = onnx.parser.parse_model(
        """<ir_version: 10, opset_import: ["": 23]>
        parts (float[2, 7] x) => (float[2, 3] y) {
            sizes = Constant<value_ints = [3, 1, 3]>()
            first, between, last = Split<axis = 1>(x, sizes)
            y = Mul(first, last)
        }"""
    )
    graph = load(model)
    found = differentiated(graph, "y")
    x = real(2, 7)
    made = GraphOracle(found.graph).values({"x": x}, ("x.grad",))["x.grad"]
    np.testing.assert_array_equal(made, np.concatenate([x[:, 4:], np.zeros((2, 1)), x[:, :3]], axis=1))
