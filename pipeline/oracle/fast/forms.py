"""Evaluates forms of operators that onnx.reference lacks or refuses, computes slowly or rounds coarsely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs

_FOLDS = {"add": np.add, "mul": np.multiply}


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
    """Evaluates Pad of `axes`, by default all: onnx.reference cannot take elements away, which negative pads do."""
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


def det(invocation: Invocation) -> Outputs | None:
    """Det in double precision: what numpy's decomposition rounds in float32 has no simple bound.

    Maps X [..., n, n] → [...].
    """
    if not invocation.is_real:
        return None
    x = invocation.required(0)
    return (np.asarray(np.linalg.det(x.astype(np.float64))).astype(x.dtype),)


def concat(invocation: Invocation) -> Outputs | None:
    """Evaluates Concat before opset 4, where the axis is 1 by default. Maps tensors → all of them along `axis`."""
    if invocation.opset >= 4:
        return None
    axis = invocation.attribute("axis")
    return (np.concatenate([x for x in invocation.inputs if x is not None], axis=1 if axis is None else axis),)


def dropout(invocation: Invocation) -> Outputs | None:
    """Evaluates Dropout below opset 7, which onnx.reference lacks: at inference it returns its input.

    Maps X → X and, if requested, a mask of ones. `is_test` is taken as set: nothing here trains.
    """
    if invocation.opset >= 7:
        return None
    x = invocation.required(0)
    return (x, np.ones_like(x))[: invocation.output_count]


def gemm(invocation: Invocation) -> Outputs | None:
    """Maps A, B, C → alpha · A · B + beta · C, either factor transposed by its attribute:"""
    if invocation.opset >= 7:
        return None
    a, b, c = (invocation.required(i) for i in range(3))
    left = a.T if invocation.attribute("transA") else a
    right = b.T if invocation.attribute("transB") else b
    alpha, beta = (a.dtype.type(invocation.attribute(name)) for name in ("alpha", "beta"))
    return (alpha * (left @ right) + beta * c,)


def reshape(invocation: Invocation) -> Outputs | None:
    """Evaluates Reshape before opset 5, whose shape is an attribute; onnx.reference reads it from an input alone.

    Maps X → the same elements; in `shape` 0 keeps a size and -1 is what is left.
    """
    if invocation.opset >= 5:
        return None
    x = invocation.required(0)
    shape = [x.shape[axis] if size == 0 else size for axis, size in enumerate(invocation.attribute("shape"))]
    return (x.reshape(shape),)


def split(invocation: Invocation) -> Outputs | None:
    """Maps X → its parts along `axis`, the first one without it:"""
    if invocation.opset >= 2:
        return None
    x, sizes = invocation.required(0), invocation.input(1)
    given = invocation.attribute("split") if sizes is None else sizes
    ends: int | list[int] = invocation.output_count if given is None else np.cumsum(given)[:-1].tolist()
    return tuple(np.split(x, ends, axis=invocation.attribute("axis") or 0))


def tile(invocation: Invocation) -> Outputs | None:
    """Maps X, a count, an axis → X repeated along that axis: a number of repeats along one axis."""
    if invocation.opset >= 6:
        return None
    x = invocation.required(0)
    repeats = [1] * x.ndim
    repeats[int(invocation.required(2).item())] = int(invocation.required(1).item())
    return (np.tile(x, repeats),)


OPERATORS: Mapping[str, Evaluate] = {
    "GatherElements": gather_elements,
    "ScatterElements": scatter_elements,
    "OneHot": one_hot,
    "Pad": pad,
    "Unique": unique,
    "Det": det,
    "Concat": concat,
    "Dropout": dropout,
    "Gemm": gemm,
    "Reshape": reshape,
    "Split": split,
    "Tile": tile,
}
