"""MaxUnpool undoes MaxPool as far as that goes."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, Array, NodeCase, assert_matches, ints, normal
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.oracle.reference import Reference


def unpool(x: Array, output_shape: tuple[int, ...] | None = None, **attributes: list[int]) -> NodeCase:
    """The case whose inputs are what MaxPool with the same windows makes of `x`."""
    (node,) = load(NodeCase("MaxPool", (x,), attributes, outputs=2).model()).nodes
    pooled, indices = Reference().run_node(node, (x,))
    shape = () if output_shape is None else (ints(*output_shape),)
    assert pooled is not None
    return NodeCase(
        "MaxUnpool", (pooled, indices, *shape), attributes, constant=(2,)[: len(shape)], output_shape=output_shape
    )


CASES = [
    unpool(normal(2, 3, 6, 8), kernel_shape=[2, 2], strides=[2, 2]),
    unpool(normal(1, 2, 8, 7), kernel_shape=[3, 3], strides=[1, 2]),
    unpool(normal(1, 2, 6, 6), kernel_shape=[2, 2], strides=[2, 2], output_shape=(1, 2, 7, 9)),
    unpool(normal(2, 2, 9), kernel_shape=[3], strides=[3]),
    unpool(normal(1, 2, 4, 6, 4), kernel_shape=[2, 3, 2], strides=[2, 3, 2]),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_elements_go_back_to_where_they_were(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        (y,) = assert_matches(case, layout, gl)
    assert case.inputs[0] is not None
    assert set(np.unique(y)) <= {0.0, *case.inputs[0].reshape(-1).tolist()}
