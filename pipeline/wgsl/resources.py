"""Lists the resources that a text in WGSL declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl.declarations import Declarations
from texelscope.pipeline.wgsl.expressions import Expressions
from texelscope.pipeline.wgsl.names_used import used_by
from texelscope.pipeline.wgsl.parse_module import module_of
from texelscope.pipeline.wgsl.scope import Scope
from texelscope.pipeline.wgsl.syntax import Declaration, FunctionNode, VariableNode, attribute_of
from texelscope.pipeline.wgsl.types import Type


@dataclass(frozen=True)
class Resource:
    """A resource: its name, where it is bound, its address space (empty for textures and samplers), access and type."""

    name: str
    group: int
    binding: int
    space: str
    access: str
    type: Type


@dataclass(frozen=True)
class StageEntry:
    """A function that a stage begins at: the size of its work groups, and the names of the resources it uses."""

    name: str
    stage: str
    workgroup_size: tuple[int, int, int]
    uses: tuple[str, ...]


@dataclass(frozen=True)
class Interface:
    """What a text has for a program around it: resources by name, and entry points.

    `override_keys` are by an override's name what WebGPU calls it: the number of its `@id`, or its name.
    """

    resources: Mapping[str, Resource]
    entry_points: tuple[StageEntry, ...]
    override_keys: Mapping[str, str]


def interface_of(text: str, constants: Mapping[str, str] | None = None) -> Interface:
    """Returns the resources and the entry points of a text; `constants` are values of its overrides.

    Raises AuthorTextError where it is no WGSL, or has a type that OpenGL has not.
    """
    module = module_of(text)
    named = {each.name: each for each in module.declarations}
    expressions = Expressions(Scope(defines=constants or {}))
    declarations = Declarations(expressions)
    variables = [
        each for each in module.declarations
        if isinstance(each, VariableNode) and attribute_of(each.attributes, "binding") is not None
    ]  # fmt: skip
    constants_too = [
        each.name for each in module.declarations if isinstance(each, VariableNode) and each.keyword != "var"
    ]
    for name in used_by([*constants_too, *(each.name for each in variables)], named):
        declarations.declare(named[name])
    resources = {}
    for each in variables:
        group, binding = (_number(expressions, each, what) for what in ("group", "binding"))
        kind = expressions.scope.symbols[each.name].type
        resources[each.name] = Resource(each.name, group, binding, each.space, each.access or "read", kind)
    points = [
        point for each in module.declarations
        if isinstance(each, FunctionNode) and (point := _point(expressions, each, named)) is not None
    ]  # fmt: skip
    overrides = (each for each in module.declarations if isinstance(each, VariableNode) and each.keyword == "override")
    return Interface(resources, tuple(points), {each.name: _key(expressions, each) for each in overrides})


def _key(expressions: Expressions, node: VariableNode) -> str:
    marked = attribute_of(node.attributes, "id")
    return node.name if marked is None or not marked.arguments else str(expressions.constant(marked.arguments[0]))


def _point(expressions: Expressions, node: FunctionNode, named: Mapping[str, Declaration]) -> StageEntry | None:
    stage = next((each for each in ("compute", "fragment", "vertex") if attribute_of(node.attributes, each)), None)
    if stage is None:
        return None
    uses = used_by([node.name], named)
    sizes: list[int] = []
    size = attribute_of(node.attributes, "workgroup_size")
    for argument in size.arguments if size is not None else ():
        value = expressions.constant(argument)
        sizes.append(value if isinstance(value, int) else 1)
    x, y, z = (*sizes, 1, 1, 1)[:3]
    return StageEntry(node.name, stage, (x, y, z), tuple(uses))


def _number(expressions: Expressions, node: VariableNode, what: str) -> int:
    """Returns the number of a group or a binding. Raises AuthorTextError for one that is no constant."""
    found = attribute_of(node.attributes, what)
    value = expressions.constant(found.arguments[0]) if found is not None and found.arguments else None
    if not isinstance(value, int):
        raise AuthorTextError(node.row, f"a constant @{what} of {node.name}", "another one", "Write a number.")
    return value
