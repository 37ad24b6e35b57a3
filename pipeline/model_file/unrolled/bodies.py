"""Bodies of control flow put in line: their nodes, under names that nothing else has."""

from __future__ import annotations

from collections.abc import Mapping

import onnx
from onnx import helper

from texelscope.pipeline.model_file.unrolled.names import bodies, names_of_body
from texelscope.pipeline.model_file.unrolled.scope import GraphScope


def inline(body: onnx.GraphProto, inputs: Mapping[str, str], prefix: str, scope: GraphScope) -> list[str]:
    """Adds a body's nodes and returns the names that its outputs have.

    `inputs` says by the body's names which tensors it gets. What it makes is called after `prefix`, or keeps its name
    where that is empty; what it reads from outside keeps its name.
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
    """The node with other names of tensors, in its bodies too."""
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
    """Gives a branch the names that it has in this turn: it is put in place without further ones."""
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
    """Gives what a body reads from outside its new name; its own names hide those of outside."""
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
