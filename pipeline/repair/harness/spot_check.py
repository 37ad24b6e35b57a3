"""Spot checks an output: compares the texels of an area with its expected values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.repair.harness.expected_output import ExpectedOutput

# Values closer than this share of the right values' spread are the same outcome.
_SAME = 1e-4
# Values are clamped to this many spreads, so that sums of their squares stay finite.
_MOST = 1e6
# The fewest elements that define a spread. The scale is at most this many median errors.
_FEWEST, _ERRORS = 4, 3.0


@dataclass(frozen=True)
class SpotResult:
    """The comparison of a spot's texels: which elements are right, and their errors, each at most 1.

    `squares` and `products` (with the right values) are sums over values centred in each group of elements; `values` is
    a rounded copy of them.
    """

    close: NDArray[np.bool_]
    off: NDArray[np.float64]
    squares: float
    products: float
    values: NDArray[np.int64]


class SpotCheck:
    """Elements of one output in an area (x, y, width, height in texels), and which of them are wrong now."""

    def __init__(
        self, wanted: ExpectedOutput, key: str, area: tuple[int, int, int, int], plain: NDArray[np.float32]
    ) -> None:
        """`plain` are the texels of the area, [height, width, lanes], from the unedited pass."""
        self.key, self.area = key, area
        x, y, width, height = area
        address = wanted.address[y : y + height, x : x + width]
        self.there = address >= 0
        elements = address[self.there]
        self._value, self._bound = wanted.value[elements], wanted.bound[elements]
        drawn = plain[self.there].astype(np.float64)
        # Elements that were right without an edit.
        self.before = self._is_close(drawn)
        self._scale = _scale(wanted.value, np.abs(drawn - self._value)[~self.before])
        # Right elements explain no error, and may be much larger.
        told = np.flatnonzero(~self.before & np.isfinite(self._value))
        self._told = told if len(told) >= _FEWEST else np.flatnonzero(np.isfinite(self._value))
        # An addend of whole channels leaves the differences within them; channels lie in lanes, and in tiles.
        self._groups = np.nonzero(self.there)[2][self._told]
        self._counts = np.maximum(np.bincount(self._groups), 1)
        self._right = self._centred(self._value[self._told] / self._scale)
        # The squares of the right values within groups; see `SpotResult`.
        self.squares = float(self._right @ self._right)

    def told(self, texels: NDArray[np.float32]) -> SpotResult:
        """Compares the texels of the area."""
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
    """Returns the spread of the right values, or their magnitude if all are equal, capped by the errors."""
    finite, off = value[np.isfinite(value)], off[np.isfinite(off)]
    sizes = (float(finite.std()), float(np.abs(finite).max())) if finite.size else ()
    spread = next((size for size in sizes if size > 0.0), 1.0)
    error = _ERRORS * float(np.median(off)) if off.size else 0.0
    return min(spread, error) if error > 0.0 else spread
