"""Where elements are, in which order, and which there are."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors import Tensor, apply_several, gather
from texelscope.pipeline.tensors import take as taken
from texelscope.pipeline.tensors import where as chosen
from texelscope.pipeline.tensors.array_api.made import Operand, pair
from texelscope.pipeline.tensors.reductions import Axes
from texelscope.pipeline.tensors.types import axes_of, cast


class UniqueAll(NamedTuple):
    """Each value once, where it is first, which one each element is, and how often it is there."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """Each value once, and how often it is there."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """Each value once, and which one each element is."""

    values: Tensor
    inverse_indices: Tensor


def argmax(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Where the largest is along an axis, or of all elements in a row; the first of several."""
    return x.argmax(axis, keepdims=keepdims)


def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Where the smallest is."""
    return x.argmin(axis, keepdims=keepdims)


def count_nonzero(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """How many are not zero."""
    return cast(x, "bool").sum(axis, keepdims=keepdims)


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """By axis the places of what is not zero. `x` is read back: how many there are depends on its numbers."""
    if not x.ndim:
        raise TexelscopeError("nonzero", "a tensor with an axis", "one without", "Unsqueeze it.")
    return tuple(_beside(x, each) for each in np.nonzero(x.numpy()))


def searchsorted(
    x1: Tensor, x2: Operand, /, *, side: Literal["left", "right"] = "left", sorter: Tensor | None = None
) -> Tensor:
    """Where each of `x2` goes into `x1` [n], which is in order, or is put in order by `sorter`: how many are before."""
    if side not in ("left", "right"):
        raise TexelscopeError("searchsorted", "the side 'left' or 'right'", f"'{side}'", "Use one of them.")
    ordered, wanted = pair("searchsorted", x1 if sorter is None else taken(x1, sorter), x2)
    wanted = wanted.unsqueeze(-1)
    return (ordered < wanted if side == "left" else ordered <= wanted).sum(-1)


def where(condition: Tensor, x1: Operand, x2: Operand, /) -> Tensor:
    """`x1` where the condition is true, else `x2`."""
    return chosen(condition, x1, x2)


def isin(x1: Operand, x2: Operand, /, *, invert: bool = False) -> Tensor:
    """Whether each of `x1` is among `x2`, or is not."""
    one, others = pair("isin", x1, x2)
    found = (one.unsqueeze(-1) == others.reshape(-1)).any(-1)
    return ~found if invert else found


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """The parts at those places along an axis, which a tensor of one axis need not name."""
    if axis is None and x.ndim != 1:
        raise TexelscopeError("take", "an axis", f"none for {list(x.shape)}", "Name the axis.")
    return taken(x, indices, axis or 0)


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """For each place along an axis the element there; the other axes broadcast."""
    at = axes_of("take_along_axis", x.ndim, axis)[0]
    if indices.ndim != x.ndim:
        got = f"{list(indices.shape)} for {list(x.shape)}"
        raise TexelscopeError("take_along_axis", "places with as many axes", got, "Unsqueeze them.")
    others = [max(sizes) for sizes in zip(x.shape, indices.shape, strict=True)]
    wide, places = ([*others[:at], each.shape[at], *others[at + 1 :]] for each in (x, indices))
    return gather(_spread(x, wide), at, _spread(indices, places))


def _spread(x: Tensor, shape: list[int]) -> Tensor:
    return x if [*x.shape] == shape else x.broadcast_to(tuple(shape))


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:  # noqa: ARG001 - always is
    """In order along an axis."""
    return cast(_in_order("sort", x, axis, descending=descending)[0], x.dtype)


def argsort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:  # noqa: ARG001
    """The places of the elements in order along an axis; equal ones stay in theirs."""
    return _in_order("argsort", x, axis, descending=descending)[1]


def _in_order(who: str, x: Tensor, axis: int, *, descending: bool) -> tuple[Tensor, ...]:
    at = axes_of(who, x.ndim, axis)[0]
    given = cast(x, "int64") if x.dtype == "bool" else x
    count = np.array([x.shape[at]], np.int64)
    return apply_several("TopK", given, count, outputs=2, axis=at, largest=int(descending))


def unique_all(x: Tensor, /) -> UniqueAll:
    """Computed on the processor, as the three below: how many values there are depends on the numbers."""
    found = np.unique(x.numpy(), return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
    values, first, inverse, counts = (_beside(x, each) for each in found)
    return UniqueAll(values, first, inverse.reshape(x.shape), counts)


def unique_counts(x: Tensor, /) -> UniqueCounts:
    """Each value once, and how often it is there."""
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Tensor, /) -> UniqueInverse:
    """Each value once, and which one each element is."""
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Tensor, /) -> Tensor:
    """Each value once."""
    return unique_all(x).values


def _beside(x: Tensor, array: NDArray[Any]) -> Tensor:
    return Tensor(array, layout=x.layout, device=x.device)
