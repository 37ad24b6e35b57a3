"""Implements Conv, ConvTranspose and DeformConv over one to three spatial axes.

Of ConvTranspose, every output element gathers the inputs that a convolution's window would spread to it. Of
DeformConv, the taps are moved by offsets, and weighted by a mask.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import UnsupportedError
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
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma, sum_of_products
from texelscope.pipeline.operators.windows import Window, check_channels, in_two_dimensions, spatial_shape, window


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


class ConvTranspose(Operator):
    """Computes a transposed convolution (the gradient of a convolution by its input)."""

    op_types = ("ConvTranspose",)
    facts = Facts(window="transposed", addend=2, neutral=(0.0,))

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Runs one spatial axis as two, and a very long sum in parts."""
        return in_two_dimensions(call, planes=(0, 1)) or _transposed_in_parts(call, limits)

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


def _transposed_in_parts(call: Call, limits: Limits) -> Rewrite | None:
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


# Roundings of a tap's place, of the shader and of the oracle together.
PLACE_ROUNDINGS = 4.0


class DeformConv(Operator):
    """Convolves with offsets for every tap."""

    op_types = ("DeformConv",)
    facts = Facts(addend=3)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads four elements of the input for each of an element's taps."""
        if len(call.shape(0)) != 4:
            got = f"an input of shape {list(call.shape(0))}"
            raise UnsupportedError(call.who, "two spatial axes", got, "Reshape around the node.")
        outputs, channels_per_group = call.shape(1)[:2]
        check_channels(call, channels_per_group * int(call.attribute("group", 1)), outputs, bias=3)
        _check_offsets(call)
        constants: dict[str, Constant] = {
            "CHANNELS_PER_GROUP": channels_per_group,
            "OUTPUTS_PER_GROUP": outputs // int(call.attribute("group", 1)),
            "CHANNELS_PER_OFFSET_GROUP": call.shape(0)[1] // int(call.attribute("offset_group", 1)),
            **window(call, call.shape(1)[2:]).constants(),
        }
        names = dict(zip(("X", "W", "F", "B", "M"), call.node.inputs, strict=False))
        reads = {key: name for key, name in names.items() if name}
        turns = turns_of(*call.shape(1)[1:])
        filters = frozenset({"W"})
        return Kernel(("deform_conv.glsl",), reads, MappingProxyType(constants), filters=filters, turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ(k) over taps and their corners, and by the change of a tap's place within its rounding.

        Between two elements x changes by at most twice its largest size.
        """
        x, weight, offset, bias, mask = (*evaluation.inputs, None, None)[:5]
        assert x is not None
        assert weight is not None
        assert offset is not None
        absolute = [None if v is None else np.abs(v) for v in (x, weight, offset, bias, mask)]
        absolute[2] = offset
        given = len(evaluation.inputs)

        def at(position: int, value: Array, *, others: Sequence[int] = (3,)) -> Array:
            """Returns the node on absolute values with `value` at `position` and zeros at `others`."""
            inputs = [None if v is None else np.zeros_like(v) if i in others else v for i, v in enumerate(absolute)]
            inputs[position] = value.astype(np.float32)
            return evaluation.run(inputs[:given]).astype(np.float64)

        terms = 12 * int(np.prod(weight.shape[1:])) + 1
        bound = 2.0 * gamma(terms, evaluation.unit) * evaluation.run(absolute[:given]) + terms * SMALLEST_NORMAL
        errors = (*evaluation.errors, None, None)[:5]
        place = PLACE_ROUNDINGS * evaluation.unit * (max(x.shape[2:]) + np.abs(offset).max())
        place = place + (0.0 if errors[2] is None else float(errors[2].max()))
        bound = bound + 4.0 * place * _largest(call, absolute)
        for position in (0, 1, 4):
            error = errors[position]
            if error is not None:
                bound = bound + at(position, error)
        if errors[3] is not None:
            bound = bound + errors[3].reshape(-1, 1, 1)
        return np.asarray(bound)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns None: the offsets are not known before the run."""
        return None


def _check_offsets(call: Call) -> None:
    """Raises UnsupportedError if the offsets, or the mask, do not cover every tap of every place."""
    groups = int(call.attribute("offset_group", 1))
    channels = call.shape(0)[1]
    if groups < 1 or channels % groups:
        advice = "Check 'offset_group' or the exporting script."
        raise UnsupportedError(call.who, "channels in whole offset groups", f"{channels} in {groups}", advice)
    taps = groups * int(np.prod(call.shape(1)[2:]))
    made = call.output_shape()
    for position, name, wanted in ((2, "offsets", 2 * taps), (4, "a mask", taps)):
        expected = (made[0], wanted, *made[2:])
        if call.has(position) and call.shape(position) != expected:
            got = f"{list(call.shape(position))}"
            raise UnsupportedError(call.who, f"{name} of shape {list(expected)}", got, "Check the exporting script.")


def _largest(call: Call, absolute: Sequence[Array | None]) -> NDArray[np.float64]:
    """Returns Σ |w|·|m| times the largest |x| of a channel, for every output element."""
    x, weight, offset, _, mask = absolute
    assert x is not None
    assert weight is not None
    assert offset is not None
    groups, offset_groups = int(call.attribute("group", 1)), int(call.attribute("offset_group", 1))
    n, _, height, width = offset.shape
    taps = weight.shape[2] * weight.shape[3]
    shape = (n, offset_groups, taps, height, width)
    share = np.ones(shape) if mask is None else mask.reshape(shape).astype(np.float64)
    share = np.repeat(share, x.shape[1] // offset_groups, axis=1) * x.max(axis=(2, 3))[:, :, None, None, None]
    share = share.reshape(n, groups, -1, height * width)
    kernel = weight.reshape(groups, weight.shape[0] // groups, -1).astype(np.float64)
    return np.asarray((kernel @ share).reshape(n, len(weight), height, width))


OPERATORS = (Conv(), ConvTranspose(), DeformConv())
