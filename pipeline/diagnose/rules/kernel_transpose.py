"""kernel_transpose: the wrong values are those of the layer with rows and columns of its kernels swapped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.maps.seen import WeightsSeen
from pipeline.diagnose.trial.hypothesis import Band


class KernelTranspose(WeightsSeen):
    """Rows and columns of the kernel are swapped."""

    cause = "kernel_transpose"
    band = Band.WINDOW
    remedy = "Read row p and column q of the kernel for row p and column q of the window."

    def ways(self, weights: NDArray[Any]) -> Iterator[WeightsSeen.Way]:
        """Swapped as they lie in memory, row by row."""
        if weights.shape[2:] != (1, 1):
            of_memory = weights.reshape(*weights.shape[:2], *weights.shape[:1:-1])
            yield "the kernel read with x and y swapped", np.swapaxes(of_memory, 2, 3), {}
