"""Resize in all its modes, and Upsample: by the ratio of sizes where that is all, otherwise by a table of taps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Node, TensorInfo
from texelscope.pipeline.operators.base import (
    Array,
    Call,
    Constant,
    Evaluation,
    Kernel,
    Operator,
    Rewrite,
    cold,
    turns_of,
    unravel,
)
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.resampling import AxisTaps, axis_taps
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma

VIEW_AXES = 4
# Opsets since which Resize has roi, scales and sizes as inputs of their own, and the attribute `axes`.
SIZES_BY_NAME, AXES_BY_NAME = 11, 18


class Resize(Operator):
    """Enlarges or shrinks along any axes, nearest, linear or cubic."""

    op_types = ("Resize", "Upsample")
    facts = Facts(may_move=True)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Axes that the 4-d view folds together come last first, where that makes room for all that are resized."""
        shape, taps = call.shape(0), axis_taps(call)
        resized = [axis for axis, found in enumerate(taps) if found is not None]
        folded = len(taps) - VIEW_AXES + 1
        if not resized or len(taps) <= VIEW_AXES or resized[0] >= folded or len(resized) >= VIEW_AXES:
            return None
        if call.node.op_type == "Upsample" or call.node.opset < SIZES_BY_NAME:
            return None
        order = [axis for axis in range(len(taps)) if axis not in resized] + resized
        name, output = call.node.name, call.output_info()
        attributes = {key: value for key, value in call.node.attributes.items() if value is not None}
        attributes["axes"] = tuple(
            order.index(axis % len(shape)) for axis in call.attribute("axes") or range(len(shape))
        )
        moved = TensorInfo(f"{name}/moved", tuple(shape[axis] for axis in order), call.info(0).dtype)
        there = TensorInfo(f"{name}/resized", tuple(output.shape[axis] for axis in order), output.dtype)
        back = tuple(order.index(axis) for axis in range(len(order)))
        inputs = (moved.name, *call.node.inputs[1:])
        opset = max(call.node.opset, AXES_BY_NAME)
        nodes = (
            Node(moved.name, "Transpose", call.node.inputs[:1], (moved.name,), {"perm": tuple(order)}, opset=13),
            Node(there.name, "Resize", inputs, (there.name,), MappingProxyType(attributes), opset=opset),
            Node(name, "Transpose", (there.name,), (output.name,), {"perm": back}, opset=13),
        )
        return Rewrite(nodes, (moved, there))

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Taps come from a table, since a float32 coordinate can fall on the wrong side of a boundary."""
        taps = _view_taps(call)
        reads: dict[str, str | tuple[str, ...]] = {"X": call.node.inputs[0]}
        cold_in = cold({"channel_tiles_rgba": taps[0] is None and taps[1] is None})
        if _are_proportional(call, taps):
            return Kernel(("resize_nearest.glsl",), reads, cold_in=cold_in)
        table, first_columns = _table(taps)
        constants: dict[str, Constant] = {
            "FIRST_COLUMN": first_columns,
            "TAPS": tuple(1 if axis is None else axis.count for axis in taps),
            "EXTRAPOLATION": float(call.attribute("extrapolation_value", 0.0)),
        }
        turns = turns_of(*(1 if axis is None else axis.count for axis in taps))
        tables = MappingProxyType({"TABLE": table})
        return Kernel(("resize.glsl",), reads, MappingProxyType(constants), tables=tables, turns=turns, cold_in=cold_in)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """γ(k) over the weights and sums of the axes that mix; a nearest axis only moves elements.

        The weights are rounded once, and a sum of t taps adds t roundings.
        """
        taps = axis_taps(call)
        bound = np.zeros(evaluation.output.shape)
        steps = sum(axis.count + 2 for axis in taps if axis is not None and axis.count > 1)
        x = evaluation.inputs[0]
        assert x is not None
        if steps:
            size = _mix(np.abs(x).astype(np.float64), taps, power=1)
            bound = 2.0 * gamma(steps, evaluation.unit) * size + steps * SMALLEST_NORMAL
        error = evaluation.errors[0]
        if error is not None:
            carried = _mix(error**2, taps, power=2) ** 0.5 if evaluation.quadrature else _mix(error, taps, power=1)
            bound = bound + carried
        return bound

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Every combination of the axes' taps, those of weight zero too; nothing outside the region."""
        shape = call.shape(0)
        places = np.unravel_index(element, call.output_shape())
        chosen = [
            np.array([place]) if axis is None else np.unique(axis.elements[place])
            for place, axis in zip(places, axis_taps(call), strict=True)
        ]
        if any(elements[0] < 0 for elements in chosen):
            return {0: np.zeros(0, dtype=np.int64)}
        grid = np.meshgrid(*chosen, indexing="ij")
        return {0: np.ravel_multi_index(grid, shape).ravel().astype(np.int64)}

    def table_reads(self, call: Call, element: int) -> Mapping[str, NDArray[np.int64]]:
        """Elements and weights of the axes' taps; outside the region, the first tap up to the axis that says so."""
        taps = _view_taps(call)
        if _are_proportional(call, taps):
            return {}
        first_columns, width = _columns(taps)
        found: list[NDArray[np.int64]] = []
        columns = []
        for axis, first, place in zip(taps, first_columns, unravel(element, call.output_shape()), strict=True):
            if axis is None:
                continue
            columns.append((axis, first + place))
            found.append(np.array([first + place]))
            if axis.elements[place, 0] < 0:
                return {"TABLE": np.concatenate(found)}
        found = [np.arange(2 * axis.count) * width + column for axis, column in columns]
        return {"TABLE": np.concatenate(found)}


def _view_taps(call: Call) -> tuple[AxisTaps | None, ...]:
    """The taps of n, c, h, w of the 4-d view. Raises UnsupportedError for axes that the view folds together."""
    taps = axis_taps(call)
    folded = len(taps) - VIEW_AXES + 1 if len(taps) > VIEW_AXES else 0
    if any(axis is not None for axis in taps[:folded]):
        raise UnsupportedError(
            call.who, "an input whose last three axes are resized", f"rank {len(taps)} and an axis before them",
            "Reshape around the node.",
        )  # fmt: skip
    padding = (None,) * (VIEW_AXES - len(taps))
    return (*padding, *taps) if not folded else (None, *taps[folded:])


def _are_proportional(call: Call, taps: Sequence[AxisTaps | None]) -> bool:
    """Whether the ratio of sizes tells what each place of the 4-d view reads: no table is needed."""
    sizes = (1,) * (VIEW_AXES - len(call.shape(0))) + call.shape(0)[-VIEW_AXES:]
    return all(axis is None or axis.is_proportional(size) for axis, size in zip(taps, sizes, strict=True))


def _columns(taps: Sequence[AxisTaps | None]) -> tuple[tuple[int, ...], int]:
    """Each axis' first column of the table (−1 for one that is copied), and how many columns there are."""
    widths = [0 if axis is None else len(axis.elements) for axis in taps]
    starts = [sum(widths[:number]) for number in range(len(widths))]
    return tuple(-1 if axis is None else start for axis, start in zip(taps, starts, strict=True)), sum(widths)


def _table(taps: Sequence[AxisTaps | None]) -> tuple[NDArray[np.float32], tuple[int, ...]]:
    """float32 [2 · most taps, sum of outputs], and each axis' first column (−1 for one that is copied)."""
    rows = 2 * max(axis.count for axis in taps if axis is not None)
    first_columns, width = _columns(taps)
    table = np.zeros((rows, width), dtype=np.float32)
    for axis, start in zip(taps, first_columns, strict=True):
        if axis is not None:
            columns = slice(start, start + len(axis.elements))
            table[0 : 2 * axis.count : 2, columns] = axis.elements.T
            table[1 : 2 * axis.count : 2, columns] = axis.weights.T
    return table, first_columns


def _mix(x: Array, taps: Sequence[AxisTaps | None], power: int) -> NDArray[np.float64]:
    """`x` mixed along its axes by |weights| to a power; zero outside the region."""
    for number, axis in enumerate(taps):
        if axis is None:
            continue
        weights = np.where(axis.elements < 0, 0.0, np.abs(axis.weights) ** power)
        along = [1] * x.ndim
        along[number] = -1
        x = sum(
            (
                np.take(x, axis.elements[:, tap], axis=number) * weights[:, tap].reshape(along)
                for tap in range(axis.count)
            ),
            start=np.zeros(()),
        )
    return np.asarray(x, dtype=np.float64)


OPERATORS = (Resize(),)
