"""Tensors joined along axes: sums and their like, running ones, differences, truth."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors import Tensor, apply
from texelscope.pipeline.tensors.array_api.creation import full_like
from texelscope.pipeline.tensors.array_api.manipulation import concat
from texelscope.pipeline.tensors.reductions import Axes
from texelscope.pipeline.tensors.types import axes_of, cast


def sum(x: Tensor, /, *, axis: Axes = None, dtype: str | None = None, keepdims: bool = False) -> Tensor:
    """The sum; of truth and of whole numbers an int64, if no type is asked for."""
    return _summed(x, dtype).sum(axis, keepdims=keepdims)


def prod(x: Tensor, /, *, axis: Axes = None, dtype: str | None = None, keepdims: bool = False) -> Tensor:
    """The product; of truth and of whole numbers an int64, if no type is asked for."""
    return _summed(x, dtype).prod(axis, keepdims=keepdims)


def max(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The largest."""
    return x.max(axis, keepdims=keepdims)


def min(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The smallest."""
    return x.min(axis, keepdims=keepdims)


def mean(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The mean."""
    return x.mean(axis, keepdims=keepdims)


def var(x: Tensor, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The variance, over the number of elements less `correction`."""
    return x.var(axis, correction=correction, keepdims=keepdims)


def std(x: Tensor, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The root of the variance."""
    return x.std(axis, correction=correction, keepdims=keepdims)


def all(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Whether none is zero."""
    return x.all(axis, keepdims=keepdims)


def any(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Whether one is not zero."""
    return x.any(axis, keepdims=keepdims)


def cumulative_sum(
    x: Tensor, /, *, axis: int | None = None, dtype: str | None = None, include_initial: bool = False
) -> Tensor:
    """The sums up to each element along an axis, from 0 on if the initial one is included."""
    x, at = _along("cumulative_sum", _summed(x, dtype), axis)
    found = apply("CumSum", x, np.array(at, np.int64)) if x.size else x
    return _after(0, found, at) if include_initial else found


def cumulative_prod(
    x: Tensor, /, *, axis: int | None = None, dtype: str | None = None, include_initial: bool = False
) -> Tensor:
    """The products up to each element along an axis, from 1 on if the initial one is included."""
    x, at = _along("cumulative_prod", _summed(x, dtype), axis)
    before, size, reach = (slice(None),) * at, x.shape[at], 1
    while reach < size:  # each element holds the product of those up to `reach` back, itself among them
        later, earlier = x[(*before, slice(reach, None))], x[(*before, slice(None, -reach))]
        x = concat([x[(*before, slice(None, reach))], later * earlier], axis=at)
        reach *= 2
    return _after(1, x, at) if include_initial else x


def diff(
    x: Tensor, /, *, axis: int = -1, n: int = 1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """Each element less the one before it along an axis, `n` times; with what stands before and after it."""
    at = axes_of("diff", x.ndim, axis)[0]
    if not n:
        return x
    x = concat([each for each in (prepend, x, append) if each is not None], axis=at)
    before = (slice(None),) * at
    for _ in range(n):
        later, earlier = x[(*before, slice(1, None))], x[(*before, slice(None, -1))]
        x = later ^ earlier if x.dtype == "bool" else later - earlier
    return x


def _along(who: str, x: Tensor, axis: int | None) -> tuple[Tensor, int]:
    """With the axis from the front, which a tensor of one axis need not name."""
    if axis is None and x.ndim != 1:
        raise TexelscopeError(who, "an axis", f"none for {list(x.shape)}", "Name the axis.")
    return x, axes_of(who, x.ndim, axis or 0)[0]


def _after(first: int, x: Tensor, axis: int) -> Tensor:
    """With one number before the others along an axis."""
    return concat([full_like(x.sum(axis, keepdims=True), first), x], axis=axis)


def _summed(x: Tensor, dtype: str | None) -> Tensor:
    return cast(x, dtype or ("float32" if x.dtype == "float32" else "int64"))
