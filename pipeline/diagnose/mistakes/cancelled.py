"""Variances as the difference of two large numbers, E[x²] − E[x]², of whose rounding small ones are made up.

From the result of a normalisation follows by what each group was divided, hence the variance that it was given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.normalised import Normalised, normalised
from pipeline.diagnose.clues.parts import undone_to
from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.trial.case import Case
from pipeline.glsl.lines import GENERATED, Line
from pipeline.operators.rounding import UNIT_ROUNDOFF

Array = NDArray[Any]

_UNIT = UNIT_ROUNDOFF["float32"]
# Elements from which a factor can be told, and what of a group's spread may be left of the fit.
_FEWEST, _LEFT = 3, 2.0**-9
# Factors of the deviation are told apart from 1, and from one another, to this share.
_APART, _ALIKE = 1e-4, 0.05
# How far from a whole number of steps a difference may be.
_AWAY = 0.1
_SQUARE = re.compile(r"-=?\s*\(?\s*(?:(\w[\w.]*)\s*\*\s*\1\b|pow\(\s*\w[\w.]*\s*,\s*2|dot\(\s*(\w+)\s*,\s*\2\s*\))")


@dataclass(frozen=True)
class Cancelled:
    """The change that redoes it, and the largest error of a variance beside the mean square it was left of.

    The variances are those that came out, one for each group. They are not free: all elements of a group agree on one,
    no other than rounding leaves, and on its steps unless the shader subtracts a square.
    """

    change: NodeChange
    error: float
    square: float


def cancelled(case: Case) -> Cancelled | None:
    """The normalisation of the pass with such variances; None unless all that is wrong agrees with that."""
    for node in case.redo.node("Normalise"):
        found = normalised(case, node)
        own = node.inputs[2] in case.redo.makers and len(node.inputs) > 1 and node.inputs[1] in case.redo.makers
        values = undone_to(case, case.actual, node) if own and found is not None else None
        if found is None or values is None or values.size != found.x.size:
            continue
        variance = implied_variance(found, values.reshape(found.x.shape))
        if variance is None:
            continue
        statement = minus_square(case) is not None
        if is_left_of_rounding(found, variance) and (statement or is_on_steps(found, variance)):
            error = np.abs(variance - found.variance)
            square = np.square(found.x).mean(axis=_axes(found), keepdims=True)
            return Cancelled(found.change(variance=variance), float(np.nanmax(error)), float(square.max()))
    return None


def implied_variance(found: Normalised, values: Array) -> Array | None:
    """The variance that each group of a result was made with, in the shape of the variances; NaN for a root of less.

    `values` is the result of the normalisation in the shape of x, NaN where it cannot be told. None where a group
    is no multiple of its deviations from the mean, or cannot be told.
    """
    assert found.mean is not None
    with np.errstate(all="ignore"):
        y = (values - (0.0 if found.shift is None else found.shift)) / (1.0 if found.scale is None else found.scale)
    shape, count = found.variance.shape, found.variance.size
    axes = _axes(found)
    ordered = np.moveaxis(y, axes, range(-len(axes), 0)).reshape(count, -1)
    away = np.moveaxis(found.x - found.mean, axes, range(-len(axes), 0)).reshape(count, -1)
    made = np.full(count, np.nan)
    for group in range(count):
        told = np.isfinite(ordered[group])
        if not told.any():
            continue
        if np.count_nonzero(told) < _FEWEST:
            return None
        d, g = away[group][told], ordered[group][told]
        spread = np.square(d - d.mean()).sum()
        factor = ((d - d.mean()) * (g - g.mean())).sum() / spread if spread > 0 else 0.0
        left = g - g.mean() - factor * (d - d.mean())
        if factor <= 0 or np.square(left).sum() > _LEFT**2 * factor**2 * spread:
            return None
        divisor = 1.0 / factor
        made[group] = (divisor - found.epsilon) ** 2 if found.root == "√v + ε" else divisor**2 - found.epsilon
    return made.reshape(shape)


def is_left_of_rounding(found: Normalised, variance: Array) -> bool:
    """Whether every variance differs from the right one by no more than what E[x²] − E[x]² rounds by.

    Sums of n terms of one sign, one after the other, are off by at most u · (n + 1) / 2 of themselves. Differences
    that are the same in all groups, or one factor of all deviations, are no rounding, nor is anything in one group.
    """
    assert found.mean is not None
    square = np.square(found.x).mean(axis=_axes(found), keepdims=True)
    size = np.abs(found.x).mean(axis=_axes(found), keepdims=True)
    allowed = _UNIT * (((found.count + 1) / 2 + 4) * square + (found.count + 6) * np.abs(found.mean) * size)
    off = variance - found.variance
    nothing = np.isnan(variance)
    if variance.size < 2 or np.any(nothing & (found.variance - allowed > -found.epsilon)):
        return False
    if np.any(np.abs(off[~nothing]) > allowed[~nothing]):
        return False
    told = off[~nothing]
    with np.errstate(all="ignore"):
        ratio = ((variance + found.epsilon) / (found.variance + found.epsilon))[~nothing]
    if nothing.any():
        return True
    if np.abs(ratio - 1.0).max() < _APART:
        return False
    same = np.ptp(told) <= _ALIKE * np.abs(told).max() or np.ptp(ratio) <= _ALIKE * np.abs(ratio - 1.0).max()
    return not same


def is_on_steps(found: Normalised, variance: Array) -> bool:
    """Whether all are whole multiples of half the last place of the mean squares, as the squares of means have."""
    square = np.square(found.x).mean(axis=_axes(found), keepdims=True)
    step = np.spacing(square.astype(np.float32)).astype(np.float64) / 2.0
    told = np.isfinite(variance)
    if np.count_nonzero(told) < 2:
        return False
    steps = (variance / step)[told]
    return bool(np.all(np.abs(steps - np.rint(steps)) < _AWAY) and np.abs(steps).max() < 2.0**15)


def minus_square(case: Case) -> Line | None:
    """Where the square of something is subtracted, in the author's text before generated ones."""
    texts = (*case.text.expressions("binary_expression"), *case.text.expressions("assignment_expression"))
    lines = [line for line, text in texts if _SQUARE.search(text)]
    return next(reversed([line for line in lines if line[0] != GENERATED] or lines), None)


def _axes(found: Normalised) -> tuple[int, ...]:
    """Those along which a group lies."""
    return tuple(
        i for i, (many, one) in enumerate(zip(found.x.shape, found.variance.shape, strict=True)) if many != one
    )
