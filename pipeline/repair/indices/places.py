"""Proposes another index along an axis: for a number or another index, or two axes folded into one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, function_called
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.indices.index import Index, enclosed
from texelscope.pipeline.repair.words.mutation import Mutation

# The nearest so many variables, and sizes.
_MOST, _MOST_SIZES = 6, 3
_PLACES = (ArgumentList, Subscript)
_CONSTRUCTOR = re.compile(r"[iu]?vec[23]")
_NOTHING = re.compile(r"0u?|0?\.0*")


def placed(index: Index) -> Iterator[Mutation]:
    """Proposes another index in place of one, along one axis."""
    node, parent = index.node, index.node.parent
    if parent is None or not isinstance(parent, _PLACES) or index.lanes != 1:
        return
    if isinstance(node, NumberLiteral | BinaryExpression):
        yield from (index.as_index(each) for each in index.variables(_MOST))
        yield from (index.as_index(each) for each in itertools.islice(index.scope.unused(node, index.kind), _MOST))
    if isinstance(node, Identifier | FieldAccess) and index.scalar != "float":
        yield index.as_index(index.shown(0))


def folded(index: Index) -> Iterator[Mutation]:
    """Proposes both coordinates from one index, and one index along one axis where both are made of it."""
    given = arguments(index.node) if isinstance(index.node, FunctionCall) else []
    if not _CONSTRUCTOR.fullmatch(function_called(index.node)) or index.lanes != 2:
        return
    name, scalar = function_called(index.node), index.scalar
    if len(given) == 1 and index.types.of(given[0]) == scalar:
        inside = [given[0].text] if not isinstance(given[0], NumberLiteral) else index.variables(_MOST, scalar)
        nothing = "0.0" if scalar == "float" else "0"
        for each in inside:
            yield index.as_index(f"{name}({each}, {nothing})")
            yield index.as_index(f"{name}({nothing}, {each})")
    if len(given) != 2 or scalar == "float":
        return
    for one, other in (given, given[::-1]):
        is_index = not isinstance(one, NumberLiteral) and index.types.of(one) == scalar and index.has_remainders
        if _NOTHING.fullmatch(other.text) and is_index:
            yield from _into_two(index, name, enclosed(one))
    first, second = (bare(each) for each in given)
    parts = [enclosed(each.named_children[0]) for each in (first, second) if isinstance(each, BinaryExpression)]
    if len(parts) == 2 and parts[0] == parts[1] and {first.operator, second.operator} == {"%", "/"}:
        yield index.as_index(f"{name}({first.named_children[0].text}, 0)")
        yield index.as_index(f"{name}(0, {first.named_children[0].text})")


def _into_two(index: Index, name: str, text: str) -> Iterator[Mutation]:
    for step in index.steps:
        template = f"{name}({text} % {index.one}, {text} / {index.one})"
        yield index.as_index(f"{name}({text} % {step}, {text} / {step})", template, step)
    for size in index.sizes(_MOST_SIZES, index.scalar):
        yield index.as_index(f"{name}({text} % {size}, {text} / {size})")


def other_tables(node: SyntaxNode, index: Index) -> Iterator[Mutation]:
    """Proposes another array of the same type, read at the same place."""
    if not isinstance(node, Subscript) or not isinstance(node.argument, Identifier):
        return
    base = node.argument
    own, name = index.types.of(base), base.text
    if own.endswith("]"):
        for other in [each for each in index.scope.every_of_type(node, own) if each != name][:_MOST]:
            yield index.as_index(other + index.text[len(name) :])
