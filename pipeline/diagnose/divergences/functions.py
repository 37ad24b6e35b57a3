"""Names another function of a sum: its values at some points against those of the model's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.observing import PassDivergences
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.symbolic.kinds import Curved, Divergence, Numbered, Renamed, near

Array = NDArray[Any]
# Smaller values are nothing; factors that differ by less, relatively, are one.
_TINY, _ALIKE = 1e-6, 1e-2


def seen_in_names(_found: PassDivergences, inner: Sequence[tuple[int, Renamed]]) -> Seen | None:
    """Names a function that has another name than the model's; None where not all elements show the same."""
    pairs = {(each.expected, each.got) for _, each in inner}
    expected, got = pairs.pop()
    if pairs or any(each.is_swapped for _, each in inner):
        return None
    if not got:
        return Seen(causes.ACTIVATION_MISSING, f"does not apply {expected}")
    if not expected:
        return Seen(causes.ACTIVATION_EXTRA, f"applies {got}")
    return Seen(causes.WRONG_FUNCTION, f"has {got}, not {expected}")


def seen_in_curves(_found: PassDivergences, inner: Sequence[tuple[int, Curved]]) -> Seen | None:
    """Names a function that has other values than the model's; None where not all elements show the same."""
    seen = {_of_curve(each) for _, each in inner}
    return seen.pop() if len(seen) == 1 else None


def _of_curve(each: Curved) -> Seen | None:
    points, right, got = (np.array(values, dtype=np.float64) for values in (each.points, each.expected, each.got))
    known = np.isfinite(right) & np.isfinite(got)
    points, right, got = points[known], right[known], got[known]
    if len(points) < len(each.points) // 2:
        return None
    if _is_line(points, got) and not _is_line(points, right):
        return Seen(causes.ACTIVATION_MISSING, "does not apply the function of the sum")
    if _is_line(points, right) and not _is_line(points, got):
        return Seen(causes.ACTIVATION_EXTRA, "applies a function that the model does not have")
    if is_scaled(each):
        return Seen(causes.SCALE, "has a function's values times a number")
    same = np.isclose(got, right, rtol=1e-3, atol=_TINY)
    for differs, stays in ((points < 0.0, points > 0.0), (points > 0.0, points < 0.0)):
        bent = differs & (np.abs(right) > _TINY)
        if same[stays].all() and bent.any() and (got[bent] / right[bent] > 0.0).all():
            return Seen(causes.ALPHA, "applies a function with another constant")
    return None  # values of a function that no other makes have no name: they may be those of two


def is_scaled(each: Curved) -> bool:
    """Whether a function is another one times a number."""
    got, right = np.array(each.got, dtype=np.float64), np.array(each.expected, dtype=np.float64)
    known = np.isfinite(got) & np.isfinite(right)
    filled = known & (np.abs(right) > _TINY)
    if (np.abs(got[known & ~filled]) > _TINY).any():
        return False
    ratios = (got[filled] / right[filled]).tolist()
    return bool(ratios) and max(ratios) - min(ratios) <= _ALIKE * abs(ratios[0])


def is_before_bias(divergences: Sequence[Divergence]) -> bool:
    """Whether one element's divergences are those of f(x) + b in place of f(x + b)."""
    added = [each for each in divergences if isinstance(each, Numbered) and each.is_added]
    curved = [each for each in divergences if isinstance(each, Curved)]
    if len(added) != 1 or len(curved) != 1 or len(divergences) != 2:
        return False
    left = [g - e for g, e in zip(curved[0].got, curved[0].expected, strict=True)]
    wanted = added[0].expected - added[0].got
    return all(near(each, wanted, 0.1 * abs(wanted)) for each in left)


def _is_line(points: Array, values: Array) -> bool:
    slopes = values / points
    return bool(np.ptp(slopes) <= 1e-3 * max(abs(float(slopes[0])), 1e-12))
