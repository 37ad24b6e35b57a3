"""Concat: more inputs than samplers are joined in groups first, then the groups."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Node, TensorInfo
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, Rewrite, cold
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import movement


class Concat(Operator):
    """Inputs joined along one axis."""

    op_types = ("Concat",)
    facts = Facts(moves=True, neutral=(0.0,))

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Without empty inputs; groups of at most `max_samplers` inputs, and a Concat of the groups."""
        names = tuple(name for name in call.node.inputs if 0 not in call.graph.tensors[name].shape)
        if len(names) < len(call.node.inputs):
            return Rewrite((dataclasses.replace(call.node, inputs=names),))
        if len(names) <= limits.max_samplers:
            return None
        axis = _axis(call)
        nodes: list[Node] = []
        tensors: list[TensorInfo] = []
        for start in range(0, len(names), limits.max_samplers):
            group = names[start : start + limits.max_samplers]
            name = f"{call.node.name}/part{len(nodes)}of{len(names)}"  # joined again if they are too many
            shape = list(call.output_shape())
            shape[axis] = sum(call.graph.tensors[each].shape[axis] for each in group)
            tensors.append(TensorInfo(name, tuple(shape), call.output_info().dtype))
            nodes.append(dataclasses.replace(call.node, name=name, inputs=group, outputs=(name,)))
        joined = dataclasses.replace(call.node, inputs=tuple(info.name for info in tensors))
        return Rewrite((*nodes, joined), tuple(tensors))

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One read an element, from the input that owns its place on the axis."""
        axis = _axis(call)
        sizes = [call.shape(i)[axis] for i in range(len(call.node.inputs))]
        inner = int(np.prod(call.output_shape()[axis + 1 :], dtype=np.int64))
        rank = len(call.output_shape())
        of_four = axis + 4 - rank
        is_own = of_four > 0 or rank == 4  # and is not folded into N with others
        ends = tuple(int(end) for end in np.cumsum(sizes))
        in_groups = of_four != 1 or not any(end % 4 for end in ends[:-1])
        in_texels = not any(size * inner % 4 for size in sizes)
        return Kernel(
            ("concat.glsl",),
            {"X": call.node.inputs},
            MappingProxyType({"AXIS": of_four, "AXIS_COUNT": sum(sizes), "INNER_COUNT": inner, "ENDS": ends}),
            cold_in=cold({"channel_tiles_rgba": in_groups and is_own, "row_major_rgba": in_texels}),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The one element that it copies."""
        axis = _axis(call)
        place = list(np.unravel_index(element, call.output_shape()))
        for position in range(len(call.node.inputs)):
            shape = call.shape(position)
            if place[axis] < shape[axis]:
                return {position: np.array([np.ravel_multi_index(place, shape)])}
            place[axis] -= shape[axis]
        return {}


def _axis(call: Call) -> int:
    """Before opset 4 the second one, unless the node says otherwise."""
    return call.axis(default=1 if call.node.opset < 4 else 0, rank=len(call.output_shape()))


OPERATORS = (Concat(),)
