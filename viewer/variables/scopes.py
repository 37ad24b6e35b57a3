"""Which names a line of a shader sees: declarations and parameters, from the text, each with the lines of its block."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import tree_sitter

from texelscope.pipeline.glsl.syntax import (
    constructors_as_calls,
    function_around,
    function_name,
    parents,
    parse,
    text_of,
    walk,
)

# What a declaration inside of it is seen to the end of.
_BLOCKS = frozenset({"compound_statement", "for_statement", "while_statement", "if_statement", "function_definition"})
_NAMES = frozenset({"identifier", "array_declarator", "init_declarator"})


@dataclass(frozen=True)
class ScopedName:
    """A name of the text: its type (`float[3]` of an array), its function (empty outside all), lines that see it.

    `first` is the line that declares it, `last` the last line of its block; both count from 1. One `in_head` of a loop
    outlives its turns.
    """

    name: str
    type: str
    function: str
    first: int
    last: int
    is_parameter: bool = False
    in_head: bool = False

    def is_seen(self, function: str, line: int) -> bool:
        """Whether a statement of `function` on that line may use it."""
        return self.function in ("", function) and self.first <= line <= self.last


@lru_cache(maxsize=32)
def declared_in(text: str) -> tuple[ScopedName, ...]:
    """All that a file of GLSL declares, in its order; nothing of what does not parse."""
    source = text.encode()
    root = parse(constructors_as_calls(source))
    last = text.count("\n") + 1
    found: list[ScopedName] = []
    for node in walk(root):
        if node.type in ("declaration", "parameter_declaration"):
            found.extend(_of(node, last))
    return tuple(found)


def fields_in(text: str) -> dict[str, dict[str, str]]:
    """The structs of a file of GLSL: by name, the type of each field."""
    found: dict[str, dict[str, str]] = {}
    for node in walk(parse(constructors_as_calls(text.encode()))):
        name = node.child_by_field_name("name") if node.type == "struct_specifier" else None
        if name is None:
            continue
        fields = (each for each in walk(node) if each.type == "field_declaration")
        found[text_of(name)] = {
            text_of(inner): _type_name(each)
            for each in fields
            for inner in each.children
            if inner.type == "field_identifier"
        }
    return found


def _of(node: tree_sitter.Node, end: int) -> list[ScopedName]:
    type_name = _type_name(node)
    function = function_name(function_around(node))
    block = next((each for each in parents(node) if each.type in _BLOCKS), None)
    first = node.start_point[0] + 1
    last = block.end_point[0] + 1 if block is not None else end
    is_parameter = node.type == "parameter_declaration"
    in_head = node.parent is not None and node.parent.type == "for_statement"
    if is_parameter and block is None:  # of a prototype
        return []
    found = []
    for child in node.children:
        if child.type in _NAMES and (type_name or not is_parameter):
            name, sizes = _name(child)
            if name:
                found.append(ScopedName(name, f"{type_name}{sizes}", function, first, last, is_parameter, in_head))
    return found


def _name(node: tree_sitter.Node) -> tuple[str, str]:
    """The name in a declarator, and `[3]` of an array's."""
    sizes = ""
    current: tree_sitter.Node | None = node
    while current is not None and current.type in ("init_declarator", "array_declarator"):
        if current.type == "array_declarator":
            size = current.child_by_field_name("size")
            sizes = f"[{text_of(size) if size is not None else ''}]{sizes}"
        current = current.child_by_field_name("declarator")
    return (text_of(current), sizes) if current is not None and current.type == "identifier" else ("", "")


def _type_name(node: tree_sitter.Node) -> str:
    found = node.child_by_field_name("type")
    if found is None:
        return ""
    name = found.child_by_field_name("name") if found.type == "struct_specifier" else None
    return text_of(name if name is not None else found)
