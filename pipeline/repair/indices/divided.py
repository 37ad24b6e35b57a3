"""Proposes other quotients and remainders: by another number, one for the other, and a group's first index."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import BinaryExpression, FunctionCall, Identifier, NumberLiteral
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, function_called, sides_of
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.indices.index import Index, enclosed
from texelscope.pipeline.repair.words.mutation import Mutation

# The nearest so many names of sizes, and variables whose differences are tried.
_MOST, _MOST_VARIABLES = 4, 4
_WHOLE = frozenset({"int", "uint"})


def divided(index: Index) -> Iterator[Mutation]:
    """Proposes another size for an index that is a quotient or a remainder, or the other of both."""
    if index.kind in _WHOLE:
        yield from _of_whole_numbers(index)
    elif index.scalar == "float":
        yield from (index.as_index(new) for new in _of_floats(index))
    parent = index.node.parent
    is_declared = parent is not None and isinstance(parent, InitDeclarator)
    if is_declared and index.lanes == 1 and not isinstance(index.node, NumberLiteral | Identifier):
        pairs = itertools.permutations(index.variables(_MOST_VARIABLES), 2)
        yield from (index.as_moved(f"{one} - {other}") for one, other in pairs)


def _of_whole_numbers(index: Index) -> Iterator[Mutation]:
    node = index.node
    (a, b), sign = sides_of(node), node.operator
    if a is None or b is None or sign not in ("/", "%", "*"):
        return
    inner = bare(a)
    if sign == "*":
        if isinstance(inner, BinaryExpression) and inner.operator in ("/", "%"):
            yield index.as_index(f"{enclosed(inner.named_children[0])} / {enclosed(b)} * {enclosed(b)}")
        return
    text, other = enclosed(a), {"/": "%", "%": "/"}[sign]
    for step in index.steps if index.has_remainders else ():
        yield index.as_index(f"{text} {other} {index.shown(step)}", f"{text} {other} {index.one}", step)
        if not isinstance(bare(b), NumberLiteral):
            yield index.as_index(f"{text} {sign} {index.shown(step)}", f"{text} {sign} {index.one}", step)
    for size in index.sizes(_MOST):
        if size != b.text and index.has_remainders:
            yield from (index.as_index(f"{text} {each} {size}") for each in "/%")
        if sign == "%":
            yield index.as_index(f"{a.text} - {size}")
    if index.has_remainders:
        yield index.as_index(f"{text} / {enclosed(b)} * {enclosed(b)}")


def _of_floats(index: Index) -> Iterator[str]:
    """Turns mod(a, b) into the quotient rounded down, and that into the remainder."""
    given, name = arguments(index.node) if isinstance(index.node, FunctionCall) else [], function_called(index.node)
    if name == "mod" and len(given) == 2:
        yield f"floor({enclosed(given[0])} / {enclosed(given[1])})"
        yield f"floor(({given[0].text} + 0.5) / {enclosed(given[1])})"
        yield from (f"floor(({given[0].text} + 0.5) / {size})" for size in index.sizes(2))
    inner = bare(given[0]) if name == "floor" and len(given) == 1 else None
    if inner is not None and isinstance(inner, BinaryExpression) and inner.operator == "/":
        above = _without_a_half(bare(inner.named_children[0]))
        yield f"mod({above.text}, {inner.named_children[-1].text})"
        yield from (f"mod({above.text}, {size})" for size in index.sizes(2) if size != above.text)


def _without_a_half(node: SyntaxNode) -> SyntaxNode:
    is_sum = isinstance(node, BinaryExpression) and node.operator == "+"
    return node.named_children[0] if is_sum and node.named_children[-1].text in ("0.5", ".5") else node
