"""The gradient of a convolution by its weights runs as one form, right for every window, in slices, beside NaN."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase, normal
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gradients.reverse import Differentiated, differentiated
from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.planning.planner import plan_graph


def _case(op_type: str, x: tuple[int, ...], w: tuple[int, ...], **attributes: object) -> NodeCase:
    return NodeCase(op_type, (normal(*x), normal(*w, seed=1)), attributes)


CASES = (
    _case("Conv", (2, 5, 7, 13), (3, 5, 3, 2), pads=[1, 0, 2, 1], strides=[2, 1], dilations=[1, 2]),
    _case("Conv", (1, 3, 20, 18), (6, 3, 4, 4), pads=[1, 1, 1, 1], strides=[2, 2]),
    _case("Conv", (1, 4, 9, 9), (4, 4, 1, 7)),
    _case("Conv", (3, 2, 5, 6), (1, 2, 1, 1), strides=[3, 2]),
    _case("ConvTranspose", (2, 3, 5, 4), (3, 5, 4, 3), strides=[2, 3], pads=[1, 0, 2, 1], output_padding=[1, 0]),
)


def _backward(case: NodeCase) -> Differentiated:
    """The gradient by `in1`, of the input `seed` arriving at the output."""
    graph = load(case.model())
    tensors = {**graph.tensors, "seed": TensorInfo("seed", graph.tensors["out0"].shape)}
    graph = dataclasses.replace(graph, tensors=MappingProxyType(tensors), inputs=(*graph.inputs, "seed"))
    return differentiated(graph, "out0", ("in1",), seed="seed")


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("settle", [False, True])
def test_a_gradient_by_weights_is_one_form(case: NodeCase, settle: bool, gl: moderngl.Context) -> None:
    found = _backward(case)
    plan = plan_graph(found.graph, layout="channel_tiles_rgba", limits=limits_of(gl))
    values = {f"in{i}": x for i, x in enumerate(case.inputs) if x is not None}
    values["seed"] = normal(*found.graph.tensors["seed"].shape, seed=3)
    gradient = found.gradients["in1"]
    wanted = GraphOracle(found.graph).values(values, (gradient,))[gradient]
    with DebugSession(plan, gl) as session:
        for name, value in values.items():
            if name not in plan.inputs:  # a weight is read by the forward pass alone
                continue
            stored = plan.textures[name]
            session.set_input(name, value)
            session.texture(name).write(stored.layout.encode(value, padding=np.nan).tobytes(), alignment=1)
        for _ in range(1 + 2 * settle):
            session.run_fused(settle=settle)
        assert any(isinstance(item, Lowering) and gradient in item.writes for item in session.fused())
        np.testing.assert_allclose(session.tensor(gradient), wanted, rtol=1e-4, atol=1e-4)


def test_a_tensor_between_that_is_asked_for_keeps_its_passes(gl: moderngl.Context) -> None:
    found = _backward(CASES[0])
    plan = plan_graph(found.graph, layout="channel_tiles_rgba", limits=limits_of(gl))
    between = next(each for each in plan.passes if each.operator == "Transpose").output
    name = plan.pass_called(found.gradients["in1"]).name
    with DebugSession(plan, gl) as session:
        assert name not in session.fused()
        alone = [item for item in session.fused((between,)) if isinstance(item, Lowering) and name in item.covers]
        assert [item.covers for item in alone] == [(name,)]
