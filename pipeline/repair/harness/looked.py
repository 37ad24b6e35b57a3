"""The result of a spot check of a few elements: how many are right, how much an edit helps, which causes would fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Model slices agree with the GPU within this many bounds, and to this share of the largest value.
BOUNDS, NEAR = 8.0, 1e-5
# A remaining factor has this number among the causes.
SCALED = -1
# A factor needs at least so many elements, and differs from 1 by more than rounding.
_FEWEST, _NO_FACTOR = 8, 1e-3
# An edit helps if this share of the errors or less remains.
_HELPS = 0.9
# Broken elements count so many times; a residue this small counts as none.
_BREAKS, _NO_RESIDUE = 2.0, 1e-5
# Elements of each cause that are compared before all of them are.
_FEW = 8


@dataclass(frozen=True)
class Looked:
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


def helped(looked: Looked, plain: Looked) -> float:
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
    if np.count_nonzero(told) < _FEWEST or not np.isfinite(values[told]).all():
        return None
    ratios = values[told] / right[told]
    factor = float(np.median(ratios))
    is_one = abs(factor) > _NO_FACTOR and bool((np.abs(ratios - factor) <= _NO_FACTOR * abs(factor)).all())
    return factor if is_one and abs(factor - 1.0) > 2.0 * _NO_FACTOR and distinct(right[told]) > 2 else None
