"""Graphs that grow: inputs and nodes added to one."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from types import MappingProxyType

from pipeline.graph import Graph, TensorInfo
from pipeline.model_file.continued import NodeMessage, continued


def with_inputs(graph: Graph, infos: Sequence[TensorInfo]) -> Graph:
    """`graph` with more inputs, whose names no tensor of it has."""
    tensors = {**graph.tensors, **{info.name: info for info in infos}}
    inputs = (*graph.inputs, *(info.name for info in infos))
    return dataclasses.replace(graph, tensors=MappingProxyType(tensors), inputs=inputs)


def with_nodes(graph: Graph, nodes: Sequence[NodeMessage], outputs: Sequence[str], name: str) -> Graph:
    """`graph` with those of `nodes` that `outputs` need; these are its outputs too. `name` is what errors call them."""
    more = continued(graph, nodes, outputs, name)
    return dataclasses.replace(
        graph,
        nodes=(*graph.nodes, *more.nodes),
        tensors=MappingProxyType({**more.tensors, **graph.tensors}),
        constants=MappingProxyType({**more.constants, **graph.constants}),
        outputs=tuple(dict.fromkeys((*graph.outputs, *outputs))),
    )
