"""Spot checks an output: compares a few elements with their expected values.

The result says how many are right, how much an edit helps, and which causes would fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.repair.harness.held_out_inputs import ExpectedOutput

# Model slices agree with the GPU within this many bounds, and to this share of the largest value.
BOUNDS, NEAR = 8.0, 1e-5
# A remaining factor has this number among the causes.
SCALED = -1
# A factor needs at least so many elements, and differs from 1 by more than rounding.
_FEWEST_OF_FACTOR, _NO_FACTOR = 8, 1e-3
# An edit helps if this share of the errors or less remains.
_HELPS = 0.9
# Broken elements count so many times; a residue this small counts as none.
_BREAKS, _NO_RESIDUE = 2.0, 1e-5
# Elements of each cause that are compared before all of them are.
_FEW = 8
# Values closer than this share of the right values' spread are the same outcome.
_SAME = 1e-4
# Values are clamped to this many spreads, so that sums of their squares stay finite.
_MOST = 1e6
# The fewest elements that define a spread. The scale is at most this many median errors.
_FEWEST_OF_SPREAD, _ERRORS = 4, 3.0


@dataclass(frozen=True)
class SpotCheckResult:
    """The result of a spot check: how many elements are right, and how large the errors are, roughly.

    `errors` are in spreads of the right values, at most one for each element. `residue` is the share of the right
    values that no factor and no addend of whole lanes can explain from the values. Equal values have the same
    `outcome`. `unknown` of the elements that are not right may be right, since they were not computed, and `unmade` of
    the right ones may be wrong. `single_fault_outputs` are the numbers of those halves whose values match, if two
    causes are known; `left` are those of the causes that alone would give these values.
    """

    right: int
    of: int
    errors: float
    residue: float
    broken: int = 0
    single_fault_outputs: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    unknown: int = 0
    unmade: int = 0
    outcome: int = 0

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong there, as far as known."""
        return self.right + self.unknown == self.of


class Causes:
    """Holds the values of some elements under each of some causes, by number."""

    def __init__(self, values: Mapping[int, NDArray[np.float64]], bound: NDArray[np.float64]) -> None:
        """`bound` is how far each element may be off."""
        self._numbers = np.array([*values], dtype=np.int64)
        self._rows = np.array([*values.values()], dtype=np.float64).reshape(len(values), -1)
        near = NEAR * np.abs(self._rows).max(axis=1, initial=0.0, keepdims=True)
        self._bounds = BOUNDS * bound + near
        self._few = np.linspace(0, max(len(bound) - 1, 0), min(_FEW, len(bound))).astype(int)

    def keep(self, now: NDArray[np.float64], right: NDArray[np.float64]) -> None:
        """Drops causes whose values are the current ones, the right ones, or NaN."""
        alike = np.isin(self._numbers, [*self.like(now), *self.like(right)])
        kept = ~alike & np.isfinite(self._rows).all(axis=1)
        self._numbers, self._rows, self._bounds = self._numbers[kept], self._rows[kept], self._bounds[kept]

    def like(self, values: NDArray[np.float64]) -> tuple[int, ...]:
        """Returns the numbers of the causes that give these values."""
        few = self._few  # comparing thousands of elements with hundreds of causes would take most of a search
        at = np.flatnonzero((np.abs(self._rows[:, few] - values[few]) <= self._bounds[:, few]).all(axis=1))
        is_like = (np.abs(self._rows[at] - values) <= self._bounds[at]).all(axis=1)
        return tuple(int(number) for number in self._numbers[at[is_like]])


def helped(looked: SpotCheckResult, plain: SpotCheckResult) -> float:
    """Returns how much an edit helps, from 0: by elements made right, and by the reduction of errors or residue.

    Broken elements count against it. An element may have been right by chance: by two faults that cancel, or by a
    clamp.
    """
    of = max(plain.of, 1)
    gained = (looked.right - looked.unmade - plain.right) / of
    # A constant may be nearer than the current values without explaining anything.
    says = looked.residue < 1.0 or plain.residue == 1.0
    errors = looked.errors / plain.errors if plain.errors > 0.0 and says else 1.0
    residue = looked.residue / plain.residue if plain.residue > _NO_RESIDUE else 1.0
    return max(max(gained, 0.0) + max(_HELPS - min(errors, residue), 0.0) - _BREAKS * looked.broken / of, 0.0)


def distinct(values: NDArray[np.float64]) -> int:
    """Returns roughly how many distinct values there are."""
    finite = values[np.isfinite(values)]
    step = NEAR * float(np.abs(finite).max(initial=0.0))
    return len(np.unique(np.rint(finite / step))) if step else 1


def factor_of(values: NDArray[np.float64], right: NDArray[np.float64]) -> float | None:
    """Returns the factor between values and right ones; None if there is none, or if they are right."""
    told = np.abs(right) > _NO_FACTOR * float(np.abs(right).max(initial=0.0))
    if np.count_nonzero(told) < _FEWEST_OF_FACTOR or not np.isfinite(values[told]).all():
        return None
    ratios = values[told] / right[told]
    factor = float(np.median(ratios))
    is_one = abs(factor) > _NO_FACTOR and bool((np.abs(ratios - factor) <= _NO_FACTOR * abs(factor)).all())
    return factor if is_one and abs(factor - 1.0) > 2.0 * _NO_FACTOR and distinct(right[told]) > 2 else None


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
        self._told = told if len(told) >= _FEWEST_OF_SPREAD else np.flatnonzero(np.isfinite(self._value))
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
