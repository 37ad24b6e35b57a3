"""Scores how well a hypothesis reproduces the GPU's values, by counting elements."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# A hypothesis is the explanation if it reproduces this share of the wrong elements …
WHOLE = 0.995
# … and a part of one from here on, if right elements stay right.
PART = 0.2
KEPT = 0.99
# A number fitted to the wrong values explains some by construction; each has to explain this many.
FITTED_EACH = 3

# A part must explain this many distinct values, or all that it changes: zeroing most of the result would reproduce one
# that is zero for another reason.
_APART = 3

# The slice rounds differently from the oracle: a few of the largest bounds, or a relative rounding, are allowed, but
# never more than a fraction of the error to explain.
_BOUNDS = 8.0
# Right values are known better: a few of the largest bounds may equal a step of eight bits.
_BOUNDS_KEPT = 2.0
_RELATIVE = 1e-5
_FRACTION = 1.0 / 16.0
_MARGINAL = 0.5


@dataclass(frozen=True)
class Score:
    """The score: `explained` of `wrong` elements are reproduced, with `residual` the largest error among them.

    `kept` is the share of right elements that stay right. `telling` is false for a part that any cause might explain.
    """

    explained: int
    wrong: int
    kept: float
    residual: float
    telling: bool = True

    @property
    def share(self) -> float:
        """Returns the share of the wrong elements that are reproduced."""
        return self.explained / self.wrong if self.wrong else 0.0

    def bears(self, fitted: int) -> bool:
        """Whether enough elements are explained for so many fitted numbers."""
        return self.explained >= FITTED_EACH * fitted

    @property
    def is_whole(self) -> bool:
        """Whether the hypothesis explains everything."""
        return self.share >= WHOLE and self.kept >= KEPT

    @property
    def is_part(self) -> bool:
        """Whether it explains something without making right elements wrong."""
        return self.share >= PART and self.kept >= KEPT and self.telling


@dataclass(frozen=True)
class Judge:
    """Compares predictions with actual values; all arrays in one shape. `bound` is on |actual - expected|.

    Elements that are not `counted` (bool; by default all are) are neither right nor wrong.
    """

    actual: Array
    expected: Array
    bound: Array
    counted: NDArray[np.bool_] = field(default_factory=lambda: np.ones((), dtype=bool))

    def __post_init__(self) -> None:
        object.__setattr__(self, "counted", np.broadcast_to(self.counted, self.actual.shape))

    def only(self, covered: NDArray[np.bool_]) -> Judge:
        """Returns the judge of some elements, flat."""
        return Judge(self.actual[covered], self.expected[covered], self.bound[covered], self.counted[covered])

    def wrong(self) -> NDArray[np.bool_]:
        """Returns a mask of elements outside their bound; NaN is right only where it is expected."""
        return self._wrong

    @cached_property
    def _wrong(self) -> NDArray[np.bool_]:
        return np.asarray(~self._close(self.actual, self.expected, self.bound) & self.counted)

    def reproduces(self, predicted: Array) -> Score:
        """Scores a prediction of the GPU's values."""
        close = self._reproduced(predicted)
        still = self._close(predicted, self.actual, self.bound + self._still)
        score = self._score(self.wrong(), close, still, np.abs(_difference(predicted, self.actual)))
        return score if score.is_whole else dataclasses.replace(score, telling=self._is_telling(predicted, close))

    def _is_telling(self, predicted: Array, close: NDArray[np.bool_]) -> bool:
        """Whether explained elements have several values, or all changed elements are explained."""
        changed = self.counted & ~self._close(predicted, self.expected, self.bound)
        if np.count_nonzero(changed & close) >= KEPT * np.count_nonzero(changed):
            return True
        values = np.asarray(self.actual[self.wrong() & close], dtype=np.float64)
        values = values[np.isfinite(values)]
        step = 2.0 * _BOUNDS * self._largest
        return len(np.unique(np.rint(values / step) if step else values)) >= _APART

    def explained_by(self, predicted: Array) -> NDArray[np.bool_]:
        """Returns a mask of the wrong elements that a prediction reproduces."""
        return np.asarray(self.wrong() & self._reproduced(predicted))

    def _reproduced(self, predicted: Array) -> NDArray[np.bool_]:
        return self._close(predicted, self.actual, self._near)

    @cached_property
    def _near(self) -> Array:
        """Returns how near a prediction of a wrong element has to come."""
        with np.errstate(all="ignore"):
            error = np.nan_to_num(np.abs(self.actual - self.expected), nan=np.inf)
        # If an error is little more than its bound, a prediction must come nearer than the right value.
        within = np.minimum(self.bound, _MARGINAL * error)
        return np.asarray(np.maximum(within, np.minimum(self._slack, _FRACTION * error)))

    def within(self, size: Array) -> Score:
        """Scores a bound on the errors; its residual is the largest error."""
        near = self._close(self.actual, self.expected, size)
        return self._score(self.wrong(), near, near, np.abs(_difference(self.actual, self.expected)))

    def interventions(self, values: Array) -> Score:
        """Scores an intervention's result: wrong elements that become right are explained."""
        wrong = self.wrong()
        right = self._close(values, self.expected, self.bound)
        return self._score(wrong, right, right, np.abs(_difference(values, self.expected)))

    @cached_property
    def _slack(self) -> Array:
        size = np.abs(np.nan_to_num(self.actual, posinf=0.0, neginf=0.0))
        return np.asarray(np.maximum(_BOUNDS * self._largest, _RELATIVE * size))

    @cached_property
    def _still(self) -> Array:
        """Returns how far a prediction of a right element may be off, besides that element's own bound."""
        return np.minimum(self._slack, _BOUNDS_KEPT * self._largest)

    @cached_property
    def _largest(self) -> float:
        """Returns the largest bound."""
        return float(self.bound[np.isfinite(self.bound)].max(initial=0.0))

    def _score(self, wrong: Array, close: Array, still: Array, left: Array) -> Score:
        explained = wrong & close
        right = self.counted & ~wrong
        count = int(np.count_nonzero(right))
        kept = np.count_nonzero(right & still) / count if count else 1.0
        rest = left[explained]
        rest = rest[np.isfinite(rest)]
        return Score(int(explained.sum()), int(wrong.sum()), float(kept), float(rest.max(initial=0.0)))

    @staticmethod
    def _close(a: Array, b: Array, within: Array) -> NDArray[np.bool_]:
        with np.errstate(all="ignore"):
            return np.asarray((np.abs(_difference(a, b)) <= within) | (a == b) | (np.isnan(a) & np.isnan(b)))


def _difference(a: Array, b: Array) -> Array:
    with np.errstate(all="ignore"):
        return a.astype(np.float64) - b.astype(np.float64)
