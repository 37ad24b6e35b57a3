"""Translates operations per element, on one tensor, two or many."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading, guesses, stated
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.dialects.tfjs.recording.tensors import IMAGE_RANK

# Adds the nodes of a kernel that is several operators, from its variables' names, and returns the last one's.
AddSeveral = Callable[..., str]
# ONNX's number of float32.
_FLOAT = 1
# Kernels that are one ONNX operator.
_UNARY = MappingProxyType({
    "Relu": "Relu", "Sigmoid": "Sigmoid", "Tanh": "Tanh", "Exp": "Exp", "Log": "Log", "Sqrt": "Sqrt", "Abs": "Abs",
    "Neg": "Neg", "Floor": "Floor", "Ceil": "Ceil", "Reciprocal": "Reciprocal", "Sin": "Sin", "Cos": "Cos",
    "Softplus": "Softplus", "Erf": "Erf", "Identity": "Identity", "Tan": "Tan", "Asin": "Asin", "Acos": "Acos",
    "Atan": "Atan", "Sinh": "Sinh", "Cosh": "Cosh", "Asinh": "Asinh", "Acosh": "Acosh", "Atanh": "Atanh",
    "Round": "Round",
})  # fmt: skip
_BINARY = MappingProxyType({
    "Add": "Add", "AddV2": "Add", "Sub": "Sub", "Multiply": "Mul", "RealDiv": "Div", "Maximum": "Max",
    "Minimum": "Min", "Pow": "Pow",
})  # fmt: skip
# Kernels that compare two tensors: 1 where it holds, otherwise 0.
_COMPARING = MappingProxyType({
    "Greater": "Greater", "GreaterEqual": "GreaterOrEqual", "Less": "Less", "LessEqual": "LessOrEqual",
    "Equal": "Equal",
})  # fmt: skip
# The two numbers of selu: Klambauer et al., Self-Normalizing Neural Networks, 2017.
_SELU_ALPHA, _SELU_GAMMA = 1.6732632423543772, 1.0507009873554805
# Text of the operation, where a kernel runs several programs.
_UNARY_TEXT = (
    (r"return exp\(x\)|= exp\(x\)", "Exp"),
    (r"return x;\s*\}", "Identity"),
    (r"\blog\(x\)", "Log"),
    (r"\bsqrt\(x\)", "Sqrt"),
    (r"abs\(x\)", "Abs"),
    (r"-\s*x;", "Neg"),
    (r"exp\(-1\.0 \* x\)", "Sigmoid"),
)
_BINARY_TEXT = (
    (r"return a - b;", "Sub"), (r"return a / b;|result = a / b|a\.\w / b\.", "Div"), (r"return a \* b;", "Mul"),
    (r"return a \+ b;", "Add"), (r"max\(a, b\)", "Max"), (r"min\(a, b\)", "Min"),
)  # fmt: skip
_BODY = re.compile(r"\b(?:float|vec4) (?:unary|binary)Operation\((?P<body>.*?)void main", re.DOTALL)


def readings(program: Program, text: str) -> Sequence[Reading]:
    """Yields readings of elementwise programs: by the kernel, or by the text of the operation."""
    body = match["body"] if (match := _BODY.search(text)) else ""
    if program.name in ("UnaryOpProgram", "UnaryOpPackedProgram"):
        return _of_one(program, body)
    if program.name in ("BinaryOpProgram", "BinaryOpPackedProgram"):
        if program.kernel in ("Prelu", "LeakyRelu"):
            return stated(_prelu)
        if program.kernel in _BINARY:
            return stated(partial(_pointwise, _BINARY[program.kernel]))
        if program.kernel in _COMPARING:
            return stated(partial(_of_several, partial(_compared, _COMPARING[program.kernel])))
        if program.kernel in _OF_TWO:
            return stated(partial(_of_several, _OF_TWO[program.kernel]))
        return _by_text(_BINARY_TEXT, body)
    if program.name in ("AddNProgram", "AddNPackedProgram"):
        return stated(partial(_pointwise, "Sum"))
    if program.name not in ("ClipProgram", "ClipPackedProgram"):
        return ()
    return (*(stated(_clipped_as_asked) if program.kernel == "ClipByValue" else ()), *guesses(_clipped))


def _by_text(patterns: Sequence[tuple[str, str]], body: str) -> Sequence[Reading]:
    return guesses(*(partial(_pointwise, op_type) for pattern, op_type in patterns if re.search(pattern, body)))


def _of_one(program: Program, body: str) -> Sequence[Reading]:
    if program.kernel == "LeakyRelu":
        return stated(_leaky)
    if program.kernel == "Elu":
        return stated(partial(_pointwise, "Elu", alpha=1.0))
    if program.kernel == "Selu":
        return stated(partial(_pointwise, "Selu", alpha=_SELU_ALPHA, gamma=_SELU_GAMMA))
    if program.kernel == "Relu6":
        return stated(partial(_within, 0.0, 6.0))
    if program.kernel == "Sign":  # of NaN TensorFlow.js makes 0, ONNX NaN
        return guesses(partial(_pointwise, "Sign"))
    if program.kernel in _UNARY:
        return stated(partial(_pointwise, _UNARY[program.kernel]))
    if program.kernel in _OF_ONE:
        return stated(partial(_of_several, _OF_ONE[program.kernel]))
    return _by_text(_UNARY_TEXT, body)


def _leaky(step: NodeBuilder) -> None:
    _pointwise("LeakyRelu", step, alpha=float(step.attribute("alpha", 0.2)))


def _pointwise(op_type: str, step: NodeBuilder, **attributes: Any) -> None:
    tensors, is_image = _aligned(step)
    y = step.add(op_type, *tensors, **attributes)
    (step.ends_image if is_image else step.ends)(y)


def _of_several(add: AddSeveral, step: NodeBuilder) -> None:
    """Ends with what several operators make of the variables."""
    tensors, is_image = _aligned(step)
    (step.ends_image if is_image else step.ends)(add(step, *tensors))


def _one(step: NodeBuilder) -> str:
    return step.constant(np.array(1.0, dtype=np.float32))


def _square(step: NodeBuilder, x: str) -> str:
    return step.add("Mul", x, x)


def _rsqrt(step: NodeBuilder, x: str) -> str:
    return step.add("Reciprocal", step.add("Sqrt", x))


def _log1p(step: NodeBuilder, x: str) -> str:
    return step.add("Log", step.add("Add", x, _one(step)))


def _expm1(step: NodeBuilder, x: str) -> str:
    return step.add("Sub", step.add("Exp", x), _one(step))


def _is_nan(step: NodeBuilder, x: str) -> str:
    return step.add("Cast", step.add("IsNaN", x), to=_FLOAT)


def _compared(op_type: str, step: NodeBuilder, a: str, b: str) -> str:
    return step.add("Cast", step.add(op_type, a, b), to=_FLOAT)


def _squared_difference(step: NodeBuilder, a: str, b: str) -> str:
    return _square(step, step.add("Sub", a, b))


def _floor_of_quotient(step: NodeBuilder, a: str, b: str) -> str:
    return step.add("Floor", step.add("Div", a, b))


_OF_ONE: Mapping[str, AddSeveral] = MappingProxyType(
    {"Square": _square, "Rsqrt": _rsqrt, "Log1p": _log1p, "Expm1": _expm1, "IsNan": _is_nan}
)
_OF_TWO: Mapping[str, AddSeveral] = MappingProxyType(
    {"SquaredDifference": _squared_difference, "FloorDiv": _floor_of_quotient}
)


def _prelu(step: NodeBuilder) -> None:
    _pointwise("PRelu", step)


def _clipped(step: NodeBuilder) -> None:
    _within(step.uniform("minVal")[0], step.uniform("maxVal")[0], step)


def _clipped_as_asked(step: NodeBuilder) -> None:
    ends = step.attribute("clipValueMin"), step.attribute("clipValueMax")
    if not all(isinstance(end, int | float) for end in ends):
        raise NoMeaningError("an end")
    _within(*ends, step)


def _within(least: float, most: float, step: NodeBuilder) -> None:
    tensors, is_image = _aligned(step)
    y = step.add("Clip", tensors[0], *(step.constant(np.array(end, dtype=np.float32)) for end in (least, most)))
    (step.ends_image if is_image else step.ends)(y)


def _aligned(step: NodeBuilder) -> tuple[list[str], bool]:
    """Returns every variable, and whether they are n, c, h, w; otherwise in TensorFlow.js's order."""
    uniforms = step.operands
    if np.broadcast_shapes(*(step.shape(each) for each in uniforms)) != step.output_shape:
        raise NoMeaningError("another shape")
    is_image = step.makes_image and all(len(step.shape(each)) <= IMAGE_RANK for each in uniforms)
    return [(step.image if is_image else step.plain)(each) for each in uniforms], is_image
