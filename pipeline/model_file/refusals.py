"""Explains why a node is invalid, in our own words: ONNX's messages name type variables and C++ files."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import onnx
from onnx import defs, helper

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Node

_DO_NEXT = "Check the exporting script."


def refused(
    proto: onnx.NodeProto, schema: defs.OpSchema, types: Mapping[str, onnx.TypeProto], who: str
) -> TexelscopeError:
    """Returns the error for a node that ONNX's inference refuses; `types` are those of tensors by name.

    `who` names the node and the model.
    """
    expected, got = (
        _counts(proto, schema)
        or _elements(proto, schema, types)
        or ("inputs and attributes that fit the operator", _given(proto, types))
    )
    return TexelscopeError(who, expected, got, _DO_NEXT)


def check_outputs(node: Node, who: str) -> None:
    """Checks that a node has as many outputs as it says; ONNX's inference ends the process where it has more.

    Raises TexelscopeError.
    """
    said = node.attributes.get("num_outputs")
    if isinstance(said, int) and said != len(node.outputs):
        raise TexelscopeError(who, f"{said} outputs, its 'num_outputs'", str(len(node.outputs)), _DO_NEXT)


def _counts(proto: onnx.NodeProto, schema: defs.OpSchema) -> tuple[str, str] | None:
    for what, names, least, most in (
        ("input", proto.input, schema.min_input, schema.max_input),
        ("output", proto.output, schema.min_output, schema.max_output),
    ):
        if not least <= len(names) <= most:
            wanted = str(least) if least == most else f"{least} to {most}" if most < 1 << 16 else f"at least {least}"
            return f"{wanted} {what}{'s' if wanted != '1' else ''}", str(len(names))
    return None


def _elements(
    proto: onnx.NodeProto, schema: defs.OpSchema, types: Mapping[str, onnx.TypeProto]
) -> tuple[str, str] | None:
    """Reports an element type that the operator does not accept, or two where it needs one."""
    allowed = {each.type_param_str: set(each.allowed_type_strs) for each in schema.type_constraints}
    seen: dict[str, tuple[str, str]] = {}
    for position, name in enumerate(proto.input):
        kind = types.get(name)
        if kind is None or kind.WhichOneof("value") != "tensor_type" or not kind.tensor_type.elem_type:
            continue
        formal = schema.inputs[min(position, len(schema.inputs) - 1)]
        element = _element(kind)
        takes = allowed.get(formal.type_str, {formal.type_str})
        if element not in _names(takes):
            return (
                f"an input '{formal.name}' of {_listed(takes)} in opset {schema.since_version}",
                f"{element} '{name}'",
            )
        mixed = formal.option == defs.OpSchema.FormalParameterOption.Variadic and not formal.is_homogeneous
        if formal.type_str in seen and not mixed and seen[formal.type_str][1] != element:
            first, other = seen[formal.type_str]
            return "inputs of one element type", f"{other} '{first}' and {element} '{name}'"
        seen.setdefault(formal.type_str, (name, element))
    return None


def _given(proto: onnx.NodeProto, types: Mapping[str, onnx.TypeProto]) -> str:
    """Lists inputs with types and shapes, and the attributes that are numbers."""
    parts = [_described(name, types.get(name)) if name else "none" for name in proto.input]
    for attribute in proto.attribute:
        if attribute.type in (onnx.AttributeProto.INT, onnx.AttributeProto.INTS, onnx.AttributeProto.FLOAT):
            value = helper.get_attribute_value(attribute)
            shown = [*value] if attribute.type == onnx.AttributeProto.INTS else value
            parts.append(f"{attribute.name}={shown}")
    return ", ".join(parts) or "no input"


def _described(name: str, kind: onnx.TypeProto | None) -> str:
    if kind is None or kind.WhichOneof("value") != "tensor_type":
        return f"'{name}'"
    if not kind.tensor_type.HasField("shape"):
        return f"'{name}' {_element(kind)}"
    dims = [str(d.dim_value) if d.HasField("dim_value") else "?" for d in kind.tensor_type.shape.dim]
    return f"'{name}' {_element(kind)}[{','.join(dims)}]"


def _element(kind: onnx.TypeProto) -> str:
    return _numpy_name(str(onnx.TensorProto.DataType.Name(kind.tensor_type.elem_type)).lower())


def _names(types: Collection[str]) -> list[str]:
    """Returns element types of the tensors among ONNX's types."""
    return sorted(_numpy_name(each[len("tensor(") : -1]) for each in types if each.startswith("tensor("))


def _numpy_name(element: str) -> str:
    return {"float": "float32", "double": "float64"}.get(element, element)


def _listed(types: Collection[str]) -> str:
    names = _names(types)
    return " or ".join(names) if len(names) < 4 else f"{', '.join(names[:3])} …"
