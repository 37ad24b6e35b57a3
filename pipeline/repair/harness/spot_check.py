"""A spot of an output that is looked at: what its elements should be, and what some texels tell of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.repair.harness.expected_output import ExpectedOutput

# Values that are nearer than this share of the spread of what is right are the same outcome.
_SAME = 1e-4
# What elements are at most, in such spreads: sums of their squares stay finite.
_MOST = 1e6
# Elements that say how values vary, at least. Errors of more than so many of the usual ones count as that many.
_FEWEST, _ERRORS = 4, 3.0


@dataclass(frozen=True)
class SpotResult:
    """What texels tell of a spot: which elements are right, and how far they are off, of one at most.

    Of the values within each group of elements the squares, the products with what is right, and which values they
    are, about.
    """

    close: NDArray[np.bool_]
    off: NDArray[np.float64]
    squares: float
    products: float
    values: NDArray[np.int64]


class SpotCheck:
    """Elements of one output within an area (x, y, width, height in texels), and what is wrong with them by now."""

    def __init__(
        self, wanted: ExpectedOutput, key: str, area: tuple[int, int, int, int], plain: NDArray[np.float32]
    ) -> None:
        """`plain` are the texels of the area, [height, width, lanes], as the pass makes them."""
        self.key, self.area = key, area
        x, y, width, height = area
        address = wanted.address[y : y + height, x : x + width]
        self.there = address >= 0
        elements = address[self.there]
        self._value, self._bound = wanted.value[elements], wanted.bound[elements]
        drawn = plain[self.there].astype(np.float64)
        # Which elements were right without an edit.
        self.before = self._is_close(drawn)
        self._scale = _scale(wanted.value, np.abs(drawn - self._value)[~self.before])
        # What is right as it is says nothing of what is wrong, and may be much larger.
        told = np.flatnonzero(~self.before & np.isfinite(self._value))
        self._told = told if len(told) >= _FEWEST else np.flatnonzero(np.isfinite(self._value))
        # What is added to whole channels leaves the rest of them as it was: those lie in lanes, and in tiles.
        self._groups = np.nonzero(self.there)[2][self._told]
        self._counts = np.maximum(np.bincount(self._groups), 1)
        self._right = self._centred(self._value[self._told] / self._scale)
        # The squares of what is right within groups; see `SpotResult`.
        self.squares = float(self._right @ self._right)

    def told(self, texels: NDArray[np.float32]) -> SpotResult:
        """Of the texels of the area."""
        drawn = texels[self.there].astype(np.float64)
        close = self._is_close(drawn)
        sizes = np.abs(drawn - self._value) / self._scale
        sizes = np.minimum(np.nan_to_num(sizes, nan=1.0, posinf=1.0), 1.0)
        sizes[close] = 0.0
        scaled = np.clip(np.nan_to_num(drawn / self._scale, nan=_MOST, posinf=_MOST, neginf=-_MOST), -_MOST, _MOST)
        within = self._centred(scaled[self._told])
        values = np.rint(scaled / _SAME).astype(np.int64)
        return SpotResult(close, sizes, float(within @ within), float(within @ self._right), values)

    def _is_close(self, drawn: NDArray[np.float64]) -> NDArray[np.bool_]:
        value = self._value
        is_near = np.abs(drawn - value) <= self._bound
        return np.asarray(is_near | (drawn == value) | (np.isnan(drawn) & np.isnan(value)))

    def _centred(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values - (np.bincount(self._groups, values) / self._counts)[self._groups] if len(values) else values


def _scale(value: NDArray[np.float64], off: NDArray[np.float64]) -> float:
    """How far right values are apart, about, or how large they are where they are all the same; but few errors."""
    finite, off = value[np.isfinite(value)], off[np.isfinite(off)]
    sizes = (float(finite.std()), float(np.abs(finite).max())) if finite.size else ()
    spread = next((size for size in sizes if size > 0.0), 1.0)
    error = _ERRORS * float(np.median(off)) if off.size else 0.0
    return min(spread, error) if error > 0.0 else spread
