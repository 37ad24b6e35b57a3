"""Inlines bodies of control flow under unique names, and finds the names that they define or read from outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import onnx
from onnx import helper

from texelscope.pipeline.model_file.unrolled.scope import GraphScope


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


def inline(body: onnx.GraphProto, inputs: Mapping[str, str], prefix: str, scope: GraphScope) -> list[str]:
    """Adds a body's nodes and returns the names of its outputs.

    `inputs` maps the body's names to the tensors that it gets. New ones are named after `prefix`, or keep their names
    where that is empty; tensors from outside keep their names.
    """
    own = (name for name in names_of_body(body) if name and prefix)
    names = {name: f"{prefix}/{name}" for name in own} | dict(inputs)
    for tensor in body.initializer:
        if tensor.name not in inputs:
            copy = onnx.TensorProto()
            copy.CopyFrom(tensor)
            copy.name = names.get(tensor.name, tensor.name)
            scope.add_initializer(copy)
    for proto in body.node:
        scope.emit(renamed(proto, names, prefix))
    return [names.get(output.name, output.name) for output in body.output]


def renamed(proto: onnx.NodeProto, names: Mapping[str, str], prefix: str) -> onnx.NodeProto:
    """Returns the node with other names of tensors, in its bodies too."""
    node = onnx.NodeProto()
    node.CopyFrom(proto)
    del node.input[:]
    del node.output[:]
    node.input.extend(names.get(name, name) for name in proto.input)
    node.output.extend(names.get(name, name) for name in proto.output)
    if node.name and prefix:
        node.name = f"{prefix}/{node.name.lstrip('/')}"
    for body in bodies(node):
        if node.op_type == "If" and prefix:
            _rename_whole(body, names, prefix)
        else:
            _rename_captured(body, names)
    return node


def _rename_whole(body: onnx.GraphProto, names: Mapping[str, str], prefix: str) -> None:
    """Renames a branch to its names in this iteration: it is inlined without further ones."""
    own = {name: f"{prefix}/{name}" for name in names_of_body(body) if name}
    inner = {**names, **own}
    nodes = [renamed(node, inner, prefix) for node in body.node]
    del body.node[:]
    body.node.extend(nodes)
    for tensor in body.initializer:
        tensor.name = inner[tensor.name]
    for output in body.output:
        output.name = inner.get(output.name, output.name)


def _rename_captured(body: onnx.GraphProto, names: Mapping[str, str]) -> None:
    """Renames what a body reads from outside; its own names hide those of outside."""
    own = names_of_body(body)
    outer = {name: new for name, new in names.items() if name not in own}
    for node in body.node:
        for i, name in enumerate(node.input):
            node.input[i] = outer.get(name, name)
        for inner in bodies(node):
            _rename_captured(inner, outer)
    for output in body.output:
        output.name = outer.get(output.name, output.name)


def alias(source: str, name: str, scope: GraphScope, *, title: str = "") -> None:
    """Makes `name` the same tensor, sequence or optional value as `source`."""
    scope.emit(helper.make_node("Identity", [source], [name], name=title or name))
