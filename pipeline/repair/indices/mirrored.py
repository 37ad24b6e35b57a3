"""Proposes indices counted from the other end, along one axis or along two."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from texelscope.pipeline.glsl.semantics.expressions import BinaryExpression, FunctionCall, Identifier, NumberLiteral
from texelscope.pipeline.glsl.semantics.questions import bare, sides_of
from texelscope.pipeline.glsl.semantics.statements import ForLoop, FunctionDefinition, InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.indices.index import APART, Index, enclosed
from texelscope.pipeline.repair.words.mutation import Mutation

# The nearest so many names of sizes.
_MOST = 3


class _Ends(NamedTuple):
    """The start of a loop, its end, and whether that is included."""

    first: str
    last: str
    is_within: bool


def mirrored(index: Index) -> Iterator[Mutation]:
    """Proposes an index from the other end, or from the start if it is reversed already."""
    node = index.node
    if isinstance(node, Identifier) and (ends := _ends(node)) is not None:
        yield index.as_index(_from_the_other_end(index.text, ends, index.scalar))
    if index.is_whole and isinstance(node, BinaryExpression | FunctionCall):
        yield from (index.as_index(new) for new in _both(index))
    a, b = sides_of(node)
    if node.operator == "-" and a is not None and b is not None and a.operator == "+" and not index.is_fixed(b):
        before, last = a.named_children[0], a.named_children[-1]
        if index.is_fixed(last) and not index.is_fixed(before):
            yield index.as_index(f"{before.text} + {b.text}")
    is_turned = node.operator == "-" and a is not None and index.is_fixed(a)
    if is_turned and b is not None and index.types.of(b) == index.kind and not index.is_fixed(b):
        yield index.as_index(b.text)
    if not index.is_whole or isinstance(node, NumberLiteral) or index.is_fixed(node):
        return
    text, one = enclosed(node), index.shown(1)
    if index.kind == "int":
        for step in index.steps:
            yield index.as_moved(f"{step - 1} - {text}", f"{index.one} - {text}", step - 1.0)
    yield from (index.as_index(f"{size} - {one} - {text}") for size in index.sizes(_MOST))


def _both(index: Index) -> Iterator[str]:
    """Yields two loop variables reversed at once, if their loops have the same ends."""
    leaves = list(index.node.of_type(Identifier))
    ends = {leaf.text: found for leaf in leaves if (found := _ends(leaf)) is not None}
    for pair in itertools.combinations(ends, 2):
        some = [leaf for leaf in leaves if leaf.text in pair]
        if ends[pair[0]] == ends[pair[1]]:
            yield _turned(index, some, ends[pair[0]])
        if ends[pair[0]].last == ends[pair[1]].last and ends[pair[0]].is_within == ends[pair[1]].is_within:
            yield _turned(index, some, ends[pair[0]]._replace(first="0"))


def _turned(index: Index, leaves: Sequence[SyntaxNode], ends: _Ends) -> str:
    whole, start = index.node.text.encode(), index.node.start_byte
    for leaf in sorted(leaves, key=lambda each: -each.start_byte):
        new = _from_the_other_end(leaf.text, ends, index.types.of(leaf))
        new = new if leaf.parent is not None and isinstance(leaf.parent, APART) else f"({new})"
        whole = whole[: leaf.start_byte - start] + new.encode() + whole[leaf.end_byte - start :]
    return whole.decode()


def _from_the_other_end(name: str, ends: _Ends, scalar: str) -> str:
    if re.sub(r"\s", "", ends.first) == f"-{ends.last}" and ends.is_within:
        return f"-{name}"
    last = ends.last if ends.is_within else f"{ends.last} - {'1.0' if scalar == 'float' else '1'}"
    return f"{last} - {name}" if re.fullmatch(r"0(\.0*)?", ends.first) else f"{ends.first} + {last} - {name}"


def _ends(name: SyntaxNode) -> _Ends | None:
    """Returns the ends of the loop whose variable it is; None for any other variable."""
    for loop in name.ancestors():
        if isinstance(loop, FunctionDefinition):
            break
        if not isinstance(loop, ForLoop) or loop.initializer is None or loop.condition is None:
            continue
        body, begun = loop.body, loop.initializer.of_type(InitDeclarator)
        value = next((each.value for each in begun if each.declarator.text == name.text), None)
        (left, right), sign = sides_of(loop.condition), loop.condition.operator
        is_inside = body.start_byte <= name.start_byte < body.end_byte
        if value is None or left is None or right is None or left.text != name.text or not is_inside:
            continue
        return _Ends(value.text, enclosed(bare(right)), sign == "<=") if sign in ("<", "<=") else None
    return None
