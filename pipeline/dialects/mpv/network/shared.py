"""Models shared memory that a compute block's invocations fill together: an element is evaluated when it is read.

A loop that fills it covers more elements than its own invocation's. Which invocation stores an element does not
matter, so it is evaluated as if the reader stored it: with the loop's variables at the values that lead there.
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

# Names of an invocation's indices in its group, by axis.
LOCAL = ("lx", "ly")


@dataclass(frozen=True)
class SharedStore:
    """Holds an assignment to an element inside nested loops.

    `loops` are their variables, `declarations` the declarations inside, `places` the subscripts.
    """

    loops: tuple[str, ...]
    declarations: tuple[tree_sitter.Node, ...]
    value: tree_sitter.Node
    places: tuple[tree_sitter.Node, ...]

    def loop_behind(self, place: tree_sitter.Node) -> str | None:
        """Returns the loop whose variable the subscript is, or is declared with."""
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
    """Holds a group's array as the assignments that fill it; those in `tried` store the same from every invocation.

    `made` has the elements that were read, by their indices.
    """

    stores: list[SharedStore] = field(default_factory=list)
    tried: list[SharedStore] = field(default_factory=list)
    made: dict[tuple[str, ...], Value] = field(default_factory=dict)


def place_key(index: Value) -> str:
    """Returns a key that equal indices share, wherever they were written."""
    if not isinstance(index, LiteralNumber | Position):
        raise NotUnderstoodError("an element of shared memory that texels decide")
    symbols, constant = split(index)
    return f"{sorted(symbols.items())} {constant}"


def elsewhere(scope: Mapping[str, Value | SharedArray], steps: Mapping[str, int]) -> dict[str, Value | SharedArray]:
    """Returns the scope of another invocation, its indices `steps` further on."""
    return {n: each if isinstance(each, SharedArray) else moved_value(each, steps) for n, each in scope.items()}


def stores_in(loop: tree_sitter.Node) -> list[tuple[str, SharedStore]]:
    """Returns the assignments to elements in a loop and its inner loops, by array. Raises NotUnderstoodError."""
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
        raise NotUnderstoodError("a loop over the group's invocations without its own variable")
    return text_of(name)


def subscripts(node: tree_sitter.Node | None) -> tuple[str, Sequence[tree_sitter.Node]]:
    """Returns the name that is subscripted, and its subscripts from the outside in."""
    places: list[tree_sitter.Node] = []
    while node is not None and node.type == "subscript_expression":
        index = node.child_by_field_name("index")
        if index is not None:
            places.insert(0, index)
        node = node.child_by_field_name("argument")
    return (text_of(node) if node is not None else ""), places
