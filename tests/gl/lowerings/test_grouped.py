"""A grouped convolution runs as the draw of a sum whose outputs read their part of the channels, with what follows."""

from __future__ import annotations

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.lowerings.lowering import Lowering


def model(x: tuple[int, ...], outputs: int, parts: int, side: int, stride: int = 1) -> onnx.ModelProto:
    """Returns Relu(Conv(x, w, b)) in `parts` groups of channels."""
    random = np.random.default_rng(0)
    weights = {
        "w": random.normal(size=(outputs, x[1] // parts, side, side)),
        "b": random.normal(size=(outputs,)),
    }
    nodes = [
        helper.make_node(
            "Conv", ["x", "w", "b"], ["c"], name="c", group=parts, strides=[stride] * 2, pads=[side // 2] * 4
        ),
        helper.make_node("Relu", ["c"], ["y"], name="y"),
    ]
    graph = helper.make_graph(
        nodes,
        "grouped",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, x)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array.astype(np.float32), name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def together(session: DebugSession) -> list[tuple[str, ...]]:
    return [item.covers for item in session.fused() if isinstance(item, Lowering)]


CASES = [
    ((1, 32, 9, 11), 32, 8, 3, 1),
    ((2, 16, 8, 8), 32, 2, 3, 2),
    ((1, 24, 7, 7), 48, 3, 1, 1),
    ((1, 16, 5, 12), 48, 4, 5, 1),
    ((1, 256, 4, 4), 64, 2, 1, 1),
]


@pytest.mark.parametrize(("x", "outputs", "parts", "side", "stride"), CASES)
def test_one_form_gives_what_the_passes_give(
    gl: moderngl.Context, x: tuple[int, ...], outputs: int, parts: int, side: int, stride: int
) -> None:
    with pipeline.open(model(x, outputs, parts, side, stride), backend="fragment", context=gl) as session:
        assert ("c", "y") in together(session)
        assert session.form("c") is not None
        session.set_input("x", np.random.default_rng(1).normal(size=x).astype(np.float32))
        for settle in (False, True, True):
            session.run_fused(settle=settle)
            assert session.compare().passes[-1].verdict == "match"
        session.run()
        assert [each.verdict for each in session.compare().passes] == ["match", "match"]


@pytest.mark.parametrize(("channels", "outputs", "parts"), [(12, 24, 6), (24, 18, 3)])
def test_parts_that_share_a_texel_stay_passes(gl: moderngl.Context, channels: int, outputs: int, parts: int) -> None:
    with pipeline.open(model((1, channels, 6, 6), outputs, parts, 3), backend="fragment", context=gl) as session:
        assert ("c", "y") not in together(session)
        session.set_input("x", np.random.default_rng(1).normal(size=(1, channels, 6, 6)).astype(np.float32))
        session.run_fused()
        assert session.compare().passes[-1].verdict == "match"
