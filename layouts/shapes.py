"""Any logical shape seen as N, C, H, W: the one view that all layouts and all shaders share."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import SupportsIndex

from texelscope.layouts.errors import LayoutError

Dims = tuple[int, int, int, int]


def as_nchw(shape: Sequence[SupportsIndex]) -> Dims:
    """The 4-d view of a logical shape; the linear (C order) index of an element is the same in both.

    Rank below 4 gets leading ones, rank above 4 folds its leading axes into N, rank 0 is (1, 1, 1, 1).
    Raises `LayoutError` for a dimension that is no whole number or below 1: no texture holds zero texels.
    """
    dims = []
    for axis, given in enumerate(shape):
        try:
            length = operator.index(given)
        except TypeError:
            raise _refusal(shape, "whole numbers", axis, "Give every dynamic dimension a value.") from None
        if length < 1:
            raise _refusal(shape, "every dimension at least 1", axis, "A texture cannot hold an empty tensor.")
        dims.append(length)
    if len(dims) <= 4:
        n, c, h, w = (1,) * (4 - len(dims)) + tuple(dims)
    else:
        n = math.prod(dims[:-3])
        c, h, w = dims[-3:]
    return n, c, h, w


def _refusal(shape: Sequence[SupportsIndex], expected: str, axis: int, do_next: str) -> LayoutError:
    return LayoutError(f"shape {tuple(shape)}", expected, f"{shape[axis]!r} at axis {axis}", do_next)
