"""Shared memory that the invocations of a compute block fill together: what lies where is made when it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.dialects.mpv.network.calls import Value
from pipeline.dialects.mpv.network.values import NotUnderstoodError, Position
from pipeline.glsl.syntax import text_of

if TYPE_CHECKING:
    import tree_sitter

# Indices of an invocation in its group, by axis.
LOCAL = ("lx", "ly")

# Names of the loops' variables, the innermost body, the assignment in it, and the subscripts of what it assigns to.
_Store = tuple[tuple[str, ...], "tree_sitter.Node", "tree_sitter.Node", "Sequence[tree_sitter.Node]"]


@dataclass
class SharedArray:
    """An array of a group, as the assignments that fill it."""

    stores: list[_Store] = field(default_factory=list)


def is_filling(starts: Sequence[Value | SharedArray]) -> bool:
    """Whether a loop's variable starts at the invocation's place in its group."""
    symbols = {name for start in starts if isinstance(start, Position) for key in start.terms for name, _ in key}
    return bool(symbols & set(LOCAL))


def loops_of(node: tree_sitter.Node) -> tuple[tuple[str, ...], tree_sitter.Node]:
    """The variables of loops one in another, and the body of the innermost. Raises NotUnderstoodError for others."""
    variables: list[str] = []
    while True:
        start, body = node.child_by_field_name("initializer"), node.child_by_field_name("body")
        declarator = start.child_by_field_name("declarator") if start is not None else None
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        if name is None or body is None or body.type != "compound_statement":
            raise NotUnderstoodError("a loop over the group's invocations of another shape")
        variables.append(text_of(name))
        inner = [child for child in body.named_children if child.type != "comment"]
        if len(inner) != 1 or inner[0].type != "for_statement":
            return tuple(variables), body
        node = inner[0]


def subscripts(node: tree_sitter.Node | None) -> tuple[str, list[tree_sitter.Node]]:
    """The name that is subscripted, and its subscripts from the outside in."""
    places: list[tree_sitter.Node] = []
    while node is not None and node.type == "subscript_expression":
        index = node.child_by_field_name("index")
        if index is not None:
            places.insert(0, index)
        node = node.child_by_field_name("argument")
    return (text_of(node) if node is not None else ""), places
