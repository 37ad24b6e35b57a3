"""Pad: a constant, or the input's own elements, put around it; negative amounts cut off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import movement

_MODES = {"constant": 0, "edge": 1, "reflect": 2, "wrap": 3}


class Pad(Operator):
    """Elements added before and after along each axis."""

    op_types = ("Pad",)
    facts = Facts(may_move=True)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """At most one read an element."""
        mode = str(call.attribute("mode", "constant"))
        if mode not in _MODES:
            raise UnsupportedError(call.who, f"a mode of {', '.join(_MODES)}", f"'{mode}'", "Re-export the model.")
        shape = call.shape(0) or (1,)
        reads: dict[str, str | tuple[str, ...]] = {"X": call.node.inputs[0]}
        value, cut = _value(call), _cut(call)
        if value is None:
            reads["V"] = call.node.inputs[2]
        return Kernel(
            ("pad.glsl",),
            reads,
            MappingProxyType(
                {
                    "MODE": _MODES[mode],
                    "FILL": 0.0 if value is None else value,
                    "RANK": len(shape),
                    "SIZES": cut.sizes or (1,),
                    "OUT_SIZES": call.output_shape() or (1,),
                    "STRIDES": strides_of(shape),
                    "BEFORE": cut.before or (0,),
                    "FIRST": cut.first or (0,),
                }
            ),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The element that it copies, or none where the constant shows."""
        mode = str(call.attribute("mode", "constant"))
        shape, cut = call.shape(0), _cut(call)
        place = np.unravel_index(element, call.output_shape()) if shape else ()
        from_ = [
            _source(int(i) - before, size, mode) for i, before, size in zip(place, cut.before, cut.sizes, strict=True)
        ]
        if -1 in from_:
            return {2: np.zeros(1, dtype=np.int64)} if call.has(2) and _value(call) is None else {}
        index = sum((first + i) * s for first, i, s in zip(cut.first, from_, strides_of(shape), strict=True))
        return {0: np.array([index], dtype=np.int64)}


@dataclass(frozen=True)
class _Cut:
    """What is left of axes once negative amounts are cut off: `sizes` from `first` on, with `before` put before."""

    first: Shape
    sizes: Shape
    before: Shape


def _cut(call: Call) -> _Cut:
    before, shape, padded = _before(call), call.shape(0), call.output_shape()
    after = [whole - size - first for whole, size, first in zip(padded, shape, before, strict=True)]
    return _Cut(
        tuple(max(-each, 0) for each in before),
        tuple(size + min(b, 0) + min(a, 0) for size, b, a in zip(shape, before, after, strict=True)),
        tuple(max(each, 0) for each in before),
    )


def _source(i: int, count: int, mode: str) -> int:
    """Where along an axis of `count` the padded place `i` copies from; −1 for outside."""
    if mode == "edge":
        return min(max(i, 0), count - 1)
    if mode == "wrap":
        return i % count
    if mode == "reflect":
        period = max(2 * (count - 1), 1)
        return min(abs(i) % period, period - abs(i) % period) % count
    return i if 0 <= i < count else -1


def _value(call: Call) -> float | None:
    """The constant around the input; None if it is a tensor that depends on the run."""
    if call.node.opset < 11:
        return float(call.attribute("value", 0.0))
    if not call.has(2):
        return 0.0
    constant = call.constant(2)
    return None if constant is None else float(constant.reshape(()))


def _before(call: Call) -> tuple[int, ...]:
    """Elements added before, axis by axis."""
    if call.node.opset < 11:
        amounts = [int(v) for v in call.attribute("pads" if call.node.opset > 1 else "paddings")]
    else:
        amounts = [int(v) for v in np.ravel(call.required_constant(1, "pads"))]
    rank = len(call.shape(0))
    axes = list(range(rank))
    if call.node.opset >= 18 and call.has(3):
        axes = [int(v) for v in np.ravel(call.required_constant(3, "axes"))]
    before = [0] * rank
    for amount, axis in zip(amounts[: len(amounts) // 2], axes, strict=True):
        before[axis] = amount
    return tuple(before)


OPERATORS = (Pad(),)
