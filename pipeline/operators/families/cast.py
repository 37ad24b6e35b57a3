"""Cast and CastLike: numbers to the nearest that another element type has.

Textures hold floats throughout; what a type cannot hold is rounded away when an element is stored (the
`as_<type>` functions of `shaders/functions`). Here is what is left: fractions, truth values, saturation.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.element_types import (
    POWER_OF_TWO,
    is_integer,
    is_number,
    is_small_float,
    is_wide_float,
    small_float_constants,
)
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import pointwise
from texelscope.pipeline.plan import EXACT_INTEGERS

_ROUNDINGS = {"down": 0, "up": 1, "nearest": 2}


class Cast(Operator):
    """Another element type."""

    op_types = ("Cast", "CastLike")
    facts = Facts(pointwise=True, operands=1)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """The same place in, the same place out."""
        source, target = call.info(0).dtype, call.output_info().dtype
        shader = _shader(target) if is_number(source) else ""
        if not shader:
            types = f"{source} to {target}"
            raise UnsupportedError(
                call.who, "element types that a float texture holds", types, "Cast to a type of fewer bits."
            )
        constants: dict[str, Constant] = {
            "SATURATE": bool(call.attribute("saturate", 1)),
            "ROUNDING": _ROUNDINGS.get(str(call.attribute("round_mode", "up")), 1),
        }
        if is_small_float(target):
            constants.update(small_float_constants(target))
        return Kernel((f"cast/{shader}.glsl", "unary.glsl"), {"X": call.node.inputs[0]}, MappingProxyType(constants))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Correctly rounded, as the oracle's: only errors of x show."""
        return pointwise(evaluation, np.zeros(evaluation.output.shape))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The same element."""
        return {0: np.array([element], dtype=np.int64)}


class BitCast(Operator):
    """The same bits as another element type: between integers of one width, and truth values."""

    op_types = ("BitCast",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """As a cast: storing takes the number modulo 2^bits, which is what the bits say."""
        source, target = call.info(0).dtype, call.output_info().dtype
        if not all(is_integer(dtype) or dtype == "bool" for dtype in (source, target)):
            raise UnsupportedError(
                call.who,
                f"integers up to {EXACT_INTEGERS}, exact in a float texture",
                f"the bits of {source} as {target}",
                "Reinterpret numbers of fewer bits.",
            )
        return Kernel(("cast/to_integer.glsl", "unary.glsl"), {"X": call.node.inputs[0]})

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return np.zeros(evaluation.output.shape)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The same element."""
        return {0: np.array([element], dtype=np.int64)}


def _shader(target: str) -> str:
    """The shader under `shaders/operators/cast`; empty where there is none."""
    if target == "bool":
        return "to_bool"
    if is_integer(target):
        return "to_integer"
    if is_wide_float(target):
        return "to_float"
    if is_small_float(target):
        return "to_small_float"
    return "to_power_of_two" if target == POWER_OF_TWO else ""


OPERATORS = (BitCast(), Cast())
