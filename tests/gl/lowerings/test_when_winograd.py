"""Which convolutions of a fused run are computed by Winograd's products: those that take less time so."""

from __future__ import annotations

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.lowerings.lowering import Lowering

_LAYERS = 3


def _chain(channels: int, height: int, width: int) -> onnx.ModelProto:
    """Builds 3x3 convolutions with a Relu after each."""
    nodes, weights, x = [], [], "x"
    for i in range(_LAYERS):
        array = np.zeros((channels, channels, 3, 3), np.float32)
        weights.append(numpy_helper.from_array(array, f"w{i}"))
        nodes.append(helper.make_node("Conv", [x, f"w{i}"], [f"c{i}"], name=f"conv{i}", pads=[1] * 4))
        nodes.append(helper.make_node("Relu", [f"c{i}"], [f"y{i}"], name=f"relu{i}"))
        x = f"y{i}"
    shape = (1, channels, height, width)
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("x", x)]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _has_products(form: Lowering) -> bool:
    assert form.tuned is not None
    return form.tuned().rounding is not None


@pytest.mark.parametrize(
    ("channels", "height", "width", "has_products"),
    [(24, 20, 21, False), (64, 37, 41, False), (64, 64, 64, False), (256, 28, 28, True), (128, 56, 56, True)],
)
def test_a_sum_has_products_where_they_take_less_time(
    gl: moderngl.Context, channels: int, height: int, width: int, *, has_products: bool
) -> None:
    with pipeline.open(_chain(channels, height, width), backend="fragment", context=gl) as session:
        forms = [each for each in session.fused() if isinstance(each, Lowering)]
        assert len(forms) == _LAYERS
        assert [_has_products(each) for each in forms] == [has_products] * _LAYERS
