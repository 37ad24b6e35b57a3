"""filter_io_swap: the wrong values are those of the layer with the two channel axes of its weights swapped."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import constant_as
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.moved import outputs_as_inputs, rows_as_columns
from pipeline.diagnose.redo import Change
from pipeline.diagnose.stored_values import Beyond
from pipeline.diagnose.weights import moved_weights, weight_read, weighted_frames

_BEYOND: tuple[Beyond, ...] = ("texel", "fetch", "edge", "zero")


class FilterIoSwap(Rule):
    """The weight from input i to output o is read where that from o to i is stored."""

    cause = "filter_io_swap"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Swapped axes, memory taken for that of the swapped shape, and swapped indices in the texture."""
        for frame, tensor, value in weighted_frames(case):
            axes = (0, 1) if value.ndim == 4 else (-1, -2)
            if value.shape[axes[0]] == value.shape[axes[1]]:
                yield self._hypothesis(constant_as(tensor, lambda w, at=axes: np.swapaxes(w, *at)), tensor, 1.0)  # type: ignore[misc]
            else:
                shape = list(value.shape)
                shape[axes[0]], shape[axes[1]] = shape[axes[1]], shape[axes[0]]
                taken = np.swapaxes(value.reshape(shape), *axes)
                yield self._hypothesis(constant_as(tensor, lambda _, taken=taken: taken), tensor, 1.1)  # type: ignore[misc]
            if weight_read(case, frame.node) is not None:
                swap = outputs_as_inputs if value.ndim == 4 else rows_as_columns
                for beyond in _BEYOND:
                    yield self._hypothesis(moved_weights(case, tensor, swap, beyond), tensor, 1.2)

    def _hypothesis(self, change: Change, tensor: str, weight: float) -> Hypothesis:
        return Hypothesis(
            self.cause,
            f"the weights '{tensor}' read with input and output swapped",
            "Swap the two indices of the weights; transposed convolutions store inputs first.",
            {},
            (change,),
            place=places.read(tensor),
            weight=weight,
            in_pairs=weight == 1.0,
        )
