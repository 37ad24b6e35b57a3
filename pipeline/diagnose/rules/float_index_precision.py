"""float_index_precision: wrong elements, at regular distances, hold what belongs to others or read elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.hypothesis import Band, Hypothesis, Place, Rule
from pipeline.diagnose.recurrence import Recurrence, recurrence
from pipeline.diagnose.tap_pattern import misread

Array = NDArray[Any]


class FloatIndexPrecision(Rule):
    """An index worked out in floats falls short of, or beyond, the whole number: some elements are off by one."""

    cause = "float_index_precision"
    band = Band.READS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """By values: wrong elements hold what belongs next to them. By recorded reads: those miss their place."""
        pattern = recurrence(case.wrong.reshape(-1), case.dims)
        yield from self._neighbours(case, pattern)
        yield from self._taps(case, pattern)

    def _neighbours(self, case: Case, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """Each wrong element holds what belongs to one nearby; the right ones lie among them."""
        _, _, H, W = case.dims
        expected, actual, bound = (each.reshape(-1) for each in (case.expected, case.actual, case.bound))
        values, left = expected.copy(), case.wrong.reshape(-1).copy()
        least = max(2, 0.05 * np.count_nonzero(left))
        found: list[int] = []
        for step in dict.fromkeys((1, -1, W, -W, H * W, -H * W, 2, -2, 2 * H * W, -2 * H * W)):
            place = np.clip(np.arange(expected.size) + step, 0, expected.size - 1)
            with np.errstate(all="ignore"):
                near = left & (np.abs(actual - expected[place]) <= bound[place] * 2)
            if np.count_nonzero(near) >= least:
                found.append(step)
                values[near] = expected[place][near]
                left &= ~near
        if found and not case.wrong.all():
            steps = ", ".join(f"k {step:+d}" for step in found)
            says = f"element k holds what belongs to {steps}{f', {pattern}' if pattern is not None else ''}"
            yield self._hypothesis(says, values, case, pattern, places.summand(), 1.0)

    def _taps(self, case: Case, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """Recorded reads of wrong elements miss their place, those of right ones do not, and the wrong ones recur."""
        off = misread(case)
        if off is None or (pattern is None and not off.recurs):
            return
        covered = pattern.covers if pattern is not None else np.ones(case.wrong.size, dtype=bool)
        values = np.where(covered & case.wrong.reshape(-1), case.actual.reshape(-1), case.expected.reshape(-1))
        says = f"recorded reads of {off}{f'; wrong elements recur {pattern}' if pattern is not None else ''}"
        yield self._hypothesis(says, values, case, pattern, places.summand(off.tensor), 1.5, observed=True)

    def _hypothesis(
        self,
        says: str,
        values: Array,
        case: Case,
        pattern: Recurrence | None,
        place: Place,
        weight: float,
        *,
        observed: bool = False,
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Work out indices in integers, or add 0.5 before floor; floats hold no exact thirds.",
            {} if pattern is None else pattern.parameters(),
            values=values.reshape(case.dims).astype(np.float32),
            place=place,
            weight=weight,
            observed=observed,
        )
