"""Reads nodes of an ONNX message: their names, schemas, attributes and bodies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import onnx
from onnx import helper

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.model_file.message import array_of

# A default of GRU 1 as its schema spells it.
_MISSPELT = {"foward": "forward"}
_KNOWN = frozenset(onnx.AttributeProto.AttributeType.values()) - {onnx.AttributeProto.UNDEFINED}


def label(proto: onnx.NodeProto) -> str:
    """Returns the node's name, or its first output's."""
    return proto.name or next((out for out in proto.output if out), proto.op_type)


def who(proto: onnx.NodeProto) -> str:
    """Returns the node's name in errors."""
    return f"{proto.op_type} '{proto.name or next((out for out in proto.output if out), '')}'"


def plain_domain(domain: str) -> str:
    """Returns the domain, with one of the two names of ONNX's own."""
    return "" if domain == "ai.onnx" else domain


def schema_of(op_type: str, opset: int, domain: str) -> onnx.defs.OpSchema | None:
    """Returns None for a custom operator: it is shown as not run, never a reason to refuse the file.

    A version that ONNX withdrew has no inference: the version before it gives shapes and attributes (Upsample
    9 for 10), or the newest one where it was the first (GroupNormalization 21 for 18).
    """
    try:
        schema = onnx.defs.get_schema(op_type, opset, domain)
    except onnx.defs.SchemaError:
        return None
    if not schema.deprecated:
        return schema
    versions = [each for each in _versions(op_type, domain) if not each.deprecated]
    earlier = [each for each in versions if each.since_version < schema.since_version]
    return next(iter([*reversed(earlier), *reversed(versions)]), None)


def _versions(op_type: str, domain: str) -> list[onnx.defs.OpSchema]:
    """Returns all versions of an operator, the oldest first."""
    known = onnx.defs.get_all_schemas_with_history()
    return sorted(
        (each for each in known if each.name == op_type and each.domain == domain), key=lambda each: each.since_version
    )


def attributes_of(proto: onnx.NodeProto, schema: onnx.defs.OpSchema | None, model: str) -> dict[str, Any]:
    """Returns the node's attributes as Python values, with the schema's defaults; `model` is the file's name."""
    values: dict[str, Any] = {}
    if schema is not None:
        for name, attribute in schema.attributes.items():
            if attribute.default_value.type != onnx.AttributeProto.UNDEFINED:
                value = value_of(attribute.default_value, model)
                values[name] = _MISSPELT.get(value, value) if isinstance(value, str) else value
    for given in proto.attribute:
        if given.type not in _KNOWN:
            raise TexelscopeError(
                f"{who(proto)} ({model})",
                f"a value of attribute '{given.name}'",
                "none" if given.type == onnx.AttributeProto.UNDEFINED else f"one of kind {given.type}",
                "Check the exporting script.",
            )
        values[given.name] = value_of(given, model)
    return values


def value_of(attribute: onnx.AttributeProto, model: str) -> Any:
    """Returns an attribute's value: numbers, text, tuples and arrays; a body unchanged."""
    value = helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, onnx.TensorProto):
        return array_of(value, model)
    if isinstance(value, list) or attribute.type in (onnx.AttributeProto.INTS, onnx.AttributeProto.FLOATS):
        return tuple(item.decode("utf-8", "replace") if isinstance(item, bytes) else item for item in value)
    return value


def as_cast(proto: onnx.NodeProto, element: int) -> onnx.NodeProto:
    """Converts a CastLike to a Cast: its second input's element type becomes an attribute."""
    cast = onnx.NodeProto()
    cast.CopyFrom(proto)
    cast.op_type = "Cast"
    del cast.input[1]
    cast.attribute.append(helper.make_attribute("to", element))
    return cast


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
