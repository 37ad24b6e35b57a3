"""Implements Where, OneHot, Compress, Trilu and ReverseSequence: a condition or place chooses each element."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Node, TensorInfo
from texelscope.pipeline.operators import affine
from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, Rewrite, unravel
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import movement, pointwise


class Where(Operator):
    """Computes y = a where the condition holds, else b."""

    op_types = ("Where",)
    facts = Facts(pointwise=True)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads one element of each, selected or not."""
        condition, a, b = call.node.inputs
        reads: dict[str, str | tuple[str, ...]] = {"CONDITION": condition, "A": a, "B": b}
        if affine.lines_up(call):
            return Kernel(("where.glsl",), reads)
        shape = call.output_shape() or (1,)
        return Kernel(
            ("where_strided.glsl",),
            reads,
            MappingProxyType(
                {
                    "RANK": len(shape),
                    "SIZES": shape,
                    "STRIDES": sum((affine.strides(call, i) or (0,) for i in range(3)), ()),
                }
            ),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error; carries the error of the selected element."""
        return pointwise(evaluation, np.zeros(evaluation.output.shape))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns one element of each."""
        return affine.read_indices(call, element, (0, 1, 2))


class OneHot(Operator):
    """Selects one of two values by comparing the place on a new axis with an index."""

    op_types = ("OneHot",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads one index, and both values."""
        depth, inner = _extent(call)
        return Kernel(
            ("one_hot.glsl",),
            {"I": call.node.inputs[0], "V": call.node.inputs[2]},
            MappingProxyType({"DEPTH": depth, "INNER_COUNT": inner}),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns one index, and both values."""
        depth, inner = _extent(call)
        index = element // (inner * depth) * inner + element % inner
        return {0: np.array([index], dtype=np.int64), 2: np.array([0, 1], dtype=np.int64)}


def _extent(call: Call) -> tuple[int, int]:
    """Returns the depth, and the number of elements between two neighbours on the new axis."""
    shape = call.output_shape()
    axis = call.axis(default=-1, rank=len(shape))
    return shape[axis], int(np.prod(shape[axis + 1 :], dtype=np.int64))


class Compress(Operator):
    """Selects the places where the condition holds."""

    op_types = ("Compress",)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Returns a Gather; without an axis, of the flattened input."""
        picked = np.flatnonzero(call.required_constant(1, "a condition")).astype(np.int64)
        name, x = call.node.name, call.node.inputs[0]
        indices = f"{name}/indices"
        if call.attribute("axis") is not None:
            gather = _gather(call, (x, indices), call.axis())
            return Rewrite((gather,), constants={indices: picked})
        flat, shape = f"{name}/flat", f"{name}/shape"
        reshape = Node(flat, "Reshape", (x, shape), (flat,), opset=call.node.opset)
        return Rewrite(
            (reshape, _gather(call, (flat, indices), 0)),
            (TensorInfo(flat, (call.info(0).count,), call.info(0).dtype),),
            {indices: picked, shape: np.array([-1], dtype=np.int64)},
        )

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Raises an error: the rewrite replaces it, unless the condition depends on the run."""
        call.required_constant(1, "a condition")
        raise UnsupportedError(call.who, "a Gather in its place", "the node itself", "Plan the model again.")

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error."""
        return movement(evaluation)


def _gather(call: Call, inputs: tuple[str, str], axis: int) -> Node:
    attributes = MappingProxyType({"axis": axis})
    return dataclasses.replace(call.node, op_type="Gather", inputs=inputs, attributes=attributes)


class Trilu(Operator):
    """Keeps elements above (or below) a diagonal."""

    op_types = ("Trilu",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the element itself, where it is kept."""
        return Kernel(
            ("trilu.glsl",),
            {"X": call.node.inputs[0]},
            MappingProxyType({"UPPER": bool(call.attribute("upper", 1)), "DIAGONAL": _diagonal(call)}),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the element, or nothing for a zero."""
        _, _, row, column = unravel(element, call.output_shape())
        off = column - row - _diagonal(call)
        kept = off >= 0 if call.attribute("upper", 1) else off <= 0
        return {0: np.array([element], dtype=np.int64)} if kept else {}


def _diagonal(call: Call) -> int:
    """Returns the diagonal; beyond ±2³⁰ it is outside every matrix that a texture holds."""
    value = int(np.ravel(call.required_constant(1, "a diagonal"))[0]) if call.has(1) else 0
    return min(max(value, -(1 << 30)), 1 << 30)


class ReverseSequence(Operator):
    """Reverses each sequence up to its length."""

    op_types = ("ReverseSequence",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the length of its sequence, and one element."""
        time, batch = call.axis("time_axis"), call.axis("batch_axis", 1)
        shape, strides = call.shape(0), strides_of(call.shape(0))
        return Kernel(
            ("reverse_sequence.glsl",),
            {"X": call.node.inputs[0], "LENGTH": call.node.inputs[1]},
            MappingProxyType(
                {
                    "TIME_COUNT": shape[time],
                    "TIME_STRIDE": strides[time],
                    "BATCH_COUNT": shape[batch],
                    "BATCH_STRIDE": strides[batch],
                }
            ),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns the length and one element; None if lengths depend on the run."""
        lengths = call.constant(1)
        if lengths is None:
            return None
        time, batch = call.axis("time_axis"), call.axis("batch_axis", 1)
        place = [int(i) for i in np.unravel_index(element, call.shape(0))]
        entry = place[batch]
        if place[time] < lengths[entry]:
            place[time] = int(lengths[entry]) - 1 - place[time]
        from_ = np.ravel_multi_index(place, call.shape(0))
        return {0: np.array([from_], dtype=np.int64), 1: np.array([entry], dtype=np.int64)}


OPERATORS = (Where(), OneHot(), Compress(), Trilu(), ReverseSequence())
