"""Shared memory that the invocations of a compute block fill together: what lies where is made when it is read.

A loop that fills it goes over more elements than its own invocation's. Which invocation stores an element does not
matter, so an element is made as the one that reads it would: with the loop's variables at the values that lead there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from texelscope.pipeline.dialects.mpv.network.calls import Value, moved_value
from texelscope.pipeline.dialects.mpv.network.values import LiteralNumber, NotUnderstoodError, Position, split
from texelscope.pipeline.glsl.syntax import parents, text_of, walk

if TYPE_CHECKING:
    import tree_sitter

# Indices of an invocation in its group, by axis.
LOCAL = ("lx", "ly")


@dataclass(frozen=True)
class SharedStore:
    """An assignment to an element in loops one in another.

    `loops` are their variables, `declarations` what is declared on the way, `places` the subscripts.
    """

    loops: tuple[str, ...]
    declarations: tuple[tree_sitter.Node, ...]
    value: tree_sitter.Node
    places: tuple[tree_sitter.Node, ...]

    def loop_behind(self, place: tree_sitter.Node) -> str | None:
        """The loop whose variable the subscript is, or is declared with."""
        name = text_of(place)
        if name in self.loops:
            return name
        for each in self.declarations:
            words = [text_of(node) for node in walk(each) if node.type == "identifier"]
            if words and words[0] == name:
                return next((word for word in words[1:] if word in self.loops), None)
        return None


@dataclass
class SharedArray:
    """An array of a group, as the assignments that fill it; those `tried` do the same whoever fills it.

    `made` has the elements that were read, by their indices.
    """

    stores: list[SharedStore] = field(default_factory=list)
    tried: list[SharedStore] = field(default_factory=list)
    made: dict[tuple[str, ...], Value] = field(default_factory=dict)


def place_key(index: Value) -> str:
    """What two indices that are the same have in common, wherever they were written."""
    if not isinstance(index, LiteralNumber | Position):
        raise NotUnderstoodError("an element of shared memory that texels decide")
    symbols, constant = split(index)
    return f"{sorted(symbols.items())} {constant}"


def elsewhere(scope: Mapping[str, Value | SharedArray], steps: Mapping[str, int]) -> dict[str, Value | SharedArray]:
    """A scope as another invocation has it, the indices in it `steps` on."""
    return {n: each if isinstance(each, SharedArray) else moved_value(each, steps) for n, each in scope.items()}


def stores_in(loop: tree_sitter.Node) -> list[tuple[str, SharedStore]]:
    """The assignments to elements in a loop, and in loops in it, by the array's name. Raises NotUnderstoodError."""
    found = []
    for node in walk(loop):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if node.type != "assignment_expression" or left is None or right is None:
            continue
        name, places = subscripts(left)
        if not places:
            continue
        around = [each for each in parents(node) if each.type == "for_statement"][::-1]
        around = around[[each.start_byte for each in around].index(loop.start_byte) :]
        declared = [
            child
            for each in around
            for child in _body(each).named_children
            if child.type == "declaration" and child.start_byte < node.start_byte
        ]
        found.append((name, SharedStore(tuple(map(_variable, around)), tuple(declared), right, tuple(places))))
    return found


def _body(loop: tree_sitter.Node) -> tree_sitter.Node:
    body = loop.child_by_field_name("body")
    if body is None:
        raise NotUnderstoodError("a loop without a body")
    return body


def _variable(loop: tree_sitter.Node) -> str:
    start = loop.child_by_field_name("initializer")
    declarator = start.child_by_field_name("declarator") if start is not None else None
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    if name is None:
        raise NotUnderstoodError("a loop over the group's invocations without a variable of its own")
    return text_of(name)


def subscripts(node: tree_sitter.Node | None) -> tuple[str, Sequence[tree_sitter.Node]]:
    """The name that is subscripted, and its subscripts from the outside in."""
    places: list[tree_sitter.Node] = []
    while node is not None and node.type == "subscript_expression":
        index = node.child_by_field_name("index")
        if index is not None:
            places.insert(0, index)
        node = node.child_by_field_name("argument")
    return (text_of(node) if node is not None else ""), places
