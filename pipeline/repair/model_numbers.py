"""Collects numbers of a model that a shader may contain: sizes of its tensors, and rows of its constants."""

from __future__ import annotations

import itertools
import math

import numpy as np

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.graph import Node
from texelscope.pipeline.plan import Pass, Plan

# At most this many sizes of tensors replace numbers.
_SIZES = 24
# Nobody writes out a larger constant as a table; rows have the lanes of vectors.
_LARGEST, _LANES = 64, (2, 3, 4)
# At most this many single numbers, and none that means infinity.
_SCALARS, _BEYOND = 12, 1e6

# Adjacent elements of a constant.
Row = tuple[float, ...]


def sizes_of(plan: Plan, shader_pass: Pass) -> tuple[float, ...]:
    """Returns sides and strides of a pass's tensors, and of textures."""
    found: dict[float, None] = {}
    for key in (shader_pass.output, *shader_pass.reads):
        stored = plan.textures[key]
        height, width = stored.texture_shape
        n, c, h, w = as_nchw(stored.shape)
        axes = [size for size in (n, c, h, w) if size > 1]
        strides = (math.prod(some) for count in (2, 3) for some in itertools.combinations(axes, count))
        found.update(dict.fromkeys(map(float, (*axes, width, height, *strides))))
    for name in sorted(_inner_tensors(plan, shader_pass)) if plan.graph is not None else ():
        value = plan.graph.constants.get(name) if plan.graph is not None else None
        if value is not None and value.ndim > 3:  # window weights may be written out or bound
            *_, height, width = value.shape
            found.update(dict.fromkeys(map(float, (height * width, height, width))))
    return tuple(number for number in found if number > 1)[:_SIZES]


def scalars_of(plan: Plan, shader_pass: Pass) -> tuple[float, ...]:
    """Returns single numbers in the nodes of a pass, as attributes or constants: slopes, bounds, epsilons."""
    if plan.graph is None:
        return ()
    found: dict[float, None] = {}
    names = _inner_tensors(plan, shader_pass)
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


def rows_of(plan: Plan, shader_pass: Pass) -> tuple[Row, ...]:
    """Returns small constants of the nodes of a pass, cut into rows of vector size, tensor by tensor."""
    if plan.graph is None:
        return ()
    found: dict[Row, None] = {}
    for name in sorted(_inner_tensors(plan, shader_pass)):
        value = plan.graph.constants.get(name)
        if value is None or not 1 < value.size <= _LARGEST or not np.issubdtype(value.dtype, np.floating):
            continue
        flat = [float(element) for element in value.reshape(-1)]
        for lanes in _LANES:
            found.update(dict.fromkeys(tuple(flat[at : at + lanes]) for at in range(0, len(flat) - lanes + 1, lanes)))
    return tuple(found)


def nodes_of(plan: Plan, shader_pass: Pass) -> tuple[Node, ...]:
    """Returns the nodes that a pass computes, from its inputs to its outputs."""
    if plan.graph is None:
        return ()
    names = _inner_tensors(plan, shader_pass) - {plan.textures[key].tensor for key in shader_pass.reads}
    return tuple(node for node in plan.graph.nodes if not names.isdisjoint(node.outputs))


def _inner_tensors(plan: Plan, shader_pass: Pass) -> frozenset[str]:
    """Returns the outputs of a pass and everything its nodes read, up to its inputs."""
    assert plan.graph is not None
    read = {plan.textures[key].tensor for key in shader_pass.reads}
    pending = [plan.textures[key].tensor for key in shader_pass.outputs]
    names = {*pending}
    makers = {output: node for node in plan.graph.nodes for output in node.outputs}
    while pending:
        node = makers.get(pending.pop())
        new = {*node.inputs} - names if node is not None else set[str]()
        names |= new
        pending.extend(new - read)
    return frozenset(names)
