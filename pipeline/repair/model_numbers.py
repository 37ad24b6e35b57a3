"""Numbers of a model that a shader may have written out: sizes of its tensors, and rows of its constants."""

from __future__ import annotations

import itertools
import math

import numpy as np

from layouts.shapes import as_nchw
from pipeline.plan import Pass, Plan

# Of the sizes of tensors so many are tried in place of numbers.
_SIZES = 24
# A constant with more elements is no table that somebody writes out; rows have the lanes of vectors.
_LARGEST, _LANES = 64, (2, 3, 4)

# Elements of a constant that stand beside one another.
Row = tuple[float, ...]


def sizes_of(plan: Plan, each: Pass) -> tuple[float, ...]:
    """Numbers that a shader may have written out: sides and strides of the tensors that a pass has, and of textures."""
    found: dict[float, None] = {}
    for key in (each.output, *each.reads):
        stored = plan.textures[key]
        height, width = stored.texture_shape
        n, c, h, w = as_nchw(stored.shape)
        axes = [size for size in (n, c, h, w) if size > 1]
        strides = (math.prod(some) for count in (2, 3) for some in itertools.combinations(axes, count))
        found.update(dict.fromkeys(map(float, (*axes, width, height, *strides))))
    return tuple(number for number in found if number > 1)[:_SIZES]


def rows_of(plan: Plan, each: Pass) -> tuple[Row, ...]:
    """What the nodes of a pass take of small constants, cut into rows as vectors hold them, tensor by tensor."""
    if plan.graph is None:
        return ()
    read = {plan.textures[key].tensor for key in each.reads}
    pending, names = [plan.textures[key].tensor for key in each.outputs], set[str]()
    makers = {output: node for node in plan.graph.nodes for output in node.outputs}
    while pending:
        node = makers.get(pending.pop())
        new = {*node.inputs} - names if node is not None else set[str]()
        names |= new
        pending.extend(new - read)
    found: dict[Row, None] = {}
    for name in sorted(names):
        value = plan.graph.constants.get(name)
        if value is None or not 1 < value.size <= _LARGEST or not np.issubdtype(value.dtype, np.floating):
            continue
        flat = [float(element) for element in value.reshape(-1)]
        for lanes in _LANES:
            found.update(dict.fromkeys(tuple(flat[at : at + lanes]) for at in range(0, len(flat) - lanes + 1, lanes)))
    return tuple(found)
