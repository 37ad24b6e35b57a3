"""Causes that are shapes of an index map: each is recognised by a solved map of its shape.

If no probe could give a map, common ones of that shape are tried.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.moved import moved_output, ordered
from texelscope.pipeline.diagnose.index_maps.classify import ShapeRule
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    Hypothesis,
    Stage,
)

# With more channels the search for an arbitrary order takes too long.
_MOST_CHANNELS = 1024
_SAMPLES = 24


class Shift(ShapeRule):
    """All reads (or writes) are some texels off."""

    cause = causes.SHIFT
    stage = Stage.WINDOW


class Stride(ShapeRule):
    """The window moves by another number of texels."""

    cause = causes.STRIDE
    stage = Stage.WINDOW


class Dilation(ShapeRule):
    """The taps of the window are further apart, or closer, than the layer's."""

    cause = causes.DILATION
    stage = Stage.WINDOW


class KernelFlip(ShapeRule):
    """The kernel is rotated by 180 degrees: true convolution instead of correlation, or the other way round."""

    cause = causes.KERNEL_FLIP
    stage = Stage.WINDOW


class KernelTranspose(ShapeRule):
    """Rows and columns of the kernel are swapped."""

    cause = causes.KERNEL_TRANSPOSE
    stage = Stage.WINDOW


class FilterIoSwap(ShapeRule):
    """The weight from input i to output o is read where that from o to i is stored."""

    cause = causes.FILTER_IO_SWAP
    stage = Stage.WINDOW


class FilterOffset(ShapeRule):
    """Another filter's weights are used, or weights at a constant offset."""

    cause = causes.FILTER_OFFSET
    stage = Stage.WINDOW


class GroupIgnored(ShapeRule):
    """A grouped convolution reads the first group's channels for every group, or another group's."""

    cause = causes.GROUP_IGNORED
    stage = Stage.WINDOW


class FlipX(ShapeRule):
    """Columns are counted from the other side, in every tile or in the whole texture."""

    cause = causes.FLIP_X
    stage = Stage.PLACES


class FlipY(ShapeRule):
    """Rows are counted from the other end, in every tile or in the whole texture."""

    cause = causes.FLIP_Y
    stage = Stage.PLACES


class TransposeXy(ShapeRule):
    """Rows and columns are swapped."""

    cause = causes.TRANSPOSE_XY
    stage = Stage.PLACES


class ChannelPermutation(ShapeRule):
    """Channels are read or written in another order: counted from the last, packed otherwise, red and blue swapped."""

    cause = causes.CHANNEL_PERMUTATION
    stage = Stage.PLACES

    def propose(self, case: FailingPass) -> Iterable[Hypothesis]:
        """Proposes orders that shaders often have by mistake; for the output the one that fits."""
        yield from super().propose(case)
        order = _matching(case)
        if order is not None:
            change, fitted = moved_output(case, ordered(order), "zero"), int((order != np.arange(len(order))).sum())
            yield Hypothesis(
                self.cause, "writes the channels in another order", self.cause.remedy, {"order": order[:16].tolist()},
                (change,), line=lines.target, prior=0.5 if case.writes_otherwise else 1.3, fitted=fitted,
            )  # fmt: skip


def _matching(case: FailingPass) -> NDArray[np.int64] | None:
    """Returns for each channel the one whose right values it holds, if that is a permutation; -1 for zeros.

    Each channel's choice, on which at least four elements agree, counts as a fitted number.
    """
    _, C, H, W = case.dims
    if C < 2 or C > _MOST_CHANNELS or H * W < 4:
        return None
    chosen = np.random.default_rng(0).choice(H * W, size=min(_SAMPLES, H * W), replace=False)
    actual = case.actual[0].reshape(C, -1)[:, chosen]
    expected = case.expected[0].reshape(C, -1)[:, chosen]
    if not np.isfinite(actual).all():
        return None
    distance = np.zeros((C, C))
    for sample in range(len(chosen)):  # one sample at a time: C² of each fills enough memory
        distance = np.maximum(distance, np.abs(actual[:, sample, None] - expected[None, :, sample]))
    order = distance.argmin(axis=1)
    near = distance[np.arange(C), order] <= 1e-4 * max(float(np.abs(expected).max()), 1e-30)
    empty = ~near & ~actual.any(axis=1)
    order = np.where(empty, -1, order)
    proper = len(np.unique(order)) == C and empty.sum() <= 1 and not np.array_equal(order, np.arange(C))
    return order if (near | empty).all() and proper and (near & (order != np.arange(C))).any() else None
