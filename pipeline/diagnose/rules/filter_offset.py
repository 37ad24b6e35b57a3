"""filter_offset: the wrong values are those of the layer with its weights read some places further on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.maps.seen import WeightsSeen
from pipeline.diagnose.trial.hypothesis import Band


class FilterOffset(WeightsSeen):
    """Another filter's weights are used, or weights some places further on."""

    cause = "filter_offset"
    band = Band.WINDOW
    remedy = "Read the weights at the indices of output, input and tap."

    def ways(self, weights: NDArray[Any]) -> Iterator[WeightsSeen.Way]:
        """The next filters, or those before, coming around."""
        for offset in (1, -1, 4, -4):
            taken = np.roll(weights, -offset, 0)
            yield f"the filters read {offset:+d} along output", taken, {"axis": "output", "offset": offset}
