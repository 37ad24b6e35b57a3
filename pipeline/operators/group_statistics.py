"""Adds passes for means and variances of groups of elements, for normalising by them, and for long reductions.

A group lies along some axes of a tensor that is viewed in some shape (`view`). The operators `BlockSum` and
`Normalise` of the program's own domain do the work; this module writes the nodes that use them. Sums of more than
LARGEST_BLOCK elements take two passes, by blocks and over the blocks: each fragment then reads few and
rounds little.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from texelscope.pipeline.graph import Shape, TensorInfo
from texelscope.pipeline.operators.base import Call, Rewrite
from texelscope.pipeline.operators.element_types import is_integer
from texelscope.pipeline.operators.reduction import ReducedAxes
from texelscope.pipeline.operators.rewriting import Passes

LARGEST_BLOCK = 1024


@dataclass(frozen=True)
class ElementGroups:
    """Describes groups of the elements of tensor `x`: those along `axes` of it viewed as `view`."""

    x: str
    view: Shape
    axes: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of elements of a group."""
        return math.prod(self.view[axis] for axis in self.axes)

    @property
    def count(self) -> int:
        """Counts the groups."""
        return math.prod(self.view) // self.size


def add_total(
    passes: Passes, groups: ElementGroups, output: TensorInfo, term: str = "value", scale: float = 1.0
) -> str:
    """Adds the passes for `scale` times the sum of each group, or of its absolute values (`absolute`) or squares
    (`square`); returns its name."""
    return _add_sum(passes, groups, output, term=term, scale=scale)


def add_fold(passes: Passes, groups: ElementGroups, output: TensorInfo, fold: str) -> str:
    """Adds the passes for the largest (`max`) or smallest element (`min`) or the product (`mul`) of each group."""
    block, blocks = _blocks(groups)
    first: Mapping[str, Any] = {"view": groups.view, "axes": groups.axes, "block": block, "fold": fold}
    if blocks == 1:
        return passes.add("BlockFold", (groups.x,), output, shape=output.shape, **first)
    partial = _partial(passes, groups, output, blocks)
    passes.add("BlockFold", (groups.x,), partial, shape=partial.shape, **first)
    last: Mapping[str, Any] = {"view": partial.shape, "axes": (1,), "block": blocks, "fold": fold}
    return passes.add("BlockFold", (partial.name,), output, shape=output.shape, **last)


def add_mean(passes: Passes, groups: ElementGroups, output: TensorInfo) -> str:
    """Adds the passes for the mean of each group; returns its name."""
    return _add_sum(passes, groups, output, term="value", scale=1.0 / groups.size)


def add_variance(passes: Passes, groups: ElementGroups, output: TensorInfo, mean: str = "") -> str:
    """Adds the passes for the mean square of each group's distance from `mean`, or from 0; returns its name."""
    return _add_sum(passes, groups, output, term="square", scale=1.0 / groups.size, centre=mean)


def add_exponential_sum(passes: Passes, groups: ElementGroups, output: TensorInfo, largest: str) -> str:
    """Adds the passes for the sum of exp(x − largest) over each group; returns its name."""
    return _add_sum(passes, groups, output, term="exponential", scale=1.0, centre=largest)


def _add_sum(
    passes: Passes, groups: ElementGroups, output: TensorInfo, *, term: str, scale: float, centre: str = ""
) -> str:
    block, blocks = _blocks(groups)
    inputs = (groups.x, centre) if centre else (groups.x,)
    first: Mapping[str, Any] = {"view": groups.view, "axes": groups.axes, "block": block, "term": term}
    if blocks == 1:
        return passes.add("BlockSum", inputs, output, scale=scale, shape=output.shape, **first)
    partial = _partial(passes, groups, output, blocks)
    passes.add("BlockSum", inputs, partial, scale=1.0, shape=partial.shape, **first)
    last: Mapping[str, Any] = {"view": partial.shape, "axes": (1,), "block": blocks, "term": "value"}
    return passes.add("BlockSum", (partial.name,), output, scale=scale, shape=output.shape, **last)


def _blocks(groups: ElementGroups) -> tuple[int, int]:
    """Returns elements of a block, and blocks of a group: about as many of the one as of the other."""
    blocks = 1 if groups.size <= LARGEST_BLOCK else math.isqrt(groups.size - 1) + 1
    block = -(-groups.size // blocks)
    return block, -(-groups.size // block)


def _partial(passes: Passes, groups: ElementGroups, output: TensorInfo, blocks: int) -> TensorInfo:
    """Returns the tensor of the first pass: an element for each block of a group."""
    name = f"{output.name}/blocks"
    own = name if name.startswith(f"{passes.name}/") else f"{passes.name}/{name}"
    return TensorInfo(own, (groups.count, blocks), output.dtype if is_integer(output.dtype) else "float32")


_TERMS = {"ReduceSum": "value", "ReduceMean": "value", "ReduceL1": "absolute", "ReduceSumSquare": "square"}
# Attributes of IsInf, whose defaults a rewritten node has to state.
_BOTH = {"detect_positive": 1, "detect_negative": 1}
_FOLDS = {"ReduceMax": "max", "ReduceMin": "min", "ReduceProd": "mul"}


def in_blocks(call: Call, axes: ReducedAxes) -> Rewrite:
    """Returns the node as passes over blocks of its elements along `axes`."""
    name, op_type, output = call.node.name, call.node.op_type, call.output_info()
    passes = Passes(name)
    groups = ElementGroups(call.node.inputs[0], axes.shape, axes.axes)
    kept = TensorInfo(f"{name}/sum", output.shape)
    if op_type in _FOLDS:
        add_fold(passes, groups, output, _FOLDS[op_type])
    elif op_type in _TERMS:
        add_total(passes, groups, output, _TERMS[op_type], 1.0 / axes.count if op_type == "ReduceMean" else 1.0)
    elif op_type == "ReduceL2":
        passes.add_onnx("Sqrt", (add_total(passes, groups, kept, "square"),), output)
    elif op_type == "ReduceLogSum":
        passes.add_onnx("Log", (add_total(passes, groups, kept),), output)
    else:
        _add_log_of_exponentials(passes, groups, output)
    return passes.rewrite()


def _add_log_of_exponentials(passes: Passes, groups: ElementGroups, output: TensorInfo) -> None:
    """Adds m + ln Σe^(x − m); m itself where it is infinite."""
    name = passes.name
    largest = add_fold(passes, groups, TensorInfo(f"{name}/largest", output.shape), "max")
    total = add_exponential_sum(passes, groups, TensorInfo(f"{name}/sum", output.shape), largest)
    logarithm = passes.add_onnx("Log", (total,), TensorInfo(f"{name}/logarithm", output.shape))
    finite = passes.add_onnx("Add", (largest, logarithm), TensorInfo(f"{name}/finite", output.shape))
    infinite = passes.add_onnx("IsInf", (largest,), TensorInfo(f"{name}/infinite", output.shape, "bool"), **_BOTH)
    passes.add_onnx("Where", (infinite, largest, finite), output)
