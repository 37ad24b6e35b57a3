"""Quotients and remainders by another number, one for the other, and the first index of a group for either."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, bare, function_called, text_of
from texelscope.pipeline.repair.indices.index import Index, enclosed
from texelscope.pipeline.repair.words.mutation import Mutation, sign_of

# Of names of sizes, and of variables whose differences are tried, the nearest so many.
_MOST, _MOST_VARIABLES = 4, 4
_WHOLE = frozenset({"int", "uint"})


def divided(index: Index) -> Iterator[Mutation]:
    """An index that is a quotient or a remainder, by another size or the other of both."""
    if index.kind in _WHOLE:
        yield from _of_whole_numbers(index)
    elif index.scalar == "float":
        yield from (index.as_index(new) for new in _of_floats(index))
    parent = index.node.parent
    is_declared = parent is not None and parent.type == "init_declarator"
    if is_declared and index.lanes == 1 and index.node.type not in ("number_literal", "identifier"):
        pairs = itertools.permutations(index.variables(_MOST_VARIABLES), 2)
        yield from (index.as_moved(f"{one} - {other}") for one, other in pairs)


def _of_whole_numbers(index: Index) -> Iterator[Mutation]:
    node = index.node
    a, b, sign = node.child_by_field_name("left"), node.child_by_field_name("right"), sign_of(node)
    if a is None or b is None or sign not in ("/", "%", "*"):
        return
    inner = bare(a)
    if sign == "*":
        if inner.type == "binary_expression" and sign_of(inner) in ("/", "%"):
            yield index.as_index(f"{enclosed(inner.named_children[0])} / {enclosed(b)} * {enclosed(b)}")
        return
    text, other = enclosed(a), {"/": "%", "%": "/"}[sign]
    for step in index.steps if index.has_remainders else ():
        yield index.as_index(f"{text} {other} {index.shown(step)}", f"{text} {other} {index.one}", step)
        if bare(b).type != "number_literal":
            yield index.as_index(f"{text} {sign} {index.shown(step)}", f"{text} {sign} {index.one}", step)
    for size in index.sizes(_MOST):
        if size != text_of(b) and index.has_remainders:
            yield from (index.as_index(f"{text} {each} {size}") for each in "/%")
        if sign == "%":
            yield index.as_index(f"{text_of(a)} - {size}")
    if index.has_remainders:
        yield index.as_index(f"{text} / {enclosed(b)} * {enclosed(b)}")


def _of_floats(index: Index) -> Iterator[str]:
    """Of mod(a, b) the quotient rounded down, and of that the remainder."""
    given, name = arguments(index.node) if index.node.type == "call_expression" else [], function_called(index.node)
    if name == "mod" and len(given) == 2:
        yield f"floor({enclosed(given[0])} / {enclosed(given[1])})"
        yield f"floor(({text_of(given[0])} + 0.5) / {enclosed(given[1])})"
        yield from (f"floor(({text_of(given[0])} + 0.5) / {size})" for size in index.sizes(2))
    inner = bare(given[0]) if name == "floor" and len(given) == 1 else None
    if inner is not None and inner.type == "binary_expression" and sign_of(inner) == "/":
        above = _without_a_half(bare(inner.named_children[0]))
        yield f"mod({text_of(above)}, {text_of(inner.named_children[-1])})"
        yield from (f"mod({text_of(above)}, {size})" for size in index.sizes(2) if size != text_of(above))


def _without_a_half(node: tree_sitter.Node) -> tree_sitter.Node:
    is_sum = node.type == "binary_expression" and sign_of(node) == "+"
    return node.named_children[0] if is_sum and text_of(node.named_children[-1]) in ("0.5", ".5") else node
