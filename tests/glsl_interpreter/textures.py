"""Reads textures for sampler uniforms: texels as they lie in memory, nearest or linear."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.glsl_interpreter.values import single


@dataclass(frozen=True, eq=False)
class Texels:
    """`values` are float32[height, width, 4]."""

    values: NDArray[np.float32]
    repeats: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.values.shape[1], self.values.shape[0]

    def fetch(self, x: int, y: int) -> tuple[float, ...]:
        """A texel; zeros outside, as the drivers that are tested with have it."""
        width, height = self.size
        if not (0 <= x < width and 0 <= y < height):
            return (0.0, 0.0, 0.0, 0.0)
        return tuple(float(lane) for lane in self.values[y, x])

    def nearest(self, u: float, v: float) -> tuple[float, ...]:
        """Returns the texel in which normalised coordinates lie."""
        places = []
        for coordinate, count in zip((u, v), self.size, strict=True):
            if self.repeats:
                coordinate = single(coordinate - math.floor(coordinate))
            at = math.floor(single(coordinate * count))
            places.append(min(max(at, 0), count - 1))
        return self.fetch(*places)
