"""Implements pools over sliding windows and whole pictures: one file reads the window, one small shader per kind.

MaxUnpool is MaxPool's partial inverse: it puts elements back where MaxPool's second output found them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Node, Shape, TensorInfo
from texelscope.pipeline.operators.base import (
    Array,
    Call,
    Constant,
    Evaluation,
    Kernel,
    Operator,
    Rewrite,
    block,
    turns_of,
)
from texelscope.pipeline.operators.facts import Accumulator, Facts
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma, movement, power_error, sum_of_products
from texelscope.pipeline.operators.windows import Window, in_two_dimensions, spatial_shape, whole, window
from texelscope.pipeline.plan import EXACT_INTEGERS

# GLSL 4.60, 4.7.1: a division within 2.5 ulp, a square root within those of a reciprocal one (2 ulp) and a division.
DIVISION = 5.0
SQUARE_ROOT = 9.0

# One pass reads at most this many taps of a window; software drivers end a fragment's loops after 65,535 iterations.
LARGEST_WINDOW = 4096


class _Pool(Operator):
    """Shares the window and its reads among pools."""

    shader: ClassVar[str]

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Runs one spatial axis as two, and a large window as one pass over its columns and one over its rows."""
        return in_two_dimensions(call) or self._in_stages(call)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the window by the kind of pool."""
        constants = {**self._window(call).constants(), **self._constants(call)}
        is_picture = len(call.shape(0)) == 4
        walk = "pool/window.glsl" if is_picture else "pool/window_3d.glsl"
        shader = self._shader(call, output)
        turns = turns_of(*self._window(call).kernel, *self._inner_loops(call))
        return Kernel(
            (shader, walk), {"X": call.node.inputs[0]}, MappingProxyType(constants), turns=turns, may_be_hot=is_picture
        )

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the window's elements inside the input."""
        n, c, *places = (int(i) for i in np.unravel_index(element, call.output_shape()))
        shape = call.shape(0)
        return {0: block(shape, n, c, *self._window(call).elements(tuple(places), shape[2:]))}

    def _in_stages(self, call: Call) -> Rewrite | None:
        """Returns the pool of each window's rows, and the pool of those: fewer reads, and less rounding.

        A mean of means is the mean, since all rows of a window have the same number of elements inside.
        """
        plain = sum(bool(name) for name in call.node.outputs) == 1
        window = self._window(call)
        long = [axis for axis, size in enumerate(window.kernel) if size > 1]
        if not plain or window.count <= LARGEST_WINDOW:
            return None
        if len(long) < 2:  # one row or column: it cannot be split
            return self._as_reduction(call)
        last, others = long[-1], tuple(axis for axis in range(len(window.kernel)) if axis != long[-1])
        shape = list(call.shape(0))
        shape[2 + last] = call.output_shape()[2 + last]
        rows = TensorInfo(f"{call.node.name}/rows", tuple(shape), call.output_info().dtype)
        first = _stage(call, window, (last,), rows.name, (call.node.inputs[0], rows.name))
        second = _stage(call, window, others, call.node.name, (rows.name, call.node.outputs[0]))
        return Rewrite((first, second), (rows,))

    def _as_reduction(self, call: Call) -> Rewrite | None:
        """Returns a pool over everything as a reduction, which can split a long row."""
        shape, window = call.shape(0), self._window(call)
        op_type = self._reduction(call)
        pads = (*window.pad_before, *window.pad_after)
        if op_type is None or window.kernel != shape[2:] or any(pads) or max(window.dilation) > 1:
            return None
        axes = np.arange(2, len(shape), dtype=np.int64)
        name = f"{call.node.name}/axes"
        attributes = MappingProxyType({"keepdims": 1, "noop_with_empty_axes": 0})
        node = Node(call.node.name, op_type, (call.node.inputs[0], name), call.node.outputs, attributes, opset=18)
        return Rewrite((node,), (), MappingProxyType({name: axes}))

    def _reduction(self, call: Call) -> str | None:
        """Returns the operator that does the same over whole axes; None if there is none."""
        return None

    def _window(self, call: Call) -> Window:
        if call.node.op_type.startswith("Global"):
            return whole(call)
        return window(call, tuple(call.attribute("kernel_shape")))

    def _shader(self, call: Call, output: int) -> str:
        return self.shader

    def _constants(self, call: Call) -> Mapping[str, Constant]:
        return {}

    def _inner_loops(self, call: Call) -> tuple[int, ...]:
        """Returns iterations per tap."""
        return ()


class MaxPool(_Pool):
    """Finds the largest element of each window, and where it is."""

    op_types = ("MaxPool", "GlobalMaxPool")
    facts = Facts(window="largest", accumulator=Accumulator(np.maximum))
    shader = "pool/max.glsl"

    def _reduction(self, call: Call) -> str:
        return "ReduceMax"

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error: the largest element moves by at most the window's largest error."""
        return movement(evaluation)

    def reads_of(self, call: Call, element: int, output: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the window's elements, for their largest and for its place alike."""
        return self.reads(call, element)

    def _shader(self, call: Call, output: int) -> str:
        if output == 0:
            return self.shader
        if call.info(0).count > EXACT_INTEGERS:
            raise UnsupportedError(
                call.who, f"places up to {EXACT_INTEGERS}, exact in a float texture", f"{call.info(0).count} of them",
                "Use a smaller --shape.",
            )  # fmt: skip
        return "pool/argmax.glsl"

    def _constants(self, call: Call) -> Mapping[str, Constant]:
        depth, height, width = ((1, *call.shape(0)[2:]))[-3:]
        lowest = 0.0 if call.info(0).dtype == "uint8" else -np.inf
        return {
            "LOWEST": lowest,
            "COLUMN_MAJOR": bool(call.attribute("storage_order", 0)),
            "DEPTH": depth,
            "HEIGHT": height,
            "WIDTH": width,
        }


class AveragePool(_Pool):
    """Averages each window, with or without its padding."""

    op_types = ("AveragePool", "GlobalAveragePool")
    facts = Facts(window="mean", means=True)
    shader = "pool/average.glsl"

    def _reduction(self, call: Call) -> str:
        return "ReduceMean"

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ of a row's length plus the number of rows, and a division; the oracle adds up axis by axis."""
        window = self._window(call)
        return sum_of_products(
            evaluation, _summed(window) + DIVISION, factors=(0,), oracle_terms=sum(window.kernel) + 2
        )

    def _constants(self, call: Call) -> Mapping[str, Constant]:
        return {"COUNT_PADDING": bool(call.attribute("count_include_pad", 0))}


class LpPool(_Pool):
    """Computes the p-norm of each window."""

    op_types = ("LpPool", "GlobalLpPool")
    shader = "pool/lp.glsl"

    def _reduction(self, call: Call) -> str | None:
        return {1: "ReduceL1", 2: "ReduceL2"}.get(_norm(call))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds relative to y, since no term cancels; ‖x + e‖ ≤ ‖x‖ + ‖e‖ for the carried error."""
        p = _norm(call)
        window = self._window(call)
        y = np.asarray(evaluation.output, dtype=np.float64)
        sums = gamma(_summed(window) + p, evaluation.unit) + gamma(sum(window.kernel) + p + 2, evaluation.unit)
        exact = {1: 0.0, 2: SQUARE_ROOT * evaluation.unit}
        root = exact[p] if p in exact else power_error(y**p, 1.0 / p, evaluation.unit)
        bound = (sums / p + root + 4.0 * evaluation.unit) * y + (window.count * SMALLEST_NORMAL) ** (1.0 / p)
        error = evaluation.errors[0]
        return bound if error is None else np.asarray(bound + evaluation.run([error.astype(np.float32)]))

    def _constants(self, call: Call) -> Mapping[str, Constant]:
        return {"P": _norm(call)}

    def _inner_loops(self, call: Call) -> tuple[int, ...]:
        return (_norm(call) - 1,)


def _norm(call: Call) -> int:
    p = float(call.attribute("p", 2))
    if p < 1 or p != int(p):
        raise UnsupportedError(call.who, "a whole p of at least 1", f"{p:g}", "Use Abs, Pow and AveragePool.")
    return int(p)


def _summed(window: Window) -> int:
    """Counts roundings of a sum row by row."""
    return window.kernel[-1] + window.count // window.kernel[-1]


def _stage(call: Call, window: Window, axes: tuple[int, ...], name: str, ends: tuple[str, str]) -> Node:
    """Returns the node with its window along some axes; `ends` are its input and output."""

    def alone(values: Shape, neutral: int) -> tuple[int, ...]:
        return tuple(value if i in axes else neutral for i, value in enumerate(values))

    attributes = {key: value for key, value in call.node.attributes.items() if key not in ("auto_pad", "storage_order")}
    attributes |= {
        "kernel_shape": alone(window.kernel, 1),
        "strides": alone(window.stride, 1),
        "pads": (*alone(window.pad_before, 0), *alone(window.pad_after, 0)),
    }
    if max(window.dilation) > 1:
        attributes["dilations"] = alone(window.dilation, 1)
    return dataclasses.replace(
        call.node,
        name=name,
        op_type=call.node.op_type.removeprefix("Global"),
        inputs=ends[:1],
        outputs=ends[1:],
        attributes=MappingProxyType(attributes),
    )


class MaxUnpool(Operator):
    """Puts elements back to where they were largest in their window; zeros elsewhere."""

    op_types = ("MaxUnpool",)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Runs one spatial axis as two."""
        plane = in_two_dimensions(call, planes=(0, 1))
        if plane is None or not call.has(2):
            return plane
        name = f"{call.node.name}/shape[2d]"
        n, c, length = call.output_shape()
        shape = np.array((n, c, 1, length), dtype=np.int64)
        nodes = tuple(
            dataclasses.replace(node, inputs=(*node.inputs[:2], name)) if node.op_type == "MaxUnpool" else node
            for node in plane.nodes
        )
        return Rewrite(nodes, plane.tensors, MappingProxyType({**plane.constants, name: shape}))

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the windows around an element."""
        spatial = spatial_shape(call)
        rank = len(spatial)
        strides = tuple(call.attribute("strides") or (1,) * rank)
        pads = tuple(call.attribute("pads") or (0,) * (2 * rank))
        constants: dict[str, Constant] = {
            "SOLID": rank == 3,
            "KERNEL": _three(tuple(call.attribute("kernel_shape")), 1),
            "STRIDES": _three(strides, 1),
            "PADS": _three(pads[:rank], 0),
            "UNPOOLED": _three(_unpooled(call, strides, pads), 1),
        }
        reads = {"X": call.node.inputs[0], "I": call.node.inputs[1]}
        windows = zip(call.attribute("kernel_shape"), strides, strict=True)
        turns = turns_of(*(size // stride + 1 for size, stride in windows))
        return Kernel(("max_unpool.glsl",), reads, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns None: the indices are not known before the run."""
        return None


def _unpooled(call: Call, strides: Shape, pads: Shape) -> Shape:
    """Returns the spatial shape in which the indices count: the one that the windows cover, for any output shape."""
    kernel, rank = call.attribute("kernel_shape"), len(strides)
    return tuple(
        (size - 1) * strides[i] - pads[i] - pads[rank + i] + kernel[i] for i, size in enumerate(call.shape(0)[2:])
    )


def _three(values: Shape, neutral: int) -> Shape:
    return (neutral,) * (3 - len(values)) + values


OPERATORS = (MaxPool(), AveragePool(), LpPool(), MaxUnpool())
