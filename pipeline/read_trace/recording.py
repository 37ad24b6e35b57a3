"""Defines what a recorded run of a shader gives: its reads, in order, and where they stand in the text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ReadSite:
    """One read in the text: the file and 1-based line where its author finds it."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, eq=False)
class ReadRecording:
    """Lists reads in order: each has its sampler's and site's number, lanes used as bits, position and four values.
    Numbers count in `samplers` and `sites`.

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
