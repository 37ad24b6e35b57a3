"""Computes sliding windows, shared by convolutions, pools and local normalisation.

One `WindowAxis` says, for one axis, which input elements each output element reads. Everything is per axis, so the same
code serves one, two and three spatial dimensions. It shares nothing with the code that makes the shaders' constants, so
that the oracle cannot repeat that code's mistakes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from texelscope.pipeline.arithmetic.invocation import Array


@dataclass(frozen=True)
class WindowAxis:
    """Along one axis, output o reads input o·stride + tap·dilation - begin for every tap in 0…kernel-1.

    `input` and `output` count elements; `begin` and `end` count elements of padding. Reads that fall outside
    the input see padding (or nothing, as the operator chooses).
    """

    input: int
    output: int
    kernel: int = 1
    stride: int = 1
    dilation: int = 1
    begin: int = 0
    end: int = 0

    @property
    def span(self) -> int:
        """Elements from the first tap to the last one, both included."""
        return (self.kernel - 1) * self.dilation + 1

    @property
    def reach(self) -> int:
        """Elements of the padded input up to the last one that is read."""
        return (self.output - 1) * self.stride + self.span

    def reads(self, tap: int, first: int = 0, last: int | None = None) -> tuple[slice, slice]:
        """Returns the outputs within [first, last) whose `tap` lies inside the input, and the inputs that they read.

        Both slices have the same number of elements, perhaps none.
        """
        offset = tap * self.dilation - self.begin
        low = max(first, -(offset // self.stride))
        high = min(self.output if last is None else last, (self.input - 1 - offset) // self.stride + 1)
        if high <= low:
            return slice(0, 0), slice(0, 0)
        return slice(low, high), slice(low * self.stride + offset, (high - 1) * self.stride + offset + 1, self.stride)

    def counts(self, *, with_padding: bool) -> Array:
        """Counts for every output the taps that lie inside the input (or inside input and padding): int64 [output]."""
        before, after = (self.begin, self.end) if with_padding else (0, 0)
        reads = np.arange(self.output)[:, None] * self.stride + np.arange(self.kernel) * self.dilation - self.begin
        return np.asarray(((reads >= -before) & (reads < self.input + after)).sum(axis=1))


def window_axes(
    spatial: Sequence[int], kernel: Sequence[int], attributes: Mapping[str, Any]
) -> tuple[WindowAxis, ...] | None:
    """Returns the axes of a convolution or pool by its ONNX attributes (auto_pad, ceil_mode, dilations, pads …).

    Output counts are those of the ONNX specification of Conv and MaxPool; `auto_pad` overrides `pads` and
    `ceil_mode`. None if the attributes do not fit (wrong number, negative padding, a window that
    is wider than the padded input): the reference then decides.
    """
    rank = len(spatial)
    strides = attributes.get("strides") or [1] * rank
    dilations = attributes.get("dilations") or [1] * rank
    pads = attributes.get("pads") or [0] * (2 * rank)
    if not len(kernel) == len(strides) == len(dilations) == rank or len(pads) != 2 * rank or min(pads) < 0:
        return None
    auto_pad = attributes.get("auto_pad") or "NOTSET"
    axes = tuple(
        _axis(spatial[i], kernel[i], strides[i], dilations[i], (pads[i], pads[rank + i]), auto_pad,
              ceil=bool(attributes.get("ceil_mode")))
        for i in range(rank)
    )  # fmt: skip
    return axes if all(axis.output > 0 for axis in axes) else None


def _axis(
    count: int, kernel: int, stride: int, dilation: int, pads: tuple[int, int], auto_pad: str, *, ceil: bool
) -> WindowAxis:
    span = (kernel - 1) * dilation + 1
    if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        output = -(-count // stride)
        total = max(0, (output - 1) * stride + span - count)
        begin = total // 2 if auto_pad == "SAME_UPPER" else total - total // 2
        return WindowAxis(count, output, kernel, stride, dilation, begin, total - begin)
    begin, end = (0, 0) if auto_pad == "VALID" else pads
    room = count + begin + end - span
    if room < 0:
        return WindowAxis(count, 0, kernel, stride, dilation, begin, end)
    output = room // stride + 1
    if ceil and auto_pad != "VALID" and room % stride and output * stride < count + begin:
        output += 1  # a window that starts inside the input or its leading padding may extend over the end
    return WindowAxis(count, output, kernel, stride, dilation, begin, end)


def padded(x: Array, axes: Sequence[WindowAxis]) -> Array:
    """Pads the last axes of `x` with zeros, as far as windows reach; returns `x` itself if they stay inside."""
    if all(axis.begin == 0 and axis.reach <= axis.input for axis in axes):
        return x
    lead = x.ndim - len(axes)
    result = np.zeros((*x.shape[:lead], *(max(axis.reach, axis.begin) for axis in axes)), x.dtype)
    whole = (slice(None),) * lead
    kept = [min(axis.input, max(axis.reach - axis.begin, 0)) for axis in axes]
    inner = [slice(axis.begin, axis.begin + count) for axis, count in zip(axes, kept, strict=True)]
    result[(*whole, *inner)] = x[(*whole, *(slice(count) for count in kept))]
    return result


def window_view(x: Array, axes: Sequence[WindowAxis]) -> Array:
    """Returns a read-only view of padded `x` (shape lead + spatial) as lead + kernel taps + outputs, without a copy."""
    lead = x.ndim - len(axes)
    steps = x.strides[lead:]
    return as_strided(
        x,
        (*x.shape[:lead], *(axis.kernel for axis in axes), *(axis.output for axis in axes)),
        (
            *x.strides[:lead],
            *(step * axis.dilation for step, axis in zip(steps, axes, strict=True)),
            *(step * axis.stride for step, axis in zip(steps, axes, strict=True)),
        ),
        writeable=False,
    )
