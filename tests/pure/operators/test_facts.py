"""Tests that what operators declare is true: the reference evaluates them, and agrees."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, defs, helper

from tests.pure.models import array, model, node, value
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.facts import Facts, Rows
from texelscope.pipeline.operators.families.registry import all_operators, facts_of, operator_of
from texelscope.pipeline.oracle.reference import Reference

Array = NDArray[Any]

SHAPE = (2, 3, 4)
X = array(*SHAPE)
B = np.abs(array(*SHAPE, seed=1)) + np.float32(0.25)
# What an operator is given besides: its number of inputs, their types, attributes that it cannot do without.
TRUTHS = ("And", "Not", "Or", "Xor")
WHOLE = ("BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor")
ATTRIBUTES: dict[str, dict[str, Any]] = {"BitShift": {"direction": "LEFT"}, "Cast": {"to": TensorProto.FLOAT16}}
# Their x has to be positive, or larger than 1, or smaller.
INSIDE: dict[str, Callable[[Array], Array]] = {
    "Acosh": lambda x: 1.5 + np.abs(x), "Acos": np.tanh, "Asin": np.tanh, "Atanh": np.tanh, "Log": np.abs,
    "Sqrt": np.abs, "Pow": np.abs, "Shrink": lambda x: 2.0 * x,
}  # fmt: skip


# ONNX expands it to a Cast.
EXPANDED = ("CastLike",)
# So many activations can be undone; a formula that is lost is seen by this.
UNDONE = 15


def holding(fact: Callable[[Facts], object]) -> list[str]:
    """The operators of which something holds, and that ONNX has: nodes of theirs are made here."""
    named = [name for name, operator in all_operators().items() if fact(operator.facts)]
    return [name for name in named if defs.has(name) and name not in EXPANDED]


def inputs_of(op_type: str) -> list[Array]:
    """Returns operands, and settings after them."""
    x: Array = INSIDE[op_type](X).astype(np.float32) if op_type in INSIDE else X
    if op_type in TRUTHS:
        x = x > 0
    elif op_type in WHOLE:
        x = np.asarray(np.abs(4.0 * x), dtype=np.uint8)
    second = B if x.dtype.kind == "f" else B.astype(x.dtype)
    if op_type == "Clip":
        return [x, np.array(-0.5, dtype=np.float32), np.array(0.75, dtype=np.float32)]
    if op_type == "Where":
        return [X > 0, x, second]
    two = type(all_operators()[op_type]).__name__ in ("Binary", "Variadic")
    return [x, second] if two else [x]


def call_of(op_type: str, inputs: Sequence[Array], **attributes: Any) -> Call:
    """Returns a node of the newest opset in its graph, on those inputs."""
    names = [f"x{i}" for i in range(len(inputs))]
    kinds = [helper.np_dtype_to_tensor_dtype(x.dtype) for x in inputs]
    infos = [value(name, x.shape, kind) for name, x, kind in zip(names, inputs, kinds, strict=True)]
    made = load(
        model(
            [node(op_type, " ".join(names), "y", "node", **ATTRIBUTES.get(op_type, {}), **attributes)],
            infos, [helper.make_empty_tensor_value_info("y")], opset=defs.onnx_opset_version(),
        )
    )  # fmt: skip
    return Call(made.nodes[0], made)


def run(call: Call, inputs: Sequence[Array | None]) -> Array:
    found = Reference().run_node(call.node, inputs)[0]
    assert found is not None
    return found


@pytest.mark.parametrize("op_type", holding(lambda facts: facts.pointwise))
def test_a_few_elements_of_a_pointwise_operator_need_those_of_its_operands_alone(op_type: str) -> None:
    inputs = inputs_of(op_type)
    call = call_of(op_type, inputs)
    count = facts_of(call.node).operands
    places = np.array([1, 22, 7])
    some = [x.reshape(-1)[places] if count is None or i < count else x for i, x in enumerate(inputs)]
    np.testing.assert_array_equal(run(call, some), run(call, inputs).reshape(-1)[places])


@pytest.mark.parametrize("op_type", holding(lambda facts: facts.pointwise or facts.by_channel))
def test_what_is_undone_is_what_went_in(op_type: str) -> None:
    inputs = inputs_of(op_type)
    if op_type == "BatchNormalization":
        inputs = [X, *(np.abs(array(3, seed=seed)) + np.float32(0.1) for seed in range(4))]
    call = call_of(op_type, inputs)
    operator = operator_of(call.node)
    assert operator is not None
    made = run(call, inputs)
    for position, x in enumerate(inputs[: facts_of(call.node).operands]):
        undone = operator.undo(call, inputs, position, made)
        if undone is not None:
            told = np.isfinite(undone)
            assert told.any()
            assert undone.shape == made.shape
            np.testing.assert_allclose(undone[told], x[told], rtol=1e-4, atol=1e-5)


def test_most_activations_can_be_undone() -> None:
    call = {name: call_of(name, inputs_of(name)) for name in holding(lambda facts: facts.is_activation)}
    undone = {
        n for n, c in call.items() if all_operators()[n].undo(c, inputs_of(n), 0, run(c, inputs_of(n))) is not None
    }
    assert len(undone) >= UNDONE


@pytest.mark.parametrize("op_type", holding(lambda facts: facts.adds))
def test_one_operand_more_is_added(op_type: str) -> None:
    np.testing.assert_allclose(run(call_of(op_type, [X, B]), [X, B]) - X, B, atol=1e-6)


@pytest.mark.parametrize("op_type", holding(lambda facts: facts.is_ordered))
def test_operands_that_have_an_order_cannot_be_swapped(op_type: str) -> None:
    a, b = inputs_of(op_type) if op_type != "MatMul" else (array(3, 3), array(3, 3, seed=1))
    call = call_of(op_type, [a, b])
    assert not np.array_equal(run(call, [a, b]), run(call, [b, a]))


@pytest.mark.parametrize("op_type", holding(lambda facts: facts.threshold))
def test_what_is_not_above_a_threshold_is_nothing(op_type: str) -> None:
    call = call_of(op_type, [X], **({"lambd": 0.6, "bias": 0.0} if op_type == "Shrink" else {"alpha": 0.6}))
    threshold = facts_of(call.node).threshold
    assert threshold is not None
    above = threshold.size(X) > call.attribute(threshold.attribute)
    np.testing.assert_array_equal(run(call, [X]) != 0.0, above)


@pytest.mark.parametrize("op_type", holding(lambda facts: facts.shaped_by))
def test_a_number_that_shapes_a_curve_changes_it(op_type: str) -> None:
    inputs = [array(1, 4, 3, 3) * np.float32(2.0)]
    given = {"size": 3} if op_type == "LRN" else {}
    call = call_of(op_type, inputs, **given)
    for name in facts_of(call.node).shaped_by:
        other = {**call.node.attributes, name: 1.25 * call.attribute(name) + 0.3}
        changed = dataclasses.replace(call.node, attributes=MappingProxyType(other))
        assert not np.array_equal(run(Call(changed, call.graph), inputs), run(call, inputs)), name


@pytest.mark.parametrize("op_type", sorted({*holding(lambda facts: facts.keeps_order)} - {"OptionalGetElement"}))
def test_what_keeps_the_order_of_elements_has_them_in_order(op_type: str) -> None:
    inputs: list[Array] = {
        "Reshape": [X, np.array([4, 6])], "Squeeze": [X[None], np.array([0])], "Unsqueeze": [X, np.array([1])]
    }.get(op_type, [X])  # fmt: skip
    call = call_of(op_type, inputs)
    np.testing.assert_array_equal(run(call, inputs).reshape(-1), X.reshape(-1))


def reducing() -> list[str]:
    return [name for name in all_operators() if name.startswith("Reduce")]


@pytest.mark.parametrize("op_type", [name for name in reducing() if name != "ReduceMean"])
def test_accumulators_of_two_halves_are_joined_to_that_of_the_whole(op_type: str) -> None:
    x = np.abs(X) + np.float32(0.5)
    accumulator = all_operators()[op_type].facts.accumulator
    assert accumulator is not None
    of = [run(call_of(op_type, [part]), [part]).reshape(()) for part in (x, x[:1], x[1:])]
    joined = accumulator.by(*(accumulator.start(each) for each in of[1:]))
    np.testing.assert_allclose(accumulator.finish(joined), of[0], rtol=1e-5)


@pytest.mark.parametrize("op_type", reducing())
def test_a_matrix_of_rows_is_reduced_to_what_the_tensor_is(op_type: str) -> None:
    x = np.abs(X) + np.float32(0.5)
    made = Node("r", op_type, ("x", "axes"), ("y",), MappingProxyType({"keepdims": 1}), opset=18)
    shapes = {"x": SHAPE, "y": (1, 3, 1), "axes": (2,)}
    tensors = {name: TensorInfo(name, shape) for name, shape in shapes.items()}
    axes = np.array([0, -1])
    call = Call(made, Graph("test", (made,), tensors, ("x",), ("y",), {"axes": axes}))
    operator = operator_of(made)
    assert operator is not None
    rows = operator.rows(call)
    assert rows == Rows(SHAPE, (0, 2))
    matrix = rows.of(x)
    of_matrix = operator.of_matrix(call, matrix.shape)
    assert of_matrix is not None
    found = Reference().run_node(of_matrix, [matrix])[0]
    assert found is not None
    np.testing.assert_allclose(found, run(call, [x, axes]).reshape(-1), rtol=1e-5)


def test_rows_are_put_back_where_they_were_taken() -> None:
    rows = Rows(SHAPE, (0, 2))
    assert rows.of(X).shape == (3, rows.count) == (3, 8)
    np.testing.assert_array_equal(rows.of(X)[1], X[:, 1, :].reshape(-1))
    np.testing.assert_array_equal(rows.back(rows.of(X)), X)
    np.testing.assert_array_equal(Rows(SHAPE, (0,)).back(Rows(SHAPE, (0,)).of(X)), X)


@pytest.mark.parametrize(("opset", "axes"), [(12, (1, 2)), (13, (1,))])
@pytest.mark.parametrize("op_type", ["Softmax", "LogSoftmax"])
def test_the_axes_of_a_softmax_follow_the_rule_of_its_opset(op_type: str, opset: int, axes: tuple[int, ...]) -> None:
    made = Node("s", op_type, ("x",), ("y",), MappingProxyType({"axis": 1}), opset=opset)
    call = Call(made, Graph("test", (made,), {"x": TensorInfo("x", SHAPE)}, ("x",), ("y",), {}))
    operator = operator_of(made)
    assert operator is not None
    assert operator.rows(call) == Rows(SHAPE, axes)


def test_of_an_operator_that_nobody_knows_nothing_holds() -> None:
    for unknown in (Node("n", "Unheard", ("x",), ("y",)), Node("n", "Relu", ("x",), ("y",), domain="elsewhere")):
        assert operator_of(unknown) is None
        assert facts_of(unknown) == Facts()
    assert facts_of(Node("n", "BlockSum", ("x",), ("y",), domain=OWN_DOMAIN)).accumulator is not None


def test_a_clip_of_an_older_opset_has_its_bounds_as_attributes() -> None:
    made = Node("c", "Clip", ("x",), ("y",), MappingProxyType({"min": -0.5, "max": 0.5}), opset=6)
    call = Call(made, Graph("test", (made,), {"x": TensorInfo("x", SHAPE)}, ("x",), ("y",), {}))
    operator = operator_of(made)
    assert operator is not None
    undone = operator.undo(call, [X], 0, np.clip(X, -0.5, 0.5))
    assert undone is not None
    np.testing.assert_array_equal(np.isfinite(undone), np.abs(X) < 0.5)
