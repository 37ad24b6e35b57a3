"""Converts nodes that compute each element from the same place to operations of a form's finish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.glsl.assemble import literal, operator_file, read_shader
from texelscope.pipeline.lowerings.finish import ChannelParameter, Operation
from texelscope.pipeline.lowerings.lowering import Constants, Numbers
from texelscope.pipeline.operators.base import Array, Call, Kernel
from texelscope.pipeline.operators.families.elementwise import Unary
from texelscope.pipeline.operators.families.normalization import is_inference
from texelscope.pipeline.operators.families.registry import operator_of

# Maps binary operators to formulas of two vec4.
_BINARY = {
    "Add": "{0} + {1}",
    "Sum": "{0} + {1}",
    "Sub": "{0} - {1}",
    "Mul": "{0} * {1}",
    "Div": "{0} / {1}",
}
_EACH_LANE = "vec4({f}({0}.x), {f}({0}.y), {f}({0}.z), {f}({0}.w))"


Operands = tuple[int | str, ...]


@dataclass(frozen=True)
class Pointwise:
    """Holds the operands of a node that vary, and `make`, which builds its operation.

    `make` gets a value's number for each operand, or the key of a tensor to read, and which of the channels of
    the node's tensors are the head's.
    """

    operands: tuple[str, ...]
    make: Callable[[Operands, slice], Operation]


def pointwise(call: Call) -> Pointwise | None:
    """Converts the node for a finish; None if that is not possible."""
    node = call.node
    operator = operator_of(node)
    if operator is None or call.output_info().dtype != "float32" or len(call.output_shape()) != 4:
        return None
    if isinstance(operator, Unary):
        return _unary(operator.kernel(call), node.inputs[0])
    if node.op_type == "Clip":
        return _clip(operator.kernel(call), node.inputs[0])
    if node.op_type == "BatchNormalization" and is_inference(call):
        return _normalised(call)
    if node.op_type in _BINARY and len(node.inputs) == 2:
        return _binary(call)
    return None


@dataclass(frozen=True)
class Gate:
    """Holds a node that takes one of two values where elements of the tensor `by` are above a number, else the other.

    `operands` are the values that vary; `make` builds the operation from their numbers, in that order.
    """

    by: str
    operands: tuple[str, ...]
    make: Callable[[tuple[int, ...]], Operation]


def gate(call: Call, condition: Call) -> Gate | None:
    """Converts a Where and the Greater that is its condition, as in gradients of activations; None for others."""
    level = condition.constant(1)
    shape = call.output_shape()
    if call.output_info().dtype != "float32" or len(shape) != 4 or level is None or level.size != 1:
        return None
    if condition.shape(0) != shape or condition.constant(0) is not None:
        return None
    operands: list[str] = []
    texts = []
    for position in (1, 2):
        value = call.constant(position)
        if value is not None and value.size == 1:
            texts.append(f"vec4({literal(float(value.reshape(())))})")
        elif value is None and call.shape(position) == shape:
            texts.append(f"{{{len(operands)}}}")
            operands.append(call.node.inputs[position])
        else:
            return None
    above, below = texts
    by = condition.node.inputs[0]
    formula = f"mix({below}, {above}, greaterThan({{other}}, vec4({literal(float(level.reshape(())))})))"
    return Gate(by, tuple(operands), lambda values: Operation(formula, values, other=by))


def _unary(kernel: Kernel, x: str) -> Pointwise:
    text = read_shader(operator_file(kernel.shaders[0]))
    constants = tuple(kernel.constants.items())

    def make(operands: Operands, _span: slice) -> Operation:
        (value,) = operands
        assert isinstance(value, int), "an activation takes a computed value"
        return Operation(_EACH_LANE, (value,), function=text, constants=constants)

    return Pointwise((x,), make)


def _clip(kernel: Kernel, x: str) -> Pointwise | None:
    if set(kernel.reads) != {"X"}:
        return None
    low, high = (literal(float(str(kernel.constants[name]))) for name in ("LOWEST", "HIGHEST"))

    def make(operands: Operands, _span: slice) -> Operation:
        (value,) = operands
        assert isinstance(value, int), "an activation takes a computed value"
        return Operation(f"min(max({{0}}, vec4({low})), vec4({high}))", (value,))

    return Pointwise((x,), make)


def _normalised(call: Call) -> Pointwise | None:
    if any(call.constant(position) is None for position in range(1, 5)):
        return None
    scale, bias, mean, variance = call.node.inputs[1:5]
    epsilon = np.float32(call.attribute("epsilon", 1e-5))

    def make(operands: Operands, span: slice) -> Operation:
        (value,) = operands
        assert isinstance(value, int), "a normalisation takes a computed value"

        def factor(constant: Constants) -> Numbers:
            root = np.sqrt(constant(variance).astype(np.float32) + epsilon)
            return np.asarray(constant(scale).astype(np.float32) / root, dtype=np.float32).reshape(-1)[span]

        return Operation(
            "({0} - {p0}) * {p1} + {p2}",
            (value,),
            (
                _part(mean, span),
                ChannelParameter(f"{scale}/{variance}/{epsilon}{_named(span)}", factor),
                _part(bias, span),
            ),
        )

    return Pointwise((call.node.inputs[0],), make)


def _binary(call: Call) -> Pointwise | None:
    formula = _BINARY[call.node.op_type]
    a, b = call.node.inputs
    fixed = [position for position in (0, 1) if call.constant(position) is not None]
    if not fixed:
        return Pointwise((a, b), _of_two(formula)) if call.shape(0) == call.shape(1) else None
    (position, *more) = fixed
    value = call.constant(position)
    if more or value is None or not _is_by_channel(value, call.output_shape()[1]):
        return None
    if call.shape(1 - position) != call.output_shape():
        return None
    name, varying = call.node.inputs[position], call.node.inputs[1 - position]
    text = formula.replace("{0}", "{p0}").replace("{1}", "{0}") if position == 0 else formula.replace("{1}", "{p0}")

    def make(operands: Operands, span: slice) -> Operation:
        (operand,) = operands
        assert isinstance(operand, int), "a factor takes a computed value"
        return Operation(text, (operand,), (_part(name, span),))

    return Pointwise((varying,), make)


def _of_two(formula: str) -> Callable[[Operands, slice], Operation]:
    def make(operands: Operands, _span: slice) -> Operation:
        a, b = operands
        values = tuple(each for each in operands if isinstance(each, int))
        if isinstance(a, int) and isinstance(b, int):
            return Operation(formula, values)
        other = next(each for each in operands if isinstance(each, str))
        if isinstance(a, int):
            return Operation(formula.replace("{1}", "{other}"), values, other=other)
        return Operation(formula.replace("{0}", "{other}").replace("{1}", "{0}"), values, other=other)

    return make


def _is_by_channel(value: Array, channels: int) -> bool:
    """Whether it is one number, or one per channel of a tensor of four axes."""
    shape = (1,) * (4 - value.ndim) + value.shape
    return value.dtype == np.float32 and len(shape) == 4 and shape in ((1, 1, 1, 1), (1, channels, 1, 1))


def _part(name: str, span: slice) -> ChannelParameter:
    """Returns the constant's numbers, one per channel or one for all, for the channels of `span`."""

    def make(constant: Constants) -> Numbers:
        numbers = np.asarray(constant(name), dtype=np.float32).reshape(-1)
        return numbers if numbers.size == 1 else numbers[span]

    return ChannelParameter(f"{name}{_named(span)}", make)


def _named(span: slice) -> str:
    return f"[{span.start}:{span.stop}]"
