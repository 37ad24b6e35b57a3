"""Causes that are shapes of an index map: each is recognised by a solved map of its shape.

If no probe could give a map, common ones of that shape are tried.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.fault_models.moved import moved_output, ordered
from texelscope.pipeline.diagnose.index_maps.classify import ShapeRule
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    ANOTHER,
    BEYOND,
    LESS_READ,
    MORE_READ,
    USUALLY_CONFIRMING,
    Hypothesis,
    Stage,
    Traits,
)

# With more channels the search for an arbitrary order takes too long.
_MOST_CHANNELS = 1024
_SAMPLES = 24


class Shift(ShapeRule):
    """All reads (or writes) are some texels off.

    Known by this: the wrong values are those of the layer with every place moved by the same step.
    """

    cause = "shift"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        repaired_in="addresses",
        edits=("added",),
        denied_by_edits=frozenset({"function", "partner", "tensor"}),
        denied_by_reads=ANOTHER | LESS_READ | MORE_READ | {"a bias twice", "alike"},
    )
    remedy = "Check the padding and the offsets added to x and y against the index map."


class Stride(ShapeRule):
    """The window moves by another number of texels.

    Known by this: the wrong values are those of the layer whose window moves by other steps.
    """

    cause = "stride"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        repaired_in="addresses",
        confirmed_by=frozenset({"index_map"}),
        denied_by_edits=frozenset({"function"}),
        denied_by_reads=ANOTHER | LESS_READ | MORE_READ | {"a bias twice", "alike"},
    )
    remedy = "Multiply the output position by the layer's stride."


class Dilation(ShapeRule):
    """The taps of the window are further apart, or closer, than the layer's.

    Known by this: the wrong values are those of the layer whose taps lie at other distances.
    """

    cause = "dilation"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        repaired_in="addresses",
        confirmed_by=frozenset({"index_map"}),
        denied_by_reads=ANOTHER | LESS_READ | MORE_READ | {"a bias twice", "alike"},
    )
    remedy = "Multiply the tap's index by the layer's dilation."


class KernelFlip(ShapeRule):
    """The kernel is rotated by 180 degrees: true convolution instead of correlation, or the other way round.

    Known by this: the wrong values are those of the layer with its kernels rotated.
    """

    cause = "kernel_flip"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        repaired_in="addresses",
        words=("-",),
        confirmed_by=USUALLY_CONFIRMING | {"index_map"},
        denied_by_reads=ANOTHER | LESS_READ | MORE_READ | {"a bias twice"},
    )
    remedy = "Read kernel tap (p, q) for window position (p, q), not mirrored."


class KernelTranspose(ShapeRule):
    """Rows and columns of the kernel are swapped.

    Known by this: the wrong values are those of the layer with rows and columns of its kernels swapped.
    """

    cause = "kernel_transpose"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        confirmed_by=USUALLY_CONFIRMING | {"index_map"},
        denied_by_reads=ANOTHER | LESS_READ | MORE_READ | {"a bias twice"},
    )
    remedy = "Read row p, column q of the kernel for row p, column q of the window."


class FilterIoSwap(ShapeRule):
    """The weight from input i to output o is read where that from o to i is stored.

    Known by this: the wrong values are those of the layer with the two channel axes of its weights swapped.
    """

    cause = "filter_io_swap"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        repaired_in="addresses",
        confirmed_by=USUALLY_CONFIRMING | {"index_map"},
        denied_by_reads=ANOTHER | LESS_READ | MORE_READ | {"a bias twice"},
    )
    remedy = "Swap the input and output index of the weights: transposed convolutions store inputs first."


class FilterOffset(ShapeRule):
    """Another filter's weights are used, or weights at a constant offset.

    Known by this: the wrong values are those of the layer with its weights read at an offset.
    """

    cause = "filter_offset"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        repaired_in="addresses",
        edits=("added",),
        confirmed_by=frozenset({"index_map", "wrong_partner"}),
        denied_by_reads=ANOTHER | LESS_READ | MORE_READ | {"a bias twice"},
    )
    remedy = "Index the weights by output channel, input channel and tap."


class GroupIgnored(ShapeRule):
    """A grouped convolution reads the first group's channels for every group, or another group's.

    Known by this: the wrong values are those of the layer whose groups read other channels.
    """

    cause = "group_ignored"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(repaired_in="addresses")
    remedy = "Start at the first input channel of the output's group."


class FlipX(ShapeRule):
    """Columns are counted from the other side, in every tile or in the whole texture.

    Known by this: the wrong values are those of the layer with the columns of a picture in reverse.
    """

    cause = "flip_x"
    stage = Stage.PLACES
    family = "reading"
    traits = Traits(denied_by_reads=ANOTHER | LESS_READ | MORE_READ | {"a bias twice"})
    remedy = "Count columns from the left: the first in memory is shown there."


class FlipY(ShapeRule):
    """Rows are counted from the other end, in every tile or in the whole texture.

    Known by this: the wrong values are those of the layer with the rows of a picture in reverse.
    """

    cause = "flip_y"
    stage = Stage.PLACES
    family = "reading"
    traits = Traits(denied_by_reads=ANOTHER | LESS_READ | MORE_READ | {"a bias twice"})
    remedy = "Count rows from the top: the first in memory is shown there."


class TransposeXy(ShapeRule):
    """Rows and columns are swapped.

    Known by this: the wrong values are those of the layer with rows and columns of a picture swapped.
    """

    cause = "transpose_xy"
    stage = Stage.PLACES
    family = "reading"
    traits = Traits(
        confirmed_by=frozenset({"index_map"}),
        denied_by_edits=frozenset({"fewer turns", "more turns"}),
        denied_by_reads=ANOTHER | LESS_READ | BEYOND | MORE_READ | {"a bias twice"},
    )
    remedy = "Swap x and y: texture coordinates take the column first."


class ChannelPermutation(ShapeRule):
    """Channels are read or written in another order: counted from the last, packed otherwise, red and blue swapped.

    Known by this: the wrong values are those of the layer with channels in another order.
    """

    cause = "channel_permutation"
    stage = Stage.PLACES
    family = "reading"
    traits = Traits(
        repaired_in="addresses",
        denied_by_edits=frozenset({"function", "lanes", "left out", "number", "partner", "set", "tensor"}),
        denied_by_reads=ANOTHER | LESS_READ | MORE_READ | {"a bias twice"},
    )
    remedy = "Order channels as the layout does: tile or lane k holds channel k."

    def propose(self, case: FailingPass) -> Iterable[Hypothesis]:
        """Proposes orders that shaders often have by mistake; for the output the one that fits."""
        yield from super().propose(case)
        order = _matching(case)
        if order is not None:
            change, fitted = moved_output(case, ordered(order), "zero"), int((order != np.arange(len(order))).sum())
            yield Hypothesis(
                self.cause, "writes the channels in another order", self.remedy, {"order": order[:16].tolist()},
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
