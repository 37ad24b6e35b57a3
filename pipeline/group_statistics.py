"""Means and variances of groups of elements as passes, and the pass that normalises by them.

A group is what lies along some axes of a tensor that is seen in some shape (`view`). The operators `BlockSum` and
`Normalise` of the program's own domain do the work; here are the nodes that use them. Sums of more than
LARGEST_BLOCK elements are made in two passes, by blocks and over the blocks: one fragment walks neither far nor
rounds much.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.graph import Shape, TensorInfo
from pipeline.rewriting import Passes

LARGEST_BLOCK = 1024


@dataclass(frozen=True)
class Groups:
    """Groups of the elements of tensor `x`: those along `axes` of it seen as `view`."""

    x: str
    view: Shape
    axes: tuple[int, ...]

    @property
    def size(self) -> int:
        """Elements of a group."""
        return math.prod(self.view[axis] for axis in self.axes)

    @property
    def count(self) -> int:
        """Number of groups."""
        return math.prod(self.view) // self.size


def add_mean(passes: Passes, groups: Groups, output: TensorInfo) -> str:
    """Adds the passes for the mean of each group; returns its name."""
    return _add_sum(passes, groups, output, term="value", scale=1.0 / groups.size)


def add_variance(passes: Passes, groups: Groups, output: TensorInfo, mean: str = "") -> str:
    """Adds the passes for the mean square of each group's distance from `mean`, or from 0; returns its name."""
    return _add_sum(passes, groups, output, term="square", scale=1.0 / groups.size, centre=mean)


def add_exponential_sum(passes: Passes, groups: Groups, output: TensorInfo, largest: str) -> str:
    """Adds the passes for the sum of exp(x − largest) over each group; returns its name."""
    return _add_sum(passes, groups, output, term="exponential", scale=1.0, centre=largest)


def _add_sum(passes: Passes, groups: Groups, output: TensorInfo, *, term: str, scale: float, centre: str = "") -> str:
    blocks = 1 if groups.size <= LARGEST_BLOCK else math.isqrt(groups.size - 1) + 1
    block = -(-groups.size // blocks)
    blocks = -(-groups.size // block)
    inputs = (groups.x, centre) if centre else (groups.x,)
    first: Mapping[str, Any] = {"view": groups.view, "axes": groups.axes, "block": block, "term": term}
    if blocks == 1:
        return passes.add("BlockSum", inputs, output, scale=scale, shape=output.shape, **first)
    partial = TensorInfo(f"{output.name}/blocks", (groups.count, blocks))
    if not partial.name.startswith(f"{passes.name}/"):
        partial = TensorInfo(f"{passes.name}/{partial.name}", partial.shape)
    passes.add("BlockSum", inputs, partial, scale=1.0, shape=partial.shape, **first)
    last: Mapping[str, Any] = {"view": partial.shape, "axes": (1,), "block": blocks, "term": "value"}
    return passes.add("BlockSum", (partial.name,), output, scale=scale, shape=output.shape, **last)
