"""filter_io_swap: the wrong values are those of the layer with the two channel axes of its weights swapped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.maps.seen import WeightsSeen
from pipeline.diagnose.trial.hypothesis import Band


class FilterIoSwap(WeightsSeen):
    """The weight from input i to output o is read where that from o to i is stored."""

    cause = "filter_io_swap"
    band = Band.WINDOW
    remedy = "Swap the two indices of the weights; transposed convolutions store inputs first."

    def ways(self, weights: NDArray[Any]) -> Iterator[WeightsSeen.Way]:
        """Swapped as they lie in memory."""
        if min(weights.shape[:2]) > 1:
            outer, inner, *kernel = weights.shape
            yield "input and output swapped", np.swapaxes(weights.reshape(inner, outer, *kernel), 0, 1), {}
