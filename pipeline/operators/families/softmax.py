"""Softmax and its kin, over one axis (opset 13 on) or over all axes from one on (before).

A short axis is walked by every element itself; for a long one the largest element and the sum of exponentials
get passes of their own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, Rewrite, cold
from texelscope.pipeline.operators.facts import Facts, Rows
from texelscope.pipeline.operators.group_statistics import ElementGroups, add_exponential_sum
from texelscope.pipeline.operators.rewriting import Passes
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma, pointwise

# Reads of one pass above which three passes are worth their number; turns of a loop that software drivers allow.
MOST_READS = 1 << 22
LONGEST_AXIS = 4096
# e^80 is as far as a bound needs to look.
FARTHEST = 80.0


class _OverAxis(Operator):
    """What they share: the axis, and that all of it is read."""

    shaders: ClassVar[tuple[str, ...]]

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Every element walks the axis itself."""
        axis_count, inner_count = _extent(call)
        constants = _constants(call)
        rank = len(call.shape(0))
        axes = [axis + 4 - rank for axis in _axes(call) if call.shape(0)[axis] > 1]
        if len(axes) == 1:
            constants["AXIS"] = axes[0]
        return Kernel(
            self.shaders,
            {"X": call.node.inputs[0]},
            MappingProxyType(constants),
            turns=2 * axis_count,
            cold_in=cold(
                {
                    "channel_tiles_rgba": len(axes) == 1 and (axes[0] > 0 or rank == 4),
                    "row_major_rgba": inner_count == 1 and axis_count % 4 == 0,
                }
            ),
        )

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The whole axis."""
        axis_count, inner_count = _extent(call)
        first = element // (axis_count * inner_count) * (axis_count * inner_count) + element % inner_count
        return {0: first + np.arange(axis_count, dtype=np.int64) * inner_count}

    def rows(self, call: Call) -> Rows:
        """What is normalised together."""
        return Rows(call.shape(0), _axes(call))


class Softmax(_OverAxis):
    """Exponentials along an axis, divided by their sum."""

    op_types = ("Softmax",)
    facts = Facts(is_activation=True, divides=True, share=np.exp)
    shaders = ("softmax.glsl", "softmax_axis.glsl")

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Three passes where the axis is long."""
        return _in_passes(call, logarithm=False)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Relative: exp of x − m (GLSL 4.60, 4.7.1: 3 + 2·|x − m| ulp) twice, a sum of k terms, a division (2.5 ulp).

        Carried: |∂y_i/∂x_j| ≤ y_i(δ_ij + y_j), so |Δy_i| ≤ y_i(e_i + max_j e_j).
        """
        axis_count, _ = _extent(call)
        own = 4.0 * (6.0 + 4.0 * _depth(call, evaluation) + 2.5) * evaluation.unit
        own = own + 2.0 * gamma(axis_count + 2, evaluation.unit)
        bound = own * np.abs(evaluation.output) + SMALLEST_NORMAL * axis_count
        error = evaluation.errors[0]
        if error is not None:
            reach = np.minimum(error + error.max(axis=_axes(call), keepdims=True), FARTHEST)
            bound = bound + np.abs(evaluation.output) * np.expm1(reach)
        return np.asarray(bound)


class LogSoftmax(_OverAxis):
    """Logarithms of the softmax."""

    op_types = ("LogSoftmax",)
    facts = Facts(is_activation=True, divides=True, share=lambda logarithm: logarithm)
    shaders = ("log_softmax.glsl", "softmax_axis.glsl")

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Three passes where the axis is long."""
        return _in_passes(call, logarithm=True)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Of ln Σ: the relative rounding of the sum, whose terms weigh less the deeper they lie, and that of ln.

        The mean depth of the terms, weighted by themselves, is at most ln k. Carried: |Δy_i| ≤ e_i + max_j e_j.
        """
        axis_count, _ = _extent(call)
        depth = _depth(call, evaluation)
        rounding = 4.0 * (4.0 + 3.0 * math.log(axis_count)) * evaluation.unit + 2.0 * gamma(axis_count, evaluation.unit)
        bound = rounding + 8.0 * evaluation.unit * (depth + math.log(axis_count) + np.abs(evaluation.output))
        error = evaluation.errors[0]
        return np.asarray(bound if error is None else bound + error + error.max(axis=_axes(call), keepdims=True))


class Hardmax(_OverAxis):
    """One for the first largest element of an axis, zero for the others."""

    op_types = ("Hardmax",)
    shaders = ("hardmax.glsl",)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """A long axis as the place of its largest element and a one there."""
        axes, shape = _axes(call), call.shape(0)
        if _extent(call)[0] <= LONGEST_AXIS or len(axes) > 1:
            return None
        name, passes = call.node.name, Passes(call.node.name)
        rest = tuple(size for axis, size in enumerate(shape) if axis != axes[0])
        place = TensorInfo(f"{name}/place", rest, "int64")
        passes.add_onnx("ArgMax", (call.node.inputs[0],), place, axis=axes[0], keepdims=0, select_last_index=0)
        depth = passes.constant("depth", np.array(shape[axes[0]], dtype=np.int64))
        values = passes.constant("values", np.array([0, 1], dtype=call.info(0).dtype))
        passes.add_onnx("OneHot", (place.name, depth, values), call.output_info(), axis=axes[0])
        return passes.rewrite()

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact; with errors, 1 wherever another element may turn out to be the largest."""
        error = evaluation.errors[0]
        if error is None:
            return np.zeros(evaluation.output.shape)
        x = np.asarray(evaluation.inputs[0], dtype=np.float64)
        likely = x + error >= (x - error).max(axis=_axes(call), keepdims=True)
        return np.asarray(likely & (likely.sum(axis=_axes(call), keepdims=True) > 1), dtype=np.float64)


class SoftmaxShare(Operator):
    """The last pass of a softmax over a long axis: of the program's own domain."""

    op_types = ("SoftmaxShare",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element, its group's largest element and sum."""
        constants = {name: call.attribute(name.lower()) for name in ("AXIS_COUNT", "INNER_COUNT", "LOGARITHM")}
        reads = dict(zip(("X", "M", "S"), call.node.inputs, strict=True))
        return Kernel(("softmax_share.glsl",), reads, MappingProxyType(constants))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Of e^(x − m): 3 + 2·|x − m| ulp, and a division; of ln s, 2 ulp."""
        x, largest, _ = (np.asarray(v, dtype=np.float64) for v in evaluation.inputs)
        depth = np.minimum(np.abs(x.reshape(-1) - largest.reshape(-1)[self._group(call, np.arange(x.size))]), 2e4)
        size = np.abs(np.asarray(evaluation.output, dtype=np.float64).reshape(-1))
        if call.attribute("logarithm"):
            own = evaluation.unit * (8.0 * depth + 8.0 * size)
        else:
            own = evaluation.unit * (12.0 + 6.0 * depth) * size + SMALLEST_NORMAL
        return pointwise(evaluation, own.reshape(evaluation.output.shape))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The element and its group's statistics."""
        group = self._group(call, np.array([element], dtype=np.int64))
        return {0: np.array([element], dtype=np.int64), 1: group, 2: group}

    def _group(self, call: Call, element: NDArray[np.int64]) -> NDArray[np.int64]:
        axis_count, inner_count = int(call.attribute("axis_count")), int(call.attribute("inner_count"))
        return element // (axis_count * inner_count) * inner_count + element % inner_count


def _in_passes(call: Call, *, logarithm: bool) -> Rewrite | None:
    axis_count, inner_count = _extent(call)
    count = math.prod(call.shape(0))
    if axis_count <= LONGEST_AXIS and 2 * count * axis_count <= MOST_READS:
        return None
    name, x = call.node.name, call.node.inputs[0]
    passes = Passes(name)
    kept = tuple(1 if axis in _axes(call) else size for axis, size in enumerate(call.shape(0)))
    axes = passes.constant("axes", np.array(_axes(call), dtype=np.int64))
    largest = passes.add_onnx("ReduceMax", (x, axes), TensorInfo(f"{name}/largest", kept), keepdims=1)
    groups = ElementGroups(x, call.shape(0), _axes(call))
    total = add_exponential_sum(passes, groups, TensorInfo(f"{name}/sum", kept), largest)
    attributes = {"axis_count": axis_count, "inner_count": inner_count, "logarithm": logarithm}
    passes.add("SoftmaxShare", (x, largest, total), call.output_info(), **attributes)
    return passes.rewrite()


def _depth(call: Call, evaluation: Evaluation) -> NDArray[np.float64]:
    """How far each element lies below the largest of its axis; 0 where that is not finite."""
    x = np.asarray(evaluation.inputs[0], dtype=np.float64)
    depth = x.max(axis=_axes(call), keepdims=True) - x
    return np.where(np.isfinite(depth), depth, 0.0)


def _constants(call: Call) -> dict[str, Constant]:
    axis_count, inner_count = _extent(call)
    return {"AXIS_COUNT": axis_count, "INNER_COUNT": inner_count}


def _axes(call: Call) -> tuple[int, ...]:
    axis = call.axis(default=-1 if call.node.opset >= 13 else 1)
    return (axis,) if call.node.opset >= 13 else tuple(range(axis, len(call.shape(0))))


def _extent(call: Call) -> tuple[int, int]:
    """Number of elements along the axis, and of elements between two neighbours on it."""
    shape, axes = call.shape(0), _axes(call)
    inner = shape[axes[-1] + 1 :] if axes else ()
    return math.prod(shape[axis] for axis in axes), math.prod(inner)


OPERATORS = (Softmax(), LogSoftmax(), Hardmax(), SoftmaxShare())
