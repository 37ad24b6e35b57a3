"""Translates operations per element, on one tensor, two or many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading, guesses, stated
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.dialects.tfjs.recording.tensors import IMAGE_RANK

# Kernels that are one ONNX operator.
_UNARY = MappingProxyType({
    "Relu": "Relu", "Sigmoid": "Sigmoid", "Tanh": "Tanh", "Exp": "Exp", "Log": "Log", "Sqrt": "Sqrt", "Abs": "Abs",
    "Neg": "Neg", "Floor": "Floor", "Ceil": "Ceil", "Reciprocal": "Reciprocal", "Sin": "Sin", "Cos": "Cos",
    "Softplus": "Softplus", "Erf": "Erf", "Identity": "Identity",
})  # fmt: skip
_BINARY = MappingProxyType({
    "Add": "Add", "AddV2": "Add", "Sub": "Sub", "Multiply": "Mul", "RealDiv": "Div", "Maximum": "Max",
    "Minimum": "Min", "Pow": "Pow",
})  # fmt: skip
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
    if program.kernel == "Relu6":
        return stated(partial(_within, 0.0, 6.0))
    if program.kernel == "Sign":  # of NaN TensorFlow.js makes 0, ONNX NaN
        return guesses(partial(_pointwise, "Sign"))
    if program.kernel in _UNARY:
        return stated(partial(_pointwise, _UNARY[program.kernel]))
    return _by_text(_UNARY_TEXT, body)


def _leaky(step: NodeBuilder) -> None:
    _pointwise("LeakyRelu", step, alpha=float(step.attribute("alpha", 0.2)))


def _pointwise(op_type: str, step: NodeBuilder, **attributes: Any) -> None:
    tensors, is_image = _aligned(step)
    y = step.add(op_type, *tensors, **attributes)
    (step.ends_image if is_image else step.ends)(y)


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
