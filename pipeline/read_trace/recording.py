"""Reads as they were written down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.read_trace.instrument import ReadSite


@dataclass(frozen=True, eq=False)
class ReadRecording:
    """Reads in their order: of each the numbers of its sampler uniform and of its place in the text, the lanes used
    as bits, where (x, y), and the four values. Numbers count in `samplers` and `sites`.

    `positions` [reads, 2] are in texels with the first texel's centre at 0.5, before wrapping, and exact only to a
    float32's precision: on the border between two texels the driver decides.
    """

    samplers: tuple[str, ...]
    sites: tuple[ReadSite, ...]
    sampler: NDArray[np.int64]
    site: NDArray[np.int64]
    lanes: NDArray[np.int64]
    positions: NDArray[np.float64]
    values: NDArray[np.float32]
