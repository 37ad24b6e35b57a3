"""The program's own operators under all normalisations: sums over blocks of a group, and the normalising pass."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Node, Shape
from texelscope.pipeline.operators.affine import AffineMap, strides_of
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, cold
from texelscope.pipeline.operators.facts import SUM, Facts, Rows
from texelscope.pipeline.operators.reduction import ReducedAxes
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma

# Roundings of (x − m) / √(v + ε) · s in units of u: −, + (half), √ (4.5 ulp), / (2.5 ulp), ·.
NORMALISE_ROUNDINGS = 18.0


class BlockSum(Operator):
    """Sum of each block of each group of elements, or of the squares of their distances from a mean."""

    op_types = ("BlockSum",)
    facts = Facts(accumulator=SUM)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element walks one block."""
        groups = _groups(call)
        constants: dict[str, Constant] = {
            "BLOCK": int(call.attribute("block")),
            "BLOCKS": -(-groups.count // int(call.attribute("block"))),
            "SQUARE": call.attribute("term") == "square",
            "EXPONENTIAL": call.attribute("term") == "exponential",
            "ABSOLUTE": call.attribute("term") == "absolute",
            "SCALE": float(call.attribute("scale")),
            **groups.constants(),
        }
        reads: dict[str, str | tuple[str, ...]] = {"X": call.node.inputs[0]}
        if call.has(1):
            reads["M"] = call.node.inputs[1]
        turns = int(call.attribute("block"))
        in_texels = groups.in_texels and turns % 4 == 0
        return Kernel(
            ("reduce/places.glsl", "block_sum.glsl"), reads, MappingProxyType(constants), turns=turns,
            cold_in=cold({"row_major_rgba": in_texels}),
        )  # fmt: skip

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """γ over a block's terms and the rounding of each; the oracle adds up in float64.

        Carried errors move a term by |f'| · e and what f curves; that of the mean moves all terms of a group.
        """
        scale, block = abs(float(call.attribute("scale"))), int(call.attribute("block"))
        x = np.asarray(evaluation.inputs[0], dtype=np.float64)
        mean = np.asarray(evaluation.inputs[1], dtype=np.float64) if call.has(1) else np.zeros(1)
        distance = self._in_groups(call, x) - mean.reshape(-1, 1)
        bound = self._in_blocks(call, self._rounding(call, distance, evaluation.unit)) + block * SMALLEST_NORMAL
        errors = [None if e is None else np.asarray(e, dtype=np.float64) for e in evaluation.errors]
        if errors[0] is not None:
            change = self._change(call, distance, self._in_groups(call, errors[0]))
            single = (
                np.sqrt(self._in_blocks(call, change**2)) if evaluation.quadrature else self._in_blocks(call, change)
            )
            bound = bound + single
        if len(errors) > 1 and errors[1] is not None:
            bound = bound + self._in_blocks(call, self._change(call, distance, errors[1].reshape(-1, 1)))
        return np.asarray((scale * bound).reshape(evaluation.output.shape))

    def _rounding(self, call: Call, distance: Array, unit: float) -> NDArray[np.float64]:
        """Of a term and its part in the sum; exp within 3 + 2·|d| ulp (GLSL 4.60, 4.7.1)."""
        adding = gamma(int(call.attribute("block")) + 3, unit) + 2.0 * unit
        size = np.abs(distance)
        if call.attribute("term") == "exponential":
            return np.asarray((adding + unit * (6.0 + 6.0 * np.minimum(size, 2e4))) * np.exp(distance))
        return np.asarray((adding + 4.0 * unit) * (size**2 if call.attribute("term") == "square" else size))

    def _change(self, call: Call, distance: Array, error: Array) -> NDArray[np.float64]:
        """How far f moves when its argument is off by `error`."""
        if call.attribute("term") == "exponential":
            return np.asarray(np.exp(distance) * np.expm1(np.minimum(error, 80.0)))
        moved = 2.0 * np.abs(distance) * error + error**2 if call.attribute("term") == "square" else error
        return np.broadcast_to(moved, distance.shape)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The block of the group, and the group's mean."""
        groups, block = _groups(call), int(call.attribute("block"))
        group, number = divmod(element, -(-groups.count // block))
        first = groups.first.source(group)
        places = range(number * block, min((number + 1) * block, groups.count))
        taps = {0: np.array([first + groups.places.source(k) for k in places], dtype=np.int64)}
        if call.has(1):
            taps[1] = np.array([group], dtype=np.int64)
        return taps

    def _in_groups(self, call: Call, x: Array) -> NDArray[np.float64]:
        """float64 [groups, elements]."""
        groups = _groups(call)
        return np.moveaxis(x.reshape(groups.shape), groups.axes, range(-len(groups.axes), 0)).reshape(-1, groups.count)

    def _in_blocks(self, call: Call, values: Array) -> NDArray[np.float64]:
        """Sums float64 [groups, blocks] of values [groups, elements]."""
        starts = np.arange(0, values.shape[1], int(call.attribute("block")))
        return np.add.reduceat(values, starts, axis=1)

    def rows(self, call: Call) -> Rows | None:
        """The groups; None where a group's sum is made block by block."""
        rows = Rows(tuple(call.attribute("view")), tuple(call.attribute("axes")))
        return rows if rows.count <= int(call.attribute("block")) else None

    def of_matrix(self, call: Call, shape: Shape) -> Node:
        """Each row is a group of one block."""
        attributes = {**call.node.attributes, "view": shape, "axes": (1,), "block": shape[1], "shape": shape[:1]}
        return dataclasses.replace(call.node, attributes=MappingProxyType(attributes))


class Normalise(Operator):
    """Every element shifted by its group's mean, divided by its deviation, scaled and shifted again."""

    op_types = ("Normalise",)
    facts = Facts(addend=4)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element, its group's two statistics, its two parameters."""
        group, parameter = _group_of(call), _parameter_of(call)
        constants: dict[str, Constant] = {
            "GROUP_RANK": len(group.sizes),
            "GROUP_SIZES": group.sizes,
            "GROUP_STRIDES": group.strides,
            "PARAMETER_RANK": len(parameter.sizes),
            "PARAMETER_SIZES": parameter.sizes,
            "PARAMETER_STRIDES": parameter.strides,
            "EPSILON": float(call.attribute("epsilon")),
            "OUTSIDE": bool(call.attribute("outside", 0)),
        }
        names = dict(zip(("X", "M", "V", "S", "B"), call.node.inputs, strict=False))
        reads = {key: name for key, name in names.items() if name}
        return Kernel(("normalise.glsl",), reads, MappingProxyType(constants))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Roundings relative to the product and to the sum; carried errors at the ends of what they allow."""
        values = [None if v is None else np.asarray(v, dtype=np.float64) for v in evaluation.inputs]
        centre = self._evaluate(call, [*values[:4]])
        bias = self._spread(call, values[4]) if len(values) > 4 and values[4] is not None else np.zeros(())
        own = evaluation.unit * ((NORMALISE_ROUNDINGS + 2.0) * np.abs(centre) + 2.0 * np.abs(centre + bias))
        bound = own + 8.0 * SMALLEST_NORMAL
        for position, error in enumerate(evaluation.errors):
            value = values[position]
            if error is None or value is None:
                continue
            reach = np.zeros_like(centre)
            for sign in (1.0, -1.0):
                moved = [*values]
                moved[position] = np.maximum(value + sign * error, 0.0) if position == 2 else value + sign * error
                reach = np.fmax(reach, np.abs(self._evaluate(call, moved) - centre - bias))
            bound = np.hypot(bound, reach) if evaluation.quadrature else bound + reach
        return np.asarray(bound.reshape(evaluation.output.shape))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The element, its group's statistics and its parameters."""
        group, parameter = _group_of(call).source(element), _parameter_of(call).source(element)
        places = (element, group, group, parameter, parameter)
        return {i: np.array([place], dtype=np.int64) for i, place in enumerate(places) if call.has(i)}

    def _evaluate(self, call: Call, values: list[NDArray[np.float64] | None]) -> NDArray[np.float64]:
        """float64 [elements] from inputs in float64; trailing ones may be left out."""
        x, mean, variance, scale, bias = (*values, None, None)[:5]
        assert x is not None
        assert variance is not None
        group = _all_sources(_group_of(call))
        epsilon = float(call.attribute("epsilon"))
        y = x.reshape(-1) if mean is None else x.reshape(-1) - mean.reshape(-1)[group]
        deviation = np.sqrt(variance) + epsilon if call.attribute("outside", 0) else np.sqrt(variance + epsilon)
        with np.errstate(all="ignore"):
            y = y / deviation.reshape(-1)[group]
        if scale is not None:
            y = y * self._spread(call, scale)
        return y if bias is None else y + self._spread(call, bias)

    def _spread(self, call: Call, parameter: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(parameter.reshape(-1)[_all_sources(_parameter_of(call))])


def _groups(call: Call) -> ReducedAxes:
    return ReducedAxes(tuple(call.attribute("view")), tuple(call.attribute("axes")), call.output_shape())


def _group_of(call: Call) -> AffineMap:
    """From an element to the number of its group."""
    view: Shape = tuple(call.attribute("view"))
    kept = tuple(1 if axis in call.attribute("axes") else size for axis, size in enumerate(view))
    strides = (0 if size == 1 else stride for size, stride in zip(kept, strides_of(kept), strict=True))
    return AffineMap(view, tuple(strides)).simplified()


def _parameter_of(call: Call) -> AffineMap:
    """From an element to its place in the scale and in the bias."""
    view: Shape = tuple(call.attribute("view"))
    shape: Shape = tuple(call.attribute("parameters", (1,) * len(view)))
    strides = (0 if size == 1 else stride for size, stride in zip(shape, strides_of(shape), strict=True))
    return AffineMap(view, tuple(strides)).simplified()


def _all_sources(places: AffineMap) -> NDArray[np.int64]:
    """`source` of every element."""
    elements = np.arange(math.prod(places.sizes))
    index = np.full(elements.shape, places.offset)
    for size, stride in zip(reversed(places.sizes), reversed(places.strides), strict=True):
        index += elements % size * stride
        elements = elements // size
    return index


OPERATORS = (BlockSum(), Normalise())
