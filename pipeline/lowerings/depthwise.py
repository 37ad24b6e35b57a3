"""Builds the form of a depthwise convolution: a window over each channel by itself, as draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.lowerings.finish import Finish, places
from texelscope.pipeline.lowerings.lowering import Constants, Lowering, LoweringStep, Numbers, PackedConstants
from texelscope.pipeline.lowerings.sums import draw_size, specialised
from texelscope.pipeline.lowerings.text import shape_block, step_program
from texelscope.pipeline.lowerings.window_sum import MOST_SPAN, Pair, pair, span
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.windows import window
from texelscope.pipeline.plan import StoredTensor

# Neighbours along x that a fragment computes, at first and tuned.
_SOON, _PIXELS = 4, 8


@dataclass(frozen=True)
class DepthwiseSum:
    """Describes y[n, c, j] = Σ x[n, c, j·stride + origin + p·dilation] · w[c, p]; pairs are (y, x)."""

    batch: int
    x_shape: Pair
    y_shape: Pair
    outputs: int
    kernel: Pair
    stride: Pair
    dilation: Pair
    origin: Pair
    weight: str
    bias: str

    given: tuple[str, ...] = ()

    @property
    def groups(self) -> int:
        """Counts groups of four channels."""
        return ceil_div(self.outputs, 4)

    def span(self, pixels: int) -> int:
        """Counts columns of x below this many neighbouring outputs."""
        return span(pixels, self.kernel[1], self.stride[1], self.dilation[1])

    def packed(self) -> PackedConstants:
        """Packs four channels a texel, by group, tap along y and x."""

        def make(constant: Constants) -> Numbers:
            weights = np.zeros((self.groups * 4, *self.kernel), dtype=np.float32)
            weights[: self.outputs] = constant(self.weight)[:, 0]
            return np.ascontiguousarray(weights.reshape(-1, 4, *self.kernel).transpose(0, 2, 3, 1)).reshape(-1, 4)

        return PackedConstants(f"{self.weight}|depthwise", make)


def depthwise_sum(call: Call, limits: Limits) -> DepthwiseSum | None:
    """Returns the node as such a sum; None for another, several outputs a channel, weights that are no constant.

    None also for a window over many columns, and for more weights than the driver reads from one buffer.
    """
    node = call.node
    if node.op_type != "Conv" or node.domain or len(call.shape(0)) != 4 or call.constant(1) is None:
        return None
    n, channels, *x_shape = call.shape(0)
    _, outputs, *y_shape = call.output_shape()
    has_bias = call.has(2)
    if int(call.attribute("group", 1)) != channels or outputs != channels or channels == 1:
        return None
    if has_bias and call.constant(2) is None:
        return None
    found = window(call, call.shape(1)[2:])
    top, left = (-pad for pad in found.pad_before)
    sum_ = DepthwiseSum(
        batch=n,
        x_shape=pair(x_shape),
        y_shape=pair(y_shape),
        outputs=outputs,
        kernel=pair(found.kernel),
        stride=pair(found.stride),
        dilation=pair(found.dilation),
        origin=(top, left),
        weight=node.inputs[1],
        bias=node.inputs[2] if has_bias else "",
    )
    fits = sum_.groups * sum_.kernel[0] * sum_.kernel[1] <= limits.max_buffer_texels
    return sum_ if fits and sum_.span(_PIXELS) <= MOST_SPAN else None


def depthwise_form(
    sum_: DepthwiseSum, x: str, finish: Finish, covers: Sequence[str], textures: Mapping[str, StoredTensor]
) -> Lowering:
    """Returns the draw of the sum over the tensor stored as `x`, finished and stored as `finish` says."""

    def form(pixels: int) -> Lowering:
        step = _step(sum_, x, finish, textures, pixels)
        return Lowering(tuple(covers), (x, *finish.others()), finish.writes(), (step,))

    return replace(form(_SOON), tuned=lambda: specialised(form(_PIXELS)))


def _step(
    sum_: DepthwiseSum, x: str, finish: Finish, textures: Mapping[str, StoredTensor], pixels: int
) -> LoweringStep:
    columns = Grid.of(sum_.batch * sum_.groups).columns
    runs = ceil_div(sum_.y_shape[1], pixels)
    fragments = runs * sum_.y_shape[0] * sum_.groups * sum_.batch
    size = draw_size(fragments)
    height, width = textures[x].texture_shape
    constants = {
        "PIXELS": pixels,
        "GROUPS": 1,
        "SPAN": sum_.span(pixels),
        "KERNEL_Y": sum_.kernel[0],
        "KERNEL_X": sum_.kernel[1],
        "STRIDE_Y": sum_.stride[0],
        "STRIDE_X": sum_.stride[1],
        "DILATION_Y": sum_.dilation[0],
        "DILATION_X": sum_.dilation[1],
    }
    shape = [
        (*sum_.x_shape, columns, sum_.groups),
        (*sum_.y_shape, columns, sum_.groups),
        (size[0], fragments, runs, 0),
        (*sum_.origin, 0, 0),
        *places(finish, textures),
    ]
    return LoweringStep(
        program=step_program("depthwise.glsl", constants, finish, textures, sum_.outputs, ("t_W",)),
        size=(*size, 1),
        textures=(x, *finish.others()),
        images=finish.images(),
        packed=(sum_.packed(), *finish.packed(sum_.outputs)),
        shape=shape_block(shape, (1 / width, 1 / height)),
    )
