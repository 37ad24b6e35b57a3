"""Tests that an operator's limits are reported before anything runs, in one line that names the node."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto

from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.cast import Cast
from texelscope.pipeline.operators.families.quantize import integer_range
from texelscope.pipeline.operators.families.selection import Compress

INT64, BOOL = TensorProto.INT64, TensorProto.BOOL

BAD_AXES: tuple[tuple[tuple[int, ...], dict[str, Any]], ...] = (
    ((1, 3, 4), {}),
    ((3, 4), {}),
    ((1, 3, 4, 4), {"axes": [0, 2, 7]}),
    ((1, 3, 4, 4), {"axes": [-5]}),
    ((1, 3, 4, 4), {"axes": [1, 1]}),
    ((1, 3, 4, 4), {"axes": [1, -3]}),
)
REFUSED = [
    pytest.param(
        model([node("BitCast", "x", "y", to=TensorProto.INT32)], [value("x", (3,))],
              [value("y", (3,), TensorProto.INT32)], opset=26),
        r"BitCast 'y' .*: expected integers up to 16777216, exact in a float texture, got the bits of float32 as int32",
        id="bits of a float",
    ),
    pytest.param(
        model([node("Pad", "x p", "y", mode="mirror")], [value("x", (3,))], [value("y", (5,))],
              weights={"p": np.array([1, 1])}),
        r"Pad 'y' .*: expected a mode of constant, edge, reflect, wrap, got 'mirror'",
        id="unknown padding",
    ),
    pytest.param(
        model([node("Slice", "x s e", "y")], [value("x", (3,)), value("s", (1,), INT64), value("e", (1,), INT64)],
              [value("y", (2,))]),
        r"Slice 'y' .*: expected starts known before the run, got 's', which depends on the input",
        id="slice that depends on the run",
    ),
    pytest.param(
        model([node("Compress", "x c", "y", axis=0)], [value("x", (3,)), value("c", (3,), BOOL)], [value("y", (2,))]),
        r"Compress 'y' .*: expected a condition known before the run, got 'c', which depends on the input",
        id="condition that depends on the run",
    ),
    pytest.param(
        model([node("ConstantOfShape", "s", "y")], [value("s", (1,), INT64)], [value("y", (2,))]),
        r"ConstantOfShape 'y' .*: expected a value known before the run, got one that depends on 's'",
        id="shape that depends on the run",
    ),
    *(
        pytest.param(
            model([node("MeanVarianceNormalization", "x", "y", **axes)], [value("x", shape)], [value("y", shape)]),
            rf"MeanVarianceNormalization 'y' .*: expected axes of a tensor of rank {len(shape)}, each once, got ",
            id=f"axes of rank {len(shape)} {axes}",
        )
        for shape, axes in BAD_AXES
    ),
]  # fmt: skip


@pytest.mark.parametrize(("proto", "reason"), REFUSED)
def test_a_node_that_cannot_run_says_why(proto: onnx.ModelProto, reason: str) -> None:
    (missing,) = pipeline.plan_of(proto).not_run
    assert re.match(reason, missing.reason), missing.reason


def test_a_cast_to_what_no_texture_holds_is_refused() -> None:
    graph = load(model([node("Cast", "x", "y", to=INT64)], [value("x", (3,))], [value("y", (3,), INT64)]))
    tensors = {**graph.tensors, "y": TensorInfo("y", (3,), "complex64")}
    with pytest.raises(UnsupportedError, match="element types that a float texture holds, got float32 to complex64"):
        Cast().kernel(Call(graph.nodes[0], dataclasses.replace(graph, tensors=tensors)))


def test_a_compress_is_never_a_pass_itself() -> None:
    graph = load(
        model([node("Compress", "x c", "y", axis=0)], [value("x", (3,))], [value("y", (2,))],
              weights={"c": np.array([True, False, True])})
    )  # fmt: skip
    with pytest.raises(UnsupportedError, match="expected a Gather in its place, got the node itself"):
        Compress().kernel(Call(graph.nodes[0], graph))


def test_quantizing_to_wide_integers_is_refused() -> None:
    weights: dict[str, NDArray[Any]] = {"s": np.array(0.5, dtype=np.float32), "z": np.array(1, dtype=np.uint8)}
    quantize = node("QuantizeLinear", "x s z", "y")
    graph = load(model([quantize], [value("x", (3,))], [value("y", (3,), TensorProto.UINT8)], weights=weights))
    with pytest.raises(UnsupportedError, match="integers of up to 16 bits, or floats of up to 8, got 'int32'"):
        integer_range(Call(graph.nodes[0], graph), "int32")


def test_an_operator_that_others_define_becomes_those() -> None:
    proto = model(
        [node("DynamicQuantizeLinear", "x", "y s z", name="quantize")], [value("x", (2, 3))],
        [value("y", (2, 3), TensorProto.UINT8)],
    )  # fmt: skip
    nodes = load(proto).nodes
    assert {"ReduceMax", "ReduceMin", "QuantizeLinear"} <= {each.op_type for each in nodes}
    assert all(each.name.startswith("quantize/") for each in nodes)


def test_an_if_whose_condition_is_known_becomes_its_branch() -> None:
    def body(op_type: str) -> onnx.GraphProto:
        return onnx.helper.make_graph([node(op_type, "x", "out")], op_type, [], [value("out", (3,))])

    branches = {"then_branch": body("Relu"), "else_branch": body("Abs")}
    proto = model([node("If", "c", "y", **branches)], [value("x", (3,))], [value("y", (3,))],
                  weights={"c": np.array(False)})  # fmt: skip
    assert [each.op_type for each in load(proto).nodes] == ["Abs", "Identity"]


def test_a_cast_like_is_a_cast_whatever_it_is_like() -> None:
    proto = model([node("CastLike", "x like", "y")], [value("x", (3,)), value("like", (0,), INT64)],
                  [value("y", (3,), INT64)])  # fmt: skip
    graph = load(proto)
    assert graph.nodes[0].op_type == "Cast"
    assert graph.inputs == ("x",)
