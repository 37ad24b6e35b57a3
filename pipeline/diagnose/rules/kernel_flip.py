"""kernel_flip: the wrong values are those of the layer with its kernels turned around."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.maps.seen import WeightsSeen
from pipeline.diagnose.trial.hypothesis import Band


class KernelFlip(WeightsSeen):
    """The kernel is applied turned around: true convolution for correlation, or the other way about."""

    cause = "kernel_flip"
    band = Band.WINDOW
    remedy = "Read tap (p, q) of the kernel for tap (p, q) of the window."

    def ways(self, weights: NDArray[Any]) -> Iterator[WeightsSeen.Way]:
        """Along both axes, along x, along y."""
        for axes, name in (((2, 3), "xy"), ((3,), "x"), ((2,), "y")) if weights.shape[2:] != (1, 1) else ():
            yield f"the kernel read backwards along {' and '.join(name)}", np.flip(weights, axes), {"axes": name}
