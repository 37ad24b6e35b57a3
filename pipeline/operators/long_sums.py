"""Sums too long for one fragment, run in parts: the same node on slices of its inputs, and a Sum over those."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.graph import Node, TensorInfo
from texelscope.pipeline.operators.base import Array, Call, Rewrite


def in_parts(call: Call, cuts: Mapping[int, int], most: int, addends: tuple[int, ...] = ()) -> Rewrite | None:
    """The node on at most `most` elements at a time of the axis that it sums over; None if it has no more.

    `cuts` maps the positions of the inputs that have the axis to where they have it. Inputs
    at the positions `addends`, which are the last ones, are added once.
    """
    sizes = {call.shape(position)[axis] for position, axis in cuts.items()}
    (count,) = sizes
    if count <= most:
        return None
    name, output = call.node.name, call.output_info()
    nodes: list[Node] = []
    tensors: list[TensorInfo] = []
    constants: dict[str, Array] = {}
    parts = []
    for start in range(0, count, most):
        end, part = min(start + most, count), f"{name}/from{start}"
        inputs = list(call.node.inputs if start == 0 else call.node.inputs[: min(addends, default=None)])
        for position, axis in cuts.items():
            inputs[position] = cut = f"{part}/{position}"
            value, info = call.constant(position), call.info(position)
            if value is not None:
                constants[cut] = value.take(range(start, end), axis=axis)
                continue
            shape = tuple(end - start if i == axis % len(info.shape) else n for i, n in enumerate(info.shape))
            tensors.append(TensorInfo(cut, shape, info.dtype))
            limits = {"start": start, "end": end, "axis": axis % len(info.shape)}
            constants |= {f"{cut}/{key}": np.array([number], dtype=np.int64) for key, number in limits.items()}
            nodes.append(Node(cut, "Slice", (info.name, *(f"{cut}/{key}" for key in limits)), (cut,), opset=13))
        parts.append(f"{part}/sum")
        tensors.append(TensorInfo(parts[-1], output.shape, output.dtype))
        nodes.append(dataclasses.replace(call.node, name=parts[-1], inputs=tuple(inputs), outputs=(parts[-1],)))
    total = Node(name, "Sum", tuple(parts), call.node.outputs, opset=13)
    return Rewrite((*nodes, total), tuple(tensors), MappingProxyType(constants))
