"""Unrolls control flow, sequences and optional values to plain nodes: what this needs of the graph, and bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import onnx
from numpy.typing import NDArray
from onnx import helper

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.model_file.message import array_of
from texelscope.pipeline.model_file.nodes import bodies, label, names_of_body, who
from texelscope.pipeline.model_file.so_far import SoFar
from texelscope.pipeline.quotas import QuotaError, present

_INJECT = "Go on after it with its value: --inject TENSOR=FILE.npy."

Add = Callable[[onnx.NodeProto, Mapping[str, int]], None]


class GraphScope:
    """Gives an unrolled operator access to the graph so far, in the order in which it runs.

    `sequences` holds the tensors of each sequence by name, and `optionals` the content of each optional value, None for
    nothing. `opset` is the version of ONNX's own operators for the node. `opsets` are those of all domains, `add` takes
    the new nodes.
    """

    def __init__(self, so_far: SoFar, opsets: Mapping[str, int], add: Add) -> None:
        self._so_far = so_far
        self._opsets = opsets
        self._add = add
        self.sequences = so_far.sequences
        self.optionals = so_far.optionals
        self.opset = opsets.get("", 1)
        self.add_constant = so_far.add_constant

    def emit(self, proto: onnx.NodeProto) -> None:
        """Adds a node, or its unrolled form. Raises UnsupportedError if there are too many."""
        self.count(proto)
        self._add(proto, self._opsets)

    def count(self, proto: onnx.NodeProto) -> None:
        """Counts an iteration of a loop, which may have no nodes. Raises QuotaError if there are too many."""
        self._so_far.unrolled_count += 1
        if self._so_far.unrolled_count > present().loop_nodes:
            raise QuotaError(self.who(proto), "loop_nodes", present().loop_nodes, None, " of all turns")

    def add_initializer(self, tensor: onnx.TensorProto) -> None:
        """Adds a constant, as `add_constant`, from a body's initializer."""
        self.add_constant(tensor.name, array_of(tensor, self._so_far.model))

    def value(self, proto: onnx.NodeProto, name: str, what: str) -> NDArray[Any]:
        """Returns the value of a tensor: a constant, or computed from known values.

        Raises UnsupportedError if it is unknown; `what` says what the node needs it for.
        """
        at_hand = self._so_far.at_hand
        found = at_hand.value(name, self._so_far.nodes, self._so_far.constants)
        if found is None:
            reason = at_hand.undecided[name]
            got = f"'{name}', which depends on {reason or 'the inputs'}"
            do_next = _INJECT if reason else "Set the inputs: it is planned for their values."
            raise UnsupportedError(self.who(proto), f"{what} known once the inputs are", got, do_next)
        return found

    def shape(self, proto: onnx.NodeProto, name: str) -> Shape:
        """Returns the tensor's shape. Raises UnsupportedError if it is unknown."""
        found = self._so_far.shape(name)
        if found is None:
            raise UnsupportedError(
                self.who(proto), "tensors of a shape known before the run", f"'{name}' without one", _INJECT
            )
        return found

    def unique(self, proto: onnx.NodeProto) -> str:
        """Returns a unique name for the node, to name its unrolled form after."""
        return self._so_far.names.give(label(proto))

    def has(self, name: str) -> bool:
        """Reports whether that name exists already."""
        return name in self._so_far.types or name in self.sequences or name in self.optionals

    def who(self, proto: onnx.NodeProto) -> str:
        """Returns the node's name in errors."""
        return f"{who(proto)} ({self._so_far.model})"


# Replaces a node by plain ones. Raises UnsupportedError if a needed value is unknown.
Unroll = Callable[[onnx.NodeProto, GraphScope], None]


def body_of(proto: onnx.NodeProto, name: str = "body") -> onnx.GraphProto:
    """Returns the body in the attribute; an empty one if it is left out."""
    return next((each.g for each in proto.attribute if each.name == name), onnx.GraphProto())


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
