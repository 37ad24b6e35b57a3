"""Normalisations by statistics of the input: pass by pass against numpy, and as a whole against onnx.reference."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import (
    LAYOUTS,
    Array,
    NodeCase,
    assert_follows_the_reference,
    assert_matches,
    normal,
)
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, TensorInfo
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.planning.planner import plan_graph


def case(op_type: str, *inputs: Array, outputs: int = 1, opset: int = 23, **attributes: object) -> NodeCase:
    return NodeCase(op_type, inputs, attributes, outputs=outputs, opset=opset)


X = normal(2, 6, 3, 5)
CASES = [
    case("InstanceNormalization", X, normal(6, seed=1), normal(6, seed=2)),
    case("InstanceNormalization", normal(2, 3, 40), normal(3, seed=1), normal(3, seed=2), epsilon=0.1),
    case("InstanceNormalization", normal(1, 2, 37, 41), normal(2, seed=1), normal(2, seed=2)),
    case("GroupNormalization", X, normal(6, seed=1), normal(6, seed=2), num_groups=3),
    case("LayerNormalization", X, normal(5, seed=1), normal(5, seed=2)),
    case("LayerNormalization", X, normal(3, 5, seed=1), axis=2),
    case("LayerNormalization", X, normal(6, 1, 5, seed=1), normal(5, seed=2), axis=1),
    case("LayerNormalization", X, normal(6, 3, 5, seed=1), normal(6, 3, 5, seed=2), outputs=3, axis=-3, epsilon=0.01),
    case("RMSNormalization", X, normal(5, seed=1)),
    case("RMSNormalization", X, normal(3, 5, seed=1), axis=2, epsilon=0.1),
    case("MeanVarianceNormalization", X),
    case("MeanVarianceNormalization", X, axes=[1, 3]),
    case("MeanVarianceNormalization", normal(3, 2, 30, 31)),
    case("LpNormalization", X, p=2, axis=1),
    case("LpNormalization", X, p=1, axis=-1, opset=22),
    case("LpNormalization", X * (np.arange(5) > 1)[:, None][:3].astype(np.float32), p=2, axis=-1),
    case(
        "BatchNormalization", X, normal(6, seed=1), normal(6, seed=2), normal(6, seed=3), np.abs(normal(6, seed=4)),
        outputs=3, training_mode=1, momentum=0.7,
    ),
]  # fmt: skip


def _names() -> list[str]:
    return [f"{i} {each}" for i, each in enumerate(CASES)]


@pytest.mark.parametrize("each", CASES, ids=_names())
def test_every_normalisation_follows_its_specification(each: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS[:2]:
        if each.op_type == "LpNormalization" and each.attributes["p"] == 1:
            assert_matches(each, layout, gl)  # onnx.reference forgets the absolute value
        else:
            assert_follows_the_reference(each, layout, gl)


def test_group_normalization_of_opset_18_has_parameters_for_each_group(gl: moderngl.Context) -> None:
    scale, bias = normal(3, seed=1), normal(3, seed=2)
    (y,) = assert_matches(case("GroupNormalization", X, scale, bias, num_groups=3, opset=18), "channel_tiles", gl)
    groups = X.reshape(2, 3, -1).astype(np.float64)
    centred = groups - groups.mean(axis=2, keepdims=True)
    expected = centred / np.sqrt((centred**2).mean(axis=2, keepdims=True) + 1e-5) * scale[:, None] + bias[:, None]
    np.testing.assert_allclose(y, expected.reshape(X.shape), rtol=2e-5, atol=2e-6)


def test_statistics_of_many_elements_take_two_passes_each() -> None:
    sizes = [(3, 5), (40, 41)]
    passes = [
        len(pipeline.plan_of(case("InstanceNormalization", normal(1, 2, *size), normal(2), normal(2)).model()).passes)
        for size in sizes
    ]
    assert passes == [3, 5]


def own_graph(op_type: str, shapes: list[tuple[int, ...]], output: tuple[int, ...], **attributes: object) -> Graph:
    names = tuple(f"x{i}" for i in range(len(shapes)))
    tensors = {name: TensorInfo(name, shape) for name, shape in zip(names, shapes, strict=True)}
    tensors["y"] = TensorInfo("y", output)
    return Graph("own", (Node("n", op_type, names, ("y",), attributes, OWN_DOMAIN),), tensors, names, ("y",), {})


OWN = [
    own_graph(
        "BlockSum", [(2, 3, 4), (8,)], (8, 2),
        view=(2, 3, 4), axes=(1,), block=2, term="square", scale=0.5, shape=(8, 2),
    ),
    own_graph("BlockSum", [(2, 3, 4)], (3,), view=(2, 3, 4), axes=(0, 2), block=8, term="value", scale=1.0, shape=(3,)),
    own_graph(
        "Normalise", [(2, 3, 4), (3,), (3,), (4,), (4,)], (2, 3, 4),
        view=(2, 3, 4), axes=(0, 2), parameters=(1, 1, 4), epsilon=0.1, outside=False,
    ),
]  # fmt: skip


@pytest.mark.parametrize("graph", OWN, ids=lambda graph: f"{graph.nodes[0].op_type}{len(graph.inputs)}")
def test_every_element_reads_what_it_lists(graph: Graph, gl: moderngl.Context) -> None:
    values = {name: np.abs(normal(*graph.tensors[name].shape, seed=i)) for i, name in enumerate(graph.inputs)}
    operator, call = all_operators()[graph.nodes[0].op_type], Call(graph.nodes[0], graph)
    count = int(np.prod(graph.tensors["y"].shape))
    readers = [operator.reads(call, element) or {} for element in range(count)]
    with DebugSession(plan_graph(graph), gl) as session:
        for position, name in enumerate(graph.inputs):
            for index in (0, values[name].size - 1):
                poisoned = {key: value.copy() for key, value in values.items()}
                poisoned[name].reshape(-1)[index] = np.nan
                for key, value in poisoned.items():
                    session.set_input(key, value)
                session.run()
                reached = np.flatnonzero(np.isnan(session.tensor("y").reshape(-1)))
                np.testing.assert_array_equal(reached, [e for e in range(count) if index in readers[e][position]])


def test_a_norm_other_than_1_or_2_is_refused_by_name() -> None:
    tensors = {name: TensorInfo(name, (2, 3)) for name in ("x", "y")}
    node = Node("norm", "LpNormalization", ("x",), ("y",), {"p": 3, "axis": -1})
    (missing,) = plan_graph(Graph("model", (node,), tensors, ("x",), ("y",), {})).not_run
    said = "LpNormalization 'norm' (model): expected p of 1 or 2, got 3. Use Abs, Pow and ReduceSum."
    assert missing.reason.startswith(said)
