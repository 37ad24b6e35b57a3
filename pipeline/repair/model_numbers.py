"""Numbers of a model that a shader may have written out: sizes of its tensors, and rows of its constants."""

from __future__ import annotations

import itertools
import math

import numpy as np

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.graph import Node
from texelscope.pipeline.plan import Pass, Plan

# Of the sizes of tensors so many are tried in place of numbers.
_SIZES = 24
# A constant with more elements is no table that somebody writes out; rows have the lanes of vectors.
_LARGEST, _LANES = 64, (2, 3, 4)
# Of single numbers so many, and none that stands for infinity.
_SCALARS, _BEYOND = 12, 1e6

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
    for name in sorted(_inner_tensors(plan, each)) if plan.graph is not None else ():
        value = plan.graph.constants.get(name) if plan.graph is not None else None
        if value is not None and value.ndim > 3:  # a window that is written out, or bound
            *_, height, width = value.shape
            found.update(dict.fromkeys(map(float, (height * width, height, width))))
    return tuple(number for number in found if number > 1)[:_SIZES]


def scalars_of(plan: Plan, each: Pass) -> tuple[float, ...]:
    """Single numbers that the nodes of a pass take, as attributes or as constants: slopes, bounds, small constants."""
    if plan.graph is None:
        return ()
    found: dict[float, None] = {}
    names = _inner_tensors(plan, each)
    for node in plan.graph.nodes:
        if names.isdisjoint(node.outputs):
            continue
        found.update(dict.fromkeys(value for value in node.attributes.values() if isinstance(value, float)))
        values = (plan.graph.constants.get(name) for name in node.inputs)
        found.update(
            dict.fromkeys(float(each.reshape(-1)[0]) for each in values if each is not None and each.size == 1)
        )
    return tuple(float(f"{number:.7g}") for number in found if math.isfinite(number) and abs(number) < _BEYOND)[
        :_SCALARS
    ]


def rows_of(plan: Plan, each: Pass) -> tuple[Row, ...]:
    """What the nodes of a pass take of small constants, cut into rows as vectors hold them, tensor by tensor."""
    if plan.graph is None:
        return ()
    found: dict[Row, None] = {}
    for name in sorted(_inner_tensors(plan, each)):
        value = plan.graph.constants.get(name)
        if value is None or not 1 < value.size <= _LARGEST or not np.issubdtype(value.dtype, np.floating):
            continue
        flat = [float(element) for element in value.reshape(-1)]
        for lanes in _LANES:
            found.update(dict.fromkeys(tuple(flat[at : at + lanes]) for at in range(0, len(flat) - lanes + 1, lanes)))
    return tuple(found)


def nodes_of(plan: Plan, each: Pass) -> tuple[Node, ...]:
    """The nodes that a pass computes, from what it reads to what it makes."""
    if plan.graph is None:
        return ()
    names = _inner_tensors(plan, each) - {plan.textures[key].tensor for key in each.reads}
    return tuple(node for node in plan.graph.nodes if not names.isdisjoint(node.outputs))


def _inner_tensors(plan: Plan, each: Pass) -> frozenset[str]:
    """What a pass makes and all that its nodes take, up to the tensors that it reads."""
    assert plan.graph is not None
    read = {plan.textures[key].tensor for key in each.reads}
    pending = [plan.textures[key].tensor for key in each.outputs]
    names = {*pending}
    makers = {output: node for node in plan.graph.nodes for output in node.outputs}
    while pending:
        node = makers.get(pending.pop())
        new = {*node.inputs} - names if node is not None else set[str]()
        names |= new
        pending.extend(new - read)
    return frozenset(names)
