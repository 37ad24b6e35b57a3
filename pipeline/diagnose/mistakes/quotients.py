"""Whole numbers and their quotients as floats of a format have them: worked out for all numbers alike.

Which quotients fall short of a whole number is for the arithmetic to say, not for what came out: that would be a choice
element by element, and explain anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
# k and g to the whole number that a shader takes k / g for.
Quotient = Callable[[Array, int], Array]
# More than any number of elements.
_FAR = 1 << 30


def whole_numbers(kind: type[np.floating[Any]]) -> int:
    """From here on a float format no longer holds every whole number: the mantissa has one bit more than is stored."""
    return int(2 ** (np.finfo(kind).nmant + 1))


def as_held(k: Array, kind: type[np.floating[Any]], to: Callable[[Array], Array]) -> Array:
    """Whole numbers from 0 on as the format holds them; `to` is np.rint (to nearest, ties to even), floor or ceil."""
    exponent = np.frexp(np.maximum(k, 1).astype(np.float64))[1] - 1
    step = np.exp2(np.maximum(exponent - np.finfo(kind).nmant, 0))
    held = np.asarray(to(k / step) * step)
    return np.where(held > float(np.finfo(kind).max), _FAR, held).astype(np.int64)


def _reciprocal(kind: type[np.floating[Any]]) -> Quotient:
    def quotient(k: Array, g: int) -> Array:
        with np.errstate(over="ignore"):
            return _floor(k.astype(kind) * (kind(1) / kind(g)))

    return quotient


def _divided(kind: type[np.floating[Any]]) -> Quotient:
    def quotient(k: Array, g: int) -> Array:
        with np.errstate(over="ignore"):
            return _floor(k.astype(kind) / kind(g))

    return quotient


def _floor(share: Array) -> Array:
    return np.minimum(np.floor(share.astype(np.float64)), _FAR).astype(np.int64)


# Division in single precision rounds correctly, and misses no quotient of indices below 2^23.
QUOTIENTS: Sequence[tuple[str, Quotient]] = (
    ("k times 1 / g in single precision", _reciprocal(np.float32)),
    ("k times 1 / g in half precision", _reciprocal(np.float16)),
    ("k / g in half precision", _divided(np.float16)),
)

# Ways to round an index that a half does not hold.
ROUNDINGS: Sequence[tuple[str, Callable[[Array], Array]]] = tuple(
    (f"{says} half precision", lambda k, to=to: as_held(k, np.float16, to))  # type: ignore[misc]
    for says, to in (("rounded to", np.rint), ("rounded up to", np.ceil), ("rounded down to", np.floor))
)
