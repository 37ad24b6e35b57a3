"""Solves for one number from the errors of a few elements, and spells numbers as people write them.

By the secant of two draws the errors are about linear in the number: if one value makes all of them small, a few
Gauss-Newton steps find it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

# The first step, relative to the number in the text or to 1; the most steps.
_FIRST, _STEPS = 0.03, 7
# A number must remove this share of the errors by the first step's estimate, and by each step.
_PROMISES, _GAINS = 0.8, 0.8
# Fractions of a step that overshoots.
_SHARES = (1.0, 0.4, 0.1)
# The error, in bounds, of a number that is right except for its last digits.
_NEARLY = 200.0
# Bytes hold multiples of 1 / 255, to this precision.
_LARGEST_BYTE, _SHARE = 255, 1e-5
# The most digits of a number; the tolerance of an integer divisor, and the largest one.
_DIGITS, _WHOLE, _MOST_DIVISOR = 7, 1e-4, 1 << 20


def ways_to_write(value: float, *, is_factor: bool) -> Iterator[tuple[str, float]]:
    """Yields spellings of a number, the shortest first, with their exact values."""
    divisor = 1.0 / value if value else 0.0
    if is_factor and 1.5 < divisor < _MOST_DIVISOR and abs(divisor - round(divisor)) <= _WHOLE * divisor:
        yield f"/ {round(divisor)}.0", 1.0 / round(divisor)
    share = round(value * _LARGEST_BYTE)
    if abs(share) > 0 and share % _LARGEST_BYTE and abs(share / _LARGEST_BYTE - value) <= _SHARE:
        yield f"({share}.0 / {_LARGEST_BYTE}.0)", share / _LARGEST_BYTE
    seen = set[str]()
    for digits in range(1, _DIGITS + 1):
        text = f"{value:.{digits}g}"
        shown = text if "." in text or "e" in text else f"{text}.0"
        if shown not in seen:
            seen.add(shown)
            yield shown, float(shown)


def solved(errors: Callable[[float], NDArray[np.float64] | None], start: float) -> float | None:
    """Returns the number, or one close to it, at which no error is above 1; None if no number satisfies all."""
    best, number, other = errors(start), start, start + _FIRST * (abs(start) or 1.0)
    if best is None or not best.size or not np.isfinite(best).all():
        return None
    beside = errors(other)
    for step in range(_STEPS):
        slope = (beside - best) / (other - number) if beside is not None else best * 0.0
        size = float(slope @ slope)
        if not np.isfinite(size) or size <= 0.0:
            return None
        move = -float(best @ slope) / size
        if step == 0 and _size(best + move * slope) > _PROMISES * _size(best):
            return None
        following, made = _nearer(errors, number, move, _GAINS * _size(best))
        if made is None:
            return number if np.abs(best).max() <= _NEARLY else None
        if np.abs(made).max() <= 1.0:
            return following
        number, other, best, beside = following, number, made, best
    return None


def _nearer(
    errors: Callable[[float], NDArray[np.float64] | None], number: float, move: float, least: float
) -> tuple[float, NDArray[np.float64] | None]:
    """Returns a number at that distance or less with errors below a size, and these; None if there is none."""
    for share in _SHARES:
        made = errors(number + share * move)
        if made is not None and np.isfinite(made).all() and _size(made) <= least:
            return number + share * move, made
    return number, None


def _size(errors: NDArray[np.float64]) -> float:
    return float(np.sqrt(errors @ errors))
