"""Evaluates operators that select, place or mark elements, where onnx.reference refuses some forms or is slow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.oracle.arithmetic.invocation import Evaluate, Invocation, Outputs

_FOLDS = {"add": np.add, "mul": np.multiply}
Array = NDArray[Any]


def gather_elements(invocation: Invocation) -> Outputs | None:
    """Evaluates GatherElements: onnx.reference takes no axis counted from the end.

    Maps X, indices → along `axis` the indexed elements; on other axes the same place.
    """
    x, indices = invocation.required(0), invocation.required(1)
    axis = int(invocation.attribute("axis")) % x.ndim
    same = tuple(slice(None) if i == axis else slice(size) for i, size in enumerate(indices.shape))
    return (np.take_along_axis(x[same], np.where(indices < 0, indices + x.shape[axis], indices), axis),)


def scatter_elements(invocation: Invocation) -> Outputs | None:
    """Evaluates ScatterElements: onnx.reference walks the updates one by one in Python.

    Maps X, indices, updates → X with updates put (the last one stays), added or multiplied along `axis`.
    """
    x, indices, updates = (invocation.required(position) for position in range(3))
    reduction = str(invocation.attribute("reduction") or "none")
    if reduction not in ("none", *_FOLDS):
        return None
    axis = int(invocation.attribute("axis")) % x.ndim
    places: list[NDArray[np.int64]] = list(np.indices(indices.shape, sparse=True))
    places[axis] = indices
    result = x.copy()
    if reduction == "none":
        result[tuple(places)] = updates
    else:
        _FOLDS[reduction].at(result, tuple(places), updates)
    return (result,)


def one_hot(invocation: Invocation) -> Outputs | None:
    """Evaluates OneHot: its depth may be one number in a list, which onnx.reference refuses.

    Maps indices, depth, (off, on) → on where the place along a new axis is the index, off elsewhere.
    """
    indices, depth, values = (invocation.required(i) for i in range(3))
    count, axis = int(depth.item()), int(invocation.attribute("axis"))
    whole = np.trunc(indices.astype(np.float64))
    places = np.expand_dims(np.where(whole < 0, whole + count, whole), axis % (indices.ndim + 1))
    along = np.arange(count).reshape([-1 if i == axis % places.ndim else 1 for i in range(places.ndim)])
    return (np.where(places == along, values[1], values[0]),)


def pad(invocation: Invocation) -> Outputs | None:
    """Evaluates Pad: onnx.reference cannot take elements away, which negative pads do.

    Maps X, pads of `axes` (by default of all axes), value → padded X.
    """
    if invocation.opset < 11 or (np.ravel(invocation.required(1)) >= 0).all():
        return None
    x, value, axes = invocation.required(0), invocation.input(2), invocation.input(3)
    begin, end = np.zeros((2, x.ndim), dtype=np.int64)
    places = slice(None) if axes is None else np.ravel(axes)
    begin[places], end[places] = invocation.required(1).reshape(2, -1)
    filler = 0 if value is None else value.reshape(())[()]
    return (padded(x, begin.tolist(), end.tolist(), invocation.attribute("mode"), filler),)


def padded(x: Array, begin: Sequence[int], end: Sequence[int], mode: Any, value: Any) -> Array:
    """Returns `x` with so many more elements at the begin and the end of each axis; removals come first.

    `mode` is constant (of `value`), reflect, edge or wrap.
    """
    kept = tuple(slice(max(0, -low), size + min(0, high)) for low, high, size in zip(begin, end, x.shape, strict=True))
    widths = [(max(0, low), max(0, high)) for low, high in zip(begin, end, strict=True)]
    said = {"constant_values": value} if mode == "constant" else {}
    return np.asarray(np.pad(x[kept], widths, mode=mode, **said))


def unique(invocation: Invocation) -> Outputs:
    """Evaluates Unique: the distinct elements, or slices along an axis; unsorted, onnx.reference leaves the axis out.

    Maps X → distinct elements, the first place of each, which of them each element is, and the counts.
    """
    axis = invocation.attribute("axis")
    x = invocation.required(0)
    x = x.reshape(-1) if axis is None else x
    along = 0 if axis is None else int(axis)
    _, first, which, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=along)
    order = np.arange(len(first)) if invocation.attribute("sorted") else np.argsort(first)
    rank = np.argsort(order)
    found = (np.take(x, first[order], axis=along), first[order], rank[which.reshape(-1)], counts[order])
    return (found[0], *(each.astype(np.int64) for each in found[1:]))[: invocation.output_count]


OPERATORS: Mapping[str, Evaluate] = {
    "GatherElements": gather_elements,
    "ScatterElements": scatter_elements,
    "OneHot": one_hot,
    "Pad": pad,
    "Unique": unique,
}
