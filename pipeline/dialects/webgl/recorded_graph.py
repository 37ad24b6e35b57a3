"""Builds the graph of a recording: each draw is a node that gives what the page wrote, if its inputs are the page's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, TensorInfo
from texelscope.pipeline.plan import Pass

Values = Mapping[str, NDArray[np.float32]]


def recorded_graph(
    name: str, passes: Sequence[Pass], values: Values, inputs: Sequence[str], outputs: Sequence[str]
) -> Graph:
    """Returns a graph of one node for each output of the passes. `values` are recorded ones by key."""
    constants: dict[str, NDArray[Any]] = {}
    nodes = []
    for each in passes:
        for key in each.outputs:
            nodes.append(_node(each, key, values, constants))
    shapes = {**values, **constants}
    infos = {tensor: TensorInfo(tensor, tuple(value.shape), value.dtype.name) for tensor, value in shapes.items()}
    return Graph(
        name, tuple(nodes), MappingProxyType(infos), tuple(inputs), tuple(outputs), MappingProxyType(constants)
    )


def _node(shader_pass: Pass, key: str, values: Values, constants: dict[str, NDArray[Any]]) -> Node:
    """Returns the node of one output; the recorded inputs and result are added to `constants`."""
    live = shader_pass.reads
    known = [f"{key}/input{position}" for position in range(len(live))]
    constants.update({other: values[each] for each, other in zip(live, known, strict=True)})
    constants[f"{key}/made"] = values[key]
    attributes = MappingProxyType({"program": shader_pass.operator})
    return Node(key, "Recorded", (*live, *known, f"{key}/made"), (key,), attributes, OWN_DOMAIN)
