"""Finds which names are in scope on a line of a shader: declarations and parameters, with their blocks' lines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from texelscope.pipeline.glsl.semantics.expressions import FieldName, Identifier
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.questions import name_around
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    CompoundStatement,
    Declaration,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    ParameterDeclaration,
    StructMember,
    StructSpecifier,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

# Nodes whose end closes the scope of declarations inside.
_BLOCKS = (CompoundStatement, ForLoop, WhileLoop, IfStatement, FunctionDefinition)
_NAMES = (Identifier, ArrayDeclarator, InitDeclarator)


@dataclass(frozen=True)
class ScopedName:
    """Describes a declared name: its type (`float[3]` for an array), its function (empty outside all), and its scope.

    `first` is the line that declares it, `last` the last line of its block; both count from 1. A name declared
    `in_head` of a loop survives its turns.
    """

    name: str
    type: str
    function: str
    first: int
    last: int
    is_parameter: bool = False
    in_head: bool = False

    def is_seen(self, function: str, line: int) -> bool:
        """Returns whether a statement of `function` on that line may use it."""
        return self.function in ("", function) and self.first <= line <= self.last


@lru_cache(maxsize=32)
def declared_in(text: str) -> tuple[ScopedName, ...]:
    """Returns all that a GLSL file declares, in order; skips what does not parse."""
    source = text.encode()
    root = parse(constructors_as_calls(source))
    last = text.count("\n") + 1
    found: list[ScopedName] = []
    for node in root.walk():
        if isinstance(node, Declaration | ParameterDeclaration):
            found.extend(_of(node, last))
    return tuple(found)


def fields_in(text: str) -> dict[str, dict[str, str]]:
    """Returns the structs of a GLSL file: by name, the type of each field."""
    found: dict[str, dict[str, str]] = {}
    for node in parse(constructors_as_calls(text.encode())).of_type(StructSpecifier):
        if node.name is not None:
            fields = [(inner, each) for each in node.of_type(StructMember) for inner in each.children]
            found[node.name.text] = {
                inner.text: _type_name(each) for inner, each in fields if isinstance(inner, FieldName)
            }
    return found


def _of(node: Declaration | ParameterDeclaration, end: int) -> list[ScopedName]:
    type_name = _type_name(node)
    function = name_around(node)
    block = node.enclosing(*_BLOCKS)
    first = node.row + 1
    last = block.end_row + 1 if block is not None else end
    is_parameter = isinstance(node, ParameterDeclaration)
    in_head = isinstance(node.parent, ForLoop)
    if is_parameter and block is None:  # of a prototype
        return []
    found = []
    for child in node.children:
        if isinstance(child, _NAMES) and (type_name or not is_parameter):
            name, sizes = _name(child)
            if name:
                found.append(ScopedName(name, f"{type_name}{sizes}", function, first, last, is_parameter, in_head))
    return found


def _name(node: SyntaxNode) -> tuple[str, str]:
    """Returns the name in a declarator, and `[3]` of an array's."""
    sizes = ""
    while isinstance(node, InitDeclarator | ArrayDeclarator):
        if isinstance(node, ArrayDeclarator):
            sizes = f"[{node.size.text if node.size is not None else ''}]{sizes}"
        node = node.declarator
    return (node.text, sizes) if isinstance(node, Identifier) else ("", "")


def _type_name(node: Declaration | ParameterDeclaration | StructMember) -> str:
    if isinstance(node.type, StructSpecifier) and node.type.name is not None:
        return node.type.name.text
    return node.type.text if node.type is not None else ""
