"""Finds the names that a node's bodies define, and those that they read from outside."""

from __future__ import annotations

from collections.abc import Iterator

import onnx


def bodies(proto: onnx.NodeProto) -> list[onnx.GraphProto]:
    """Returns the bodies of If, Loop, Scan and SequenceMap."""
    single = (attribute.g for attribute in proto.attribute if attribute.HasField("g"))
    return [*single, *(graph for attribute in proto.attribute for graph in attribute.graphs)]


def captured(proto: onnx.NodeProto) -> Iterator[str]:
    """Returns tensors from outside that the node's bodies read."""
    for graph in bodies(proto):
        own = names_of_body(graph)
        for node in graph.node:
            yield from (name for name in (*node.input, *captured(node)) if name not in own)
        yield from (output.name for output in graph.output if output.name not in own)


def names_of_body(graph: onnx.GraphProto) -> set[str]:
    """Returns names that a body defines: its inputs, constants, and outputs of its nodes."""
    own = {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
    own |= {sparse.values.name for sparse in graph.sparse_initializer}
    return own | {output for node in graph.node for output in node.output}
