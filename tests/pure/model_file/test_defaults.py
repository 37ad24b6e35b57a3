"""Defaults of number attributes are those of ONNX's schemas, as they are written."""

from __future__ import annotations

import pytest

from texelscope.pipeline.graph import Node
from texelscope.pipeline.model_file.defaults import default_number


@pytest.mark.parametrize(
    ("op_type", "opset", "name", "number"),
    [
        ("LeakyRelu", 16, "alpha", 0.01),
        ("Selu", 1, "alpha", 1.6732),
        ("Selu", 6, "alpha", 1.6732632),
        ("LRN", 13, "alpha", 0.0001),
        ("Shrink", 9, "bias", 0.0),
    ],
)
def test_a_default_is_that_of_the_node_s_opset_as_it_is_written(
    op_type: str, opset: int, name: str, number: float
) -> None:
    assert default_number(Node("n", op_type, ("x",), ("y",), opset=opset), name) == number


@pytest.mark.parametrize(
    ("op_type", "opset", "name"),
    [("NoSuch", 13, "alpha"), ("Celu", 1, "alpha"), ("Elu", 6, "beta"), ("LRN", 13, "size"), ("Softmax", 13, "axis")],
    ids=["no operator", "not yet", "no attribute", "no default", "no real number"],
)
def test_what_has_no_default_number_gives_none(op_type: str, opset: int, name: str) -> None:
    assert default_number(Node("n", op_type, ("x",), ("y",), opset=opset), name) is None
