"""Rank and ByRank, of the program's own domain: a long TopK as the rank of every element, and elements by rank."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator


class Rank(Operator):
    """How many elements of its axis beat each element."""

    op_types = ("Rank",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element walks its axis."""
        constants = {**_extent(call), "SIGN": float(call.attribute("sign"))}
        turns = call.shape(0)[call.axis()]
        return Kernel(("rank.glsl",), {"X": call.node.inputs[0]}, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact; with errors, off by as many elements as those let pass or be passed."""
        error = evaluation.errors[0]
        if error is None:
            return np.zeros(evaluation.output.shape)
        axis = call.axis()
        x = np.moveaxis(np.asarray(evaluation.inputs[0], dtype=np.float64), axis, -1)
        reach = 2.0 * np.max(error, axis=axis, keepdims=True)
        reach = np.broadcast_to(np.moveaxis(reach, axis, -1), x.shape)
        ordered = np.sort(x, axis=-1)
        near = np.empty(x.shape)
        for place in np.ndindex(x.shape[:-1]):
            row = ordered[place]
            near[place] = np.searchsorted(row, x[place] + reach[place], side="right")
            near[place] -= np.searchsorted(row, x[place] - reach[place], side="left")
        return np.asarray(np.moveaxis(near - 1.0, -1, axis))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The whole axis."""
        inner, count = int(strides_of(call.shape(0))[call.axis()]), call.shape(0)[call.axis()]
        first = element // (inner * count) * inner * count + element % inner
        return {0: first + np.arange(count, dtype=np.int64) * inner}


class ByRank(Operator):
    """The elements whose ranks are kept, best first, or their places on the axis."""

    op_types = ("ByRank",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element walks the ranks of its axis."""
        axis = call.axis()
        constants = {**_extent(call), "KEPT": call.output_shape()[axis], "INDICES": bool(call.attribute("indices"))}
        reads = dict(zip(("X", "R"), call.node.inputs, strict=True))
        return Kernel(("by_rank.glsl",), reads, MappingProxyType(constants), turns=call.shape(0)[axis])

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact; a value moves by the axis' largest error at most, a place to any whose value could be there."""
        error, axis, shape = evaluation.errors[0], call.axis(), evaluation.output.shape
        if error is None:
            return np.zeros(shape)
        largest = np.max(error, axis=axis, keepdims=True)
        if not call.attribute("indices"):
            return np.broadcast_to(largest, shape)
        x = np.asarray(evaluation.inputs[0], dtype=np.float64)
        there = np.take_along_axis(x, np.asarray(evaluation.output, dtype=np.int64), axis=axis)
        reach = np.zeros(shape)
        for k in range(x.shape[axis]):
            near = np.abs(x.take([k], axis=axis) - there) <= 2.0 * largest
            reach = np.maximum(reach, np.where(near, np.abs(evaluation.output - k), 0.0))
        return reach

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Which element has a rank is not known before the run."""
        return None


def _extent(call: Call) -> dict[str, Constant]:
    axis = call.axis()
    return {"AXIS_COUNT": call.shape(0)[axis], "INNER_COUNT": strides_of(call.shape(0))[axis]}


OPERATORS = (Rank(), ByRank())
