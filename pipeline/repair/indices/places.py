"""Where along an axis something is taken: an index in place of a number or of another one, one axis folded into two."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, bare, function_called, text_of
from texelscope.pipeline.repair.indices.index import Index, enclosed
from texelscope.pipeline.repair.words.mutation import Mutation, sign_of

# Of variables and of sizes, the nearest so many.
_MOST, _MOST_SIZES = 6, 3
_PLACES = frozenset({"argument_list", "subscript_argument_list", "subscript_expression"})
_CONSTRUCTOR = re.compile(r"[iu]?vec[23]")
_NOTHING = re.compile(r"0u?|0?\.0*")


def placed(index: Index) -> Iterator[Mutation]:
    """Another index in place of one, along one axis."""
    node, parent = index.node, index.node.parent
    if parent is None or parent.type not in _PLACES or index.lanes != 1:
        return
    if node.type in ("number_literal", "binary_expression"):
        yield from (index.as_index(each) for each in index.variables(_MOST))
        yield from (index.as_index(each) for each in itertools.islice(index.scope.unused(node, index.kind), _MOST))
    if node.type in ("identifier", "field_expression") and index.scalar != "float":
        yield index.as_index(index.shown(0))


def folded(index: Index) -> Iterator[Mutation]:
    """Both coordinates of a place from one index, and one index along one axis where both are made of it."""
    given = arguments(index.node) if index.node.type == "call_expression" else []
    if not _CONSTRUCTOR.fullmatch(function_called(index.node)) or index.lanes != 2:
        return
    name, scalar = function_called(index.node), index.scalar
    if len(given) == 1 and index.types.of(given[0]) == scalar:
        inside = [text_of(given[0])] if given[0].type != "number_literal" else index.variables(_MOST, scalar)
        nothing = "0.0" if scalar == "float" else "0"
        for each in inside:
            yield index.as_index(f"{name}({each}, {nothing})")
            yield index.as_index(f"{name}({nothing}, {each})")
    if len(given) != 2 or scalar == "float":
        return
    for one, other in (given, given[::-1]):
        is_index = one.type != "number_literal" and index.types.of(one) == scalar and index.has_remainders
        if _NOTHING.fullmatch(text_of(other)) and is_index:
            yield from _into_two(index, name, enclosed(one))
    first, second = (bare(each) for each in given)
    parts = [enclosed(each.named_children[0]) for each in (first, second) if each.type == "binary_expression"]
    if len(parts) == 2 and parts[0] == parts[1] and {sign_of(first), sign_of(second)} == {"%", "/"}:
        yield index.as_index(f"{name}({text_of(first.named_children[0])}, 0)")
        yield index.as_index(f"{name}(0, {text_of(first.named_children[0])})")


def _into_two(index: Index, name: str, text: str) -> Iterator[Mutation]:
    for step in index.steps:
        template = f"{name}({text} % {index.one}, {text} / {index.one})"
        yield index.as_index(f"{name}({text} % {step}, {text} / {step})", template, step)
    for size in index.sizes(_MOST_SIZES, index.scalar):
        yield index.as_index(f"{name}({text} % {size}, {text} / {size})")


def other_tables(node: tree_sitter.Node, index: Index) -> Iterator[Mutation]:
    """Another array of the same type, taken at the same place."""
    base = node.child_by_field_name("argument")
    if node.type != "subscript_expression" or base is None or base.type != "identifier":
        return
    own, name = index.types.of(base), text_of(base)
    if own.endswith("]"):
        for other in [each for each in index.scope.every_of_type(node, own) if each != name][:_MOST]:
            yield index.as_index(other + index.text[len(name) :])
