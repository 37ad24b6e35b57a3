"""Extends a graph: more inputs, and more nodes over its tensors, with shapes inferred and constants folded."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
import onnx
from onnx import helper, numpy_helper

from texelscope.pipeline.graph import Graph, TensorInfo
from texelscope.pipeline.model_file.contrib.writer import OPSET
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.model_file.writing import described

# A node as ONNX writes it, of opset `OPSET`.
NodeMessage = onnx.NodeProto
# Constants up to this many elements keep their values, for folding, and because shapes may depend on them.
_VALUES_COUNT = 4096


def with_inputs(graph: Graph, infos: Sequence[TensorInfo]) -> Graph:
    """Returns `graph` with more inputs, whose names no tensor of it has."""
    tensors = {**graph.tensors, **{info.name: info for info in infos}}
    inputs = (*graph.inputs, *(info.name for info in infos))
    return dataclasses.replace(graph, tensors=MappingProxyType(tensors), inputs=inputs)


def with_nodes(graph: Graph, more: Graph) -> Graph:
    """Returns `graph` with the nodes of `more`, which is `continued` from it, and with its outputs."""
    return dataclasses.replace(
        graph,
        nodes=(*graph.nodes, *more.nodes),
        tensors=MappingProxyType({**more.tensors, **graph.tensors}),
        constants=MappingProxyType({**more.constants, **graph.constants}),
        outputs=tuple(dict.fromkeys((*graph.outputs, *more.outputs))),
    )


def continued(graph: Graph, nodes: Sequence[NodeMessage], outputs: Sequence[str], name: str) -> Graph:
    """Returns the graph of those of `nodes` that `outputs` need; errors call it `name`.

    Its inputs are the tensors of `graph` that are read, except small constants, which stay constants. Raises
    TexelscopeError for inconsistent nodes.
    """
    needed, kept = set(outputs), []
    for node in reversed(nodes):
        if not needed.isdisjoint(node.output):
            needed.update(filter(None, node.input))
            kept.append(node)
    made = {each for node in kept for each in node.output}
    read = [each for each in graph.tensors if each in needed and each not in made]
    constants = {each: graph.constants[each] for each in read if each in graph.constants}
    small = {each: value for each, value in constants.items() if value.size <= _VALUES_COUNT}
    message = helper.make_graph(
        kept[::-1],
        name,
        [described(graph.tensors[each]) for each in read if each not in small],
        [onnx.ValueInfoProto(name=each) for each in outputs],
        [numpy_helper.from_array(np.asarray(value, order="C"), each) for each, value in small.items()],
    )
    opsets = [helper.make_opsetid("", OPSET)]
    return graph_of(helper.make_model(message, opset_imports=opsets), name, {})
