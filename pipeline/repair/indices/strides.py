"""Proposes other strides of indices, a factor or a size more or less, rows for columns, and other divisors.

Quotients and remainders are by another number, or one stands for the other, or for a group's first index.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, function_called, sides_of
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.indices.index import OPERANDS, Index, enclosed
from texelscope.pipeline.repair.indices.named_sizes import is_size
from texelscope.pipeline.repair.text.mutation import Mutation, with_texts

# The nearest so many names of sizes.
_MOST_SIZES = 3
# Longer sums are not changed.
_MOST_PARTS = 5
# The nearest so many names of sizes, and variables whose differences are tried.
_MOST_DIVISORS, _MOST_VARIABLES = 4, 4
_WHOLE = frozenset({"int", "uint"})


def strided(index: Index) -> Iterator[Mutation]:
    """Proposes an index, or a part of one, with another stride or another origin."""
    yield from _scaled(index)
    yield from _shifted(index)
    yield from _unscaled(index)
    yield from _counted(index)
    yield from (index.as_index(new) for new in _of_the_other_tensor(index))


def _scaled(index: Index) -> Iterator[Mutation]:
    """Proposes a step or a size as factor: of a whole index, a summand that is a vector or fractional, a factor."""
    node, parent = index.node, index.node.parent
    if parent is None or isinstance(node, NumberLiteral) or index.is_fixed(node):
        return
    sign = parent.operator if isinstance(parent, BinaryExpression) else ""
    is_first = sign == "*" and sides_of(parent)[0] is node and isinstance(node, OPERANDS)
    is_summand = sign in ("+", "-") and (index.scalar == "float" or index.lanes > 1) and isinstance(node, OPERANDS)
    if not (is_first or is_summand or index.is_whole):
        return
    text = enclosed(node)
    for step in index.steps:
        yield index.as_moved(f"{text} * {index.shown(step)}", f"{text} * {index.one}", step)
    if index.is_whole and index.kind == "int":
        for step in index.steps:
            for sign in "/%" if index.has_remainders else "/":
                yield index.as_moved(f"{text} {sign} {step}", f"{text} {sign} {index.one}", step)
    yield from (index.as_moved(f"{text} * {size}") for size in index.sizes(_MOST_SIZES))


def _shifted(index: Index) -> Iterator[Mutation]:
    """Proposes an offset by a step or a size: of a whole index, or of the number before a remainder."""
    node, parent = index.node, index.node.parent
    if parent is None or isinstance(node, NumberLiteral) or index.is_fixed(node):
        return
    is_divided = parent.operator in ("%", "/") and sides_of(parent)[0] is node
    if not index.is_whole and not (is_divided and isinstance(node, OPERANDS)):
        return
    for step in index.steps if index.is_whole and index.lanes == 1 else ():
        for sign, number in (("+", step), ("-", -step)):
            shown = f"{index.summand} {sign} {index.shown(step)}"
            yield index.as_moved(shown, f"{index.summand} + {index.one}", float(number))
    for size in index.sizes(_MOST_SIZES):
        yield from (index.as_moved(f"{index.summand} {sign} {size}") for sign in "+-")
    if index.kind == "ivec2":  # a tensor beside another one, in one texture
        for size in index.sizes(_MOST_SIZES, "int"):
            for sign, place in itertools.product("+-", (f"ivec2({size}, 0)", f"ivec2(0, {size})")):
                yield index.as_moved(f"{index.summand} {sign} {place}")


def _unscaled(index: Index) -> Iterator[Mutation]:
    """Proposes the index without a size that is its factor, divisor or summand."""
    if not isinstance(index.node, BinaryExpression):
        return
    a, b, sign = index.node.left, index.node.right, index.node.operator
    for kept, other in ((a, b), (b, a)):
        is_second = sign in ("/", "-", "%") and kept == b
        if is_second or sign not in ("*", "/", "+", "-", "%") or index.types.of(kept) != index.kind:
            continue
        if index.is_fixed(other) and not index.is_fixed(kept) and not _is_a_number(other):
            yield index.as_index(kept.text)


def _counted(index: Index) -> Iterator[Mutation]:
    """Turns a * k + b + c into (b + c) * s + a, and into a * s + b + c, with any step or size s."""
    parent = index.node.parent
    if index.node.operator not in ("+", "-") or (parent is not None and parent.operator in ("+", "-")):
        return
    parts = _summands(index.node)
    products = [each for sign, each in parts if sign == "+" and each.operator == "*"]
    for product in products if len(parts) <= _MOST_PARTS else ():
        others = [(sign, each) for sign, each in parts if each != product]
        rest = " ".join(f"{sign} {each.text}" for sign, each in others).removeprefix("+ ")
        outer = enclosed(others[0][1]) if len(others) == 1 and others[0][0] == "+" else f"({rest})"
        for inner, stride in (product.named_children, product.named_children[::-1]):
            if index.is_fixed(stride) and not index.is_fixed(inner):
                yield from _by_other_steps(index, outer, rest, (inner, stride))
                if len(others) > 1:
                    yield index.as_index(f"{outer} * {enclosed(stride)} + {inner.text}")
                    yield from _with_another(index, parts, product, (inner, stride))


def _with_another(
    index: Index,
    parts: list[tuple[str, SyntaxNode]],
    product: SyntaxNode,
    factors: tuple[SyntaxNode, SyntaxNode],
) -> Iterator[Mutation]:
    """Turns a longer sum with a * k and b into one with b * k and a, or with b times any step or size."""
    inner, stride = factors
    for other in (each for sign, each in parts if sign == "+" and each.operator != "*" and not index.is_fixed(each)):

        def whole(by: str, other: SyntaxNode = other) -> str:
            new = {product: inner.text, other: f"{enclosed(other)} * {by}"}
            shown = [f"{sign} {new.get(each, each.text)}" for sign, each in parts]
            return " ".join(shown).removeprefix("+ ")

        sizes = [each for each in index.sizes(2 * _MOST_SIZES) if each != stride.text]
        yield from (index.as_index(whole(each)) for each in (enclosed(stride), *sizes))
        yield from (index.as_moved(whole(index.shown(step)), whole(index.one), step) for step in index.steps)


def _by_other_steps(index: Index, outer: str, rest: str, product: tuple[SyntaxNode, SyntaxNode]) -> Iterator[Mutation]:
    inner, stride = product
    for step in index.steps:
        shown, one = index.shown(step), index.one
        yield index.as_moved(f"{outer} * {shown} + {inner.text}", f"{outer} * {one} + {inner.text}", step)
        if not _is_a_number(stride):
            yield index.as_moved(f"{enclosed(inner)} * {shown} + {rest}", f"{enclosed(inner)} * {one} + {rest}", step)
    if index.kind != "int":  # other modules do this for integers
        yield from (index.as_index(f"{outer} * {size} + {inner.text}") for size in index.sizes(_MOST_SIZES))


def _summands(node: SyntaxNode) -> list[tuple[str, SyntaxNode]]:
    """Returns the parts of a sum with their signs, in order."""
    found: list[tuple[str, SyntaxNode]] = []
    while isinstance(node, BinaryExpression) and node.operator in ("+", "-"):
        left, right = node.named_children[0], node.named_children[-1]
        found.insert(0, (node.operator, right))
        node = left
    return [("+", node), *found]


def _of_the_other_tensor(index: Index) -> Iterator[str]:
    """Yields the index with another tensor's sizes, if the names differ in one part: input for output."""
    if not index.is_whole or isinstance(index.node, Identifier | FieldAccess):
        return
    leaves = [*_leaves(index.node)]
    sizes = {each.text: index.types.of(each) for each in leaves if is_size(each.text, index.types)}
    if len(sizes) < 2:
        return
    seen: set[str] = set()
    for name, kind in sizes.items():
        for other in index.scope.every_of_type(index.node, kind):
            changed = _changed(name, other) if is_size(other, index.types) and other != name else None
            if changed is None:
                continue
            places = [each for each in leaves if each.text in sizes and changed[0] in each.text]
            names = {each.text: each.text.replace(*changed, 1) for each in places}
            known = all(new in index.scope.every_of_type(index.node, sizes[old]) for old, new in names.items())
            new = (
                with_texts(index.node, {each: names[each.text] for each in places}) if known and len(names) > 1 else ""
            )
            if new and new not in seen:
                seen.add(new)
                yield new


def _leaves(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yields names in an expression, fields as wholes."""
    if isinstance(node, Identifier | FieldAccess):
        yield node
        return
    for child in node.named_children:
        yield from _leaves(child)


def _changed(name: str, other: str) -> tuple[str, str] | None:
    """Returns the one part in which two names differ, if they have something in common."""
    head = next((i for i, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))
    most = min(len(name), len(other)) - head
    tail = next((i for i in range(most) if name[-1 - i] != other[-1 - i]), most)
    old, new = name[head : len(name) - tail], other[head : len(other) - tail]
    return (old, new) if old and head + tail > 0 else None


def _is_a_number(node: SyntaxNode) -> bool:
    return isinstance(bare(node), NumberLiteral)


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
    for size in index.sizes(_MOST_DIVISORS):
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
