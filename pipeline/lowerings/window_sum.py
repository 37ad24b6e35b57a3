"""Defines the sum over a window that a convolution, a transposed one and a product of matrices share, as pure data.

A transposed convolution of stride t is t_y·t_x convolutions of stride 1, one for each remainder of the output's place
by t: of its taps only those count whose distance the stride divides. Output place t·j + r reads, for tap k = k₀ + t·a
with k₀ = (r + pad) mod t, the input at j + (r + pad) div t − a.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.lowerings.lowering import Constants, Numbers, PackedConstants
from texelscope.pipeline.operators.base import Array, Call
from texelscope.pipeline.operators.families.convolution import window_of
from texelscope.pipeline.operators.windows import window

# [parity, output channel, input channel, tap along y, tap along x]
Weights = Callable[[Array], tuple[Array, ...]]
Pair = tuple[int, int]

# A step reads each column below its outputs in a separate statement: more than these make its text too long.
MOST_SPAN, _PIXELS = 256, 4


@dataclass(frozen=True)
class WindowSumLowering:
    """Describes y[n, o, s'·j + r] = Σ x[n, i, j·stride + origin(r) + p·dilation] · w[r, o, i, p]; pairs are (y, x).

    `spread` is s', the distance between the outputs of one parity; `origins` has the window's first place at output 0
    for parities 0 and 1 along y, then along x. `weights` takes the model's array to a view for each parity,
    [output channel, input channel, tap, tap]. With `varies` the weights are a tensor that is no constant, and so is
    `varying_bias` if there is one; `own_taps` and `pads` are those of a transposed convolution, `own_taps` alone those
    of another.
    """

    batch: int
    x_shape: Pair
    y_shape: Pair
    channels: int
    outputs: int
    kernel: Pair
    stride: Pair
    dilation: Pair
    spread: Pair
    origins: tuple[int, int, int, int]
    operator: str
    weight: str
    bias: str
    weights: Weights
    own_taps: Pair
    pads: Pair | None = None
    varies: bool = False
    varying_bias: str = ""
    parts: int = 1

    @property
    def given(self) -> tuple[str, ...]:
        """Returns keys of the tensors that are summed with, beside constants."""
        return tuple(key for key in (self.weight if self.varies else "", self.varying_bias) if key)

    @property
    def x_groups(self) -> int:
        """Counts groups of four input channels."""
        return ceil_div(self.channels, 4)

    @property
    def part_groups(self) -> int:
        """Counts groups of four input channels that an output is summed over."""
        return self.x_groups // self.parts

    @property
    def y_groups(self) -> int:
        """Counts groups of four output channels."""
        return ceil_div(self.outputs, 4)

    @property
    def parities(self) -> int:
        """The remainders of an output's place by `spread`, along both axes."""
        return self.spread[0] * self.spread[1]

    def span(self, pixels: int) -> int:
        """Counts columns of x below this many neighbouring outputs."""
        return span(pixels, self.kernel[1], self.stride[1], self.dilation[1])

    @property
    def places(self) -> Pair:
        """Rows and columns of the outputs of one parity."""
        return ceil_div(self.y_shape[0], self.spread[0]), ceil_div(self.y_shape[1], self.spread[1])

    @property
    def last_lanes(self) -> int:
        """Channels in the last group of x: 1 to 4."""
        return (self.channels - 1) % 4 + 1

    def packed(self, groups: int) -> PackedConstants:
        """Packs four outputs a texel, by parity, block of `groups` output groups, input group, tap, group, channel."""

        def make(constant: Constants) -> Numbers:
            weights, taps = self.weights(constant(self.weight)), self.kernel
            blocks = ceil_div(self.y_groups, groups)
            shape = (blocks * groups * 4, self.part_groups * 4, *taps)
            packed = np.empty((len(weights), blocks, self.part_groups, *taps, groups, 4, 4), dtype=np.float32)
            for own, given in zip(packed, weights, strict=True):
                whole = given
                if given.shape != shape:
                    whole = np.zeros(shape, dtype=np.float32)
                    whole[: given.shape[0], : given.shape[1]] = given
                parted = whole.reshape(blocks, groups, 4, self.part_groups, 4, *taps)
                own[...] = parted.transpose(0, 3, 5, 6, 1, 4, 2)
            return packed.reshape(-1, 4)

        return PackedConstants(
            f"{self.operator}|{self.weight}|window|{self.kernel}|{self.spread}|{self.origins}|{groups}", make
        )


def window_sum(call: Call) -> WindowSumLowering | None:
    """Returns the node as a sum; None if it is none, or not supported by the steps.

    Not supported are windows over many columns, groups, three spatial axes, a bias alone that varies, and transposed
    convolutions with dilation, strides above 2, or kernels that the stride does not divide: parities with fewer taps
    would need weights of zero, which make NaN of an infinity that the operator does not read.
    """
    kinds = {"Conv": _convolution, "ConvTranspose": _transposed}
    make = kinds.get(call.node.op_type)
    if make is None or call.node.domain or len(call.shape(0)) != 4 or int(call.attribute("group", 1)) > 1:
        return None
    varies, bias_varies = call.constant(1) is None, call.has(2) and call.constant(2) is None
    if bias_varies and not varies:
        return None
    found = make(call)
    if found is None or found.span(_PIXELS) > MOST_SPAN:
        return None
    if not varies:
        return found
    return replace(found, varies=True, bias="", varying_bias=found.bias) if bias_varies else replace(found, varies=True)


def grouped_sum(call: Call) -> WindowSumLowering | None:
    """Returns a convolution of whole groups of four channels by parts as a sum; None for others, or varying weights."""
    parts, node = int(call.attribute("group", 1)), call.node
    if node.op_type != "Conv" or node.domain or len(call.shape(0)) != 4 or parts == 1 or call.constant(1) is None:
        return None
    if call.has(2) and call.constant(2) is None:
        return None
    found = replace(_convolution(call), parts=parts)
    in_fours = found.channels % (4 * parts) == 0 and found.outputs % (4 * parts) == 0
    return found if in_fours and found.span(_PIXELS) <= MOST_SPAN else None


def _convolution(call: Call) -> WindowSumLowering:
    found = window(call, call.shape(1)[2:])
    n, channels, *x_shape = call.shape(0)
    _, outputs, *y_shape = call.output_shape()
    top, left = (-pad for pad in found.pad_before)
    return WindowSumLowering(
        batch=n,
        x_shape=pair(x_shape),
        y_shape=pair(y_shape),
        channels=channels,
        outputs=outputs,
        kernel=pair(found.kernel),
        stride=pair(found.stride),
        dilation=pair(found.dilation),
        spread=(1, 1),
        origins=(top, 0, left, 0),
        operator=call.node.op_type,
        weight=call.node.inputs[1],
        bias=call.node.inputs[2] if call.has(2) else "",
        weights=lambda weight: (weight,),
        own_taps=pair(found.kernel),
    )


def _transposed(call: Call) -> WindowSumLowering | None:
    found = window_of(call)
    uneven = any(kernel % stride for kernel, stride in zip(found.kernel, found.stride, strict=True))
    if max(found.dilation) > 1 or max(found.stride) > 2 or uneven:
        return None
    n, channels, *x_shape = call.shape(0)
    _, outputs, *y_shape = call.output_shape()
    taps = pair([ceil_div(kernel, stride) for kernel, stride in zip(found.kernel, found.stride, strict=True)])
    origins = [
        (parity + pad) // stride - (tap - 1)
        for pad, stride, tap in zip(found.pad_before, found.stride, taps, strict=True)
        for parity in (0, 1)
    ]
    stride, pads = pair(found.stride), pair(found.pad_before)

    def weights(weight: Array) -> tuple[Array, ...]:
        """Reorders [input channel, output channel, tap, tap]; a parity's taps are reversed, so that places ascend."""
        parted = []
        for y in range(stride[0]):
            for x in range(stride[1]):
                own = weight[:, :, (y + pads[0]) % stride[0] :: stride[0], (x + pads[1]) % stride[1] :: stride[1]]
                parted.append(own.transpose(1, 0, 2, 3)[:, :, ::-1, ::-1])
        return tuple(parted)

    return WindowSumLowering(
        batch=n,
        x_shape=pair(x_shape),
        y_shape=pair(y_shape),
        channels=channels,
        outputs=outputs,
        kernel=taps,
        stride=(1, 1),
        dilation=(1, 1),
        spread=stride,
        origins=(origins[0], origins[1], origins[2], origins[3]),
        operator=call.node.op_type,
        weight=call.node.inputs[1],
        bias=call.node.inputs[2] if call.has(2) else "",
        weights=weights,
        own_taps=pair(found.kernel),
        pads=pads,
    )


def span(pixels: int, kernel: int, stride: int, dilation: int) -> int:
    """Counts the places of x, along an axis, below this many neighbouring outputs of a window."""
    return (pixels - 1) * stride + (kernel - 1) * dilation + 1


def pair(values: object) -> Pair:
    """Returns two whole numbers, along y and x."""
    first, second = (int(value) for value in values)  # type: ignore[attr-defined]
    return first, second
