"""Builds the graph of a recording: each pass is a node that gives what the page wrote, if its inputs are the page's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, TensorInfo
from texelscope.pipeline.plan import Pass, StoredTensor

Values = Mapping[str, NDArray[np.float32]]


def recorded_graph(
    name: str,
    passes: Sequence[Pass],
    textures: Mapping[str, StoredTensor],
    values: Values,
    inputs: Sequence[str],
    outputs: Sequence[str],
) -> Graph:
    """Returns a graph of one node for each output of the passes. `values` are recorded ones by key.

    `inputs` and `outputs` are keys too; the graph has the tensors' names.
    """
    constants: dict[str, NDArray[Any]] = {}
    made = {textures[key].tensor: value for key, value in values.items()}
    nodes = [_node(each, key, textures, values, constants) for each in passes for key in each.outputs]
    infos = {
        tensor: TensorInfo(tensor, tuple(value.shape), value.dtype.name)
        for tensor, value in {**made, **constants}.items()
    }
    first, last = (tuple(dict.fromkeys(textures[key].tensor for key in keys)) for keys in (inputs, outputs))
    return Graph(name, tuple(nodes), MappingProxyType(infos), first, last, MappingProxyType(constants))


def _node(
    shader_pass: Pass,
    key: str,
    textures: Mapping[str, StoredTensor],
    values: Values,
    constants: dict[str, NDArray[Any]],
) -> Node:
    """Returns the node of one output; the recorded inputs and result are added to `constants`."""
    name = textures[key].tensor
    live = [textures[each].tensor for each in shader_pass.reads]
    known = [f"{name}/input{position}" for position in range(len(live))]
    constants.update({other: values[each] for each, other in zip(shader_pass.reads, known, strict=True)})
    constants[f"{name}/made"] = values[key]
    attributes = MappingProxyType({"program": shader_pass.operator})
    return Node(f"recorded {name}", "Recorded", (*live, *known, f"{name}/made"), (name,), attributes, OWN_DOMAIN)
