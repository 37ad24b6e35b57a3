"""Models shared memory that a compute block's invocations fill together: an element is evaluated when it is read.

A loop that fills it covers more elements than its own invocation's. Which invocation stores an element does not
matter, so it is evaluated as if the reader stored it: with the loop's variables at the values that lead there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from texelscope.pipeline.dialects.mpv.network.calls import Value, moved_value
from texelscope.pipeline.dialects.mpv.network.values import LiteralNumber, NotUnderstoodError, Position, split
from texelscope.pipeline.glsl.semantics.expressions import Assignment, Subscript
from texelscope.pipeline.glsl.semantics.questions import names_in
from texelscope.pipeline.glsl.semantics.statements import Declaration, ForLoop, declarator_in
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

# Names of an invocation's indices in its group, by axis.
LOCAL = ("lx", "ly")


@dataclass(frozen=True)
class SharedStore:
    """Holds an assignment to an element inside nested loops.

    `loops` are their variables, `declarations` the declarations inside, `places` the subscripts.
    """

    loops: tuple[str, ...]
    declarations: tuple[SyntaxNode, ...]
    value: SyntaxNode
    places: tuple[SyntaxNode, ...]

    def loop_behind(self, place: SyntaxNode) -> str | None:
        """Returns the loop whose variable the subscript is, or is declared with."""
        name = place.text
        if name in self.loops:
            return name
        for each in self.declarations:
            words = [*names_in(each)]
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


def stores_in(loop: SyntaxNode) -> list[tuple[str, SharedStore]]:
    """Returns the assignments to elements in a loop and its inner loops, by array. Raises NotUnderstoodError."""
    found = []
    for node in loop.of_type(Assignment):
        name, places = subscripts(node.left)
        if not places:
            continue
        around = [each for each in node.ancestors() if isinstance(each, ForLoop)][::-1]
        around = around[[each.start_byte for each in around].index(loop.start_byte) :]
        declared = [
            child
            for each in around
            for child in each.body.named_children
            if isinstance(child, Declaration) and child.start_byte < node.start_byte
        ]
        found.append((name, SharedStore(tuple(map(_variable, around)), tuple(declared), node.right, tuple(places))))
    return found


def _variable(loop: ForLoop) -> str:
    start = loop.initializer
    declarator = declarator_in(start) if start is not None else None
    name = declarator_in(declarator) if declarator is not None else None
    if name is None:
        raise NotUnderstoodError("a loop over the group's invocations without its own variable")
    return name.text


def subscripts(node: SyntaxNode) -> tuple[str, Sequence[SyntaxNode]]:
    """Returns the name that is subscripted, and its subscripts from the outside in."""
    places: list[SyntaxNode] = []
    while isinstance(node, Subscript):
        places.insert(0, node.index)
        node = node.argument
    return node.text, places
