"""Gradients through a convolution of what is repeated are sums over what was repeated, right for every window."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from types import MappingProxyType

import moderngl
import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from tests.gl.operators.single_node import normal
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gradients.reverse import Differentiated, differentiated
from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.lowerings.fusion.repeats import BOXES
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.planning.planner import plan_graph

LABELS = 3


@dataclasses.dataclass(frozen=True)
class Case:
    """Repeats along y and x, the shape of x, that of the weights, attributes of the convolution."""

    repeats: tuple[int, int]
    x: tuple[int, int, int, int]
    outputs: int
    kernel: tuple[int, int]
    pads: tuple[int, int, int, int] = (0, 0, 0, 0)
    dilations: tuple[int, int] = (1, 1)
    joined: bool = False
    learned: bool = True
    nearest: str = "floor"

    def model(self) -> onnx.ModelProto:
        n, channels, height, width = self.x
        large = (height * self.repeats[0], width * self.repeats[1])
        scales = np.array([1, 1, *self.repeats], np.float32)
        nodes = [
            helper.make_node(
                "Resize", ["x", "", "scales"], ["up"], name="up", mode="nearest", nearest_mode=self.nearest,
                coordinate_transformation_mode="asymmetric",
            )
        ]  # fmt: skip
        inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.x)]
        read, total = "up", channels
        if self.joined:
            nodes.append(helper.make_node("Concat", ["up", "labels"], ["both"], name="both", axis=1))
            inputs.append(helper.make_tensor_value_info("labels", TensorProto.FLOAT, (n, LABELS, *large)))
            read, total = "both", channels + LABELS
        nodes.append(helper.make_node("Conv", [read, "w"], ["y"], name="y", pads=self.pads, dilations=self.dilations))
        weights = (self.outputs, total, *self.kernel)
        held = [numpy_helper.from_array(scales, "scales")]
        if self.learned:
            inputs.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, weights))
        else:
            held.append(numpy_helper.from_array(normal(*weights, seed=1), "w"))
        outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
        graph = helper.make_graph(nodes, "repeats", inputs, outputs, held)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


CASES = (
    Case((2, 2), (1, 8, 4, 5), 6, (4, 4), pads=(1, 1, 2, 2)),
    Case((2, 2), (2, 5, 3, 4), 3, (3, 3), pads=(1, 1, 1, 1), learned=False),
    Case((2, 3), (1, 6, 5, 7), 9, (2, 5), pads=(0, 4, 1, 0), dilations=(2, 1)),
    Case((1, 4), (2, 4, 6, 9), 4, (1, 3), dilations=(1, 3)),
    Case((2, 2), (1, 8, 4, 4), 3, (4, 4), pads=(1, 1, 2, 2), joined=True),
    Case((2, 1), (2, 12, 5, 6), 6, (3, 2), pads=(1, 0, 1, 1), joined=True),
)


def backward(case: Case) -> Differentiated:
    """The gradients by x and, where they are learned, the weights, of the input `seed` arriving at y."""
    graph = load(case.model())
    tensors = {**graph.tensors, "seed": TensorInfo("seed", graph.tensors["y"].shape)}
    graph = dataclasses.replace(graph, tensors=MappingProxyType(tensors), inputs=(*graph.inputs, "seed"))
    return differentiated(graph, "y", ("x", "w") if case.learned else ("x",), seed="seed")


def put(session: DebugSession, values: dict[str, NDArray[np.float32]]) -> None:
    """Sets the inputs, with NaN wherever no element lies."""
    for name, value in values.items():
        if name in session.plan.inputs:
            stored = session.plan.textures[name]
            session.set_input(name, value)
            session.texture(name).write(stored.layout.encode(value, padding=np.nan).tobytes(), alignment=1)


def values_of(found: Differentiated) -> dict[str, NDArray[np.float32]]:
    return {name: normal(*found.graph.tensors[name].shape, seed=i) for i, name in enumerate(found.graph.inputs)}


def of_boxes(session: DebugSession, keep: Sequence[str] = ()) -> set[str]:
    """The tensors that forms make of sums over boxes."""
    forms = [item for item in session.fused(keep) if isinstance(item, Lowering)]
    return {key for form in forms for key in form.writes if BOXES in [each.name for each in form.scratch]}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradients_are_sums_over_what_was_repeated(case: Case, gl: moderngl.Context) -> None:
    found = backward(case)
    wanted = GraphOracle(found.graph).values(values := values_of(found), tuple(found.gradients.values()))
    with DebugSession(plan_graph(found.graph, layout="channel_tiles_rgba", limits=limits_of(gl)), gl) as session:
        for settle in (False, True, True):
            put(session, values)
            session.run_fused(settle=settle)
            for gradient, value in wanted.items():
                np.testing.assert_allclose(session.tensor(gradient), value, rtol=1e-4, atol=1e-4)
        expected = {found.gradients["x"]} | ({found.gradients["w"]} if case.learned else set())
        assert of_boxes(session) == expected


def test_both_gradients_are_one_form_that_draws_the_sums_once(gl: moderngl.Context) -> None:
    found = backward(CASES[0])
    with DebugSession(plan_graph(found.graph, layout="channel_tiles_rgba", limits=limits_of(gl)), gl) as session:
        forms = [item for item in session.fused() if isinstance(item, Lowering) and BOXES in str(item.scratch)]
        assert [set(form.writes) for form in forms] == [set(found.gradients.values())]
        assert sum(step.targets == (BOXES,) for step in forms[0].steps) == 1


def test_places_that_are_no_repeats_are_summed_as_they_are(gl: moderngl.Context) -> None:
    found = backward(dataclasses.replace(CASES[0], nearest="ceil"))
    with DebugSession(plan_graph(found.graph, layout="channel_tiles_rgba", limits=limits_of(gl)), gl) as session:
        assert of_boxes(session) == set()


def test_a_tensor_between_that_is_asked_for_is_made_by_its_passes(gl: moderngl.Context) -> None:
    found = backward(CASES[0])
    with DebugSession(plan_graph(found.graph, layout="channel_tiles_rgba", limits=limits_of(gl)), gl) as session:
        assert of_boxes(session) == set(found.gradients.values())
        assert of_boxes(session, ("up.grad",)) == {found.gradients["w"]}


def test_a_resize_with_a_shader_of_somebodys_own_is_not_taken_for_repeats(gl: moderngl.Context) -> None:
    found = backward(CASES[0])
    with DebugSession(plan_graph(found.graph, layout="channel_tiles_rgba", limits=limits_of(gl)), gl) as session:
        source = session.program_source("up")
        session.replace_shader("up", source.fragment.replace("void main() {", "void main() {\n    // mine"))
        assert of_boxes(session) == {found.gradients["x"]}


def beside(first: int, second: int) -> Differentiated:
    """The gradients by a and b, of so many channels, which stand beside each other before they are repeated."""
    nodes = [
        helper.make_node("Concat", ["a", "b"], ["x"], name="x", axis=1),
        helper.make_node(
            "Resize", ["x", "", "scales"], ["up"], name="up", mode="nearest", nearest_mode="floor",
            coordinate_transformation_mode="asymmetric",
        ),
        helper.make_node("Conv", ["up", "w"], ["y"], name="y", pads=[1, 1, 1, 1]),
        helper.make_node("Mul", ["y", "y"], ["z"], name="z"),
    ]  # fmt: skip
    graph = helper.make_graph(
        nodes,
        "beside",
        [
            helper.make_tensor_value_info("a", TensorProto.FLOAT, (2, first, 3, 4)),
            helper.make_tensor_value_info("b", TensorProto.FLOAT, (2, second, 3, 4)),
        ],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, None)],
        [
            numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "scales"),
            numpy_helper.from_array(normal(6, first + second, 3, 3, seed=1), "w"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return differentiated(load(model), "z", ("a", "b"))


@pytest.mark.parametrize(("first", "second", "is_one"), [(8, 5, True), (5, 8, False)])
def test_parts_of_whole_groups_of_channels_are_stored_where_they_belong(
    first: int, second: int, is_one: bool, gl: moderngl.Context
) -> None:
    found = beside(first, second)
    wanted = GraphOracle(found.graph).values(values := values_of(found), tuple(found.gradients.values()))
    with DebugSession(plan_graph(found.graph, layout="channel_tiles_rgba", limits=limits_of(gl)), gl) as session:
        assert of_boxes(session) == (set(found.gradients.values()) if is_one else {"x.grad"})
        for settle in (False, True, True):
            put(session, values)
            session.run_fused(settle=settle)
            for gradient, value in wanted.items():
                np.testing.assert_allclose(session.tensor(gradient), value, rtol=1e-4, atol=1e-4)
