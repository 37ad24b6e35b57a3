"""Nodes and chains of nodes through `Reference`: attributes, omitted inputs and outputs, opsets, errors."""

from __future__ import annotations

import gc
import math
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.pure.oracle.nodes import FAST, PLAIN, Array, assert_close, fast, node, random
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.reference import Reference

X = np.array([-2, -1, 0, 3], np.float32)

CHAIN = (
    Node("first", "Relu", ("x",), ("a",), opset=21),
    Node("second", "Add", ("a", "a"), ("b",), opset=21),
    Node("aside", "Neg", ("a",), ("c",), opset=21),
    Node("third", "Sub", ("b", "x"), ("d",), opset=21),
)


def test_a_chain_gives_every_output() -> None:
    results = FAST.run(CHAIN, {"x": X})
    assert {name: array.tolist() for name, array in results.items()} == {
        "a": [0, 0, 0, 3],
        "b": [0, 0, 0, 6],
        "c": [0, 0, 0, -3],
        "d": [2, 1, 0, 3],
    }


def test_only_what_is_wanted_is_computed_and_given_back() -> None:
    seen: list[str] = []

    def note(node: Node, position: int, count: int) -> bool:
        seen.append(f"{node.name} {position}/{count}")
        return True

    results = FAST.run(CHAIN, {"x": X}, {"d"}, note)
    assert seen == ["first 0/3", "second 1/3", "third 2/3"]
    assert list(results) == ["d"]


def test_a_given_tensor_is_taken_as_it_is() -> None:
    given = {"x": X, "a": np.ones(4, np.float32)}
    assert FAST.run(CHAIN, given, {"b"})["b"].tolist() == [2, 2, 2, 2]
    everything = FAST.run(CHAIN, given)
    assert "a" not in everything
    assert everything["b"].tolist() == [2, 2, 2, 2]


def test_a_wanted_tensor_may_be_given() -> None:
    np.testing.assert_array_equal(FAST.run(CHAIN, {"x": X}, {"x", "a"})["x"], X)


def test_a_chain_can_be_stopped_and_leaves_what_is_done() -> None:
    results = FAST.run(CHAIN, {"x": X}, proceed=lambda node, position, count: position < 2)
    assert list(results) == ["a", "b"]


def test_tensors_are_let_go_when_only_some_are_wanted() -> None:
    chain = [Node(f"n{i}", "Neg", (f"t{i}",), (f"t{i + 1}",), opset=21) for i in range(10)]
    x = np.zeros(1 << 18, np.float32)
    FAST.run(chain, {"t0": x}, {"t10"})  # prepares the evaluators
    tracemalloc.start()
    FAST.run(chain, {"t0": x}, {"t10"})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * x.nbytes


def test_a_wanted_tensor_that_nobody_makes_is_refused() -> None:
    with pytest.raises(
        TexelscopeError, match=r"^oracle: expected a tensor of the model, got 'dd'\. Did you mean 'd'\?"
    ):
        FAST.run(CHAIN, {"x": X}, {"dd"})


def test_an_input_without_a_value_is_refused() -> None:
    with pytest.raises(TexelscopeError, match=r"^Relu 'first': expected a value for 'x', got none\."):
        FAST.run(CHAIN, {"y": X})


def test_an_operator_that_the_reference_only_knows_by_name_is_told_apart_from_an_unknown_one() -> None:
    made = node("Multinomial", 1, opset=7, sample_size=2)
    message = (
        r"^Multinomial 'the Multinomial': expected an operator that the oracle can evaluate in ai\.onnx 7, got "
        r"none for it\. Convert the model to a newer opset\."
    )
    with pytest.raises(UnsupportedError, match=message):
        FAST.run_node(made, [X.reshape(1, -1)])


def test_an_omitted_input_takes_no_part() -> None:
    made = node("Clip", 3, omitted={1})
    assert fast(made, X, None, np.array(1, np.float32)).tolist() == [-2, -1, 0, 1]


def test_an_omitted_output_is_none() -> None:
    made = Node("split", "TopK", ("x", "k"), ("", "order"), opset=21)
    values, order = FAST.run_node(made, [X, np.array([2], np.int64)])
    assert values is None
    assert order is not None
    assert order.tolist() == [3, 2]


def test_the_same_tensor_may_be_several_inputs() -> None:
    made = Node("square", "Mul", ("x", "x"), ("y",), opset=21)
    assert FAST.run_node(made, [X, X])[0].tolist() == [4, 1, 0, 9]  # type: ignore[union-attr]


def test_an_attribute_has_the_type_of_its_schema() -> None:
    assert fast(node("LeakyRelu", 1, alpha=2), X).tolist() == [-4, -2, 0, 3]
    np.testing.assert_array_equal(fast(node("ReduceSum", 1, opset=11, axes=(), keepdims=0), X), np.float32(0))
    assert fast(node("ReduceSum", 1, opset=11, axes=np.array([0]), keepdims=0), X) == 0


def test_a_tensor_attribute_is_taken_as_a_tensor() -> None:
    made = node("Constant", 0, value=np.array([[1, 2]], np.float32))
    assert fast(made).tolist() == [[1, 2]]


@pytest.mark.parametrize("reference", [FAST, PLAIN], ids=["fast", "plain"])
def test_a_default_is_that_of_the_opset(reference: Reference) -> None:
    low = np.array([-100], np.float32)
    old, new = (reference.run_node(node("Selu", 1, opset=opset), [low])[0] for opset in (1, 6))
    assert old is not None
    assert new is not None
    np.testing.assert_allclose(old, -1.6732 * 1.0507, rtol=1e-7)
    np.testing.assert_allclose(new, -1.6732632 * 1.050701, rtol=1e-7)


def test_clip_has_limits_as_attributes_before_opset_11() -> None:
    assert fast(node("Clip", 1, opset=6, min=-1.0, max=1.0), X).tolist() == [-1, -1, 0, 1]


@pytest.mark.parametrize("op_type", ["Add", "Pow"])
@pytest.mark.parametrize("axis", [None, 0, 1, -2])
def test_binary_operators_line_up_at_an_axis_before_opset_7(op_type: str, axis: int | None) -> None:
    x = np.abs(random(2, 3, 3))
    attributes: dict[str, Any] = {"broadcast": 1} if axis is None else {"broadcast": 1, "axis": axis}
    made = node(op_type, 2, opset=6, **attributes)
    second = np.arange(1, 1 + x.shape[2 if axis is None else axis], dtype=np.float32)
    shape = {None: (3,), 0: (2, 1, 1), 1: (3, 1), -2: (3, 1)}[axis]
    assert_close(fast(made, x, second), fast(node(op_type, 2, opset=13), x, second.reshape(shape)))


def test_consumed_inputs_change_nothing_in_opset_1() -> None:
    assert fast(node("Sum", 2, opset=1, consumed_inputs=(0, 1)), X, X).tolist() == [-4, -2, 0, 6]


EXPANDED: dict[str, Callable[[Array], Array]] = {
    "Gelu": lambda x: x * 0.5 * (1 + np.array([math.erf(v / 2**0.5) for v in x])),
    "HardSwish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "Mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
}


@pytest.mark.parametrize(("op_type", "formula"), EXPANDED.items(), ids=EXPANDED.keys())
def test_operators_that_the_reference_lacks_are_expanded(op_type: str, formula: Callable[[Array], Array]) -> None:
    x = random(4)
    assert_close(fast(node(op_type, 1, opset=22), x), formula(x.astype(np.float64)).astype(np.float32))


def test_group_normalization_is_expanded() -> None:
    x, ones, zeros = random(2, 4, 3), np.ones(4, np.float32), np.zeros(4, np.float32)
    groups = x.reshape(2, 2, -1).astype(np.float64)
    expected = (groups - groups.mean(-1, keepdims=True)) / np.sqrt(groups.var(-1, keepdims=True) + 1e-5)
    made = node("GroupNormalization", 3, num_groups=2)
    assert_close(fast(made, x, ones, zeros), expected.reshape(x.shape).astype(np.float32))


def test_numbers_beyond_floats_are_results_not_warnings() -> None:
    made = node("Div", 2)
    y = fast(made, np.array([1, 0], np.float32), np.zeros(2, np.float32))
    assert np.isinf(y[0])
    assert np.isnan(y[1])


def test_inputs_that_do_not_fit_are_refused_by_the_name_of_the_node() -> None:
    made = node("Conv", 2)
    with pytest.raises(
        TexelscopeError,
        match=r"^Conv 'the Conv': expected inputs that the operator accepts, got "
        r"float32\[1, 3, 4, 4\], float32\[2, 5, 3, 3\]\. Check the exporting script\.$",
    ):
        FAST.run_node(made, [random(1, 3, 4, 4), random(2, 5, 3, 3)])


def test_an_unknown_operator_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(
        UnsupportedError,
        match=r"^Convv 'the Convv': expected an operator of ai\.onnx 21, got 'Convv'\. Did you mean 'Conv'\?$",
    ):
        FAST.run_node(node("Convv", 1), [X])


def test_an_operator_that_nothing_here_evaluates_is_refused() -> None:
    with pytest.raises(
        UnsupportedError, match=r"^Multinomial 'the Multinomial': expected an operator that the oracle can"
    ):
        FAST.run_node(node("Multinomial", 1, sample_size=2), [random(1, 4)])


def test_an_output_that_is_no_tensor_is_refused() -> None:
    made = node("SequenceConstruct", 1)
    with pytest.raises(UnsupportedError, match=r"^SequenceConstruct '.*': expected tensors as outputs, got list"):
        FAST.run_node(made, [X])


def test_a_node_is_forgotten_with_its_graph() -> None:
    made = node("Relu", 1)
    fast(made, X)
    gone = weakref.ref(made)
    del made
    gc.collect()
    assert gone() is None
