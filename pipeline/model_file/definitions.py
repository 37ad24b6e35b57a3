"""Operators that ONNX defines by others: what a loss, a centre crop or an attention is, in terms of plainer ones.

A node that no operator runs is replaced by the nodes of its definition, whose passes can be looked at one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import onnx
from onnx import defs

from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.model_file.contrib.writer import OPSET, NodeInput, Writer
from texelscope.pipeline.model_file.written import writes


@dataclass(frozen=True)
class Definition:
    """A node's definition by others: `nodes` in topological order, under `opsets` by domain.

    Tensors that it makes on the way are called after the node, so that two definitions do not meet.
    """

    nodes: tuple[onnx.NodeProto, ...]
    opsets: Mapping[str, int]


def definition(
    proto: onnx.NodeProto, schema: defs.OpSchema, types: Sequence[onnx.TypeProto | None], name: str
) -> Definition | None:
    """What ONNX defines the node by; `types` are those of its inputs, None for an omitted one.

    None if there is no definition.
    """
    node = with_defaults(proto, schema)
    function = _function(node, schema, types)
    if function is None:
        return None
    names = {**_paired(function.input, node.input), **_paired(function.output, node.output)}
    values = {attribute.name: attribute for attribute in node.attribute}
    nodes = tuple(_renamed(each, names, values, name) for each in function.node)
    return Definition(nodes, {entry.domain: entry.version for entry in function.opset_import})


def contributed(
    proto: onnx.NodeProto, inputs: Sequence[NodeInput | None], attributes: Mapping[str, Any], name: str
) -> Definition:
    """The nodes that stand for one that is written here, `attributes` those that the model gives and defaults.

    Raises UnsupportedError for a form of it that cannot be written so.
    """
    write = writes(proto.domain, proto.op_type)
    assert write is not None
    writer = Writer(name, proto.op_type, inputs, proto.output, attributes)
    try:
        write(writer)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        got = said_by(error, with_type=True)
        raise writer.refusal("attributes and shapes that make sense together", got) from error
    return Definition(writer.nodes(), {"": OPSET})


def _function(
    node: onnx.NodeProto, schema: defs.OpSchema, types: Sequence[onnx.TypeProto | None]
) -> onnx.FunctionProto | None:
    known: Any = schema  # onnx's own stubs lack these names
    if known.has_context_dependent_function:
        given = [(kind or onnx.TypeProto()).SerializeToString() for kind in types]
        try:
            text = known.get_context_dependent_function(node.SerializeToString(), given)
        except RuntimeError:  # "the function could not be built", for types that it does not foresee
            return None
        built: onnx.FunctionProto = onnx.FunctionProto.FromString(text)
        return built
    body: onnx.FunctionProto | None = known.function_body if known.has_function else None
    return body


def with_defaults(proto: onnx.NodeProto, schema: defs.OpSchema) -> onnx.NodeProto:
    """The node with every attribute that it leaves out and that has a default."""
    complete = onnx.NodeProto()
    complete.CopyFrom(proto)
    given = {attribute.name for attribute in proto.attribute}
    for name, attribute in schema.attributes.items():
        if name not in given and attribute.default_value.type != onnx.AttributeProto.UNDEFINED:
            complete.attribute.append(attribute.default_value)
    return complete


def _paired(formal: Sequence[str], actual: Sequence[str]) -> dict[str, str]:
    """Formal to actual names; an omitted trailing one is the empty string."""
    return {name: actual[i] if i < len(actual) else "" for i, name in enumerate(formal)}


def _renamed(
    proto: onnx.NodeProto, names: Mapping[str, str], values: Mapping[str, onnx.AttributeProto], prefix: str
) -> onnx.NodeProto:
    """A node of a definition with the tensors and attributes of the node that it defines."""
    node = onnx.NodeProto(op_type=proto.op_type, domain=proto.domain)
    node.input.extend(names.get(name, f"{prefix}/{name}") if name else "" for name in proto.input)
    # An output that nobody wanted may still be read inside.
    node.output.extend(names.get(name) or f"{prefix}/{name}" if name else "" for name in proto.output)
    node.name = f"{prefix}/{next((name for name in proto.output if name), proto.op_type)}"
    for attribute in proto.attribute:
        value = values.get(attribute.ref_attr_name) if attribute.ref_attr_name else attribute
        if value is not None:
            node.attribute.append(value)
            node.attribute[-1].name = attribute.name
            if value.HasField("g"):
                _rename_body(node.attribute[-1].g, names, values, prefix)
    return node


def _rename_body(
    graph: onnx.GraphProto, names: Mapping[str, str], values: Mapping[str, onnx.AttributeProto], prefix: str
) -> None:
    """As `_renamed`, for the body of an If, Loop or Scan in a definition."""
    nodes = [_renamed(node, names, values, prefix) for node in graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    for named in (*graph.input, *graph.output, *graph.initializer):
        named.name = names.get(named.name, f"{prefix}/{named.name}")
