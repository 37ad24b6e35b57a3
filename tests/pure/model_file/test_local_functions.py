"""A model's own functions: opened with their own defaults, in the model's opset where that means the same."""

from __future__ import annotations

from collections.abc import Sequence

import onnx
import pytest
from onnx import helper

from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.importers.onnx_model import load

LEAKY = node("LeakyRelu", "a", "b")
LEAKY.attribute.append(onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT))


def function(name: str, nodes: Sequence[onnx.NodeProto], *, opset: int = 17, **defaults: float) -> onnx.FunctionProto:
    """A function own.`name` from a to b, with attributes that have defaults."""
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("own", 1)]
    attributes = [helper.make_attribute(key, default) for key, default in defaults.items()]
    return helper.make_function("own", name, ["a"], ["b"], nodes, opsets, attribute_protos=attributes)


def calling(nodes: Sequence[onnx.NodeProto], functions: Sequence[onnx.FunctionProto]) -> onnx.ModelProto:
    """A model of opset 17 with functions of its own."""
    made = model(nodes, outputs=[value("y", None)])
    made.opset_import.append(helper.make_opsetid("own", 1))
    made.functions.extend(functions)
    return made


def slopes(graph: Graph) -> list[float]:
    return [round(float(each.attributes["alpha"]), 6) for each in graph.nodes]


def test_an_attribute_that_a_call_leaves_out_is_what_the_function_declares() -> None:
    leaky = function("Leaky", [LEAKY], slope=0.7)
    calls = [node("Leaky", "x", "m", domain="own"), node("Leaky", "m", "y", domain="own", slope=0.3)]
    assert slopes(load(calling(calls, [leaky]))) == [0.7, 0.3]


def test_functions_that_call_others_have_their_defaults_too() -> None:
    inner = function("Inner", [LEAKY], slope=0.7)
    outer = function("Outer", [node("Inner", "a", "b", domain="own")])
    assert slopes(load(calling([node("Outer", "x", "y", domain="own")], [outer, inner]))) == [0.7]


def test_calls_in_a_branch_have_their_defaults_too() -> None:
    leaky = function("Leaky", [LEAKY], slope=0.7)
    bodies = [
        helper.make_graph([node("Leaky", "x", name, domain="own")], name, [], [value(name, None)]) for name in "tf"
    ]
    nodes = [
        node("Constant", "", "c", value=helper.make_tensor("c", onnx.TensorProto.BOOL, [], [True])),
        node("If", "c", "y", then_branch=bodies[0], else_branch=bodies[1]),
    ]
    (leaky_node, _) = load(calling(nodes, [leaky])).nodes
    assert leaky_node.attributes["alpha"] == pytest.approx(0.7)


@pytest.mark.parametrize("opset", [14, 16, 18, 21])
def test_a_function_of_another_opset_is_opened_where_its_operators_are_the_same(opset: int) -> None:
    relu = function("Own", [node("Relu", "a", "b")], opset=opset)
    assert [each.op_type for each in load(calling([node("Own", "x", "y", domain="own")], [relu])).nodes] == ["Relu"]


def test_a_function_of_another_opset_with_one_operator_that_differs_is_not_run() -> None:
    mean = function("Own", [node("Relu", "a", "m"), node("ReduceMean", "m", "b")], opset=18)  # its axes are an input
    plan = pipeline.plan_of(calling([node("Own", "x", "y", "call", domain="own")], [mean]))
    assert [each.name for each in plan.not_run] == ["call"]
    assert "got 'own.Own'" in plan.not_run[0].reason


def test_the_model_that_was_given_stays_as_it_was() -> None:
    given = calling([node("Leaky", "x", "y", domain="own")], [function("Leaky", [LEAKY], opset=21, slope=0.7)])
    before = given.SerializeToString(deterministic=True)
    load(given)
    assert given.SerializeToString(deterministic=True) == before
