"""Describes passes along the rows of a tensor as steps: totals of a row, and what is computed per element or per row.

A row is what lies along the last axis. A normalisation is a mean, a mean square and a quotient; a softmax a largest
element, a sum of exponentials and a quotient.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from texelscope.pipeline.glsl.assemble import literal
from texelscope.pipeline.graph import OWN_DOMAIN, Node
from texelscope.pipeline.lowerings.elements import Elements, elements_of
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.reduction import reduced_axes


@dataclass(frozen=True)
class Total:
    """Describes the total of a row of the tensor `value`: a `sum` over `divisor`, the `largest` or `smallest` element.

    `output` is its key, one number a row, and `name` that of the pass.
    """

    name: str
    output: str
    value: str
    fold: str
    divisor: float = 1.0


RowStep = Total | Elements
_Make = Callable[[str, Call], tuple[RowStep, ...] | None]


def row_steps(name: str, call: Call) -> tuple[RowStep, ...] | None:
    """Returns the node, as the pass called `name`, as steps along rows; None if it is none of these.

    Keys of values in between begin with that of the output. A step per element may have operands of one number a row.
    """
    node = call.node
    make = _ALONG_ROWS.get((node.domain, node.op_type))
    if make is not None:
        return make(name, call)
    found = elements_of(name, call)
    return None if found is None else (found,)


def may_total(node: Node) -> bool:
    """Reports whether the node may be a total of rows, or have one, without looking at its shapes."""
    return (node.domain, node.op_type) in _ALONG_ROWS


def _is_last(call: Call, axes: tuple[int, ...]) -> bool:
    """Whether the axes are the last one alone; others of one element make no difference."""
    shape = call.shape(0)
    return len(shape) - 1 in axes and math.prod(shape[axis] for axis in axes) == shape[-1]


def _reduced(fold: str, term: str = "", *, means: bool = False, has_root: bool = False) -> _Make:
    """Returns what makes steps of a Reduce operator: a fold of `term`, GLSL over `{0}`, and the root of the total."""

    def make(name: str, call: Call) -> tuple[RowStep, ...] | None:
        if not call.attribute("keepdims", 1) or not _is_last(call, reduced_axes(call).axes):
            return None
        value, y = call.node.inputs[0], call.node.outputs[0]
        divisor = float(call.shape(0)[-1]) if means else 1.0
        steps: list[RowStep] = []
        if term:
            steps.append(Elements(name, f"{y}/term", (value,), term))
            value = steps[-1].output
        total = f"{y}/total" if has_root else y
        steps.append(Total(name, total, value, fold, divisor))
        if has_root:
            steps.append(Elements(name, y, (total,), "sqrt({0})"))
        return tuple(steps)

    return make


def _softmax(name: str, call: Call) -> tuple[RowStep, ...] | None:
    last = len(call.shape(0)) - 1
    is_along = call.axis(default=-1 if call.node.opset >= 13 else 1) == last
    if not is_along:
        return None
    x, y = call.node.inputs[0], call.node.outputs[0]
    largest, total = f"{y}/largest", f"{y}/sum"
    return (
        Total(name, largest, x, "largest"),
        *_exponential_sum(name, x, largest, total),
        _share(name, (x, largest, total), y, logarithm=call.node.op_type == "LogSoftmax"),
    )


def _exponential_sum(name: str, x: str, largest: str, total: str) -> tuple[RowStep, ...]:
    term = f"{total}/term"
    return Elements(name, term, (x, largest), "exp({0} - {1})"), Total(name, total, term, "sum")


def _share(name: str, operands: tuple[str, ...], y: str, *, logarithm: bool) -> Elements:
    if logarithm:
        return Elements(name, y, operands, "({0} - {1} - {f}({2}))", "float unary(float x) { return ln(x); }")
    return Elements(name, y, operands, "(exp({0} - {1}) / {2})")


def _softmax_share(name: str, call: Call) -> tuple[RowStep, ...] | None:
    if call.attribute("inner_count") != 1 or call.attribute("axis_count") != call.shape(0)[-1]:
        return None
    return (_share(name, call.node.inputs[:3], call.node.outputs[0], logarithm=bool(call.attribute("logarithm"))),)


_TERMS: Mapping[str, str] = {
    "value": "({0} - {1})",
    "square": "(({0} - {1}) * ({0} - {1}))",
    "exponential": "exp({0} - {1})",
    "absolute": "abs({0} - {1})",
}


def _block_sum(name: str, call: Call) -> tuple[RowStep, ...] | None:
    shape, y = call.shape(0), call.node.outputs[0]
    in_rows = tuple(call.attribute("view")) == shape and tuple(call.attribute("axes")) == (len(shape) - 1,)
    if not in_rows or int(call.attribute("block")) < shape[-1]:
        return None
    x = call.node.inputs[0]
    scale, text = float(call.attribute("scale")), _TERMS[call.attribute("term")]
    operands = call.node.inputs[:2] if call.has(1) else (x,)
    term = Elements(name, f"{y}/term", operands, text if call.has(1) else text.replace("{1}", "0.0"))
    return term, Total(name, y, term.output, "sum", 1.0 / scale)


def _normalise(name: str, call: Call) -> tuple[RowStep, ...] | None:
    shape, y = call.shape(0), call.node.outputs[0]
    if tuple(call.attribute("view")) != shape or tuple(call.attribute("axes")) != (len(shape) - 1,):
        return None
    x, mean, variance, scale, bias = (*call.node.inputs, "", "")[:5]
    epsilon = literal(float(call.attribute("epsilon")))
    root = f"(sqrt({{0}}) + {epsilon})" if call.attribute("outside", 0) else f"sqrt({{0}} + {epsilon})"
    deviation = Elements(name, f"{y}/deviation", (variance,), root)
    operands = [x, deviation.output]
    text = "({0} / {1})"
    if mean:
        operands.append(mean)
        text = "(({0} - {2}) / {1})"
    for key, sign in ((scale, "*"), (bias, "+")):
        if key:
            text = f"({text} {sign} {{{len(operands)}}})"
            operands.append(key)
    return deviation, Elements(name, y, tuple(operands), text)


_ALONG_ROWS: Mapping[tuple[str, str], _Make] = {
    ("", "ReduceMean"): _reduced("sum", means=True),
    ("", "ReduceSum"): _reduced("sum"),
    ("", "ReduceL1"): _reduced("sum", "abs({0})"),
    ("", "ReduceL2"): _reduced("sum", "({0} * {0})", has_root=True),
    ("", "ReduceSumSquare"): _reduced("sum", "({0} * {0})"),
    ("", "ReduceMax"): _reduced("largest"),
    ("", "ReduceMin"): _reduced("smallest"),
    ("", "Softmax"): _softmax,
    ("", "LogSoftmax"): _softmax,
    (OWN_DOMAIN, "BlockSum"): _block_sum,
    (OWN_DOMAIN, "SoftmaxShare"): _softmax_share,
    (OWN_DOMAIN, "Normalise"): _normalise,
}
