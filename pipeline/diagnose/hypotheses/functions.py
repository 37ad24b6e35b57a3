"""Proposes another function in place of one of the layer's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.curves import CURVES, Curve, may_have_made
from texelscope.pipeline.diagnose.fault_models.equal_largest import among_equals
from texelscope.pipeline.diagnose.fault_models.region import in_parts, reproduces_wrong, with_parts
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, ModelSlice, NodeChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import Function, node_skipped, window_with
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


def _rational_tanh(x: Array) -> Array:
    """Returns the rational approximation that shaders use for tanh."""
    return np.asarray(x * (27.0 + x * x) / (27.0 + 9.0 * x * x))


# Functions that are not activations, or that are rarely confused with one.
_OTHERS = {
    "Neg": Curve(lambda x: -x, ("-",)),
    "Exp2": Curve(np.exp2, ("exp2",)),
    "1 / Sqrt": Curve(lambda x: 1.0 / np.sqrt(x), ("inversesqrt",)),
    "Sign": Curve(np.sign, ("sign",)),
    "x (27 + x²) / (27 + 9 x²)": Curve(_rational_tanh, ("clamp",)),
    "x (27 + x²) / (27 + 9 x²) up to 3": Curve(lambda x: _rational_tanh(np.clip(x, -3.0, 3.0)), ("clamp",)),
}
# Ways to make whole numbers, which differ by one at most: no straight line lies between two of them.
_ROUNDINGS = {
    "Floor": Curve(np.floor, ("floor", "int")),
    "Ceil": Curve(np.ceil, ("ceil",)),
    "Round": Curve(np.rint, ("roundEven", "round")),
    "Round with halves up": Curve(lambda x: np.floor(x + np.float32(0.5)), ("floor", "int")),
    "Round with halves away from zero": Curve(
        lambda x: np.trunc(x + np.copysign(np.float32(0.5), x)), ("round", "floor", "sign")
    ),
    "Trunc": Curve(np.trunc, ("trunc", "int")),
}
# Operators that round what they are given, and how.
_ROUNDS = MappingProxyType({"QuantizeLinear": "Round", "Cast": "Trunc"})
# Functions of two values.
_OF_TWO: Mapping[str, Callable[[Array, Array], Array]] = MappingProxyType(
    {
        "a + b": np.add,
        "a - b": np.subtract,
        "b - a": lambda a, b: b - a,
        "a b": np.multiply,
        "a / b": lambda a, b: a / b,
        "the larger": np.maximum,
        "the smaller": np.minimum,
    }
)
# Functions in place of a product.
_ONE_OF_TWO: Mapping[str, Callable[[Array, Array], Array]] = MappingProxyType(
    {"a alone": lambda a, b: a + 0.0 * b, "b alone": lambda a, b: b + 0.0 * a}
)


def _wrong_function(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes common functions in place of each function of one value, everywhere, then in parts; other pools."""
    for chosen in among_equals(case):
        says = f"takes {chosen.says} in {chosen.node.op_type} '{chosen.node.name}', where the model takes the first"
        yield _in_place(chosen.node, chosen.says, chosen.change, says=says, prior=1.5)
    for node in case.model_slice.nodes:
        if _is_of_one_value(case, node):
            found = [*_of_one(case, node)]
            yield from found
            for each in found:
                yield from in_parts(case, each)
        if node.op_type in _ROUNDS:
            yield from _of_rounding(case, node)
        if node.op_type == "PRelu":
            other = NodeChange(node.name, partial(_mirrored, case.model_slice))
            yield _in_place(node, "the slope above zero", other, prior=1.3)
        if _is_of_two_values(case, node):
            for each in _of_two(case, node):
                yield from with_parts(case, each)
    yield from _of_pools(case)


def _in_place(
    node: Node, name: str, change: ModelEdit, *calls: str, says: str = "", expected: str = "", **rest: Any
) -> Hypothesis:
    """Returns the hypothesis that a node computes the function of this name instead of its own, or of `expected`."""
    expected = expected or node.op_type
    return Hypothesis(
        causes.WRONG_FUNCTION, says or f"{name} in place of {node.op_type} '{node.name}'", (change,),
        {"function": name, "expected": expected}, remedy=f"Apply {expected}, not {name}.",
        **{"line": lines.first(lines.called(*calls), lines.activation), **rest},
    )  # fmt: skip


def _of_one(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    left_out = (node_skipped(node),)
    if reproduces_wrong(case, left_out) and case.judge.reproduces(case.evaluate(left_out)).is_whole:
        return
    x = np.asarray(case.model_slice.inputs_of(node)[0], dtype=np.float32)
    right = case.model_slice.values[node.outputs[0]]
    for number, (name, curve) in enumerate((*CURVES.items(), *_OTHERS.items(), *_ROUNDINGS.items())):
        with np.errstate(all="ignore"):
            same = np.allclose(curve.function(x), right, rtol=1e-4, atol=1e-6, equal_nan=True)
        if not same and may_have_made(case, curve):
            change = _instead(node, curve.function)
            yield _in_place(node, name, change, *curve.calls, prior=1.29 + number / 100.0)


def _of_rounding(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    """Proposes other roundings where an operator makes whole numbers, in all elements and in parts."""
    expected, right = _ROUNDS[node.op_type], case.model_slice.values[node.outputs[0]]
    if right.dtype.kind not in "iu" or node.attributes.get("block_size"):
        return
    for number, (name, curve) in enumerate(_ROUNDINGS.items()):
        change = _rounded(case.model_slice, node, curve.function)
        with np.errstate(all="ignore"):
            values = change.change(node, case.model_slice.inputs_of(node))
        if np.array_equal(values, right):
            continue
        says = f"{name} in place of {expected} in {node.op_type} '{node.name}'"
        line, prior = lines.first(lines.called(*curve.calls), lines.result), 1.29 + number / 100.0
        whole = _in_place(node, name, change, says=says, expected=expected, line=line, prior=prior)
        yield from with_parts(case, whole)


def _of_two(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    """Proposes other functions of two values; swapped operands are another cause."""
    constants = case.model_slice.call(node).graph.constants
    is_product = node.op_type in ("Mul", "Div") and constants.keys().isdisjoint(node.inputs)
    functions = {**_OF_TWO, **(_ONE_OF_TWO if is_product else {})}
    a, b = (np.asarray(x, dtype=np.float32) for x in case.model_slice.inputs_of(node)[:2])
    with np.errstate(all="ignore"):
        made = {name: function(a, b) for name, function in functions.items()}
    known = [case.model_slice.values[node.outputs[0]]]
    if facts_of(node).is_ordered:
        known.append(case.model_slice.run_node(node, [b, a]))
    for name, value in made.items():
        if not any(np.allclose(value, each, rtol=1e-4, atol=1e-6, equal_nan=True) for each in known):
            change = NodeChange(node.name, lambda _, x, f=functions[name]: f(*x[:2]), pointwise=True)  # type: ignore[misc]
            yield _in_place(node, name, change, prior=1.68)


def _of_pools(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes the mean, the sum or the largest of a window in place of another of them."""
    ways = (("the mean", "mean", "inside"), ("the sum", "mean", 1.0), ("the largest", "largest", "inside"))
    for window in (each for each in case.windows() if each.kind != "sum"):
        node = case.model_slice.named(window.node)
        for name, kind, count in (each for each in ways if each[1] != window.kind):
            outside = -np.inf if kind == "largest" else 0.0
            change = window_with(node.name, kind=kind, count=count, outside=outside)
            yield _in_place(node, name, change, prior=1.4)


def _is_of_one_value(case: FailingPass, node: Node) -> bool:
    """Whether the node is a function of one number, so that another function may replace it."""
    facts = facts_of(node)
    values = [case.model_slice.values[name] for name in (*node.inputs[:1], node.outputs[0]) if name]
    alone = len(node.inputs[: facts.operands]) == 1 and not facts.moves
    return facts.pointwise and alone and len(values) == 2 and all(each.dtype.kind == "f" for each in values)


def _is_of_two_values(case: FailingPass, node: Node) -> bool:
    values = [case.model_slice.values[name] for name in (*node.inputs, node.outputs[0]) if name]
    # A single number is a factor or an addend, which are other causes.
    return facts_of(node).pointwise and len(values) == 3 and all(x.dtype.kind == "f" and x.size > 1 for x in values)


def _instead(node: Node, function: Function) -> NodeChange:
    def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
        return np.asarray(function(np.asarray(inputs[0], dtype=np.float32)), dtype=np.float32)

    return NodeChange(node.name, change, pointwise=True)


def _rounded(model_slice: ModelSlice, node: Node, function: Function) -> NodeChange:
    """Rounds an operator's numbers by another function, before it does: whole numbers it then leaves as they are."""

    def change(of: Node, inputs: Sequence[Array | None]) -> Array:
        x, *others = inputs
        assert x is not None  # an operator that rounds has it
        steps = _steps(of, x, others[0]) if others and others[0] is not None else np.float32(1.0)
        whole = np.asarray(function(np.asarray(x, dtype=np.float32) / steps), dtype=np.float32)
        return model_slice.run_node(of, [(whole * steps).astype(x.dtype), *others])

    is_of_one_scale = all(each is None or each.size == 1 for each in model_slice.inputs_of(node)[1:])
    return NodeChange(node.name, change, pointwise=is_of_one_scale)


def _steps(node: Node, x: Array, scale: Array) -> Array:
    """Returns the size of a step for each element: one for all, or one for each index of an axis."""
    if scale.size == 1:
        return np.asarray(scale, dtype=np.float32).reshape(())
    axis = int(node.attributes.get("axis", 1)) % x.ndim
    return np.asarray(scale, dtype=np.float32).reshape([-1 if number == axis else 1 for number in range(x.ndim)])


def _mirrored(model_slice: ModelSlice, node: Node, inputs: Sequence[Array | None]) -> Array:
    """Runs a node on −x and negates the result."""
    x, *others = inputs
    assert x is not None  # only where a node leaves out an optional input
    result: Array = -model_slice.run_node(node, [-x, *others])
    return result


GENERATORS = (Generator(causes.WRONG_FUNCTION, Stage.PARTS, _wrong_function),)
