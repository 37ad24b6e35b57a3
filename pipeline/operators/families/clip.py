"""Clip: bounds as attributes (before opset 11) or as inputs, known or not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import pointwise


class Clip(Operator):
    """y = min(max(x, low), high)."""

    op_types = ("Clip",)
    facts = Facts(pointwise=True, operands=1, is_activation=True)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Bounds that are known become constants of the shader."""
        reads: dict[str, str | tuple[str, ...]] = {"X": call.node.inputs[0]}
        constants: dict[str, Constant] = {"LOWEST": -math.inf, "HIGHEST": math.inf}
        for position, name, known, attribute in ((1, "LOW", "LOWEST", "min"), (2, "HIGH", "HIGHEST", "max")):
            value = _known(call, position, attribute)
            if value is not None:
                constants[known] = value
            elif call.has(position):
                reads[name] = call.node.inputs[position]
        return Kernel(("clip.glsl",), reads, MappingProxyType(constants))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """No rounding of its own: |Δy| is at most the largest error of x and the bounds."""
        return pointwise(evaluation, np.zeros(evaluation.output.shape))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The same element, and the bounds that are tensors."""
        bounds = {i: np.zeros(1, dtype=np.int64) for i in (1, 2) if call.has(i) and call.constant(i) is None}
        return {0: np.array([element], dtype=np.int64), **bounds}

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """What lies between the bounds is as it was."""
        low, high = (_bound(call, inputs, at, name) for at, name in ((1, "min"), (2, "max")))
        lowest, highest = -math.inf if low is None else low, math.inf if high is None else high
        return np.where((y > lowest) & (y < highest), y, np.nan)


def _bound(call: Call, inputs: Sequence[Array | None], position: int, attribute: str) -> float | None:
    """As `_known`, or as it was in that run."""
    value = inputs[position] if position < len(inputs) else None
    return _known(call, position, attribute) if value is None else float(value.reshape(()))


def _known(call: Call, position: int, attribute: str) -> float | None:
    if call.node.opset < 11:
        value = call.attribute(attribute)
        return None if value is None else float(value)
    constant = call.constant(position)
    return None if constant is None else float(constant.reshape(()))


OPERATORS = (Clip(),)
