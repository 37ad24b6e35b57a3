"""Names what happened to the root of a variance that is a constant: it shows as one factor for each channel.

A folded normalisation has no root that a formula shows, only numbers. The variances are known, so a missing root, or
an epsilon beside it, is known by the factors of several channels: one epsilon explains them all, or none does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.functions import known_values
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.symbolic.kinds import Curved, Numbered
from texelscope.pipeline.symbolic.pass_divergences import ElementDivergences, PassDivergences

Array = NDArray[Any]
# An epsilon lies between these.
_SMALLEST, _LARGEST = 1e-7, 0.1
# Factors that differ by less, relatively, are equal; nearer ones to 1 show nothing.
_EQUAL, _LEAST = 5e-4, 5e-3
# So many channels show one epsilon; with fewer, some epsilon always fits.
_FEWEST = 3


def seen_in_roots(found: PassDivergences, elements: Sequence[ElementDivergences]) -> Seen | None:
    """Names a missing root, or an epsilon outside it; None where the factors of channels show none of both."""
    factors = [(factor, of) for of in elements if (factor := _factor_of(of)) is not None]
    tensors = {tensor for _, of in factors for each in of.divergences if isinstance(each, Numbered)
               for tensor, _ in each.expected_at}  # fmt: skip
    for tensor in sorted(tensors):
        known = [(factor, value) for factor, of in factors if (value := _value_of(found, of, tensor)) is not None]
        if len({value for _, value in known}) < _FEWEST or min(value for _, value in known) <= 0.0:
            continue
        by, variances = (np.array(each, dtype=np.float64) for each in zip(*known, strict=True))
        if np.abs(by - 1.0).max() < _LEAST or not by.all():
            continue
        epsilon = np.geomspace(_SMALLEST, _LARGEST, 3000)[:, None]
        right = np.sqrt(variances + epsilon)
        if _fits(by, 1.0 / right):
            return Seen(causes.WRONG_FUNCTION, f"divides by '{tensor}' itself, not by its root")
        if _fits(by, right / (np.sqrt(variances) + epsilon)):
            return Seen(causes.EPSILON, f"adds the epsilon outside the root of '{tensor}', not inside")
    return None


def _fits(factors: Array, wanted: Array) -> bool:
    """Whether one epsilon, a row of `wanted`, gives all factors."""
    errors = np.abs(wanted / factors - 1.0).max(axis=1)
    return bool(errors.min() <= _EQUAL)


def _factor_of(element: ElementDivergences) -> float | None:
    """Returns by how much an element's sum is multiplied: its slope where it is small; None where nothing shows it."""
    for each in element.divergences:
        if isinstance(each, Numbered) and each.is_whole and each.expected and not each.inside:
            return each.got / each.expected
        if isinstance(each, Curved) and (values := known_values(each)) is not None:
            near_zero = np.argsort(np.abs(values.points))[:2]
            at = near_zero[np.abs(values.right[near_zero]).argmax()]
            return float(values.got[at] / values.right[at]) if values.right[at] else None
    return None


def _value_of(found: PassDivergences, element: ElementDivergences, tensor: str) -> float | None:
    """Returns the element of a constant that a formula adds; None where it adds none of it."""
    places = {place for each in element.divergences if isinstance(each, Numbered)
              for place in each.expected_at if place[0] == tensor}  # fmt: skip
    if len(places) != 1:
        return None
    values, (_, index) = found.constants.get(tensor, np.zeros(0)), places.pop()
    return float(values[index]) if 0 <= index < len(values) else None
