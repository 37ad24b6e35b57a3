"""Causes that are shapes of an index map: each is told by its map, and proposed where one of that shape was solved for.

Where nobody could ask for a map, common ones of that shape are tried.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.moved import moved_output, ordered
from texelscope.pipeline.diagnose.maps.classify import Seen
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Stage

# Beyond this many channels the search for an arbitrary order takes too long.
_MOST_CHANNELS = 1024
_SAMPLES = 24


class Shift(Seen):
    """Everything is read (or written) some texels away.

    Known by this: the wrong values are those of the layer with every place moved by the same step.
    """

    cause = "shift"
    band = Stage.WINDOW
    remedy = "Look at the padding and at offsets of x and y: they are the map's."


class Stride(Seen):
    """The window moves on by another number of texels.

    Known by this: the wrong values are those of the layer whose window moves on by other steps.
    """

    cause = "stride"
    band = Stage.WINDOW
    remedy = "Multiply the place of the output by the stride of the layer."


class Dilation(Seen):
    """The taps of the window lie at other distances.

    Known by this: the wrong values are those of the layer whose taps lie at other distances.
    """

    cause = "dilation"
    band = Stage.WINDOW
    remedy = "Multiply the number of the tap by the dilation of the layer."


class KernelFlip(Seen):
    """The kernel is applied turned around: true convolution for correlation, or the other way about.

    Known by this: the wrong values are those of the layer with its kernels turned around.
    """

    cause = "kernel_flip"
    band = Stage.WINDOW
    remedy = "Read tap (p, q) of the kernel for tap (p, q) of the window."


class KernelTranspose(Seen):
    """Rows and columns of the kernel are swapped.

    Known by this: the wrong values are those of the layer with rows and columns of its kernels swapped.
    """

    cause = "kernel_transpose"
    band = Stage.WINDOW
    remedy = "Read row p and column q of the kernel for row p and column q of the window."


class FilterIoSwap(Seen):
    """The weight from input i to output o is read where that from o to i is stored.

    Known by this: the wrong values are those of the layer with the two channel axes of its weights swapped.
    """

    cause = "filter_io_swap"
    band = Stage.WINDOW
    remedy = "Swap the two indices of the weights; transposed convolutions store inputs first."


class FilterOffset(Seen):
    """Another filter's weights are used, or weights some places further on.

    Known by this: the wrong values are those of the layer with its weights read some places further on.
    """

    cause = "filter_offset"
    band = Stage.WINDOW
    remedy = "Read the weights at the indices of output, input and tap."


class GroupIgnored(Seen):
    """A grouped convolution reads the first group's channels for every group, or takes another group's.

    Known by this: the wrong values are those of the layer whose groups read other channels.
    """

    cause = "group_ignored"
    band = Stage.WINDOW
    remedy = "Start at the first channel of the output's group."


class FlipX(Seen):
    """Columns are counted from the other side, in every tile or in the whole texture.

    Known by this: the wrong values are those of the layer with the columns of a picture in reverse.
    """

    cause = "flip_x"
    band = Stage.PLACES
    remedy = "Count columns from the first in memory, which is shown at the left."


class FlipY(Seen):
    """Rows are counted from the other end, in every tile or in the whole texture.

    Known by this: the wrong values are those of the layer with the rows of a picture in reverse.
    """

    cause = "flip_y"
    band = Stage.PLACES
    remedy = "Count rows from the first in memory, which is shown at the top."


class TransposeXy(Seen):
    """Rows and columns are swapped.

    Known by this: the wrong values are those of the layer with rows and columns of a picture swapped.
    """

    cause = "transpose_xy"
    band = Stage.PLACES
    remedy = "Read (x, y) where (x, y) is meant: texture coordinates take the column first."


class ChannelPermutation(Seen):
    """Channels are read or written in another order: counted from the last, packed otherwise, red and blue swapped.

    Known by this: the wrong values are those of the layer with channels in another order.
    """

    cause = "channel_permutation"
    band = Stage.PLACES
    remedy = "Count channels as the layout does: tile or lane k holds channel k."

    def propose(self, case: FailingPass) -> Iterable[Hypothesis]:
        """Orders that shaders get by mistake; of the output the one that fits."""
        yield from super().propose(case)
        order = _matching(case)
        if order is not None:
            change, fitted = moved_output(case, ordered(order), "zero"), int((order != np.arange(len(order))).sum())
            yield Hypothesis(
                self.cause, "writes the channels in another order", self.remedy, {"order": order[:16].tolist()},
                (change,), line=lines.target, weight=0.5 if case.writes_otherwise else 1.3, fitted=fitted,
            )  # fmt: skip


def _matching(case: FailingPass) -> NDArray[np.int64] | None:
    """For each channel the one whose right values it holds, where every channel has one of its own; -1 of zeros.

    A choice for each channel, that its elements, four at least, agree on; counted as fitted.
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
    for sample in range(len(chosen)):  # one after the other: C² of each is memory enough
        distance = np.maximum(distance, np.abs(actual[:, sample, None] - expected[None, :, sample]))
    order = distance.argmin(axis=1)
    near = distance[np.arange(C), order] <= 1e-4 * max(float(np.abs(expected).max()), 1e-30)
    empty = ~near & ~actual.any(axis=1)
    order = np.where(empty, -1, order)
    proper = len(np.unique(order)) == C and empty.sum() <= 1 and not np.array_equal(order, np.arange(C))
    return order if (near | empty).all() and proper and (near & (order != np.arange(C))).any() else None
