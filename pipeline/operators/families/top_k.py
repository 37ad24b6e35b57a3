"""Implements TopK: the largest (or smallest) elements along an axis, best first, and their places.

A long one runs as Rank and ByRank, of the program's own domain: every element's rank, and its inverse.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.rewriting import Passes

# A fragment compares an axis of at most this length with itself, element by element.
LONGEST_AXIS = 48


class TopK(Operator):
    """Finds the best values, and their indices as the second output; of equal ones the first comes first."""

    op_types = ("TopK",)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Splits a long axis in two steps: each element's rank, then the elements of the ranks that are kept."""
        axis, x = call.axis(default=-1), call.info(0)
        if x.shape[axis] <= LONGEST_AXIS:
            return None
        passes = Passes(call.node.name)
        common = {"axis": axis, "sign": _sign(call)}
        rank = passes.add("Rank", (x.name,), TensorInfo(f"{call.node.name}/rank", x.shape, "int64"), **common)
        for position, name in enumerate(call.node.outputs):
            if name:
                passes.add(
                    "ByRank",
                    (x.name, rank),
                    call.output_info(position),
                    indices=position,
                    kept=call.output_shape()[axis],
                    **common,
                )
        return passes.rewrite()

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the axis for the element that exactly as many others beat as its place says."""
        axis = call.axis(default=-1)
        return Kernel(
            ("top_k.glsl",),
            {"X": call.node.inputs[0]},
            MappingProxyType(
                {
                    "AXIS_COUNT": call.shape(0)[axis],
                    "KEPT": call.output_shape()[axis],
                    "INNER_COUNT": strides_of(call.shape(0))[axis],
                    "SIGN": _sign(call),
                    "INDICES": output == 1,
                }
            ),
            turns=call.shape(0)[axis] ** 2,
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error; a value moves by the axis' largest error, an index to any that may be there."""
        error = evaluation.errors[0]
        if error is None:
            return np.zeros(evaluation.output.shape)
        axis = call.axis(default=-1)
        if evaluation.position == 0:
            return np.asarray(np.zeros(evaluation.output.shape) + error.max(axis=axis, keepdims=True))
        x = np.asarray(evaluation.inputs[0], dtype=np.float64)
        there = np.take_along_axis(x, evaluation.output, axis=axis)
        reach = np.zeros(evaluation.output.shape)
        for k in range(x.shape[axis]):
            near = np.abs(x.take([k], axis=axis) - there) <= 2.0 * error.max(axis=axis, keepdims=True)
            reach = np.maximum(reach, np.where(near, np.abs(evaluation.output - k), 0.0))
        return reach

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the whole axis."""
        axis = call.axis(default=-1)
        inner, count = strides_of(call.shape(0))[axis], call.shape(0)[axis]
        outer = element // inner // call.output_shape()[axis]
        return {0: outer * count * inner + element % inner + np.arange(count, dtype=np.int64) * inner}


def _sign(call: Call) -> float:
    return 1.0 if call.attribute("largest", 1) else -1.0


class Rank(Operator):
    """Counts the elements of its axis that beat each element."""

    op_types = ("Rank",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads its axis."""
        constants = {**_extent(call), "SIGN": float(call.attribute("sign"))}
        turns = call.shape(0)[call.axis()]
        return Kernel(("rank.glsl",), {"X": call.node.inputs[0]}, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error; with errors, off by as many elements as may change places with it."""
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
        """Returns the whole axis."""
        inner, count = int(strides_of(call.shape(0))[call.axis()]), call.shape(0)[call.axis()]
        first = element // (inner * count) * inner * count + element % inner
        return {0: first + np.arange(count, dtype=np.int64) * inner}


class ByRank(Operator):
    """Finds the elements whose ranks are kept, best first, or their places on the axis."""

    op_types = ("ByRank",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the ranks of its axis."""
        axis = call.axis()
        constants = {**_extent(call), "KEPT": call.output_shape()[axis], "INDICES": bool(call.attribute("indices"))}
        reads = dict(zip(("X", "R"), call.node.inputs, strict=True))
        return Kernel(("by_rank.glsl",), reads, MappingProxyType(constants), turns=call.shape(0)[axis])

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error; a value moves by the axis' largest error, a place to any that may be there."""
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
        """Returns None: which element has a rank is not known before the run."""
        return None


def _extent(call: Call) -> dict[str, Constant]:
    axis = call.axis()
    return {"AXIS_COUNT": call.shape(0)[axis], "INNER_COUNT": strides_of(call.shape(0))[axis]}


OPERATORS = (TopK(), Rank(), ByRank())
