"""Numbers that tell where they come from: every lane of some textures has a code of its own, or few lanes are lit.

A number is exact in float32, at most 1, and a multiple of a power of two, so that whatever is summed up, moved or
scaled by a power of two stays exact and no activation saturates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import StoredTensor

Array = NDArray[np.float32]
Indices = NDArray[np.int64]

# Lanes beyond this have no code that float32 holds exactly.
MOST_LANES = 1 << 22
# The second code has so many values: the product of two of them is exact.
_CHECKS = 1 << 12
NOTHING, UNKNOWN, PADDING = -1, -2, -3


@dataclass(frozen=True)
class ProbeLanes:
    """All lanes of some textures, numbered through; `stored` are the tensors that lie in them."""

    stored: tuple[StoredTensor, ...]
    seed: int = 0
    _sizes: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        sizes = tuple(math.prod(each.texture_shape) * each.layout.lanes for each in self.stored)
        object.__setattr__(self, "_sizes", sizes)

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(self._sizes)

    @cached_property
    def element(self) -> Indices:
        """Which element of its tensor a lane holds, -1 for none."""
        found = [each.layout.address(each.shape).reshape(-1) for each in self.stored]
        return np.concatenate(found).astype(np.int64) if found else np.zeros(0, dtype=np.int64)

    @cached_property
    def tensor(self) -> Indices:
        """The number of the tensor that a lane's texture holds."""
        return np.repeat(np.arange(len(self.stored)), self._sizes)

    @property
    def unit(self) -> float:
        """The step of the codes."""
        return 2.0 ** -max(int(self.count).bit_length(), 1)

    @cached_property
    def one(self) -> NDArray[np.float64]:
        """1 for each lane; 0 in padding, as in all that follows: so it is in what a pass reads."""
        return np.where(self.element >= 0, 1.0, 0.0)

    @cached_property
    def code(self) -> NDArray[np.float64]:
        """The number of a lane, from 1, in units."""
        return np.where(self.element >= 0, (np.arange(self.count) + 1) * self.unit, 0.0)

    @cached_property
    def check(self) -> NDArray[np.float64]:
        """Another code, by chance, that several lanes share."""
        random = np.random.default_rng(self.seed + 1)
        return np.where(self.element >= 0, random.integers(1, _CHECKS, self.count) / _CHECKS, 0.0)

    def textures(self, values: NDArray[np.float64]) -> Mapping[str, Array]:
        """By key, the texels float32 [height, width, lanes] that hold a number for each lane."""
        parts = np.split(values.astype(np.float32), np.cumsum(self._sizes)[:-1])
        return {
            each.key: np.ascontiguousarray(part.reshape(*each.texture_shape, each.layout.lanes))
            for each, part in zip(self.stored, parts, strict=True)
        }

    def lane_of(self, values: NDArray[np.float64]) -> Indices:
        """The lanes whose codes those are; UNKNOWN where there is none."""
        with np.errstate(all="ignore"):
            number = np.nan_to_num(values / self.unit, nan=-9.0, posinf=-9.0, neginf=-9.0)
        lane = np.rint(number).astype(np.int64) - 1
        fits = (np.abs(number - np.rint(number)) < _OFF) & (lane >= 0) & (lane < self.count)
        lane = np.where(fits, lane, UNKNOWN)
        return np.where((lane >= 0) & (self.element[np.maximum(lane, 0)] < 0), UNKNOWN, lane)


# How far a code may be from a whole number of units.
_OFF = 0.2


def lit(lanes: ProbeLanes, density: float, random: np.random.Generator) -> NDArray[np.bool_]:
    """A few lanes that hold elements, each of the tensors having one at least."""
    chosen = (random.random(lanes.count) < density) & (lanes.element >= 0)
    for number in range(len(lanes.stored)):
        own = np.flatnonzero((lanes.tensor == number) & (lanes.element >= 0))
        if not chosen[own].any():
            chosen[random.choice(own)] = True
    return chosen


def lanes_of(stored: Sequence[StoredTensor], seed: int = 0) -> ProbeLanes | None:
    """The lanes of some tensors; None where there are too many to be told apart."""
    lanes = ProbeLanes(tuple(stored), seed)
    return lanes if 0 < lanes.count <= MOST_LANES else None
