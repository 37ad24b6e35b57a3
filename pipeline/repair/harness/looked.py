"""What a look at a few elements tells: how much of them is right, what helps, and which causes they are as under."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# What is redone in numpy comes as near, in bounds and of the largest value.
BOUNDS, NEAR = 8.0, 1e-5
# Stands among the numbers of causes for a factor that is left.
SCALED = -1
# A factor is told by so many elements, and is no rounding.
_FEWEST, _NO_FACTOR = 8, 1e-3
# An edit helps where it takes this from the errors.
_HELPS = 0.9
# What is broken counts so many times; a residue as small as this is none.
_BREAKS, _NO_RESIDUE = 2.0, 1e-5
# Elements of each cause that are compared before all of them are.
_FEW = 8


@dataclass(frozen=True)
class Looked:
    """What a few texels are like: how many elements of them are right, and how large the errors are, about.

    `errors` are in spreads of what is right, at most one for each element. `residue` is the share of what is right that
    no factor and no summand of whole lanes makes of the values. What makes the same values has the same `outcome`.
    `unknown` of those that are not right may be so, for they were not made, and `unmade` of those that are may not.
    `halves` are the numbers of the halves that they are as, where two causes are known; `left` are those of the causes
    that alone would make them so.
    """

    right: int
    of: int
    errors: float
    residue: float
    broken: int = 0
    halves: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    unknown: int = 0
    unmade: int = 0
    outcome: int = 0

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong there, as far as it is known."""
        return self.right + self.unknown == self.of


class Causes:
    """What some elements are under each of some causes, by number."""

    def __init__(self, values: Mapping[int, NDArray[np.float64]], bound: NDArray[np.float64]) -> None:
        """`bound` is how far each element may be off."""
        self._numbers = np.array([*values], dtype=np.int64)
        self._rows = np.array([*values.values()], dtype=np.float64).reshape(len(values), -1)
        near = NEAR * np.abs(self._rows).max(axis=1, initial=0.0, keepdims=True)
        self._bounds = BOUNDS * bound + near
        self._few = np.linspace(0, max(len(bound) - 1, 0), min(_FEW, len(bound))).astype(int)

    def keep(self, now: NDArray[np.float64], right: NDArray[np.float64]) -> None:
        """Forgets those under which the elements are as they are now, or right, or no numbers."""
        alike = np.isin(self._numbers, [*self.like(now), *self.like(right)])
        kept = ~alike & np.isfinite(self._rows).all(axis=1)
        self._numbers, self._rows, self._bounds = self._numbers[kept], self._rows[kept], self._bounds[kept]

    def like(self, values: NDArray[np.float64]) -> tuple[int, ...]:
        """The numbers of those under which the elements are such values."""
        few = self._few  # of hundreds of causes and thousands of elements most of a search would go here
        at = np.flatnonzero((np.abs(self._rows[:, few] - values[few]) <= self._bounds[:, few]).all(axis=1))
        is_like = (np.abs(self._rows[at] - values) <= self._bounds[at]).all(axis=1)
        return tuple(int(number) for number in self._numbers[at[is_like]])


def helped(looked: Looked, plain: Looked) -> float:
    """How much an edit helps, from 0: what it makes right, and what it takes from the errors or from the residue.

    What it breaks counts against that: an element may have been right by chance, two faults undone by each other or
    held at a bound.
    """
    of = max(plain.of, 1)
    gained = (looked.right - looked.unmade - plain.right) / of
    # One value for all may be nearer than what is there, and says nothing of what is right.
    says = looked.residue < 1.0 or plain.residue == 1.0
    errors = looked.errors / plain.errors if plain.errors > 0.0 and says else 1.0
    residue = looked.residue / plain.residue if plain.residue > _NO_RESIDUE else 1.0
    return max(max(gained, 0.0) + max(_HELPS - min(errors, residue), 0.0) - _BREAKS * looked.broken / of, 0.0)


def distinct(values: NDArray[np.float64]) -> int:
    """How many values there are, about."""
    finite = values[np.isfinite(values)]
    step = NEAR * float(np.abs(finite).max(initial=0.0))
    return len(np.unique(np.rint(finite / step))) if step else 1


def factor_of(values: NDArray[np.float64], right: NDArray[np.float64]) -> float | None:
    """The one factor between values and what is right; None where there is none, or they are right."""
    told = np.abs(right) > _NO_FACTOR * float(np.abs(right).max(initial=0.0))
    if np.count_nonzero(told) < _FEWEST or not np.isfinite(values[told]).all():
        return None
    ratios = values[told] / right[told]
    factor = float(np.median(ratios))
    is_one = abs(factor) > _NO_FACTOR and bool((np.abs(ratios - factor) <= _NO_FACTOR * abs(factor)).all())
    return factor if is_one and abs(factor - 1.0) > 2.0 * _NO_FACTOR and distinct(right[told]) > 2 else None
