"""Implements ConvTranspose: every output element gathers the inputs that a convolution's window would spread to it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Shape
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
from texelscope.pipeline.operators.windows import Window, check_channels, in_two_dimensions, spatial_shape


class ConvTranspose(Operator):
    """Computes a transposed convolution (the gradient of a convolution by its input)."""

    op_types = ("ConvTranspose",)
    facts = Facts(window="transposed", addend=2, neutral=(0.0,))

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Runs one spatial axis as two, and a very long sum in parts."""
        return in_two_dimensions(call, planes=(0, 1)) or _in_parts(call, limits)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads, along an axis, at most TAPS taps, STEP apart, that reach an output place."""
        window = window_of(call)
        steps = _steps(window)
        channels, outputs_per_group = call.shape(1)[:2]
        check_channels(call, channels, outputs_per_group * int(call.attribute("group", 1)))
        constants: dict[str, Constant] = {
            "CHANNELS": channels,
            "CHANNELS_PER_GROUP": channels // int(call.attribute("group", 1)),
            "OUTPUT_CHANNELS": call.output_shape()[1],
            "OUTPUTS_PER_GROUP": outputs_per_group,
            "STEP_Y": steps[-2],
            "STEP_X": steps[-1],
            "TAPS_Y": -(-window.kernel[-2] // steps[-2]),
            "TAPS_X": -(-window.kernel[-1] // steps[-1]),
            **window.constants(),
        }
        reads: dict[str, str | tuple[str, ...]] = {"X": call.node.inputs[0], "W": call.node.inputs[1]}
        if call.has(2):
            reads["B"] = call.node.inputs[2]
        group = int(call.attribute("group", 1))
        shader = "conv_transpose.glsl" if len(call.shape(0)) == 4 else "conv_transpose_3d.glsl"
        return Kernel(
            (shader,),
            reads,
            MappingProxyType(constants),
            filters=frozenset({"W"}),
            may_be_hot=group == 1 or (channels // group % 4 == 0 and outputs_per_group % 4 == 0),
            turns=turns_of(channels // group, *_taps(window)),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ(k) over the products that can reach one output element, and the bias."""
        window = window_of(call)
        taps = math.prod(-(-kernel // step) for kernel, step in zip(window.kernel, _steps(window), strict=True))
        channels = call.shape(1)[0] // int(call.attribute("group", 1))
        return sum_of_products(evaluation, channels * taps + 1, factors=(0, 1), addends=(2,))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the input elements whose window covers this place, their weights, and the bias."""
        n, o, *places = (int(i) for i in np.unravel_index(element, call.output_shape()))
        window = window_of(call)
        shape, weight_shape = call.shape(0), call.shape(1)
        per_group = weight_shape[0] // int(call.attribute("group", 1))
        channels = o // weight_shape[1] * per_group + np.arange(per_group)
        elements, taps = [], []
        for axis, place in enumerate(places):
            tap = np.arange(window.kernel[axis])
            reached = place + window.pad_before[axis] - tap * window.dilation[axis]
            source, rest = np.divmod(reached, window.stride[axis])
            hit = (reached >= 0) & (rest == 0) & (source < shape[2 + axis])
            taps.append(tap[hit])
            elements.append(source[hit])
        found = {
            0: block(shape, n, channels, *elements),
            1: block(weight_shape, channels, o % weight_shape[1], *taps),
        }
        if call.has(2):
            found[2] = np.array([o], dtype=np.int64)
        return found


def _in_parts(call: Call, limits: Limits) -> Rewrite | None:
    """Returns one per block of input channels and their sum, where one fragment would loop too long."""
    if int(call.attribute("group", 1)) > 1:
        return None
    most = limits.max_loop_turns // (4 * turns_of(1, *_taps(window_of(call))))
    return in_parts(call, {0: 1, 1: 0}, most, addends=(2,)) if most else None


def _taps(window: Window) -> Shape:
    """Counts the taps that reach one output place at most, along each axis."""
    return tuple(-(-kernel // step) for kernel, step in zip(window.kernel, _steps(window), strict=True))


def _steps(window: Window) -> Shape:
    """Returns the distance of the taps that reach one output place, along each axis."""
    pairs = zip(window.stride, window.dilation, strict=True)
    return tuple(stride // math.gcd(stride, dilation) for stride, dilation in pairs)


def window_of(call: Call) -> Window:
    """Returns the window, with the leading padding computed from the output's shape if that is given.

    Source: the ONNX specification of ConvTranspose; `output_shape` and auto_pad SAME fix the sum of both sides.
    """
    kernel = call.shape(1)[2:]
    rank = len(spatial_shape(call))
    strides = tuple(call.attribute("strides") or (1,) * rank)
    dilations = tuple(call.attribute("dilations") or (1,) * rank)
    pads = tuple(call.attribute("pads") or (0,) * (2 * rank))
    before = pads[:rank]
    auto_pad = call.attribute("auto_pad", "NOTSET")
    if call.attribute("output_shape") or auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        before = _leading(call, kernel, strides, dilations, upper=auto_pad == "SAME_UPPER")
    elif auto_pad == "VALID":
        before = (0,) * rank
    return Window(tuple(kernel), strides, dilations, before, (0,) * rank)


def _leading(call: Call, kernel: Shape, strides: Shape, dilations: Shape, *, upper: bool) -> Shape:
    extra = call.attribute("output_padding") or (0,) * len(kernel)
    before = []
    for axis, size in enumerate(call.shape(0)[2:]):
        full = strides[axis] * (size - 1) + extra[axis] + (kernel[axis] - 1) * dilations[axis] + 1
        total = max(full - call.output_shape()[2 + axis], 0)
        before.append(total // 2 if upper else total - total // 2)
    return tuple(before)


OPERATORS = (ConvTranspose(),)
