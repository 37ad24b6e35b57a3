"""Implements Conv: any kernel, stride, padding, dilation and number of groups, over one to three spatial axes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.operators.base import (
    Array,
    Call,
    Constant,
    Evaluation,
    Kernel,
    Operator,
    Rewrite,
    block,
    turns_of,
)
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rewriting import in_parts
from texelscope.pipeline.operators.rounding import sum_of_products
from texelscope.pipeline.operators.windows import Window, check_channels, in_two_dimensions, window


class Conv(Operator):
    """Convolves (cross-correlates) with zero padding."""

    op_types = ("Conv",)
    facts = Facts(window="convolution", addend=2, neutral=(0.0,))

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Runs one spatial axis as two, and a very long sum in parts."""
        return in_two_dimensions(call, planes=(0, 1)) or _in_parts(call, limits)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Sums the window of one output element."""
        outputs, channels_per_group = call.shape(1)[:2]
        check_channels(call, channels_per_group * int(call.attribute("group", 1)), outputs)
        outputs_per_group = outputs // int(call.attribute("group", 1))
        in_fours = channels_per_group % 4 == 0 and outputs_per_group % 4 == 0
        constants: dict[str, Constant] = {
            "CHANNELS": call.shape(0)[1],
            "CHANNELS_PER_GROUP": channels_per_group,
            "OUTPUT_CHANNELS": outputs,
            "OUTPUTS_PER_GROUP": outputs_per_group,
            **_window(call).constants(),
        }
        reads: dict[str, str | tuple[str, ...]] = {"X": call.node.inputs[0], "W": call.node.inputs[1]}
        if call.has(2):
            reads["B"] = call.node.inputs[2]
        return Kernel(
            ("conv.glsl" if len(call.shape(0)) == 4 else "conv_3d.glsl",),
            reads,
            MappingProxyType(constants),
            filters=frozenset({"W"}),
            may_be_hot=outputs_per_group == outputs or in_fours,
            turns=turns_of(*call.shape(1)[1:]),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ(k) over a window's products and the bias."""
        return sum_of_products(evaluation, int(np.prod(call.shape(1)[1:])) + 1, factors=(0, 1), addends=(2,))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the window's elements inside the input, their weights, and the bias."""
        n, o, *places = (int(i) for i in np.unravel_index(element, call.output_shape()))
        window = _window(call)
        shape, weight_shape = call.shape(0), call.shape(1)
        per_group = weight_shape[0] // int(call.attribute("group", 1))
        channels = np.arange(weight_shape[1])
        inside = [window.taps(axis, place, shape[2 + axis]) for axis, place in enumerate(places)]
        taps = {
            0: block(shape, n, o // per_group * weight_shape[1] + channels, *(elements for _, elements in inside)),
            1: block(weight_shape, o, channels, *(tap for tap, _ in inside)),
        }
        if call.has(2):
            taps[2] = np.array([o], dtype=np.int64)
        return taps


def _in_parts(call: Call, limits: Limits) -> Rewrite | None:
    """Returns a convolution for each block of input channels and their sum, where one fragment would loop too long."""
    if int(call.attribute("group", 1)) > 1:
        return None
    # The four lanes of a texel share one count.
    most = limits.max_loop_turns // (4 * turns_of(1, *call.shape(1)[2:]))
    return in_parts(call, {0: 1, 1: 1}, most, addends=(2,)) if most else None


def _window(call: Call) -> Window:
    return window(call, call.shape(1)[2:])


OPERATORS = (Conv(),)
