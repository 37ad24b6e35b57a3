"""Translates an entry point of a text in WGSL to GLSL for OpenGL, row by row (WGSL, 13)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.errors import nearest
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.wgsl.declarations import Declarations, builtin_of
from texelscope.pipeline.wgsl.expressions import Expressions
from texelscope.pipeline.wgsl.names_used import names_in, used_by
from texelscope.pipeline.wgsl.parse_module import module_of
from texelscope.pipeline.wgsl.scope import NameMeaning, Scope
from texelscope.pipeline.wgsl.statements import FunctionWriter, WrittenRow
from texelscope.pipeline.wgsl.syntax import (
    Declaration,
    FunctionNode,
    Module,
    ParameterNode,
    VariableNode,
    attribute_of,
)
from texelscope.pipeline.wgsl.types import (
    NothingType,
    PointerType,
    StructType,
    Type,
    declared,
    glsl,
    said,
)

# A compute shader needs OpenGL 4.3. macOS draws with 4.1.
_VERSIONS: Mapping[Stage, str] = {
    "vertex": "#version 410 core",
    "fragment": "#version 410 core",
    "compute": "#version 430 core",
}
_BUILT_IN = {
    "global_invocation_id": "gl_GlobalInvocationID",
    "local_invocation_id": "gl_LocalInvocationID",
    "local_invocation_index": "gl_LocalInvocationIndex",
    "workgroup_id": "gl_WorkGroupID",
    "num_workgroups": "gl_NumWorkGroups",
    "position": "gl_FragCoord",
    "front_facing": "gl_FrontFacing",
    "vertex_index": "uint(gl_VertexID)",
    "instance_index": "uint(gl_InstanceID)",
}
_FEATURES = {"f16": "Use f32: OpenGL computes with 32 bits.", "subgroups": "Use var<workgroup> memory."}
# Functions that the invocations of a subgroup call together (WGSL, 17.12 and 17.13).
_OF_SUBGROUPS = re.compile(r"(?:subgroup|quad)[A-Z]")
_ENTRY = re.compile(
    r"@\s*(?P<stage>compute|fragment|vertex)\b(?P<between>(?:\s*@\s*\w+\s*(?:\([^()]*\))?|\s)*)\bfn\s+(?P<name>\w+)"
)
_SIZED = re.compile(
    r"@\s*workgroup_size\s*\([^()]*\)(?:\s*@\s*\w+\s*(?:\([^()]*\))?|\s)*@\s*compute\b\s*fn\s+(?P<name>\w+)"
)


def entry_points(text: str, stage: Stage) -> list[str]:
    """Returns the functions of a text that say that they are entry points of a stage, in order."""
    bare = without_comments(text)
    found = [(match.start("name"), match["name"]) for match in _ENTRY.finditer(bare) if match["stage"] == stage]
    if stage == "compute":
        found += [(match.start("name"), match["name"]) for match in _SIZED.finditer(bare)]
    return list(dict.fromkeys(name for _, name in sorted(found)))


@dataclass(frozen=True)
class EntryRequest:
    """Asks for one entry point of a stage, by its name, empty for the only one.

    `constants` are values of overrides by name. Of the resources, those that are `bound` stay though nothing uses them.
    """

    stage: Stage
    entry: str
    constants: Mapping[str, str]
    bound: Collection[str] = ()


def written(text: str, request: EntryRequest) -> list[WrittenRow]:
    """Returns the rows of GLSL for OpenGL, its `#version` first. Raises AuthorTextError with the row of the text."""
    return [WrittenRow(_VERSIONS[request.stage], None), *_written(module_of(text), request)]


def _written(module: Module, request: EntryRequest) -> list[WrittenRow]:
    named = {each.name: each for each in module.declarations}
    entry = _entry_of(module, request)
    first = [entry.name, *(name for name in request.bound if _is_resource(named.get(name)))]
    order = used_by(first, named)
    _check_features(module, {name for each in order for name in names_in(named[each])})
    expressions = Expressions(Scope(defines=request.constants, declared=tuple(named)))
    _check_defines(module, request)
    declarations = Declarations(expressions)
    for name in order:
        declarations.declare(named[name])
    functions: list[WrittenRow] = []
    for name in order:
        function = named[name]
        if isinstance(function, FunctionNode) and function is not entry:
            functions += _function(expressions, function)
    main = _main(expressions, entry, request.stage, declarations.begun)
    helpers = [WrittenRow(text, None) for text in expressions.divisors.rows()]
    return [*declarations.types, *declarations.resources, *declarations.variables, *helpers, *functions, *main]


def _check_features(module: Module, used: set[str]) -> None:
    """Raises AuthorTextError for what OpenGL has not. Engines enable subgroups on every device that has them."""
    for feature, row in module.features:
        if feature.startswith("subgroup") and not any(map(_OF_SUBGROUPS.match, used)):
            continue
        if feature in _FEATURES or feature.startswith("subgroup"):
            do_next = _FEATURES.get(feature, _FEATURES["subgroups"])
            raise AuthorTextError(row, "features that OpenGL has", f"enable {feature}", do_next)


def _is_resource(node: Declaration | None) -> bool:
    return isinstance(node, VariableNode) and node.space in ("", "storage", "uniform") and node.keyword == "var"


def _check_defines(module: Module, request: EntryRequest) -> None:
    """Raises AuthorTextError for a define that is no override."""
    known: list[str] = []
    for each in module.declarations:
        if isinstance(each, VariableNode) and each.keyword == "override":
            known.append(each.name)
    for name in request.constants:
        if name not in known:
            raise AuthorTextError(0, "an override of that name", f"defines.{name}", nearest(name, known))


def _entry_of(module: Module, request: EntryRequest) -> FunctionNode:
    stage = request.stage
    found = [
        each for each in module.declarations
        if isinstance(each, FunctionNode) and attribute_of(each.attributes, stage) is not None
    ]  # fmt: skip
    names = [each.name for each in found]
    if request.entry:
        if request.entry not in names:
            got = f'entry = "{request.entry}"'
            raise AuthorTextError(0, "an entry point of that name", got, nearest(request.entry, names))
        return found[names.index(request.entry)]
    if len(found) == 1:
        return found[0]
    if not found:
        others = [each for each in module.declarations if isinstance(each, FunctionNode) and each.attributes]
        if stage == "fragment" and any(attribute_of(each.attributes, "compute") for each in others):
            raise AuthorTextError(
                0, "a function with @fragment", "one with @compute", "Dispatch it: dispatch = [8, 8, 1]."
            )
        raise AuthorTextError(0, f"a function with @{stage}", "none", f"Write @{stage} before the function.")
    raise AuthorTextError(
        0, "one entry point", f"{len(names)}: {', '.join(names)}", f'Choose one: entry = "{names[0]}".'
    )


def _function(expressions: Expressions, node: FunctionNode) -> list[WrittenRow]:
    signature = expressions.scope.functions[node.name]
    outer = expressions.scope
    expressions.scope = outer.inner()
    parameters = []
    for parameter, kind in zip(node.parameters, signature.parameters, strict=True):
        name = safe_name(parameter.name)
        is_changed = isinstance(kind, PointerType)
        parameters.append(f"{'inout ' if is_changed else ''}{declared(_target(kind), name)}")
        expressions.scope.symbols[parameter.name] = NameMeaning(kind, name)
    writer = FunctionWriter(expressions, signature.result)
    writer.block(node.body)
    expressions.scope = outer
    head = f"{_result(signature.result)} {signature.text}({', '.join(parameters)}) {{"
    return [WrittenRow(head, node.row), *writer.rows, WrittenRow("}", node.body.last_row)]


def _target(kind: Type) -> Type:
    return kind.target if isinstance(kind, PointerType) else kind


def _result(kind: Type) -> str:
    return "void" if isinstance(kind, NothingType) else glsl(kind)


def _main(expressions: Expressions, node: FunctionNode, stage: Stage, begun: Sequence[str]) -> list[WrittenRow]:
    """Returns the rows of `main`, with the inputs and outputs of its stage before it."""
    signature = expressions.scope.functions[node.name]
    outer = expressions.scope
    expressions.scope = outer.inner()
    head: list[WrittenRow] = []
    writer = FunctionWriter(expressions, signature.result)
    used = set(names_in(node.body))
    if stage == "compute":
        head.append(_sizes(expressions, node))
        _begin(writer, begun)
    for parameter, kind in zip(node.parameters, signature.parameters, strict=True):
        if parameter.name in used:
            head += _input(expressions, writer, parameter, kind)
    head += _outputs(writer, node, signature.result, stage)
    writer.block(node.body)
    expressions.scope = outer
    return [*head, WrittenRow("void main() {", node.row), *writer.rows, WrittenRow("}", node.body.last_row)]


def _sizes(expressions: Expressions, node: FunctionNode) -> WrittenRow:
    attribute = attribute_of(node.attributes, "workgroup_size")
    if attribute is None:
        raise AuthorTextError(node.row, "@workgroup_size(x, y, z) of a compute shader", "none", "Add it.")
    sizes = []
    for each in attribute.arguments:
        value = expressions.constant(each)
        if not isinstance(value, int):
            raise AuthorTextError(attribute.row, "constant sizes of a work group", "another value", "Use constants.")
        sizes.append(value)
    x, y, z = (*sizes, 1, 1, 1)[:3]
    return WrittenRow(f"layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;", attribute.row)


def _begin(writer: FunctionWriter, begun: Sequence[str]) -> None:
    """Sets the memory of the work group to 0 by one invocation, as it is at the beginning in WGSL."""
    if not begun:
        return
    writer.add("if (gl_LocalInvocationIndex == 0u) {", None)
    for each in begun:
        writer.add(f"    {each}{'' if each.endswith(';') else ';'}", None)
    writer.add("}", None)
    writer.add("barrier();", None)


def _input(expressions: Expressions, writer: FunctionWriter, parameter: ParameterNode, kind: Type) -> list[WrittenRow]:
    """Declares a parameter of an entry point; returns the rows before `main` that it needs."""
    name = safe_name(parameter.name)
    expressions.scope.symbols[parameter.name] = NameMeaning(kind, name)
    if isinstance(kind, StructType):
        parts, rows = [], []
        for member in kind.members:
            text, row = _given(parameter, member.builtin, member.location, member.type, f"{name}_{member.name}")
            parts.append(text)
            rows += row
        writer.add(f"{kind.name} {name} = {kind.name}({', '.join(parts)});", parameter.row)
        return rows
    location = attribute_of(parameter.attributes, "location")
    where = None if location is None else 0
    text, rows = _given(parameter, builtin_of(parameter.attributes), where, kind, name)
    if text != name:
        writer.add(f"{declared(kind, name)} = {text};", parameter.row)
    return rows


def _given(
    parameter: ParameterNode, builtin: str, location: int | None, kind: Type, name: str
) -> tuple[str, list[WrittenRow]]:
    """Returns what a stage gives in GLSL, and the rows that declare it."""
    if builtin in _BUILT_IN:
        return _BUILT_IN[builtin], []
    if builtin:
        do_next = "Use another one, as in global_invocation_id."
        raise AuthorTextError(parameter.row, "a built-in value that OpenGL has", f"@builtin({builtin})", do_next)
    if location is None:
        raise AuthorTextError(parameter.row, f"@builtin or @location of {parameter.name}", "neither", "Add one.")
    flat = "" if glsl(kind).startswith(("float", "vec")) else "flat "
    return name, [WrittenRow(f"{flat}in {glsl(kind)} {name};", parameter.row)]


def _outputs(writer: FunctionWriter, node: FunctionNode, result: Type, stage: Stage) -> list[WrittenRow]:
    """Lets a `return` write a stage's outputs; returns the rows that declare them."""
    if isinstance(result, NothingType):
        return []
    if stage == "compute":
        raise AuthorTextError(node.row, "a compute shader without result", said(result), "Write it to a buffer.")
    if isinstance(result, StructType):
        rows, texts = [], [f"{result.name} result_ = {{}};"]
        for member in result.members:
            target = "gl_Position" if member.builtin == "position" else f"out_{member.name}"
            if not member.builtin:
                place = f"layout(location = {member.location or 0}) " if stage == "fragment" else ""
                rows.append(WrittenRow(f"{place}out {glsl(member.type)} {target};", node.row))
            texts.append(f"{target} = result_.{safe_name(member.name)};")
        writer.returned = "\n".join([*texts, "return;"])
        return rows
    if builtin_of(node.result_attributes) == "position":
        writer.returned = "gl_Position = {};\nreturn;"
        return []
    writer.returned = "result_color = {};\nreturn;"
    return [WrittenRow(f"layout(location = 0) out {glsl(result)} result_color;", node.row)]
